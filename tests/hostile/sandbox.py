# SPDX-License-Identifier: MIT
"""Runs the tool where nothing helps it: an own home and temporary directory, no right to read what
permissions deny (root has it otherwise), limits on time and memory, and a count of what it leaves."""

import ctypes
import os
import resource
import shutil
import signal
import subprocess
import tempfile

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_CHILD_SUBREAPER = 36
PR_CAPBSET_DROP = 24
PRIVILEGES = (1, 2, 3)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER

TOOL = os.environ.get("HIPWRIGHT", "hipwright")


def become_reaper():
    """What the tool leaves becomes a child of this process, so that all_ended() can wait for it."""
    if LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def all_ended(patience=20):
    """Waits for every descendant. False: some are still there after `patience` seconds."""
    def late(*_):
        raise TimeoutError
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(patience)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return True
    except TimeoutError:
        return False
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Sandbox:
    """An own directory with home, cache and temporary directory in it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="hostile-")
        self.tmp = os.path.join(self.path, "tmp")
        self.home = os.path.join(self.path, "home")
        for each in (self.tmp, self.home):
            os.mkdir(each, 0o700)
        self.environment = dict(os.environ, HOME=self.home, TMPDIR=self.tmp, LC_ALL="C.UTF-8",
                                GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        self.environment["GITHUB_API_URL"] = "http://127.0.0.1:9"  # nobody listens there
        for each in ("GH_TOKEN", "GITHUB_TOKEN", "GITHUB_GRAPHQL_URL", "BUILDKITE_API_TOKEN", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "CLICOLOR_FORCE", "HIPWRIGHT_DEVICE"):
            self.environment.pop(each, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["chmod", "-R", "u+rwx", self.path], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.path, ignore_errors=True)

    def at(self, *parts):
        return os.path.join(self.path, *parts)

    def write(self, name, content="", mode=None):
        path = self.at(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if mode is not None:
            os.chmod(path, mode)
        return path

    def start(self, *words, memory=None, files=None, processes=None, disk=None, umask=None, **more):
        """Starts the tool: memory and disk in bytes, files: descriptors."""
        def prepare():
            # Shells start programs in the background with this ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            for each in PRIVILEGES:
                LIBC.prctl(PR_CAPBSET_DROP, each, 0, 0, 0)
            for limit, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_NOFILE, files),
                                 (resource.RLIMIT_NPROC, processes), (resource.RLIMIT_FSIZE, disk),
                                 (resource.RLIMIT_CORE, 0)):
                if value is not None:
                    resource.setrlimit(limit, (value, value))
            if disk is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            if umask is not None:
                os.umask(umask)
        environment = dict(self.environment, **more.pop("environment", {}))
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        more.setdefault("cwd", self.path)
        return subprocess.Popen([TOOL, *words], env=environment, preexec_fn=prepare, **more)

    def run(self, *words, timeout=60, **more):
        """(exit code, standard output, standard error); -9 and "timeout" when it takes too long."""
        process = self.start(*words, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return -9, out or b"", (err or b"") + b"timeout"
        return process.returncode, out or b"", err or b""

    def leftovers(self):
        """Temporary files and directories of the tool, anywhere in the sandbox."""
        found = []
        for folder, names, files in os.walk(self.path):
            for name in names + files:
                if name.startswith("hipwright-tmp-") or ".hipwright-tmp-" in name or (
                        name.startswith(".") and len(name.rsplit(".", 1)[-1]) == 8 and
                        set(name.rsplit(".", 1)[-1]) <= set("abcdefghijklmnop")):
                    found.append(os.path.join(folder, name))
        return found
