#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright port --in-place and --undo: killed at any time, over files and folders of every kind.
. "$(dirname "$0")/lib.sh"
needs git python3 flock
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git_as_me() { git -C "$1" -c user.name=t -c user.email=t@t.invalid "${@:2}"; }
commit() { git -C "$1" init -q && git -C "$1" add -A && git_as_me "$1" commit -qm all; }
# Contents, modes and times of all but git's folder.
state() { (cd "$1" && find . -name .git -prune -o -printf '%p %m %T@ %l\n' -type f -exec md5sum {} + | LC_ALL=C sort); }
cuda() { printf '#include <cuda_runtime.h>\nvoid f%s(float** p) { cudaMalloc(p, 4); }\n' "$1"; }
old='2001-02-03 04:05:06.789'
age() { find "$1" -name .git -prune -o -exec touch -h -d "$old" {} +; }

# Of every kind. The names have bytes that are no UTF-8, spaces and a quote.
tree=$scratch/tree
odd=$'odd \xe9 "name".cu'
mkdir -p "$tree/deep/er" "$scratch/outside"
for i in $(seq 60); do cuda "$i" >"$tree/deep/er/f$i.cu"; done
cuda 1 >"$tree/$odd"
printf '#include <cuda_runtime.h>\r\n// caf\xe9\r\nvoid g(void* p) { cudaFree(p); }\r\n' >"$tree/crlf.cu"
cuda 2 >"$tree/readonly.cu"
chmod 400 "$tree/readonly.cu"
cuda 3 >"$tree/script.cu"
chmod 755 "$tree/script.cu"
cuda 4 >"$scratch/outside/other.cu"
ln -s script.cu "$tree/link.cu"
ln -s ../outside/other.cu "$tree/link_out.cu"
ln -s ../outside "$tree/folder_out"
ln -s loop.cu "$tree/loop.cu"
ln -s . "$tree/loop"
printf 'cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CUDA)\nadd_library(l script.cu)\n' >"$tree/CMakeLists.txt"
printf 'a: script.cu\n\tnvcc -arch=sm_80 -o $@ $<\n' >"$tree/Makefile"
printf 'import torch\n\nrun = torch.compile(print, mode="reduce-overhead")\n' >"$tree/run.py"
commit "$tree"
age "$tree"
state "$tree" >"$scratch/before"
outside=$(md5sum <"$scratch/outside/other.cu")
unchanged() { state "$tree" | diff "$scratch/before" - >&2 || fail "$1"; }

for mode in hip dual; do
  expect_exit 0 hipwright port "$tree" --mode $mode --in-place
  expect_output "undo with: hipwright port --undo"
  # NAME: is it a file, ported, with the mode and the line breaks that it had?
  for name in "$odd" readonly.cu script.cu crlf.cu deep/er/f60.cu; do
    git -C "$tree" diff --quiet -- "$name" && fail "$name is not ported"
  done
  equal "modes" "$(stat -c %a "$tree/readonly.cu" "$tree/script.cu" | tr '\n' ' ')" "400 755 "
  equal "lines without CR" "$(grep -c -v $'\r$' "$tree/crlf.cu")" 0
  LC_ALL=C grep -q $'caf\xe9' "$tree/crlf.cu" || fail "bytes that are no UTF-8 were lost"
  equal "a link" "$(readlink "$tree/link.cu")" script.cu
  equal "what a link leads to" "$(md5sum <"$scratch/outside/other.cu")" "$outside"
  equal "what git would add" "$(git -C "$tree" status --porcelain -uall | grep -c hipwright/)" 0
  # Once more: nothing to do, in the files and in the report.
  git -C "$tree" add -A && git_as_me "$tree" commit -qm ported
  state "$tree" >"$scratch/ported"
  expect_exit 0 hipwright port "$tree" --mode $mode --in-place
  state "$tree" | diff "$scratch/ported" - >&2 || fail "a second port changed something"
  equal "a second diff" "$(hipwright port "$tree" --mode $mode -q | wc -c)" 0
  git -C "$tree" reset -q --soft HEAD~1
  expect_ok hipwright port "$tree" --undo
  git -C "$tree" reset -q
  unchanged "undo did not bring everything back ($mode)"
  expect_exit 2 hipwright port "$tree" --undo
  expect_output "no port in place to undo"
done

# Renamed, and taken back.
expect_exit 0 hipwright port "$tree" --mode hip --rename-hip --in-place
[ -f "$tree/script.hip" ] && [ ! -e "$tree/script.cu" ] || fail "not renamed"
grep -q 'add_library(l script.hip)' "$tree/CMakeLists.txt" || fail "CMake names the old file"
expect_ok hipwright port "$tree" --undo
unchanged "undo did not bring everything back (renamed)"
expect_exit 2 hipwright port "$tree" --rename-hip
expect_output "--mode hip"

# Killed at any time, nothing is lost; an undo that is killed can be done again. Moments are spread over the time that it takes.
times() { python3 -c "import random; print(*(f'{random.uniform(0, $2):.4f}' for _ in range($1)))"; }
seconds() { local begin; begin=$(date +%s.%N); "$@" >/dev/null 2>&1; python3 -c "import time; print(time.time() - $begin)"; }
# Waits for its death, which a write to the disk can delay: until then it holds its lock.
killed_after() {
  "$HIPWRIGHT" "${@:2}" >/dev/null 2>&1 &
  local pid=$!
  sleep "$1"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
}
without_root() { state "$tree" | grep -a -v '^\. '; }
without_root >"$scratch/before_kill"
port_time=$(seconds "$HIPWRIGHT" port "$tree" --mode dual --in-place --force)
undo_time=$(seconds "$HIPWRIGHT" port "$tree" --undo)
begun=0
for delay in $(times 16 "$port_time"); do
  killed_after "$delay" port "$tree" --mode dual --in-place --force
  # Each file is one of the two at every moment: none is missing, none is half.
  for name in "$odd" crlf.cu deep/er/f1.cu deep/er/f59.cu; do
    tail -n 1 "$tree/$name" | grep -q '}' || fail "$name is damaged after $delay s"
  done
  if "$HIPWRIGHT" port "$tree" --undo >/dev/null 2>&1; then begun=$((begun + 1)); fi
  without_root | diff "$scratch/before_kill" - >&2 || fail "a kill after $delay s lost something"
done
for delay in $(times 8 "$undo_time"); do
  hipwright port "$tree" --mode dual --in-place --force >/dev/null 2>&1
  killed_after "$delay" port "$tree" --undo
  "$HIPWRIGHT" port "$tree" --undo >"$scratch/last" 2>&1 || grep -q 'no port in place to undo' "$scratch/last" || fail "an undo that was killed cannot be done again"
  without_root | diff "$scratch/before_kill" - >&2 || fail "a kill of an undo after $delay s lost something"
done
echo "killed: $begun of 16 after they had begun"
touch -d "$old" "$tree"
unchanged "kills left something"

# Not while another one is at it; not over work that is not committed, also in a submodule.
expect_exit 2 flock "$tree" "$HIPWRIGHT" port "$tree" --in-place --force
expect_output "another hipwright process is changing it"
cuda 9 >"$tree/more.cu"
expect_exit 2 hipwright port "$tree" --in-place
expect_output "uncommitted changes" more.cu
rm "$tree/more.cu"
touch -d "$old" "$tree"
unchanged "a refused port changed something"
mkdir "$scratch/module" && cuda 5 >"$scratch/module/m.cu" && commit "$scratch/module"
git -C "$tree" submodule --quiet add "$scratch/module" module 2>/dev/null || fail "git cannot make a submodule"
git_as_me "$tree" commit -qm module
cuda 6 >"$tree/module/m.cu"
expect_exit 2 hipwright port "$tree" --in-place
expect_output "uncommitted changes" module
git -C "$tree/module" checkout -q m.cu
state "$tree" >"$scratch/before"
expect_exit 0 hipwright port "$tree" --mode hip --in-place
grep -q hipMalloc "$tree/module/m.cu" || fail "the submodule is not ported"
expect_output "module is a submodule"
expect_ok hipwright port "$tree" --undo
unchanged "undo did not bring a submodule back"
equal "the submodule" "$(git -C "$tree" status --porcelain)" ""

# Edits after the port are not dropped without --force.
expect_exit 0 hipwright port "$tree" --mode hip --in-place
echo '// mine' >>"$tree/script.cu"
expect_exit 2 hipwright port "$tree" --undo
expect_output "edited since" script.cu
expect_ok hipwright port "$tree" --undo --force
unchanged "a forced undo did not bring everything back"

# Nobody may write there: an error that says so, and nothing is changed.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 "$scratch"
  nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/ XDG_CACHE_HOME=/nonexistent "$@"; }
  if nobody "$HIPWRIGHT" --version >/dev/null 2>&1; then
    small=$scratch/small
    mkdir -p "$small/sub"
    cuda 1 >"$small/a.cu"
    cuda 2 >"$small/sub/b.cu"
    chown -R 65534 "$small"
    chmod 555 "$small/sub"
    age "$small"
    state "$small" >"$scratch/before_small"
    expect_exit 2 nobody "$HIPWRIGHT" port "$small" --in-place --force
    expect_output sub/b.cu "Permission denied" "Nothing has been changed"
    state "$small" | diff "$scratch/before_small" - >&2 || fail "a folder without write permission: something changed"
    expect_exit 2 nobody "$HIPWRIGHT" port "$small" --out "$small/../not_here"
    expect_output "Permission denied"
  fi
fi

# A full disk: an error, and nothing is changed.
cat >"$scratch/full.sh" <<'END'
mount -t tmpfs -o size=200k none "$1" || exit 77
cp -r "$2/." "$1/" || exit 77
head -c 1m /dev/zero >"$1/filler" 2>/dev/null
state() { (cd "$1" && find . -type f -exec md5sum {} + | LC_ALL=C sort); }
state "$1" >"$3"
"$HIPWRIGHT" port "$1" --mode dual --in-place --force && exit 3
state "$1" | diff "$3" - || exit 4
END
mkdir "$scratch/full" "$scratch/few"
for i in 1 2 3; do { cuda "$i"; seq 500; } >"$scratch/few/f$i.cu"; done
code=0
HIPWRIGHT=$HIPWRIGHT unshare -Urm bash "$scratch/full.sh" "$scratch/full" "$scratch/few" "$scratch/full_before" >"$scratch/last" 2>&1 || code=$?
last=$scratch/last
case $code in
  0) expect_output "No space left on device" ;;
  3) fail "a port on a full disk succeeded" ;;
  4) fail "a port on a full disk changed files" ;;
  *) echo "not run: no file system of its own can be mounted" ;;
esac
finish
