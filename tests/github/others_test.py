#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hipwright pr on other people's pull requests and over time: review, watch, contest, find. GitHub is server.py."""
import json
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from local_test import BUGGY, FIXED  # noqa: E402
import pr_test  # noqa: E402
from pr_test import SGLANG, TOOL, TORCH, VLLM, passing, ready  # noqa: E402
from server import PullRequest, Running  # noqa: E402

ADDED = """diff --git a/csrc/rocm/new.cu b/csrc/rocm/new.cu
--- a/csrc/rocm/new.cu
+++ b/csrc/rocm/new.cu
@@ -1,4 +1,4 @@
 __global__ void count(const int* flags, unsigned* out) {
-  unsigned long long lanes = __ballot(flags[threadIdx.x]);
+  unsigned lanes = __ballot(flags[threadIdx.x]);
   if (threadIdx.x % warpSize == 0) atomicAdd(out, __popc(lanes));
 }
"""


class OthersTest(unittest.TestCase):
    environment, pr, setUp, github = pr_test.PrTest.environment, pr_test.PrTest.pr, pr_test.PrTest.setUp, pr_test.PrTest.github

    def review(self, *words, diff=ADDED, code=None, cwd=None, text=BUGGY):
        github = self.github(ready(files=["csrc/rocm/new.cu"]), ready(number=2, title="Another", files=["csrc/rocm/new.cu"]))
        github.diffs[VLLM, 1] = diff
        if text is not None:
            github.files[VLLM, "csrc/rocm/new.cu"] = text
        self.pr(github, "review", f"{VLLM}#1", *words, code=code, cwd=cwd)
        return github

    def test_review(self):
        github = self.review("--json", code=1)
        found = json.loads(self.out)
        self.assertEqual([(each["path"], each["line"]) for each in found["comments"]], [("csrc/rocm/new.cu", 2)])
        answers = {item["id"]: item["answer"] for item in found["checklist"]}
        self.assertEqual(answers, {"root-cause": "you", "completeness": "not checked", "lint": "fail", "tests": "look", "ci": "not checked",
                                   "duplicates": "look"})
        self.assertIn(f"{VLLM}#2 Another", str(found["checklist"]))
        self.assertEqual(github.posted, [])
        self.review(code=1)
        self.assertIn("csrc/rocm/new.cu:2: ", self.out)

    def test_review_finds_the_bug_elsewhere_in_a_clone(self):
        repo = self.scratch / "clone"
        (repo / "csrc").mkdir(parents=True)
        (repo / "csrc/other.cu").write_text(BUGGY.replace("count", "other"))
        for words in (["init", "-q"], ["remote", "add", "origin", f"https://github.com/{VLLM}"]):
            subprocess.run(["git", *words], cwd=repo, check=True)
        lines = ADDED.splitlines(keepends=True)
        lines[5], lines[6] = lines[6].replace("+", "-", 1), lines[5].replace("-", "+", 1)
        self.review("--json", diff="".join(lines), cwd=repo, text=FIXED.replace("__popcll", "__popc"))
        completeness = next(item for item in json.loads(self.out)["checklist"] if item["id"] == "completeness")
        self.assertEqual(completeness["answer"], "look")
        self.assertIn("csrc/other.cu", str(completeness["details"]))

    def test_a_source_that_cannot_be_read_is_not_a_pass(self):
        self.review("--json", text=None, code=3)
        lint = next(item for item in json.loads(self.out)["checklist"] if item["id"] == "lint")
        self.assertEqual(lint["answer"], "not checked")

    def test_watch(self):
        facts = ready(checks=passing("DCO") + [dict(name="pre-commit", result="IN_PROGRESS", required=True)])
        github = self.github(facts)
        looks = []

        def progress(_handler, _method, path):
            if path.endswith("/graphql"):
                looks.append(path)
                if len(looks) == 3:
                    github.pull_requests[VLLM, 1] = PullRequest(ready())
            return False

        github.faults = [progress]
        self.pr(github, "watch", f"{VLLM}#1", "--interval", "0.05", code=0)
        lines = self.out.splitlines()
        self.assertEqual(len(lines), 2, self.out)
        self.assertIn("checks-pending: wait for 1 required check", lines[0])
        self.assertIn("ready", lines[1])
        self.pr(github, "watch", f"{VLLM}#1", "--offline", code=2)

    def test_watch_stops(self):
        facts = ready(checks=passing("DCO") + [dict(name="pre-commit", result="IN_PROGRESS", required=True)])
        with Running(self.github(facts)) as running:
            watching = subprocess.Popen([TOOL, "pr", "watch", f"{VLLM}#1", "--api-url", running.url, "--interval", "100"],
                                        env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            watching.stdout.readline()
            watching.send_signal(signal.SIGINT)
            watching.communicate(timeout=60)
        self.assertEqual(watching.returncode, 130)

    def world(self):
        rocm = dict(labels=["rocm"])
        return self.github(
            ready(number=1, state="MERGED", title="[AMD] One", files=["csrc/rocm/a.cu"], **rocm),
            ready(TORCH, 2, state="CLOSED", labels=["Merged", "module: rocm"], files=["aten/hip/a.cpp"], title="[ROCm] Two"),
            ready(TORCH, 3, state="CLOSED", labels=["module: rocm"], title="[ROCm] Given up"),
            ready(number=4, state="MERGED", title="[AMD] Fix typo", files=["csrc/rocm/b.cu"], **rocm),
            ready(number=5, state="MERGED", title="[AMD] Scripts", files=[".buildkite/run-rocm.sh", "b.sh"], **rocm),
            ready(number=6, state="MERGED", title="Something else", files=["docs/x.py"]),
            ready(number=7, title="[AMD] Close", files=["csrc/rocm/c.cu"], **rocm),
            ready(number=8, title="[AMD] Far", files=["csrc/rocm/d.cu"], decision="REVIEW_REQUIRED", reviews=[], mergeable="CONFLICTING",
                  **{"labels": ["rocm"]}),
            ready(SGLANG, 9, state="MERGED", title="[AMD] Not in the contest"))

    def test_contest(self):
        self.pr(self.world(), "contest", "--json", code=1)
        found = json.loads(self.out)
        self.assertEqual((found["counted"], found["target"]), (2, 10))
        self.assertEqual({each["number"]: each["why_not"] for each in found["merged"]},
                         {1: "", 2: "", 4: "its title says 'typo'", 5: "it changes only files that do not count", 6: "it is not about ROCm"})
        self.assertEqual([each["number"] for each in found["open"]], [7, 8])
        config = self.scratch / "contest.toml"
        config.write_text(f'name = "Mine"\ntarget = 1\nrepositories = ["{VLLM}"]\n')
        self.pr(self.world(), "contest", "--config", str(config), code=0)
        self.assertIn("Mine: 3 of 1 merged", self.out)
        config.write_text('name = "Mine"\ntraget = 1\n')
        self.pr(self.world(), "contest", "--config", str(config), code=2)
        self.assertIn("contest.toml:2", self.err)

    def test_find(self):
        github = self.github()

        def issue(number, title, labels=()):
            return {"__typename": "Issue", "number": number, "title": title, "url": f"https://github.com/{VLLM}/issues/{number}",
                    "author": {"__typename": "User", "login": "x"}, "labels": [{"name": each} for each in labels],
                    "repository": {"nameWithOwner": VLLM}}

        github.issues = [issue(1, "Docs of CUDA"), issue(2, "[ROCm] slow start", ["rocm"]),
                         issue(3, "[Bug]: ballot in 32 bits loses lanes on MI300X, ROCm", ["rocm"])]
        self.pr(github, "find", "--repo", VLLM, "--json", code=0)
        found = json.loads(self.out)["candidates"]
        self.assertEqual([each["number"] for each in found], [3, 2])
        self.assertIn("HW201", str(found[0]["rules"]))
        self.assertEqual(found[1]["rules"], [])
        self.pr(github, "find", "--repo", VLLM, "--limit", "1", code=0)
        self.assertIn("the linter knows: HW201", self.out)
        self.assertNotIn("slow start", self.out)


if __name__ == "__main__":
    unittest.main(verbosity=1)
