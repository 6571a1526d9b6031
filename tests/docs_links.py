#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a link of the documentation leads nowhere, or when docs/README.md does not name a page.

usage: docs_links.py SOURCE_DIR

Links to files and headings of this tree are followed; addresses of other sites are not.
"""
import pathlib
import re
import sys

# Folders with a page per unit: their own README.md lists them.
LISTED_BY_THEIR_README = ("api", "port", "rules")


def pages(root):
    return [root / "README.md", root / "HACKING.md", *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("examples/**/*.md"))]


def prose(page):
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def anchors(page):
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page):
    """Target and anchor of each link and picture that does not leave this tree."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(page)) + re.findall(r'(?:src|srcset)="([^"]+)"', prose(page))
    return [link.partition("#")[::2] for link in found if not re.match(r"[a-z]+:", link)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong, count = [], 0
    linked = {}
    for page in pages(root):
        for target, anchor in links(page):
            count += 1
            path = (page.parent / target).resolve() if target else page
            linked.setdefault(page, set()).add(path)
            if not path.exists():
                wrong.append(f"{page.relative_to(root)}: no such file: {target}")
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                wrong.append(f"{page.relative_to(root)}: {path.relative_to(root)} has no heading #{anchor}")
    index = root / "docs/README.md"
    for page in sorted(root.glob("docs/**/*.md")):
        is_listed = page.parent.name in LISTED_BY_THEIR_README and page.name != "README.md"
        if page != index and not is_listed and page not in linked[index]:
            wrong.append(f"docs/README.md: does not name {page.relative_to(root)}")
    print("\n".join(wrong) or f"{count} links lead somewhere")
    return 1 if wrong or not count else 0


sys.exit(main())
