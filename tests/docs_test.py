#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs.py accepts, refuses and rewrites. The "tool" of these pages is a shell script."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TOOL = """#!/bin/sh
echo "hello $1"
echo "a warning" >&2
exit ${2-0}
"""


def page(*lines):
    return "\n".join(["# A page", "", "```console", *lines, "```", ""])


class Docs(unittest.TestCase):
    def run_page(self, text, *options):
        """Exit code of docs.py, what it prints, and the page afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            tool, path = pathlib.Path(folder) / "tool", pathlib.Path(folder) / "page.md"
            tool.write_text(TOOL)
            tool.chmod(0o755)
            path.write_text(text)
            run = subprocess.run([sys.executable, HERE / "docs.py", *options, tool, HERE.parent, path],
                                 text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return run.returncode, run.stdout, path.read_text()

    def expect(self, code, text):
        got, printed, _ = self.run_page(text)
        self.assertEqual(got, code, printed)
        return printed

    def test_accepts_what_the_page_says(self):
        self.expect(0, page("$ hipwright you", "hello you", "a warning"))
        self.expect(0, page("$ ./hipwright you", "hello you", "a warning"))
        self.expect(0, page("$ hipwright you", "hel…", "…warning", "$ hipwright you", "…"))
        self.expect(0, page("$ hipwright \\", "  you", "hello you", "a warning"))
        self.expect(0, page("$ hipwright you 3", "hello you", "a warning", "[exit 3]"))

    def test_refuses_wrong_output(self):
        printed = self.expect(1, page("$ hipwright you", "hello me", "a warning"))
        self.assertIn("hello me", printed)
        self.assertIn("hello you", printed)
        self.expect(1, page("$ hipwright you", "hello you"))
        self.expect(1, page("$ hipwright you"))
        self.expect(1, page("$ hipwright you", "hel…", "an error"))

    def test_refuses_wrong_exit_codes(self):
        self.expect(1, page("$ hipwright you 3", "hello you", "a warning"))
        self.expect(1, page("$ hipwright you", "hello you", "a warning", "[exit 3]"))
        self.expect(1, page("$ hipwright you 2", "hello you", "a warning", "[exit 3]"))

    def test_every_command_of_a_page_counts(self):
        self.expect(1, page("$ hipwright you", "hello me", "a warning", "$ hipwright you", "…"))
        self.expect(1, page("$ true") + page("$ false"))

    def test_says_what_it_does_not_run(self):
        marked = page("# not run: needs a GPU", "$ false", "nothing")
        printed = self.expect(77, marked)
        self.assertIn("not run: page.md:4: needs a GPU", printed)
        self.assertIn("skipped: page.md:4: needs a GPU", self.expect(0, marked + page("$ true")))
        self.expect(1, marked + page("$ false"))
        self.expect(1, "a page without a block\n")
        self.expect(1, page("$ true", "# not run: too late"))

    def test_update_writes_what_is_printed(self):
        code, _, after = self.run_page(page("$ hipwright you 3", "hello me", "…warning", "[exit 1]"), "--update")
        self.assertEqual(code, 0)
        self.assertEqual(after, page("$ hipwright you 3", "hello you", "…warning", "[exit 3]"))
        self.assertEqual(self.run_page(after)[0], 0)

    def test_update_keeps_ellipses_that_match(self):
        before = page("$ printf '1\\n2\\n3\\n4\\n5 new\\n'", "1", "…", "5 old")
        self.assertEqual(self.run_page(before, "--update")[2], before.replace("5 old", "5 new"))
        before = page("$ printf 'new\\n0.3 ms\\n4 files\\n'", "old", "… ms", "5 files")
        self.assertEqual(self.run_page(before, "--update")[2],
                         page("$ printf 'new\\n0.3 ms\\n4 files\\n'", "new", "… ms", "4 files"))

    def test_update_leaves_the_rest_alone(self):
        text = page("$ hipwright you", "hello you", "a …") + "text\n" + page("# not run: needs a GPU", "$ false", "x")
        self.assertEqual(self.run_page(text, "--update")[2], text)

    def test_update_writes_no_paths_of_this_machine(self):
        self.assertEqual(self.run_page(page("$ pwd"), "--update")[2], page("$ pwd", "…"))


if __name__ == "__main__":
    unittest.main()
