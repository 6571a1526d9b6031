# SPDX-License-Identifier: MIT
"""The commands of the tool with their arguments and options, as its help texts declare them: a
command that is added later is covered without a change here."""

import re
import subprocess

from sandbox import TOOL

# Start a program that is named, or wait for a client; cases_test.py and tests/e2e have these.
LEFT_OUT = {"run", "lsp"}
OPTION = re.compile(r"^  (?:-\w, )?(--[\w-]+)(\[?=[\w|]+\]?)?(?: ([A-Z][A-Z_:\[\]-]*))?")
POSSIBLE = re.compile(r"\[possible values: ([\w, -]+)\]")
ARGUMENT = re.compile(r"^  ([A-Z][A-Z_ ]*?)(?:\.\.\.)?(?:  |$)")
COMMAND = re.compile(r"^  ([a-z][\w-]*)(?:  |$)")


class Command:
    """`words` call it; `arguments` are names like PATH; `options` are (name, value, choices)."""

    def __init__(self, words):
        self.words, self.arguments, self.options, self.children = words, [], [], []
        text = subprocess.run([TOOL, *words, "--help"], capture_output=True, text=True,
                              check=True).stdout
        text = re.sub(r"\n {10,}", " ", text)  # continued lines
        section = ""
        for line in text.splitlines():
            if re.match(r"^[A-Z].*:$", line):
                section = line[:-1]
            elif section == "Commands" and (found := COMMAND.match(line)):
                self.children.append(found[1])
            elif section == "Arguments" and (found := ARGUMENT.match(line)):
                self.arguments.append(found[1])
            elif section != "Exit codes" and (found := OPTION.match(line)):
                choices = POSSIBLE.search(line)
                self.options.append((found[1], found[3],
                                     choices[1].split(", ") if choices else []))


def all_commands():
    """Every command that does something, subcommands included."""
    found, waiting = [], [[]]
    while waiting:
        words = waiting.pop()
        command = Command(words)
        waiting += [words + [child] for child in command.children
                    if words or child not in LEFT_OUT]
        if words:
            found.append(command)
    return sorted(found, key=lambda each: each.words)
