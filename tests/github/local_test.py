#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hipwright pr on a local branch: the checklist, the description, the new pull request; and comments. GitHub is server.py."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import pr_test  # noqa: E402
from pr_test import TOOL, TORCH, VLLM, passing, ready  # noqa: E402
from server import GitHub  # noqa: E402

BUGGY = """__global__ void count(const int* flags, unsigned* out) {
  unsigned lanes = __ballot(flags[threadIdx.x]);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popc(lanes));
}
"""
FIXED = BUGGY.replace("unsigned lanes", "unsigned long long lanes").replace("__popc(", "__popcll(")
RECORD = {"subject": "port", "checklist": [{"item": "Hardware validation: ran on an AMD GPU", "verdict": "pass",
                                            "evidence": "ran on AMD Instinct MI300X (gfx942)"}]}


class LocalTest(unittest.TestCase):
    environment, pr, setUp, github = pr_test.PrTest.environment, pr_test.PrTest.pr, pr_test.PrTest.setUp, pr_test.PrTest.github

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words],
                              cwd=self.repo, capture_output=True, text=True, check=True).stdout.strip()

    def write(self, path, text):
        file = self.repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def branch(self, message, files, before=()):
        """A clone of vLLM's name with one commit on top of main."""
        self.repo = self.scratch / "repo"
        self.repo.mkdir()
        self.git("init", "-q", "-b", "main")
        self.git("remote", "add", "upstream", f"https://github.com/{VLLM}.git")
        self.git("remote", "add", "origin", "git@github.com:me/vllm.git")
        self.write("README.md", "x\n")
        for path, text in dict(before).items():
            self.write(path, text)
        self.git("add", ".")
        self.git("commit", "-qm", "Start")
        self.git("switch", "-qc", "fix")
        for path, text in files.items():
            self.write(path, text)
        self.git("add", ".")
        self.git("commit", "-qm", message)

    def check(self, *words, github=None, code=None):
        self.pr(github or self.github(), "check", "main", "--json", *words, cwd=self.repo, code=code)
        return {item["id"]: item for item in json.loads(self.out)["checklist"]}

    def test_a_good_branch(self):
        self.branch("[Bugfix][Hardware][AMD] Keep 64 lanes\n\nSigned-off-by: A <a@example.org>",
                    {"csrc/rocm/a.cu": FIXED, "tests/kernels/test_a.py": "def test_a():\n    pass\n"}, {"csrc/rocm/a.cu": BUGGY})
        (self.repo / "record.json").write_text(json.dumps(RECORD))
        items = self.check("--record", "record.json", code=0)
        self.assertEqual({item["answer"] for item in items.values()} - {"pass", "you"}, set(), items)
        self.assertEqual(items["root-cause"]["answer"], "you")
        self.assertIn("MI300X", str(items["hardware"]["details"]))

    def test_what_a_bad_branch_lacks(self):
        self.branch("keep lanes", {"csrc/rocm/a.cu": FIXED, "csrc/rocm/b.cu": BUGGY.replace("lanes", "votes"), ".pre-commit-config.yaml": "repos: []\n"},
                    {"csrc/rocm/a.cu": BUGGY, "csrc/rocm/c.cu": BUGGY.replace("count", "count_more")})
        github = self.github(ready(number=5, title="[AMD] Something else", files=["csrc/rocm/a.cu"]))
        items = self.check(github=github, code=1)
        answers = {name: item["answer"] for name, item in items.items()}
        self.assertEqual(answers, {"root-cause": "you", "completeness": "look", "lint": "fail", "tests": "look", "pre-commit": "not checked",
                                   "sign-off": "fail", "title": "fail", "duplicates": "look", "hardware": "not checked",
                                   "description": "you"})
        self.assertIn("csrc/rocm/c.cu", str(items["completeness"]["details"]))
        self.assertNotIn("csrc/rocm/c.cu", str(items["lint"]["details"]))
        self.assertIn("csrc/rocm/b.cu:2", str(items["lint"]["details"]))
        self.assertIn(f"{VLLM}#5 [AMD] Something else (1 same file)", items["duplicates"]["details"])

    def test_github_out_of_reach_is_not_a_pass(self):
        self.branch("[AMD] x\n\nSigned-off-by: A <a@example.org>", {"a.py": "x = 1\n"})
        items = self.check("--local", code=3)
        self.assertEqual(items["duplicates"]["answer"], "not checked")
        github = self.github()
        github.faults = [lambda handler, *_: handler.answer(401, {"message": "no"}) or True]
        items = self.check(github=github, code=3)
        self.assertEqual(items["duplicates"]["answer"], "not checked")
        self.pr(self.github(), "check", "fix", cwd=self.repo, code=2)
        self.assertIn("no commits", self.err)
        self.pr(self.github(), "check", "nowhere", cwd=self.repo, code=2)
        self.pr(self.github(), "check", "--", "-x", cwd=self.repo, code=2)

    def test_sign_off_with_another_address(self):
        self.branch("[AMD] x\n\nSigned-off-by: A <other@example.org>", {"a.py": "x = 1\n"})
        sign_off = self.check("--local", code=3)["sign-off"]
        self.assertEqual(sign_off["answer"], "look")
        self.assertIn("signed off by other@example.org, the author is a@example.org", str(sign_off["details"]))

    def test_describe_invents_nothing(self):
        self.branch("Keep 64 lanes\n\nThe upper half of a wave is lost (#77).\n\nRoot cause: a ballot in 32 bits.\n\n"
                    "Signed-off-by: A <a@example.org>", {"csrc/rocm/a.cu": FIXED}, {"csrc/rocm/a.cu": BUGGY})
        self.pr(self.github(), "describe", "main", cwd=self.repo, code=0)
        for text in ("[Bugfix][Hardware][AMD] Keep 64 lanes\n", "## Purpose", "The upper half of a wave is lost", "### Root cause\n\na ballot in",
                     "-  unsigned lanes = __ballot", "+  unsigned long long lanes", "## Test Plan\n\n<!-- TODO: which tests",
                     "Not verified on AMD hardware.", "- #77"):
            self.assertIn(text, self.out)
        self.assertNotIn("Signed-off-by", self.out)
        self.assertNotIn("MI300", self.out)
        (self.repo / "record.json").write_text(json.dumps(RECORD))
        self.pr(self.github(), "describe", "main", "--record", "record.json", cwd=self.repo, code=0)
        self.assertIn("| AMD Instinct MI300X (gfx942) | – | – | port | passed |", self.out)
        (self.repo / "soft.json").write_text(json.dumps({"subject": "p", "checklist": [
            {"item": "Hardware validation: ran on an AMD GPU", "verdict": "not checked", "evidence": "not verified on hardware"}]}))
        self.pr(self.github(), "describe", "main", "--record", "soft.json", cwd=self.repo, code=0)
        self.assertIn("Not verified on AMD hardware.", self.out)

    def test_describe_follows_the_template(self):
        self.branch("[AMD] Keep 64 lanes (#123)\n\nSee #77.", {"a.cu": FIXED, "test/test_a.py": "def test_a():\n    pass\n"}, {"a.cu": BUGGY})
        self.git("remote", "set-url", "upstream", "https://github.com/sgl-project/sglang.git")
        self.pr(self.github(), "describe", "main", cwd=self.repo, code=0)
        for text in ("[AMD] Keep 64 lanes\n", "## Modifications\n\n- `a.cu` (+2 −2)\n- `test/test_a.py` (+2 −0)\n", "In total: 2 files, +4 −2.",
                     "## Tests\n\nChanged tests: `test/test_a.py`", "- #77", "<!-- TODO: results: accuracy tests -->"):
            self.assertIn(text, self.out)
        self.assertNotIn("#123", self.out)

    def test_create(self):
        self.branch("[AMD] Keep lanes", {"a.py": "x = 1\n"})
        (self.repo / "body.md").write_text("All is said.\n")
        github = self.github()
        self.pr(github, "create", "main", cwd=self.repo, code=0)
        self.assertIn("nothing was created", self.err)
        self.pr(github, "create", "main", "--yes", cwd=self.repo, code=2)
        self.assertIn("gaps", self.err)
        self.pr(github, "create", "main", "--yes", "--body-file", "body.md", cwd=self.repo, code=2)
        self.assertIn("git push", self.err)
        self.assertEqual(github.posted, [])
        github.pushed = {("me/vllm", self.git("rev-parse", "HEAD"))}
        self.pr(github, "create", "main", "--yes", "--body-file", "body.md", cwd=self.repo, code=0)
        self.assertEqual(github.posted, [(f"/repos/{VLLM}/pulls", {"title": "[AMD] Keep lanes", "head": "me:fix", "base": "main",
                                                                  "body": "All is said.\n", "draft": False})])

    def test_ping(self):
        facts = ready(decision="REVIEW_REQUIRED", reviews=[])
        github = self.github(facts)
        self.pr(github, "ping", f"{VLLM}#1", code=0)
        self.assertEqual(self.out, "Hi @tjtanaa @hongxiayang, this is ready for review: all required checks pass. Could you take a look "
                                   "when you have time? Thanks!\n")
        self.assertEqual(github.posted, [])
        self.pr(github, "ping", f"{VLLM}#1", "--yes", code=0)
        self.assertEqual(github.posted, [(f"/repos/{VLLM}/issues/1/comments", {"body": self.out.strip()})])
        facts["comments"] = [dict(author="author", body="Hi @tjtanaa, please", at="2026-03-05T00:00:00Z")]
        github = self.github(facts)
        self.pr(github, "ping", f"{VLLM}#1", "--yes", code=1)
        self.assertIn("the last one was 5 d ago, and the pause is 7 days", self.err)
        self.assertEqual(github.posted, [])
        facts["comments"][0]["at"] = "2026-03-02T00:00:00Z"
        self.pr(self.github(facts), "ping", f"{VLLM}#1", "--yes", code=0)
        self.pr(self.github(ready(mergeable="CONFLICTING")), "ping", f"{VLLM}#1", "--yes", code=1)
        self.assertIn("it is the author's turn: rebase", self.err)

    def test_ping_of_a_bot(self):
        facts = ready(TORCH, checks=passing("EasyCLA") + [dict(name="Check labels", result="FAILURE", required=True)])
        github = self.github(facts)
        self.pr(github, "ping", f"{TORCH}#1", "--yes", code=0)
        self.assertEqual(github.posted[0][1], {"body": '@pytorchbot label "topic: not user facing"'})
        self.pr(self.github(ready(TORCH, checks=passing("EasyCLA", "Check labels"), labels=["release notes: x"])), "ping", f"{TORCH}#1", code=0)
        self.assertEqual(self.out, "@pytorchbot merge\n")

    def test_a_comment_that_may_have_been_posted_is_not_repeated(self):
        github = self.github(ready(decision="REVIEW_REQUIRED", reviews=[]))
        github.faults = [lambda handler, method, path: "comments" in path and (handler.answer(502, "x") or True)]
        self.pr(github, "ping", f"{VLLM}#1", "--yes", code=2)
        self.assertIn("may have been posted", self.err)
        self.assertEqual(sum("comments" in path for _, path in github.requests), 1)

    def test_bench_comment(self):
        self.branch("x", {"a.py": "x = 1\n"})
        for side, work in (("base", 100), ("head", 80)):
            (self.repo / f"{side}.sh").write_text(f'#!/bin/sh\necho "{{\\"metric\\": \\"work\\", \\"value\\": {work}}}" >>"$HIPWRIGHT_PERF_METRICS"\n')
            (self.repo / f"{side}.sh").chmod(0o755)
        (self.repo / "b").mkdir()
        (self.repo / "h").mkdir()
        (self.repo / "base.sh").rename(self.repo / "b/bench.sh")
        (self.repo / "head.sh").rename(self.repo / "h/bench.sh")
        subprocess.run([TOOL, "-q", "perf", "run", "--base", "b", "--head", "h", "--max-runs", "10", "--base-output", "b.json", "-o", "h.json",
                        "--", "./bench.sh"], cwd=self.repo, env=self.environment(), check=True, capture_output=True)
        github = self.github(ready())
        self.pr(github, "bench-comment", "b.json", "h.json", "--metric", "work", "--pr", f"{VLLM}#1", "--yes", cwd=self.repo, code=0)
        body = github.posted[0][1]["body"]
        self.assertIn("| work | 100 | 80 |", body)
        on_amd = '"gpu0"' in (self.repo / "h.json").read_text()
        self.assertEqual("Hardware Verification" in body, on_amd)

    def test_records_of_the_token_are_not_written(self):
        self.branch("[AMD] x", {"a.py": "x = 1\n"})
        self.pr(self.github(), "describe", "main", cwd=self.repo, code=0)
        self.pr(self.github(), "check", "main", cwd=self.repo)
        for text in self.printed:
            self.assertNotIn(GitHub.TOKEN, text)


if __name__ == "__main__":
    unittest.main(verbosity=1)
