# SPDX-License-Identifier: MIT
"""A GitHub for tests, on this machine: pull requests as dictionaries, REST and GraphQL, and the faults of the real one.

Strict: a request that no test expects, a wrong header, an unknown field or a query that GitHub's schema rejects is kept in
`complaints` and answered with 500.
"""
import http.server
import json
import re
import socketserver
import threading
import urllib.parse

from graphql_subset import QueryError, execute

HEAD, OLD = "a" * 40, "b" * 40


def time_of(value, default="2026-03-01T00:00:00Z"):
    return value or default


def person(login):
    return None if login is None else {"__typename": "User", "login": login, "id": f"U_{login}", "name": login}


def check_node(check):
    """{"name", "result" (SUCCESS, FAILURE, PENDING, …), "required", "kind": "status" or "run", "workflow", "job"}"""
    required = bool(check.get("required"))
    result = check["result"]
    if check.get("kind") == "status":
        return {"__typename": "StatusContext", "context": check["name"], "state": result, "targetUrl": check.get("url", "https://ci.example/1"),
                "description": check.get("description"), "createdAt": check.get("at", "2026-03-01T00:00:00Z"), "isRequired": required}
    done = result not in ("PENDING", "QUEUED", "IN_PROGRESS")
    workflow = check.get("workflow")
    return {"__typename": "CheckRun", "databaseId": check.get("job", 0), "name": check["name"], "status": "COMPLETED" if done else "QUEUED",
            "conclusion": result if done else None, "startedAt": check.get("at", "2026-03-01T00:00:00Z"), "completedAt": None,
            "detailsUrl": check.get("url", "https://ci.example/2"), "title": check.get("description"), "isRequired": required,
            "checkSuite": {"app": {"slug": "github-actions" if check.get("job") else "an-app"},
                           "workflowRun": {"workflow": {"name": workflow}} if workflow else None}}


class PullRequest:
    """Made from a dictionary with what matters; the rest has defaults."""

    def __init__(self, facts):
        self.facts = facts
        self.repo, self.number = facts["repo"], facts["number"]
        self.asked = 0

    def mergeable(self, _arguments=None):
        # A list holds one answer per query; the last one repeats.
        value = self.facts.get("mergeable", "MERGEABLE")
        if isinstance(value, list):
            self.asked += 1
            return value[min(self.asked, len(value)) - 1]
        return value

    def commit(self):
        checks = self.facts.get("checks", [])
        contexts = [check_node(check) for check in checks]
        rollup = {"state": "SUCCESS", "contexts": contexts} if checks else None
        return {"__typename": "Commit", "oid": HEAD, "committedDate": time_of(self.facts.get("committed")), "statusCheckRollup": rollup}

    def review(self, review):
        association = review.get("association", "MEMBER")
        return {"author": person(review.get("author")), "authorAssociation": association, "state": review["state"], "body": "",
                "submittedAt": time_of(review.get("at")), "commit": {"oid": OLD if review.get("old") else HEAD}}

    def thread(self, thread):
        comment = {"author": person(thread.get("author", "reviewer")), "body": thread.get("body", "Why?"), "url": "https://github.example/t",
                   "createdAt": "2026-03-01T00:00:00Z"}
        return {"isResolved": thread["resolved"], "isOutdated": thread.get("outdated", False), "path": thread.get("path", "a.py"),
                "line": thread.get("line"), "comments": [comment]}

    def node(self):
        facts = self.facts
        state = facts.get("state", "OPEN")
        reviews = facts.get("reviews", [])
        # "none" stands for a branch without protection, where GitHub decides nothing.
        decision = facts.get("decision", "REVIEW_REQUIRED")
        owner, name = self.repo.split("/")
        events = [{"__typename": "HeadRefForcePushedEvent", "createdAt": time} for time in facts.get("force_pushed", [])]
        if state == "CLOSED":
            events.append({"__typename": "ClosedEvent", "createdAt": "2026-03-02T00:00:00Z",
                           "closer": {"__typename": "Commit"} if facts.get("closed_by_commit") else None})
        merge_state = facts.get("merge_state", "CLEAN" if decision == "APPROVED" else "BLOCKED")
        if facts.get("mergeable") == "CONFLICTING":
            merge_state = "DIRTY"
        return {
            "__typename": "PullRequest", "id": f"PR_{self.number}", "number": self.number, "title": facts.get("title", "A title"),
            "body": facts.get("body", ""), "url": f"https://github.com/{self.repo}/pull/{self.number}", "state": state,
            "isDraft": facts.get("draft", False), "createdAt": time_of(facts.get("created")), "updatedAt": time_of(facts.get("updated")),
            "closedAt": "2026-03-02T00:00:00Z" if state != "OPEN" else None, "author": person(facts.get("author", "author")),
            "baseRefName": facts.get("base", "main"), "headRefName": "branch", "headRefOid": HEAD, "mergeable": self.mergeable,
            "mergeStateStatus": merge_state, "reviewDecision": None if decision == "none" else decision,
            "labels": [{"name": label, "id": label, "description": "", "color": ""} for label in facts.get("labels", [])],
            "files": [{"path": path, "additions": 3, "deletions": 1} for path in facts.get("files", ["a.py"])],
            "reviewRequests": [{"requestedReviewer": person(login)} for login in facts.get("requested", [])],
            "latestReviews": [self.review(each) for each in reviews], "reviews": [self.review(each) for each in reviews],
            "reviewThreads": [self.thread(each) for each in facts.get("threads", [])],
            "comments": [{"author": person(each.get("author")), "body": each["body"], "createdAt": time_of(each.get("at")),
                          "url": "https://github.example/c"} for each in facts.get("comments", [])],
            "closingIssuesReferences": [{"number": number} for number in facts.get("closes", [])],
            "timelineItems": events, "commits": [{"commit": self.commit()}], "statusCheckRollup": [{"commit": self.commit()}],
            "repository": {"nameWithOwner": self.repo, "name": name, "owner": {"login": owner}},
        }


class GitHub:
    """The state of the world. `faults`: a list of functions (handler, method, path) that may answer instead, and then return True;
    one that returns None is asked again for the next request."""

    TOKEN = "ghp_planted0123456789SECRETabcdefghijklmn"

    def __init__(self, pull_requests=(), viewer="author", schema=None):
        self.pull_requests = {(each["repo"], each["number"]): PullRequest(each) for each in pull_requests}
        self.viewer, self.schema = viewer, schema
        self.files = {}           # (repo, path) to content
        self.protection = {}      # (repo, branch) to the names of required checks
        self.rules = {}           # (repo, branch) to rules as REST lists them
        self.base_failures = {}   # repo to a list of lists of names
        self.blame = {}           # (repo, path) to [(first, last, login)]
        self.diffs, self.logs, self.issues = {}, {}, []
        self.pushed = set()       # (repo, commit)
        self.posted, self.requests, self.complaints, self.faults = [], [], [], []

    def complain(self, text):
        self.complaints.append(text)
        return 500, {"message": f"unexpected: {text}"}, {}

    def count(self, kind):
        return sum(1 for method, path in self.requests if (path.endswith("/graphql")) == (kind == "graphql"))

    # GraphQL

    def root(self):
        return {"viewer": person(self.viewer), "search": self.search, "repository": self.repository}

    def search(self, arguments):
        query = arguments["query"]
        repos = re.findall(r"repo:(\S+)", query)
        owners = re.findall(r"org:(\S+)", query)
        author = re.search(r"author:(\S+)", query)
        author = self.viewer if author and author[1] == "@me" else author and author[1]
        found = []
        for (repo, _), each in sorted(self.pull_requests.items(), key=lambda item: (item[0][0], item[0][1])):
            node = each.node()
            if (repos or owners) and repo not in repos and repo.split("/")[0] not in owners:
                continue
            if author and (node["author"] or {}).get("login") != author:
                continue
            state = node["state"]
            if "is:open" in query and state != "OPEN" or "is:closed" in query and state == "OPEN":
                continue
            label = re.search(r'label:"([^"]+)"', query)
            if label and label[1] not in each.facts.get("labels", []):
                continue
            if "is:merged" in query and state != "MERGED":
                continue
            found.append(node)
        if "is:pr" not in query:
            found += [issue for issue in self.issues if issue["repository"]["nameWithOwner"] in repos]
        return found

    def repository(self, arguments):
        repo = f"{arguments['owner']}/{arguments['name']}"

        def pull_request(arguments):
            each = self.pull_requests.get((repo, arguments["number"]))
            return each.node() if each else None

        def ref(_arguments):
            history = [{"oid": "c" * 40, "statusCheckRollup": {"contexts": [check_node(check) for check in checks]}}
                       for checks in self.base_failures.get(repo, [])]
            return {"target": {"__typename": "Commit", "history": history}}

        def blame(arguments):
            return {"ranges": [{"startingLine": first, "endingLine": last, "commit": {"author": {"user": person(login)}}}
                               for first, last, login in self.blame.get((repo, arguments["path"]), [])]}

        return {"pullRequest": pull_request, "ref": ref, "object": lambda _: {"__typename": "Commit", "blame": blame}, "id": "R_1",
                "name": repo.split("/")[1], "nameWithOwner": repo, "owner": {"login": repo.split("/")[0]}}

    def graphql(self, body):
        request = json.loads(body)
        query, variables = request["query"], request.get("variables") or {}
        if self.schema:
            for message in self.schema(query):
                return self.complain(f"GitHub's schema: {message}: {query[:300]}")
        try:
            data = execute(query, variables, self.root())
        except (QueryError, KeyError) as error:
            return self.complain(f"{error!r} in {query[:300]}")
        missing = [alias for alias, value in data.items() if isinstance(value, dict) and "pullRequest" in value and value["pullRequest"] is None]
        if missing:
            return 200, {"data": data, "errors": [{"type": "NOT_FOUND", "path": missing, "message": "Could not resolve to a PullRequest"}]}, {}
        return 200, {"data": data}, {}

    # REST

    def rest(self, method, path, query, body, accept):
        match = re.fullmatch(r"/repos/([^/]+/[^/]+)/(.*)", path)
        if method == "POST":
            self.posted.append((path, json.loads(body)))
            return 201, {"id": 1, "number": 1, "html_url": "https://github.com/" + path}, {}
        if not match:
            return self.complain(f"{method} {path}")
        repo, rest = match[1], match[2]
        if (found := re.fullmatch(r"rules/branches/(.+)", rest)):
            return 200, self.rules.get((repo, urllib.parse.unquote(found[1])), []), {}
        if (found := re.fullmatch(r"branches/(.+)", rest)):
            names = self.protection.get((repo, urllib.parse.unquote(found[1])), [])
            return 200, {"name": found[1], "protected": bool(names), "protection": {"enabled": bool(names), "required_status_checks": {
                "enforcement_level": "non_admins" if names else "off", "contexts": names,
                "checks": [{"context": name, "app_id": None} for name in names]}}}, {}
        if (found := re.fullmatch(r"commits/([0-9a-f]{40})", rest)):
            return (200, found[1], {}) if (repo, found[1]) in self.pushed else (404, {"message": "Not Found"}, {})
        if (found := re.fullmatch(r"contents/(.+)", rest)):
            content = self.files.get((repo, urllib.parse.unquote(found[1])))
            return (404, {"message": "Not Found"}, {}) if content is None else (200, content, {})
        if (found := re.fullmatch(r"pulls/(\d+)", rest)) and accept == "application/vnd.github.diff":
            return 200, self.diffs.get((repo, int(found[1])), ""), {}
        if (found := re.fullmatch(r"actions/jobs/(\d+)/logs", rest)):
            log = self.logs.get(int(found[1]))
            return (404, {"message": "Not Found"}, {}) if log is None else (200, log, {})
        return self.complain(f"{method} {path}?{query}")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer is one packet: the second one would wait for the first one's acknowledgement
    github: GitHub

    def log_message(self, *_arguments):
        pass

    def answer(self, status, value, headers=()):
        content = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else json.dumps(value).encode()
        etag = f'"{hash(content) & 0xffffffff:x}"'
        if self.command == "GET" and status == 200 and self.headers.get("If-None-Match") == etag:
            status, content = 304, b""
        self.send_response(status)
        headers = dict(headers)
        headers.setdefault("Content-Type", "application/json")
        headers.setdefault("Content-Length", str(len(content)))
        if self.command == "GET" and status in (200, 304):
            headers["ETag"] = etag
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(content)

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        path = path.removeprefix("/api/v3")
        github = self.github
        github.requests.append((self.command, path))
        for fault in list(github.faults):
            if fault(self, self.command, path):
                github.faults.remove(fault)
                return
        wanted = self.headers.get("Authorization") in (f"Bearer {GitHub.TOKEN}", f"token {GitHub.TOKEN}")
        if not wanted and path.endswith("/graphql"):
            self.answer(401, {"message": "Requires authentication"})
        elif not self.headers.get("User-Agent"):
            self.answer(*github.complain("no User-Agent"))
        elif path.endswith("/graphql"):
            self.answer(*github.graphql(body))
        else:
            self.answer(*github.rest(self.command, path, query, body, self.headers.get("Accept")))

    do_GET = do_POST = serve


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("unix", 0)


class Running:
    """with Running(github) as running: running.url"""

    def __init__(self, github, unix_socket=None):
        handler = type("BoundHandler", (Handler,), {"github": github})
        self.github = github
        self.servers = [Server(("127.0.0.1", 0), handler)]
        if unix_socket:
            self.servers.append(UnixServer(unix_socket, handler))
        self.url = f"http://127.0.0.1:{self.servers[0].server_address[1]}"

    def __enter__(self):
        for server in self.servers:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
        return self

    def __exit__(self, *_error):
        for server in self.servers:
            server.shutdown()
            server.server_close()
