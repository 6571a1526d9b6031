# SPDX-License-Identifier: MIT
"""One editing session over the protocol, against the built tool. usage: session.py TOOL PROJECT"""
import pathlib
import sys

from client import Client

tool, project = sys.argv[1], pathlib.Path(sys.argv[2])
able = {"workspace": {"workspaceEdit": {"documentChanges": True}},
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {}},
                         "hover": {"contentFormat": ["markdown"]}}}


def codes(published):
    return [each["code"] for each in published["diagnostics"]]


def edited(text, edits):
    """The text after the edits; ASCII only, so that columns are characters."""
    lines = text.splitlines(keepends=True)
    start = lambda place: sum(map(len, lines[:place["line"]])) + place["character"]
    for edit in sorted(edits, key=lambda each: start(each["range"]["start"]), reverse=True):
        text = text[:start(edit["range"]["start"])] + edit["newText"] + text[start(edit["range"]["end"]):]
    return text


client = Client(tool, "--stdio")
assert client.request("textDocument/hover")["error"]["code"] == -32002
started = client.result("initialize", capabilities=able, rootUri=project.as_uri(), processId=None)
assert started["serverInfo"]["name"] == "hipwright", started
client.notify("initialized")

# Broken messages are refused, and the session goes on.
client.raw(b"Content-Length: 5\r\n\r\n{]}{}")
assert client.read()["error"]["code"] == -32700
client.raw(b"Content-Length: none\r\n\r\n")
assert client.read()["error"]["code"] == -32700
client.raw(b"Content-Length: 2\r\n\r\n[]")
assert client.read()["error"]["code"] == -32600
assert client.request("textDocument/rename")["error"]["code"] == -32601

# The unsaved text counts, with the build lists of the project.
reduce = project / "csrc/reduce.cu"
text = reduce.read_text()
uri = client.open(reduce)
published = client.diagnostics()
assert codes(published) == ["HW101"] and published["version"] == 1, published
where = published["diagnostics"][0]["range"]
only_cuda = client.open(project / "csrc/only_cuda.cu")
assert codes(client.diagnostics()) == [], "CMakeLists.txt compiles it for CUDA only"

# A fix, taken and given back as the editor would.
actions = client.result("textDocument/codeAction", textDocument={"uri": uri}, range=where, context={"diagnostics": []})
(fix,) = [each for each in actions if "(unsafe: review it)" in each["title"]]
(change,) = fix["edit"]["documentChanges"]
fixed = edited(text, change["edits"])
client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": fixed}])
assert codes(client.diagnostics()) == []
client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 3}, contentChanges=[{"text": text}])
assert codes(client.diagnostics()) == ["HW101"]

(suppress,) = [each for each in actions if "suppress" in each["title"]]
quiet = edited(text, suppress["edit"]["documentChanges"][0]["edits"])
assert "// hipwright: ignore[HW101] TODO" in quiet, quiet
client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 4}, contentChanges=[{"text": quiet}])
assert codes(client.diagnostics()) == ["HW001"]
client.notify("textDocument/didChange", textDocument={"uri": uri, "version": 5}, contentChanges=[{"text": text}])
client.diagnostics()

page = client.result("textDocument/hover", textDocument={"uri": uri}, position=where["start"])
assert page["contents"]["value"].startswith("# HW101 warp-size-constant"), page

# A save of the build file, and of the configuration.
cmake = project / "CMakeLists.txt"
cmake.write_text("project(p LANGUAGES CXX)\nadd_library(k csrc/only_cuda.cu)\n")
client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": cmake.as_uri(), "type": 2}])
found = {}
for _ in range(2):
    published = client.diagnostics()
    found[published["uri"]] = codes(published)
assert found == {uri: ["HW101"], only_cuda: ["HW101"]}, found
(project / "hipwright.toml").write_text("[lint]\nignore = ['HW101']\n")
client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": (project / "hipwright.toml").as_uri(), "type": 1}])
assert codes(client.diagnostics()) == codes(client.diagnostics()) == []
client.notify("workspace/didChangeConfiguration", settings={"hipwright": {"select": ["HW999"]}})
assert "HW999" in client.wait_for("window/showMessage")["params"]["message"]

# Requests that are taken back are refused or were answered already; none is lost.
numbers = [client.start_request("textDocument/hover", textDocument={"uri": uri}, position=where["start"]) for _ in range(50)]
for number in numbers:
    client.notify("$/cancelRequest", id=number)
for number in numbers:
    answer = client.answer(number)
    assert "result" in answer or answer["error"]["code"] == -32800, answer

assert client.stop() == 0

# An editor that dies takes its server with it.
orphan = Client(tool)
orphan.request("initialize", capabilities={})
orphan.process.stdin.close()
assert orphan.process.wait(30) == 1
print("the session went as it should")
