# SPDX-License-Identifier: MIT
"""Executes GraphQL queries over plain dictionaries, strictly: a field that an object does not have is an error.

A value that is a list and whose field has the argument `first` or `last` is a connection. A value that is a function is called
with the arguments. Where graphql-core and GitHub's schema are at hand (schema()), every query is also checked against them.
"""
import re

TOKEN = re.compile(r'[\s,]+|#[^\n]*|(?P<name>[_A-Za-z]\w*)|(?P<number>-?\d+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>\.\.\.|[{}()\[\]:$!=@])')


class QueryError(Exception):
    pass


class Parser:
    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise QueryError(f"syntax error at: {text[at:at + 20]}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1]

    def take(self, wanted=None):
        kind, text = self.tokens[self.at]
        if wanted is not None and text != wanted:
            raise QueryError(f"expected {wanted}, not {text}")
        self.at += 1
        return kind, text

    def document(self):
        operation, fragments = None, {}
        while self.peek():
            if self.peek() == "fragment":
                self.take()
                name = self.take()[1]
                self.take("on")
                fragments[name] = (self.take()[1], self.selection())
                continue
            if self.peek() != "{":
                if self.take()[1] != "query":
                    raise QueryError("only queries are expected")
                if self.peek() not in "({":
                    self.take()
                if self.peek() == "(":
                    while self.take()[1] != ")":
                        pass
            operation = self.selection()
        return operation, fragments

    def selection(self):
        fields = []
        self.take("{")
        while self.peek() != "}":
            if self.peek() == "...":
                self.take()
                if self.peek() == "on":
                    self.take()
                    kind = self.take()[1]
                    fields.append(("on", kind, self.selection()))
                elif self.peek() == "{":
                    fields.append(("on", None, self.selection()))
                else:
                    fields.append(("fragment", self.take()[1]))
                continue
            alias = name = self.take()[1]
            if self.peek() == ":":
                self.take()
                name = self.take()[1]
            arguments = {}
            if self.peek() == "(":
                self.take()
                while self.peek() != ")":
                    key = self.take()[1]
                    self.take(":")
                    arguments[key] = self.value()
                self.take()
            fields.append(("field", alias, name, arguments, self.selection() if self.peek() == "{" else None))
        self.take("}")
        return fields

    def value(self):
        kind, text = self.take()
        if text == "$":
            return ("variable", self.take()[1])
        if text == "[":
            items = []
            while self.peek() != "]":
                items.append(self.value())
            self.take()
            return items
        if kind == "number":
            return int(text)
        if kind == "string":
            return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        return {"true": True, "false": False, "null": None}.get(text, text)


class Executor:
    def __init__(self, fragments, variables):
        self.fragments, self.variables = fragments, variables

    def argument(self, value):
        if isinstance(value, tuple):
            if value[1] not in self.variables:
                return None
            return self.variables[value[1]]
        return [self.argument(item) for item in value] if isinstance(value, list) else value

    def run(self, selection, node, path="query"):
        if node is None:
            return None
        if isinstance(node, list):
            return [self.run(selection, item, path) for item in node]
        result = {}
        for field in selection:
            if field[0] == "on":
                if field[1] in (None, node.get("__typename"), "Node", "Actor"):
                    result.update(self.run(field[2], node, path))
                continue
            if field[0] == "fragment":
                kind, inner = self.fragments[field[1]]
                result.update(self.run(inner, node, path))
                continue
            _, alias, name, arguments, inner = field
            if name not in node:
                raise QueryError(f"{path}.{name} is not in the test data")
            arguments = {key: self.argument(value) for key, value in arguments.items()}
            value = node[name]
            if callable(value):
                value = value(arguments)
            if isinstance(value, list) and ("first" in arguments or "last" in arguments):
                value = connection(value, arguments)
            if inner is None:
                if isinstance(value, (dict, list)) and value and isinstance(value if isinstance(value, dict) else value[0], dict):
                    raise QueryError(f"{path}.{name} needs a selection")
                result[alias] = value
            else:
                result[alias] = self.run(inner, value, f"{path}.{name}")
        return result


def connection(items, arguments):
    if "last" in arguments:
        chosen, start = items[-arguments["last"]:], 0
        more = False
    else:
        if not 0 < arguments["first"] <= 100:
            raise QueryError("first must be from 1 to 100")
        start = int(arguments["after"]) if arguments.get("after") else 0
        chosen = items[start:start + arguments["first"]]
        more = start + len(chosen) < len(items)
    return {"nodes": chosen, "edges": [{"node": item} for item in chosen], "totalCount": len(items), "issueCount": len(items),
            "pageInfo": {"hasNextPage": more, "endCursor": str(start + len(chosen)) if chosen else None}}


def execute(query, variables, root):
    operation, fragments = Parser(query).document()
    return Executor(fragments, variables).run(operation, root)


def schema(path):
    """A function that lists what is wrong with a query; None without graphql-core or the schema."""
    try:
        import graphql
    except ImportError:
        return None
    try:
        text = open(path, encoding="utf-8").read()
    except (OSError, TypeError):
        return None
    built = graphql.build_schema(text, assume_valid_sdl=True)  # the published text has two fields twice

    def check(query):
        try:
            return [error.message for error in graphql.validate(built, graphql.parse(query))]
        except graphql.GraphQLError as error:
            return [error.message]

    return check
