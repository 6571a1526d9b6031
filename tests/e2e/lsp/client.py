# SPDX-License-Identifier: MIT
"""A small client of the language server protocol, for tests and the bench: one process, messages in order."""
import json
import pathlib
import subprocess


class Client:
    def __init__(self, tool, *words):
        self.process = subprocess.Popen([tool, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        self.seen = []  # what the server said without being asked, oldest first

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def start_request(self, method, **params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        return self.count

    def request(self, method, **params):
        """The whole answer, an error included."""
        return self.answer(self.start_request(method, **params))

    def answer(self, number):
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message
            self.seen.append(message)

    def result(self, method, **params):
        answer = self.request(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def read(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line, "the server closed its output"
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def wait_for(self, method):
        """The next message of this kind, the oldest first; others are dropped."""
        while True:
            message = self.seen.pop(0) if self.seen else self.read()
            if message.get("method") == method:
                return message

    def open(self, path, text=None, version=1, language="cuda"):
        text = pathlib.Path(path).read_text() if text is None else text
        uri = pathlib.Path(path).resolve().as_uri()
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": language, "version": version, "text": text})
        return uri

    def diagnostics(self):
        return self.wait_for("textDocument/publishDiagnostics")["params"]

    def stop(self):
        """The exit code after an orderly end."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(30)
