#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Manual pages exist for every command, and man reads them without a complaint.
. "$(dirname "$0")/lib.sh"
needs man
expect_ok hipwright man --write "$scratch/man1"
for command in "" $(hipwright --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  page=$scratch/man1/hipwright${command:+-$command}.1
  [ -f "$page" ] || fail "no page for: $command"
  # shellcheck disable=SC2086  # no word or one
  expect_ok hipwright man $command
  cmp "$last" "$page" || fail "man $command and --write differ"
  expect_ok env MANROFFOPT="-wall" LC_ALL=C.UTF-8 man --warnings=all -l "$page"
  equal "complaints about $page" "$(cat "$last.err")" ""
  expect_output NAME SYNOPSIS "EXIT STATUS" "hipwright"
  if command -v mandoc >/dev/null; then
    # A date would make every build different.
    equal "mandoc's complaints about $page" "$(mandoc -T lint -W warning "$page" | grep -v 'missing date')" ""
  fi
done
command -v mandoc >/dev/null || echo "not run: mandoc is not installed"
# What a page says comes from the command.
expect_ok env LC_ALL=C.UTF-8 man -l "$scratch/man1/hipwright-verify.1"
tr -s ' \n' ' ' <"$last" | grep -qF "hipwright verify kernel [OPTIONS] FILE" || fail "no synopsis of verify kernel"
expect_output "--level LEVEL" "--seeds N"
expect_exit 2 hipwright man prot
expect_output 'unknown command `prot` (did you mean `port`?)'
finish
