#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/new writes units that compile as they are, in the places where the build and the tests look for them.
. "$(dirname "$0")/lib.sh"
needs g++

tree=$scratch/tree
mkdir -p "$tree/tools" "$tree/src/port"
cp "$SOURCE_DIR/tools/new" "$tree/tools/new"
compiles() { # compiles FILE: with the headers of this tree
  expect_ok g++ -std=c++23 -fsyntax-only -Wall -Werror -Wno-missing-field-initializers -I"$SOURCE_DIR/src" \
    -I"$SOURCE_DIR/include" -I"$scratch/generated" "$tree/$1"
}

# The code that the build would make of the new page.
mkdir -p "$scratch/generated"
sed '/kCodeList/s/{$/{"HP398",/' "$BUILD_DIR/generated/port_code_list.h" >"$scratch/generated/port_code_list.h"
grep -q '{"HP398",$' "$scratch/generated/port_code_list.h" || fail "port_code_list.h has another form"

expect_ok "$tree/tools/new" pass HP398 odd-mask "masks of odd width"
expect_output "wrote src/port/passes/wave/odd_mask.cpp" "wrote src/port/passes/wave/HP398-odd-mask.md" \
  "wrote tests/port/passes/odd_mask/before/a.cu"
compiles src/port/passes/wave/odd_mask.cpp
equal "the title" "$(head -n 1 "$tree/src/port/passes/wave/HP398-odd-mask.md")" "# Masks of odd width"
grep -q "reports: HP398" "$tree/tests/port/passes/odd_mask/before/a.cu" || fail "the fixture expects nothing"

# A code without a page does not compile.
cp "$BUILD_DIR/generated/port_code_list.h" "$scratch/generated/port_code_list.h"
expect_exit 1 g++ -std=c++23 -fsyntax-only -I"$SOURCE_DIR/src" -I"$SOURCE_DIR/include" -I"$scratch/generated" \
  "$tree/src/port/passes/wave/odd_mask.cpp"
expect_output "this_code_has_no_page"

expect_exit 1 "$tree/tools/new" pass HP398 another-mask "another mask"
expect_output "HP398 has a page"
expect_exit 2 "$tree/tools/new" pass HP898 late "a late pass"
expect_output "HP0xx to HP7xx"
expect_exit 2 "$tree/tools/new" pass HW398 odd "a rule's code"
expect_output "a code is HP and three digits"

expect_ok "$tree/tools/new" rule HW298 odd-shuffle "a shuffle of odd width"
expect_output "wrote src/lint/rules/cross_lane/odd_shuffle.cpp" "wrote tests/lint/fixtures/HW298/odd_shuffle.cu"
compiles src/lint/rules/cross_lane/odd_shuffle.cpp
expect_exit 1 "$tree/tools/new" rule HW298 odd-shuffle "a shuffle of odd width"
expect_output "exists"
finish
