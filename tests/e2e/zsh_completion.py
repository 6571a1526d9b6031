#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an interactive zsh makes of command lines when Tab is pressed at their end.
usage: zsh_completion.py FOLDER LINE…   (FOLDER has the completion script, named _hipwright)

Prints each line with its last word replaced by all matches.
"""

import os
import pty
import re
import sys

SET_UP = r"""
fpath=(FOLDER $fpath)
autoload -Uz compinit && compinit -D -u
zstyle ':completion:*' completer _all_matches _complete
zstyle ':completion:*' insert true
show_line() { print -rn -- $'\x01'"$BUFFER"$'\x02'; BUFFER= }
zle -N show_line && bindkey '^X^L' show_line
print -rn -- $'\x01\x02'
"""
# What the set-up prints, not what the terminal echoes of it.
SHOWN = re.compile(rb"\x01(.*?)\x02", re.S)


class Shell:
    def __init__(self, folder):
        self.read = b""
        process, self.terminal = pty.fork()
        if process == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", PS1="", COLUMNS="400"))
        self.shown_after(SET_UP.replace("FOLDER", folder).strip().replace("\n", "; ") + "\n")

    def shown_after(self, keys):
        os.write(self.terminal, keys.encode())
        while not (found := SHOWN.search(self.read)):
            self.read += os.read(self.terminal, 65536)
        self.read = self.read[found.end():]
        return found[1].decode()


def main(folder, *lines):
    shell = Shell(folder)
    for line in lines:
        print(" ".join(shell.shown_after(line + "\t\x18\x0c").split()))


if __name__ == "__main__":
    main(*sys.argv[1:])
