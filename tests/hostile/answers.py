# SPDX-License-Identifier: MIT
"""A server that answers every request with something else: valid answers of GitHub, damaged ones, wrong lengths,
redirections, limits, endless bodies. The same seed and request get the same answer."""

import http.server
import pathlib
import random
import socketserver
import threading
import zlib

import generate

ANSWERS = sorted((pathlib.Path(__file__).resolve().parent.parent / "fuzz/corpus/github_answer").iterdir())
TOKEN = "ghp_" + generate.SECRET
ENDLESS = 400 << 20  # more than anybody should read


def body_for(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return b"[" * 100000
    if kind == 1:
        return b'{"message":"\x1b[2J no","errors":[{"type":"\x1b]0;x","message":"\\u001b[31m"}]}'
    if kind == 2:
        return rng.choice((b"", b"null", b"[]", b"{}", b'{"data":null}', b'{"data":{}}', b'"x"', b"1e999", b"\xff\xfe"))
    data = rng.choice(ANSWERS).read_bytes()
    return data if kind < 5 else generate.mutated(rng, data)


class Handler(http.server.BaseHTTPRequestHandler):
    seed = 0

    def log_message(self, *_):
        pass

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        rng = random.Random(f"{self.seed} {self.command} {self.path} {zlib.crc32(body)}")
        try:
            self.answer(rng)
        except OSError:
            pass  # the tool hung up
        self.close_connection = True

    do_GET = do_POST = do_PATCH = do_PUT = serve

    def answer(self, rng):
        kind = rng.randrange(12)
        if kind == 0:
            return  # no answer
        status = rng.choice((200, 200, 200, 200, 201, 204, 302, 304, 401, 403, 404, 422, 429, 500, 502, 999))
        headers = {"Content-Type": rng.choice(("application/json", "text/html", "")), "ETag": f'"{rng.random()}"'}
        data = body_for(rng)
        length = len(data)
        if status == 302:
            headers["Location"] = rng.choice((self.path, "file:///etc/passwd", "http://127.0.0.1:9/x", "//[", ""))
        if status in (403, 429):
            headers[rng.choice(("Retry-After", "X-RateLimit-Reset"))] = rng.choice(("0", "1", "999999999999", "-1", "x"))
            headers["X-RateLimit-Remaining"] = rng.choice(("0", "-5", "y"))
        if kind == 1:
            length = rng.choice((length + 10, 1 << 60))
        if kind == 2:
            headers["Link"] = f'<{rng.choice((self.path, "/x", "http://127.0.0.1:9/"))}>; rel="next"'
        if kind == 3:
            headers["X-Long"] = "x" * 200000
        if kind == 4:
            headers["Content-Encoding"] = rng.choice(("gzip", "br", "deflate"))
        self.send_response(status, rng.choice((None, "\x1b[2J")))
        for name, value in headers.items():
            self.send_header(name, value)
        if kind == 5:
            self.end_headers()
            for _ in range(ENDLESS >> 20):
                self.wfile.write(b" " * (1 << 20))
            return
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(data)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


class Answers:
    """with Answers(seed) as answers: answers.environment"""

    def __init__(self, seed):
        self.server = Server(("127.0.0.1", 0), type("Seeded", (Handler,), {"seed": seed}))
        url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.environment = {"GITHUB_API_URL": url, "GH_TOKEN": TOKEN}

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
