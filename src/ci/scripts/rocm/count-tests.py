#!/usr/bin/env python3
"""Fails when no test ran: a job in which every test was skipped proves nothing.

usage: count-tests.py JUNIT_XML…
"""
import os
import sys
import xml.etree.ElementTree as ElementTree

UNRUN = ("skipped", "disabled", "notrun")


def main(paths):
    ran = skipped = 0
    for path in paths:
        if not os.path.exists(path):
            sys.exit(f"{path} does not exist: the tests did not start")
        for case in ElementTree.parse(path).iter("testcase"):
            unrun = case.find("skipped") is not None or case.get("status") in UNRUN
            skipped += unrun
            ran += not unrun
    print(f"{ran} tests ran, {skipped} were skipped")
    if ran == 0:
        sys.exit("no test ran")


main(sys.argv[1:])
