#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: post.py DRIFT_JSON

Writes the drift guard's verdict on a pull request: one comment, which later runs replace, and a review with the fixes as
suggestions. The pull request is found by what GitHub says of the run, never by the file: a fork's code wrote the file, so it
is data of limited size and form, and every text of it is shown as code.
"""
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

MARK = "<!-- hipwright drift guard -->"
VERDICTS = {
    "ok": "**HIP: ok.** The port compiles and its results are the same with 64 and 32 lanes.",
    "broken": "**This breaks HIP.**",
    "broken-before": "**HIP was broken before this change**, and still is.",
    "not-checked": "**HIP: not checked.** The port did not complete.",
}
LARGEST_FILE = 256 << 10
MOST_FINDINGS = 20
LONGEST_TEXT = 2000


def request(method, path, body=None):
    url = os.environ.get("GITHUB_API_URL", "https://api.github.com") + path
    call = urllib.request.Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    call.add_header("Authorization", "Bearer " + os.environ["GITHUB_TOKEN"])
    call.add_header("Accept", "application/vnd.github+json")
    with urllib.request.urlopen(call, timeout=60) as answer:
        return json.load(answer)


def all_pages(path):
    found, page = [], 1
    while page <= 10:
        part = request("GET", f"{path}{'&' if '?' in path else '?'}per_page=100&page={page}")
        found += part
        if len(part) < 100:
            break
        page += 1
    return found


def code(text):
    """As a code span on one line: no mention, link or image in it has an effect."""
    text = " ".join(str(text).split())[:LONGEST_TEXT]
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{ticks} {text} {ticks}"


def fenced(kind, text):
    ticks = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{ticks}{kind}\n{text}\n{ticks}"


def read_data(path):
    if os.path.getsize(path) > LARGEST_FILE:
        sys.exit(f"{path} is larger than {LARGEST_FILE} bytes")
    with open(path) as file:
        data = json.load(file)
    if not isinstance(data, dict) or data.get("verdict") not in VERDICTS:
        sys.exit(f"{path} has no verdict")
    findings = []
    for finding in data.get("findings", [])[:MOST_FINDINGS]:
        if not (isinstance(finding.get("path"), str) and isinstance(finding.get("line"), int) and
                re.fullmatch(r"H[A-Z]\d{3}", str(finding.get("code"))) and isinstance(finding.get("message"), str)):
            sys.exit(f"{path} has a malformed finding")
        suggestion = finding.get("suggestion")
        if suggestion and not (isinstance(suggestion.get("first"), int) and isinstance(suggestion.get("last"), int) and
                               isinstance(suggestion.get("text"), str) and len(suggestion["text"]) <= LONGEST_TEXT):
            finding.pop("suggestion")
        findings.append(finding)
    return data["verdict"], findings


def pull_request(repository):
    """The open pull request whose head is the run's commit."""
    head = urllib.parse.quote(f"{os.environ['HEAD_OWNER']}:{os.environ['HEAD_BRANCH']}", safe=":")
    for pull in all_pages(f"/repos/{repository}/pulls?state=open&head={head}"):
        if pull["head"]["sha"] == os.environ["HEAD_SHA"]:
            return pull["number"]
    return None


def lines_in_diff(repository, number):
    """{path: lines of the new file that the pull request shows}; only these take comments."""
    shown = {}
    for file in all_pages(f"/repos/{repository}/pulls/{number}/files"):
        line = 0
        for text in file.get("patch", "").split("\n"):
            if match := re.match(r"@@ -\S+ \+(\d+)", text):
                line = int(match[1])
            elif text[:1] in ("+", " "):
                shown.setdefault(file["filename"], set()).add(line)
                line += 1
    return shown


def comment_text(verdict, findings):
    lines = [MARK, VERDICTS[verdict]]
    if findings:
        lines += ["", "On the changed lines:", ""]
        lines += [f"- {code(each['path'] + ':' + str(each['line']))} {code(each['message'])} ({each['code']})" for each in findings]
    lines += ["", f"[Log]({os.environ['RUN_URL']})"]
    return "\n".join(lines)


def write_comment(repository, number, text):
    for comment in all_pages(f"/repos/{repository}/issues/{number}/comments"):
        if comment["body"].startswith(MARK) and comment["user"]["type"] == "Bot":
            return request("PATCH", f"/repos/{repository}/issues/comments/{comment['id']}", {"body": text})
    return request("POST", f"/repos/{repository}/issues/{number}/comments", {"body": text})


def review_comment(finding):
    suggestion = finding["suggestion"]
    note = "" if suggestion.get("safe") else "\n\nReview it before you apply it: this fix can change results."
    comment = {"path": finding["path"], "side": "RIGHT", "line": suggestion["last"],
               "body": f"{code(finding['message'])} ({finding['code']}){note}\n\n{fenced('suggestion', suggestion['text'])}"}
    if suggestion["first"] < suggestion["last"]:
        comment.update(start_line=suggestion["first"], start_side="RIGHT")
    return comment


def write_review(repository, number, findings):
    fixes = [each for each in findings if "suggestion" in each]
    if not fixes:
        return
    sha = os.environ["HEAD_SHA"]
    for review in all_pages(f"/repos/{repository}/pulls/{number}/reviews"):
        if review["commit_id"] == sha and (review["body"] or "").startswith(MARK):
            print("this commit has its suggestions already")
            return
    shown = lines_in_diff(repository, number)
    comments = [review_comment(each) for each in fixes
                if set(range(each["suggestion"]["first"], each["suggestion"]["last"] + 1)) <= shown.get(each["path"], set())]
    if comments:
        request("POST", f"/repos/{repository}/pulls/{number}/reviews",
                {"commit_id": sha, "event": "COMMENT", "body": MARK + "\nFixes for HIP:", "comments": comments})
        print(f"{len(comments)} suggestions")


def main(path):
    repository = os.environ["GITHUB_REPOSITORY"]
    verdict, findings = read_data(path)
    number = pull_request(repository)
    if number is None:
        print("no open pull request has this commit as its head: nothing to do")
        return
    write_comment(repository, number, comment_text(verdict, findings))
    write_review(repository, number, findings)
    print(f"commented on pull request {number}")


try:
    main(*sys.argv[1:])
except urllib.error.HTTPError as error:
    sys.exit(f"GitHub answered {error.code} to {error.url}: {error.read().decode(errors='replace')[:500]}")
except urllib.error.URLError as error:
    sys.exit(f"GitHub could not be reached: {error.reason}")
