#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""soft_messages.py SRC: no message of the software GPU occurs in src/verify.

verify reads records (base/device_event.h). If it searched for a sentence, rewording the sentence
would change verdicts without a test noticing."""
import pathlib
import re
import sys

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Four words or more: shorter texts are names, formats and what anybody may say.
SENTENCE = re.compile(r"(\w+\W+){3}\w+")


def literals(file):
    lines = [line for line in file.read_text().splitlines() if not line.lstrip().startswith(("#include", "//"))]
    # Adjacent literals are one text.
    text = re.sub(r'"\s*\n\s*"', "", "\n".join(lines))
    return {found.group(1) for found in LITERAL.finditer(text)}


def pieces(literal):
    """The parts of a format between its fields."""
    return [piece.strip(" ,.:;()'") for piece in re.split(r"\{[^}]*\}|\\n", literal)]


def main():
    src = pathlib.Path(sys.argv[1])
    said = {}
    for folder in ("hip", "launch"):
        for file in sorted((src / "soft" / folder).glob("*.cpp")):
            for literal in literals(file):
                for piece in pieces(literal):
                    if SENTENCE.search(piece):
                        said[piece] = file
    if len(said) < 50:
        sys.exit(f"found only {len(said)} messages below {src / 'soft'}")
    wrong = []
    for file in sorted((src / "verify").rglob("*.cpp")):
        for literal in literals(file):
            wrong += [f"{file}: '{piece}' is a message of {said[piece]}" for piece in said if piece in literal]
    wrong += [f"{file}: looks for the prefix of messages" for file in sorted((src / "verify").rglob("*.cpp"))
              if any(text.startswith("hipwright: ") for text in literals(file))]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
