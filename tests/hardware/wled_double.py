"""A WLED controller on the loopback: answers its info page, takes its UDP packets."""

import json
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy as np


class WledDouble:
    """Shows what it is sent, until it is told to fail.

    Args:
        count: LEDs that it is set to.
        info: What its page says instead.
    """

    def __init__(self, count=1000, info=None) -> None:
        self._info = info if info is not None else {"leds": {"count": count}}
        self._fault = ""
        self._let_go = threading.Event()
        self._live = False
        self.udp_port = self.http_port = 0
        self._serve()
        self.plug_in()

    def _serve(self) -> None:
        double = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self):
                if double._fault == "refusing":
                    return
                if double._fault == "hanging":
                    double._let_go.wait(10)
                    return
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(double.says()).encode())

            def log_message(self, *_args):
                pass

        self._http = HTTPServer(("127.0.0.1", self.http_port), Page)
        self._http.handle_error = lambda *_args: None
        self.http_port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def says(self):
        """What its page says: whether it shows pictures that were sent, too."""
        if not isinstance(self._info, dict):
            return self._info
        waits, _, _ = select.select([self._udp], [], [], 0)
        return {**self._info, "live": self._live or bool(waits)}

    def plug_in(self) -> None:
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.settimeout(2.0)
        self._udp.bind(("127.0.0.1", self.udp_port))
        self.udp_port = self._udp.getsockname()[1]

    def pull_out(self) -> None:
        self._udp.close()

    def break_it(self, fault) -> None:
        """Be absent, refusing or hanging until `mend`; or be restarted."""
        self._live = False
        self._let_go.clear()
        if fault == "absent":
            self._stop()
        if fault != "restarted":
            self._fault = fault

    def mend(self) -> None:
        was, self._fault = self._fault, ""
        self._let_go.set()
        if was == "absent":
            self._serve()
            self.plug_in()

    def shows(self) -> None:
        """Be live, as if the last picture were still there."""
        self._live = True

    def nothing_came(self) -> None:
        """Check that no packet waits."""
        assert select.select([self._udp], [], [], 0) == ([], [], [])

    def packets(self, count):
        found = [self._udp.recv(2000) for _ in range(count)]
        self._live = True
        return found

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

    def newest(self, pixels):
        """The colours of the last of all packets that wait, of a short strip."""
        packet = b""
        while select.select([self._udp], [], [], 0.05)[0]:
            (packet,) = self.packets(1)
        assert packet[:1] == b"\2", "no picture came"
        return np.frombuffer(packet[2:], np.uint8).reshape(pixels, 3)

    def _stop(self) -> None:
        self._udp.close()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def close(self) -> None:
        if self._fault != "absent":
            self._let_go.set()
            self._stop()
