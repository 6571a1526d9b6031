#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# actions/drift-guard-comment against a stand-in for GitHub's API: a verdict with a fix, and files that a fork made up.
. "$(dirname "$0")/lib.sh"
needs git python3
cd "$scratch" || exit 1

# drift.json of a change with a fix, as the guard writes it.
mkdir -p head.tree && git init -q -b main tree
cat >tree/mask.cu <<'END'
__global__ void count(const int* values, int* total) {
  if (values[threadIdx.x] > 0) atomicAdd(total, 1);
}
END
commit() { git -C tree add -A && git -C tree -c user.name=a -c user.email=a@example.org commit -qm "$1"; }
commit base
cat >tree/mask.cu <<'END'
__global__ void count(const int* values, int* total) {
#if defined(__HIP_PLATFORM_AMD__)
  const unsigned lanes = __ballot(values[threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(total, __popc(lanes));
#endif
}
END
commit change
git -C tree archive HEAD | tar -x -C head.tree
git -C tree diff --unified=0 HEAD~ HEAD >change.diff
code=0
hipwright -q lint head.tree --format json >lint.json || code=$?
expect_ok "$SOURCE_DIR/actions/drift-guard/findings.py" "$scratch" broken
expect_output "mask.cu:3" "HW201"
python3 - <<'END' || fail "drift.json has no suggestion"
import json
finding = next(each for each in json.load(open("drift.json"))["findings"] if each["code"] == "HW201")
assert finding["suggestion"]["first"] == 3 and "unsigned lanes" not in finding["suggestion"]["text"], finding
END

mkdir api
exec 7< <(exec python3 "$SOURCE_DIR/tests/ci/github_api.py" api)
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
read -r port <&7 || fail "the stand-in did not start"
export GITHUB_API_URL=http://127.0.0.1:$port GITHUB_REPOSITORY=owner/project GITHUB_TOKEN=none
export HEAD_SHA=aaaa HEAD_OWNER=fork HEAD_BRANCH=change RUN_URL=https://example.org/run
echo '[{"number": 7, "head": {"sha": "bbbb"}}, {"number": 8, "head": {"sha": "aaaa"}}]' >api/repos_owner_project_pulls.json
echo '[]' >api/repos_owner_project_issues_8_comments.json
echo '[]' >api/repos_owner_project_pulls_8_reviews.json
python3 - <<'END'
import json
patch = "@@ -1,3 +1,6 @@\n __global__\n-old\n" + "\n".join("+" + line for line in open("tree/mask.cu").read().split("\n")[1:5]) + "\n }"
json.dump([{"filename": "mask.cu", "patch": patch}], open("api/repos_owner_project_pulls_8_files.json", "w"))
END
post() { "$SOURCE_DIR/actions/drift-guard-comment/post.py" "$@"; }
calls() { python3 -c 'import json
for line in open("api/calls"): call = json.loads(line); print(call["method"], call["path"])'; }

expect_ok post drift.json
expect_output "commented on pull request 8"
equal "what was posted" "$(calls | tr '\n' ' ')" "POST /repos/owner/project/issues/8/comments POST /repos/owner/project/pulls/8/reviews "
python3 - <<'END' || fail "the review"
import json
comment, review = (json.loads(line)["body"] for line in open("api/calls"))
assert "This breaks HIP" in comment["body"] and "HW201" in comment["body"], comment
assert review["event"] == "COMMENT" and review["commit_id"] == "aaaa", review
(suggested,) = [each for each in review["comments"] if "HW201" in each["body"]]
assert suggested["path"] == "mask.cu" and suggested["line"] == 3 and "```suggestion\n" in suggested["body"], suggested
END

# Run again: the comment is replaced, and the same commit gets no second review.
echo '[{"id": 5, "body": "<!-- hipwright drift guard -->\nold", "user": {"type": "Bot"}}]' >api/repos_owner_project_issues_8_comments.json
echo '[{"commit_id": "aaaa", "body": "<!-- hipwright drift guard -->\n"}]' >api/repos_owner_project_pulls_8_reviews.json
: >api/calls
expect_ok post drift.json
equal "what was posted" "$(calls)" "PATCH /repos/owner/project/issues/comments/5"

# No such commit: nothing is written.
: >api/calls
HEAD_SHA=cccc expect_ok post drift.json
expect_output "nothing to do"
[ -s api/calls ] && fail "something was posted"

# What a fork made up: texts stay code, malformed files are refused, and no file names the pull request.
echo '{"verdict": "broken", "number": 7, "findings": [{"path": "a`b", "line": 1, "code": "HW201", "message": "@everyone `x` ![i](http://e)\n# Title"}]}' >hostile.json
expect_ok post hostile.json
python3 - <<'END' || fail "a text of the file has an effect"
import json
(call,) = map(json.loads, open("api/calls"))
assert call["path"].endswith("/comments/5"), call
(line,) = [line for line in call["body"]["body"].split("\n") if "everyone" in line]
assert line == "- `` a`b:1 `` `` @everyone `x` ![i](http://e) # Title `` (HW201)", line
END
: >api/calls
echo '{"verdict": "**bold**"}' >bad.json
expect_exit 1 post bad.json
echo '{"verdict": "ok", "findings": [{"path": "a", "line": 1, "code": "<img>", "message": ""}]}' >bad.json
expect_exit 1 post bad.json
echo '[]' >bad.json
expect_exit 1 post bad.json
head -c 300000 /dev/zero >bad.json
expect_exit 1 post bad.json
expect_output "larger than"
[ -s api/calls ] && fail "a refused file was posted"
rm api/repos_owner_project_pulls.json
expect_exit 1 post drift.json
expect_output "GitHub answered 404"
finish
