#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command with a GitHub on this machine that has a few made-up pull requests: what the documentation shows.

usage: example.py [--branch] COMMAND…    --branch: in a clone of vLLM's name whose branch `fix` has one commit
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from server import GitHub, Running  # noqa: E402

VLLM, TORCH = "vllm-project/vllm", "pytorch/pytorch"
LOG = """2026-03-01T10:00:00Z tests/kernels/test_attention.py::test_paged PASSED
2026-03-01T10:00:05Z OSError: [Errno 28] No space left on device
2026-03-01T10:00:06Z ##[error]Process completed with exit code 1.
"""
DIFF = """diff --git a/csrc/rocm/attention.cu b/csrc/rocm/attention.cu
--- a/csrc/rocm/attention.cu
+++ b/csrc/rocm/attention.cu
@@ -40,3 +40,3 @@
 __global__ void paged_attention() {
-  unsigned mask = __ballot(is_valid);
+  unsigned long long mask = __ballot(is_valid);
   if (mask == 0) return;
"""


def days_ago(days):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - days * 86400 - 3600))


def required(name, result="SUCCESS", **more):
    return dict(name=name, result=result, required=True, **more)


def world():
    approved = dict(decision="APPROVED", reviews=[dict(author="tjtanaa", state="APPROVED", at=days_ago(1))])
    amd = dict(name="buildkite/amd-ci/mi300", kind="status", result="SUCCESS")
    github = GitHub([
        dict(repo=VLLM, number=101, title="[Bugfix][Hardware][AMD] Keep 64 lanes in paged attention", created=days_ago(3),
             files=["csrc/rocm/attention.cu"], labels=["rocm"],
             checks=[required("DCO"), required("pre-commit", "FAILURE", job=1, workflow="Lint"),
                     required("kernel tests", "FAILURE", job=2, workflow="CI"), amd],
             threads=[dict(resolved=False, path="csrc/rocm/attention.cu", line=41, author="hongxiayang", body="Is the mask 64 bits on gfx1100?")],
             comments=[dict(author="mergify", body="Documentation preview: https://example.org", at=days_ago(3))]),
        dict(repo=VLLM, number=102, title="[Bugfix][Hardware][AMD] fnuz scales of gfx942", created=days_ago(9), labels=["rocm"],
             files=["vllm/platforms/rocm.py"], checks=[required("DCO"), required("pre-commit"), amd], **approved),
        dict(repo=TORCH, number=201, title="[ROCm] Warp size in the reduction", created=days_ago(5), files=["aten/src/ATen/hip/Reduce.cuh"],
             labels=["module: rocm"], checks=[required("EasyCLA"), required("Check labels", "FAILURE"),
                                              dict(name="linux-rocm / test", result="SUCCESS")], **approved),
        dict(repo=TORCH, number=202, title="[ROCm] An older fix", state="CLOSED", labels=["Merged", "module: rocm"], closed_by_commit=True,
             created=days_ago(40), files=["aten/src/ATen/hip/Gemm.cpp"]),
    ])
    github.base_failures[VLLM] = [[dict(name="kernel tests", result="FAILURE", workflow="CI")], [], []]
    github.logs = {1: "ruff format...................Failed\n- files were modified by this hook\n", 2: LOG}
    github.files[VLLM, ".github/CODEOWNERS"] = "/csrc/rocm @tjtanaa @hongxiayang\n/vllm/**/*rocm* @tjtanaa\n"
    github.diffs[VLLM, 101] = DIFF
    github.blame[VLLM, "csrc/rocm/attention.cu"] = [(1, 60, "gshtras")]
    return github


DATE = "2026-03-01T00:00:00Z"  # the commits have the same hashes every time
SOURCE = """__global__ void count(const int* flags, unsigned* out) {
  unsigned lanes = __ballot(flags[threadIdx.x]);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popc(lanes));
}
"""
MESSAGE = """[Bugfix][Hardware][AMD] Keep 64 lanes in count

Half of the lanes of a wave are lost on gfx942.

Root cause: the ballot is stored in 32 bits.
"""


def make_branch(folder):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, GIT_AUTHOR_DATE=DATE, GIT_COMMITTER_DATE=DATE))

    def write(path, text):
        file = pathlib.Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    git("init", "-q", "-b", "main")
    git("remote", "add", "upstream", f"https://github.com/{VLLM}.git")
    write("csrc/rocm/attention.cu", SOURCE)
    write("csrc/rocm/sampler.cu", SOURCE.replace("count", "sample"))
    git("add", ".")
    git("commit", "-qm", "Start")
    git("switch", "-qc", "fix")
    write("csrc/rocm/attention.cu", SOURCE.replace("unsigned lanes", "unsigned long long lanes").replace("__popc(", "__popcll("))
    git("commit", "-qam", MESSAGE)


def main():
    github = world()
    words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as clone, Running(github) as running:
        folder = None
        if words[0] == "--branch":
            words.pop(0)
            make_branch(clone)
            folder = clone
        environment = dict(os.environ, GITHUB_API_URL=running.url, GH_TOKEN=GitHub.TOKEN, XDG_CACHE_HOME=scratch, XDG_CONFIG_HOME=scratch)
        environment.pop("GITHUB_GRAPHQL_URL", None)
        code = subprocess.run(words, env=environment, cwd=folder, check=False).returncode
    for complaint in github.complaints:
        print(f"example.py: {complaint}", file=sys.stderr)
    return code or bool(github.complaints)


sys.exit(main())
