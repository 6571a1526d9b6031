#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: github_api.py DIRECTORY: a stand-in for GitHub's API on a local port, which it prints.

A GET is answered with DIRECTORY/<path with _ for />.json; anything else is appended to DIRECTORY/calls, as a line of JSON.
"""
import http.server
import json
import pathlib
import sys
import urllib.parse

folder = pathlib.Path(sys.argv[1])


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, code, body):
        self.send_response(code)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path.strip("/")
        file = folder / (path.replace("/", "_") + ".json")
        if file.exists():
            self.answer(200, file.read_bytes())
        else:
            self.answer(404, b'{"message": "Not Found"}')

    def record(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(folder / "calls", "a") as calls:
            print(json.dumps({"method": self.command, "path": self.path, "body": json.loads(body)}), file=calls)
        self.answer(201, b'{"id": 1}')

    do_POST = do_PATCH = record

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
