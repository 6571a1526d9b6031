#!/usr/bin/env python3
"""Writes each job's result to the summary, and fails when a job failed or was cancelled. RESULTS is toJSON(needs)."""
import json
import os
import sys

results = {name: job["result"] for name, job in json.loads(os.environ["RESULTS"]).items()}
with open(os.environ["GITHUB_STEP_SUMMARY"], "a") as summary:
    print("| job | result |\n| --- | --- |", file=summary)
    for name, result in results.items():
        print(f"| {name} | {result} |", file=summary)
        print(f"{name}: {result}")
bad = [name for name, result in results.items() if result not in ("success", "skipped")]
sys.exit("failed: " + ", ".join(bad) if bad else 0)
