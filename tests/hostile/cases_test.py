# SPDX-License-Identifier: MIT
"""What the tool must do when the system, the tree or other users are against it."""

import os
import pty
import signal
import struct
import subprocess
import unittest

import generate
from sandbox import Sandbox, all_ended, become_reaper

SOURCE = """#include <cuda_runtime.h>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
"""

# Stays, together with a child of its own; says that it is there, and leaves a pipe open.
STAYS = """#!/bin/sh
trap '' TERM
sleep 1000 &
echo started > {started}
wait
sleep 1000
"""


class Hostile(unittest.TestCase):
    def setUp(self):
        self.box = Sandbox()
        self.addCleanup(self.box.__exit__)

    def tree(self, **files):
        self.box.write("t/a.cu", SOURCE)
        for name, content in files.items():
            self.box.write("t/" + name, content)
        return self.box.at("t")

    def repository(self):
        tree = self.tree()
        for words in (["init", "-q"], ["add", "."],
                      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"]):
            subprocess.run(["git", *words], cwd=tree, env=self.box.environment, check=True)
        return tree


class Unreadable(Hostile):
    """Every path that cannot be read is named and counted, and the exit code is not 0."""

    def setUp(self):
        super().setUp()
        self.tree()
        self.box.write("t/closed/b.cu", SOURCE)
        self.box.write("t/c.cu", SOURCE, 0)
        os.chmod(self.box.at("t/closed"), 0)

    def check(self, code, *words):
        got, out, err = self.box.run(*words)
        text = (out + err).decode()
        self.assertIn("closed", text)
        self.assertIn("c.cu", text)
        self.assertIn("Permission denied", text)
        self.assertEqual(got, code, text)
        return text

    def test_port(self):
        self.assertIn("2 paths not read", self.check(2, "port", "t"))

    def test_plan(self):
        self.check(2, "port", "--plan", "t")

    def test_in_place_writes_nothing(self):
        self.check(2, "port", "--in-place", "--force", "t")
        with open(self.box.at("t/a.cu"), encoding="utf-8") as file:
            self.assertEqual(file.read(), SOURCE)

    def test_out_writes_nothing(self):
        self.check(2, "port", "--out", "out", "t")
        self.assertFalse(os.path.exists(self.box.at("out")))

    def test_lint(self):
        self.assertIn("no findings in 1 file\n", self.check(2, "lint", "t"))

    def test_verify_is_not_a_pass(self):
        code, out, err = self.box.run("verify", "--level", "static", "t")
        self.assertIn("not checked", out.decode())
        self.assertIn("Permission denied", out.decode())
        self.assertNotEqual(code, 0, err)

    def test_ignored_paths_need_not_be_read(self):
        code, _, err = self.box.run("port", "--ignore", "closed/", "--ignore", "c.cu", "t")
        self.assertEqual(code, 0, err)

    def test_few_descriptors(self):
        for i in range(40):
            self.box.write(f"deep/{'/'.join('d' * (i % 8))}/{i}.cu", SOURCE)
        code, _, err = self.box.run("port", "deep", files=9)
        self.assertEqual(code, 2, err)
        self.assertIn("Too many open files", err.decode())


class Output(Hostile):
    """Output that cannot be written is an error."""

    def test_full_disk(self):
        self.tree()
        for words in (["port", "t"], ["port", "--json", "t"], ["port", "--plan", "t"], ["arch"],
                      ["lint", "t"], ["lint", "--format", "json", "t"], ["--help"], ["--version"],
                      ["api", "cudaMalloc"], ["man"], ["completion", "bash"]):
            with open("/dev/full", "wb") as full:
                code, _, err = self.box.run(*words, stdout=full)
            self.assertEqual(code, 2, words)
            self.assertIn("cannot write the output: No space left on device", err.decode())

    def test_limit_in_the_middle(self):
        self.box.write("t/a.cu", SOURCE * 400)
        with open(self.box.at("patch"), "wb") as patch:
            code, _, err = self.box.run("port", "t", stdout=patch, disk=65536)
        self.assertEqual(code, 2)
        self.assertIn("cannot write the output: File too large", err.decode())

    def test_closed_output(self):
        run = subprocess.run(["sh", "-c", f"exec '{os.environ['HIPWRIGHT']}' arch >&-"],
                             env=self.box.environment, stderr=subprocess.PIPE, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"cannot write the output", run.stderr)

    def test_closed_errors_do_not_end_in_files(self):
        self.tree()
        for redirection in ("2>&-", "2>/dev/full", ">&- 2>&- <&-"):
            run = subprocess.run(
                ["sh", "-c", f"exec '{os.environ['HIPWRIGHT']}' port --out out t {redirection}"],
                env=self.box.environment, cwd=self.box.path, stdout=subprocess.PIPE, check=False)
            self.assertEqual(run.returncode, 0, redirection)
            for folder, _, names in os.walk(self.box.at("out")):
                for name in names:
                    with open(os.path.join(folder, name), "rb") as file:
                        self.assertNotIn(b"files changed", file.read())
            subprocess.run(["rm", "-r", self.box.at("out")], check=True)

    def test_names_do_not_reach_the_terminal_raw(self):
        name = "a\x1b]0;owned\x07\x1b[2J\u009b5m.cu"
        self.box.write("t/" + name, SOURCE +
                       "\n__device__ int f(int x) { return __shfl(x, 0) \x1b[2J; }\n")
        for words in (["lint", "t"], ["port", "t"], ["port", "--notes", "t"], ["port", "--plan", "t"]):
            primary, secondary = pty.openpty()
            process = self.box.start(*words, stdout=secondary, stderr=secondary)
            os.close(secondary)
            shown = b""
            try:
                while chunk := os.read(primary, 65536):
                    shown += chunk
            except OSError:
                pass  # the end
            process.wait()
            os.close(primary)
            self.assertIn(b"owned" if "--plan" not in words else b"phases", shown)
            for raw in (b"\x1b]", b"\x07", b"\x1b[2J", b"\xc2\x9b"):
                self.assertNotIn(raw, shown, words)

    def test_patches_of_odd_names_apply(self):
        for name in ("a\tb.cu", "c\nd.cu", 'e"f.cu', "g\\h.cu", "i j.cu"):
            self.box.write("t/" + name, SOURCE)
        code, patch, err = self.box.run("port", "t")
        self.assertEqual(code, 0, err)
        subprocess.run(["cp", "-r", "t", "copy"], cwd=self.box.path, check=True)
        subprocess.run(["git", "apply", "-p1"], cwd=self.box.at("copy"), input=patch, check=True,
                       env=dict(self.box.environment, GIT_CEILING_DIRECTORIES=self.box.path))
        self.box.run("port", "--out", "out", "t")
        compared = subprocess.run(["diff", "-r", "-x", ".hipwright", "copy", "out"],
                                  cwd=self.box.path, check=False)
        self.assertEqual(compared.returncode, 0)


class Ended(Hostile):
    """Children and temporary directories end with the tool, however it ends."""

    def check_command(self, number, code, *words, **more):
        """`words` start a program that writes to the pipe `started`, and get a signal then."""
        started = self.box.at("started")
        if not os.path.exists(started):
            os.mkfifo(started)
        process = self.box.start(*words, **more)
        with open(started, encoding="ascii") as file:
            self.assertEqual(file.read(), "started\n", words)
        self.assertNotEqual(self.box.leftovers(), [], words)
        process.send_signal(number)
        process.communicate()
        self.assertEqual(process.returncode, code, words)
        self.assertTrue(all_ended(), words)
        self.assertEqual(self.box.leftovers(), [], words)

    def check(self, number, code):
        tree = self.tree()
        # In the place of git, which the tool asks before it changes a tree.
        self.box.write("bin/git", STAYS.format(started=self.box.at("started")), 0o755)
        path = self.box.at("bin") + ":" + os.environ["PATH"]
        self.check_command(number, code, "port", "--in-place", tree, environment={"PATH": path})

    def test_programs_of_other_commands(self):
        """Those that run what the user names: it ends with them."""
        program = self.box.write("python3-stays", STAYS.format(started=self.box.at("started")), 0o755)
        self.box.write("t/.github/workflows/w.yml",
                       f"on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: {program}\n")
        for words in (["perf", "run", "--", program], ["ci", "run", "t/.github/workflows/w.yml", "--root", "t"],
                      ["trace", "record", "-o", "t.json", "--", program]):
            self.check_command(signal.SIGINT, 130, *words)
            self.check_command(signal.SIGKILL, -signal.SIGKILL, *words)

    def test_interrupt(self):
        self.check(signal.SIGINT, 130)

    def test_terminate(self):
        self.check(signal.SIGTERM, 143)

    def test_hang_up(self):
        self.check(signal.SIGHUP, 129)

    def test_kill(self):
        self.check(signal.SIGKILL, -signal.SIGKILL)

    def test_stale_directories_are_swept(self):
        stale = self.box.at("tmp", "hipwright-tmp-abcdefgh")
        others = [self.box.at("tmp", "hipwright-backups"), self.box.at("tmp", "hipwright-tmp-backup")]
        for each in (stale, *others):
            os.mkdir(each, 0o700)
            os.mkdir(os.path.join(each, "in"), 0)
        half = self.box.at(".out.hipwright-tmp-abcdefgh")
        os.mkdir(half, 0o700)
        self.tree()
        code, _, err = self.box.run("port", "--out", "out", "t")
        self.assertEqual(code, 0, err)
        self.assertFalse(os.path.exists(stale))
        self.assertFalse(os.path.exists(half))
        for each in others:
            self.assertTrue(os.path.exists(each))


class Trust(Hostile):
    """Nothing that others may have made is believed."""

    def test_settings_that_are_no_files(self):
        for name, words in (("hipwright.toml", ["lint", "."]),
                            ("hipwright-port.toml", ["port", "."]),
                            (".gitignore", ["lint", "."]), (".gitignore", ["port", "."])):
            for kind in ("fifo", "device", "large"):
                box = Sandbox()
                self.addCleanup(box.__exit__)
                box.write("t/a.cu", SOURCE)
                path = box.at("t", name)
                if kind == "fifo":
                    os.mkfifo(path)
                elif kind == "device":
                    os.symlink("/dev/zero", path)
                else:
                    with open(path, "wb") as file:
                        file.truncate(1 << 40)
                code, out, err = box.run(*words, cwd=box.at("t"), memory=1 << 32, timeout=20)
                is_link = name == ".gitignore" and kind == "device"  # as with git: not followed
                self.assertIn(code, (0, 1) if is_link else (2,), (name, kind, err))
                if not is_link:
                    self.assertIn(name.encode(), out + err)

    def test_long_keys(self):
        deep = ".".join(["a"] * 50000) + " = 1\n"
        self.tree(**{"hipwright.toml": "[lint]\n" + deep, "hipwright-port.toml": deep})
        self.box.write("k.kernel.toml", deep)
        for words in (["lint", "."], ["port", "."], ["verify", "--level", "build", "."],
                      ["verify", "kernel", self.box.at("k.kernel.toml")]):
            code, _, err = self.box.run(*words, cwd=self.box.at("t"))
            self.assertEqual(code, 2, (words, err))
            self.assertIn("a key has more than 1000 parts", err.decode())

    def test_filters_of_the_tree_do_not_run(self):
        tree = self.repository()
        ran = self.box.at("ran")
        for key in ("filter.x.clean", "filter.x=y.process", "core.fsmonitor", "core.sshCommand"):
            subprocess.run(["git", "config", key, f"touch {ran}; cat"], cwd=tree, check=True,
                           env=self.box.environment)
        self.box.write("t/.git/info/attributes", "*.cu filter=x\n*.h filter=x=y\n")
        os.utime(self.box.at("t/a.cu"), (1, 1))  # so that git must look at its content
        code, _, err = self.box.run("port", "--in-place", tree)
        self.assertEqual(code, 0, err)
        self.assertFalse(os.path.exists(ran))

    def test_settings_of_the_repository_run_nothing(self):
        tree = self.repository()
        program = self.box.write("run.sh", f"#!/bin/sh\ntouch {self.box.at('ran')}\ncat\n", 0o755)
        for key in ("filter.x.clean", "diff.x.textconv", "diff.external", "core.fsmonitor", "gpg.program", "core.pager"):
            subprocess.run(["git", "config", key, program], cwd=tree, check=True, env=self.box.environment)
        subprocess.run(["git", "config", "log.showSignature", "true"], cwd=tree, check=True, env=self.box.environment)
        self.box.write("t/.git/hooks/post-index-change", f"#!/bin/sh\nexec {program}\n", 0o755)
        self.box.write("t/.git/info/attributes", "*.cu filter=x diff=x\n")
        for words in (["lint", "--since", "HEAD", tree], ["pr", "check", "HEAD", "--local", "--repo", "a/b"],
                      ["pr", "describe", "HEAD", "--repo", "a/b"],
                      ["perf", "history", "h.db", "--add", "r.json", "--commit", "HEAD"]):
            os.utime(self.box.at("t/a.cu"), (1, 1))
            code, _, err = self.box.run(*words, cwd=tree)
            self.assertNotIn(b"git failed", err)
            self.assertIn(code, (0, 1, 2, 3), err)
            self.assertFalse(os.path.exists(self.box.at("ran")), words)

    def test_inspect_names_a_damaged_object(self):
        with open(generate.CORPUS / "code_object/gfx942_v4.co", "rb") as file:
            data = bytearray(file.read())
        size = int.from_bytes(data[0x28:0x30], "little") + 64 + 0x20  # of the first section
        data[size:size + 8] = b"\xff" * 8
        self.box.write("o.co", bytes(data))
        for words in (["inspect", "o.co"], ["inspect", "--json", "o.co"]):
            code, _, err = self.box.run(*words)
            self.assertEqual(code, 2)
            self.assertIn(b"o.co", err)

    def test_changes_in_a_repository_are_still_seen(self):
        tree = self.repository()
        self.box.write("t/a.cu", SOURCE + "// mine\n")
        code, _, err = self.box.run("port", "--in-place", tree)
        self.assertEqual(code, 2)
        self.assertIn("uncommitted changes (a.cu)", err.decode())

    def test_planted_sdk(self):
        """Another user's, or a writable, directory in the place of the cache is not used."""
        usual = self.box.at("tmp", f"hipwright-{os.getuid()}")
        planted = os.path.join(usual, "sdk", "bait")
        os.makedirs(planted)
        os.chmod(usual, 0o777)
        home = self.box.write("file", "no directory")
        code, out, err = self.box.run("sdk", "path", environment={"HOME": home}, umask=0)
        if b"cannot find" in err:
            self.skipTest("not run: no compiler")
        self.assertEqual(code, 0, err)
        self.assertNotIn(usual + "/", out.decode())
        self.assertEqual(os.listdir(os.path.join(usual, "sdk")), ["bait"])
        again = self.box.run("sdk", "path", environment={"HOME": home})[1]
        self.assertEqual(out, again)
        # Nobody else can write to it, whatever the umask was.
        for folder, names, files in os.walk(out.decode().strip()):
            for name in [".", *names, *files]:
                path = os.path.join(folder, name)
                self.assertTrue(os.path.islink(path) or os.lstat(path).st_mode & 0o022 == 0, path)


class Little(Hostile):
    """Little memory, no directory, no processes: a message, and no abort."""

    def test_no_working_directory(self):
        gone = self.box.at("gone")
        os.mkdir(gone)
        for words in (["lint"], ["port", "."], ["verify", "."], ["port", "--out", "o", "."]):
            run = subprocess.run(
                ["sh", "-c", f"cd {gone} && rmdir {gone} && exec \"$@\"", "sh",
                 os.environ["HIPWRIGHT"], *words],
                env=self.box.environment, capture_output=True, check=False)
            self.assertEqual(run.returncode, 2, (words, run.stderr))
            os.mkdir(gone)

    def test_empty_words(self):
        self.tree()
        code, _, err = self.box.run("port", "t", environment={"TMPDIR": ""})
        self.assertEqual(code, 0, err)
        code, _, err = self.box.run("port", "--out", "", "t")
        self.assertEqual(code, 2, err)
        code, _, err = self.box.run("port", "t", environment={"TMPDIR": "/nowhere"})
        self.assertEqual(code, 2)
        self.assertIn("Set TMPDIR", err.decode())

    def test_no_processes(self):
        self.tree()
        one = self.box.run("port", "t")
        self.assertEqual(self.box.run("port", "t", processes=0), one)

    def test_little_memory(self):
        self.box.write("t/a.cu", SOURCE * 60000)
        code, _, err = self.box.run("port", "t", memory=200 << 20)
        self.assertEqual(code, 2, err)
        self.assertIn("memory", err.decode())

    def test_a_model_with_a_large_result(self):
        def field(number, value):
            """A field of a protobuf message of less than 128 bytes."""
            if isinstance(value, int):
                return bytes([number << 3, value])
            value = value.encode() if isinstance(value, str) else b"".join(value)
            return bytes([number << 3 | 2, len(value)]) + value

        one_float = [field(1, [field(1, 1), field(2, [field(1, [field(1, 1)])])])]
        shape = [field(1, 2), field(2, 7), field(8, "s"), field(9, [struct.pack("<2q", 1 << 14, 1 << 14)])]
        graph = [field(1, [field(1, "x"), field(1, "s"), field(2, "y"), field(4, "Expand")]), field(5, shape),
                 field(11, [field(1, "x"), field(2, one_float)]), field(12, [field(1, "y")])]
        self.box.write("m.onnx", field(1, 8) + field(7, graph) + field(8, [field(2, 18)]))
        for command in ("run-model", "optimize"):
            code, _, err = self.box.run(command, "m.onnx", memory=1 << 30)
            self.assertEqual(code, 2, err)
            self.assertIn("not enough memory", err.decode())
            self.assertRegex(err.decode(), "Expand|m.onnx")


if __name__ == "__main__":
    become_reaper()
    unittest.main()
