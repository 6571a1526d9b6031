#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mistakes on the command line: the message names the word or path, the cause and the next step.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# says CODE MESSAGE -- WORDS…: hipwright WORDS… exits with CODE and prints exactly this error
says() {
  local code=$1 message=$2
  shift 3
  expect_exit "$code" hipwright "$@"
  equal "the message of: hipwright $*" "$(cat "$last")" "hipwright: error: $message"
}

# Commands, options, arguments.
says 2 'unknown command `prot` (did you mean `port`?)' -- prot
says 2 'unknown command `frobnicate`. See: hipwright --help' -- frobnicate
says 2 'unknown `hipwright` option `--verson` (did you mean `--version`?)' -- --verson
says 2 'unknown `hipwright sdk` command `pth` (did you mean `path`?)' -- sdk pth
says 2 'unknown `hipwright port` option `--verfy` (did you mean `--verify`?)' -- port . --verfy
says 2 'unknown `hipwright verify kernel` option `--seed` (did you mean `--seeds`?)' -- verify kernel a.hip --seed=3
says 2 'unknown `hipwright lint` option `--frobnicate`. See: hipwright lint --help' -- lint --frobnicate
says 2 'unexpected argument `b`. See: hipwright port --help' -- port a b
says 2 '`hipwright sdk` needs a command: path, add, list, remove. See: hipwright sdk --help' -- sdk
says 2 '`hipwright inspect` needs FILE. See: hipwright inspect --help' -- inspect
says 2 '`hipwright run` needs PROGRAM. See: hipwright run --help' -- run
says 2 '`hipwright port` needs PATH. See: hipwright port --help' -- port
says 2 '`--out` needs a value. See: hipwright port --help' -- port . --out
says 2 '`--check-isolation` needs 2 values. See: hipwright port --help' -- port --check-isolation one
says 2 'invalid value `many` for `--threads`: not a number. See: hipwright lint --help' -- lint --threads many
says 2 'invalid value for `--mode`: `hpi` is not one of hip, dual (did you mean `hip`?)' -- port . --mode hpi
says 2 '`--out` cannot be combined with `--undo`. See: hipwright port --help' -- port . --undo --out x
says 2 '`--fix` requires `--verify`: it repairs what verification finds. Add --verify.' -- port . --fix
says 2 'cannot compile: no input files. See: hipwright cc --help' -- cc

# Names.
says 2 "unknown target 'gfx924': no gfx name or product matches. Did you mean gfx942, gfx900, gfx906?" -- arch gfx924
says 2 "unknown rule 'HW999'. List the rules with: hipwright lint rules" -- lint explain HW999
says 2 "unknown diagnostic code 'HP999'. List the codes with: hipwright port codes" -- port explain HP999
says 2 "unknown confidence level 'hgih': expected low, medium or high" -- lint --min-confidence hgih
says 2 "unknown format 'xml'. Use text, json, sarif, github or markdown." -- lint --format xml

# Programs that cannot be started.
echo text >notes
says 2 "cannot start './notes': the file is not executable. Make it executable: chmod +x ./notes" -- run ./notes
says 2 "cannot start 'notes': not found in PATH. To start the file in this directory, use ./notes" -- run -- notes
says 2 "cannot start './none': No such file or directory" -- run ./none
says 2 "cannot start './.': it is a directory" -- run ./.
chmod +x notes
says 2 "cannot start './notes': Exec format error. It is neither an executable for this machine nor a script with a #! line." -- run ./notes
echo 'int main() {}' >a.hip
says 2 "cannot run 'a.hip': it is a source file, not a program. Compile it first: hipwright cc -o a a.hip" -- run a.hip

# Files that are missing, and places that cannot be written.
mkdir tree taken && printf '#include <cuda_runtime.h>\n__global__ void k() {}\n' >tree/a.cu && touch taken/file
for command in port lint inspect verify "verify kernel" "verify golden show" "lint --config"; do
  # shellcheck disable=SC2086  # words
  expect_exit 2 hipwright $command missing.cu
  expect_output "'missing.cu': " "o such file"
done
says 2 "cannot write the port to 'taken/file': not a directory. Choose a new directory." -- port tree --out taken/file
says 2 "cannot write the port to 'taken': it is not empty and was not created by \`hipwright port\`. Choose a new directory, or empty this one." -- port tree --out taken
says 2 "cannot write the port to 'tree/out': inside the tree to port. Choose a directory outside." -- port tree --out tree/out
# Found before the work, not after it.
cp tree/a.cu original.cu
for command in "run --report none/a.json -- touch ran" "port tree --in-place --report none/a.html" \
  "verify tree --report none/a.html" "verify tree --markdown none/a.md" "lint tree --write-baseline none/a.json" \
  "verify golden pack empty -o none/a.safetensors"; do
  file=$(grep -o 'none/a[.a-z]*' <<<"$command")
  # shellcheck disable=SC2086  # words
  says 2 "cannot write '$file': No such file or directory" -- $command
done
[ ! -e ran ] || fail "the program ran although its report cannot be written"
equal "the source after a port without a report" "$(cat tree/a.cu)" "$(cat original.cu)"
if [ "$(id -u)" = 0 ]; then
  # Root may write anywhere.
  mkdir forbidden && chmod 755 "$scratch" && chmod a+rX -R tree
  hipwright() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent "$HIPWRIGHT" "$@"; }
  setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$HIPWRIGHT" ||
    not_run "another user cannot start $HIPWRIGHT"
else
  mkdir forbidden && chmod 555 forbidden
fi
for action in --verify --diff; do
  says 2 "cannot write the port to 'forbidden/deep/out': cannot create files in $scratch/forbidden: Permission denied. Choose another directory with --out." -- port tree $action --out forbidden/deep/out
done
finish
