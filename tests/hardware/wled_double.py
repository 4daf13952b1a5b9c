"""A WLED controller on the loopback: answers its info page, takes its UDP packets."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np


class WledDouble:
    def __init__(self, count=1000, info=None) -> None:
        body = json.dumps(info if info is not None else {"leds": {"count": count}})

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_args):
                pass

        self._http = HTTPServer(("127.0.0.1", 0), Page)
        self.http_port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        self.udp_port = 0
        self.plug_in()

    def plug_in(self) -> None:
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.settimeout(2.0)
        self._udp.bind(("127.0.0.1", self.udp_port))
        self.udp_port = self._udp.getsockname()[1]

    def pull_out(self) -> None:
        self._udp.close()

    def packets(self, count):
        return [self._udp.recv(2000) for _ in range(count)]

    def picture(self, pixels, copies=2):
        """The colours after taking one picture's packets as WLED's page says."""
        colours = np.zeros((pixels, 3), np.uint8)
        each = 1 if pixels <= 490 else -(-pixels // 489)
        for packet in self.packets(each * copies):
            at, data = (0, packet[2:]) if packet[0] == 2 else (None, packet[4:])
            if at is None:
                assert packet[0] == 4
                at = packet[2] << 8 | packet[3]
            rgb = np.frombuffer(data, np.uint8).reshape(-1, 3)
            colours[at : at + len(rgb)] = rgb
        return colours

    def close(self) -> None:
        self._udp.close()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
