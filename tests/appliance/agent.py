"""Runs in the machine as root: does what the test outside asks, one line at a time.

A request is a JSON object ``{"shell": TEXT, "seconds": N}`` on one line, the answer
``{"status": N, "said": TEXT}``. It ends with the machine.
"""

import json
import socketserver
import subprocess


class Asked(socketserver.StreamRequestHandler):
    """One request."""

    def handle(self) -> None:
        asked = json.loads(self.rfile.readline())
        words = ["/bin/bash", "-o", "pipefail", "-c", asked["shell"]]
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=asked["seconds"],
            )
            status, said = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            status, said = 124, error.stdout or b""
        answer = {"status": status, "said": said.decode("utf-8", "replace")}
        self.wfile.write(json.dumps(answer).encode() + b"\n")


class Server(socketserver.ThreadingTCPServer):
    """Comes back at once after a restart."""

    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    Server(("0.0.0.0", 7), Asked).serve_forever()
