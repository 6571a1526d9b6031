#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What ./hipwright installs on which distribution, with a faked os-release, apt and dpkg. Nothing is installed, and
# none of these systems but Debian 12 has been tried.
. "$(dirname "$0")/lib.sh"
mkdir "$scratch/bin"
# fake NAME SCRIPT
fake() { printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
# Every call that would change the system is written down.
for name in apt-get sh sudo dnf; do fake $name "echo $name \"\$@\" >>'$scratch/calls'; [ $name != sh ] || cat >>'$scratch/calls'"; done
fake dpkg-query 'echo "installed cmake"'
fake id 'echo 0'

# setup OS-RELEASE-LINES [CLANG]: install_packages there; CLANG 0: apt has clang-22
setup() {
  printf "$1" >"$scratch/os-release"
  fake apt-cache "exit ${2-1}"
  rm -f "$scratch/calls"
  touch "$scratch/calls"
  env -u HIPWRIGHT_SKIP_SETUP PATH="$scratch/bin:$PATH" os_release="$scratch/os-release" \
    bash -c ". '$SOURCE_DIR/tools/setup.sh'; install_packages '$SOURCE_DIR/tools/packages'" </dev/null
}
unchanged() { [ ! -s "$scratch/calls" ] || fail "it called: $(cat "$scratch/calls")"; }
calls() { for text in "$@"; do grep -qF -- "$text" "$scratch/calls" || fail "no call of: $text in $(cat "$scratch/calls")"; done; }

expect_ok setup 'ID=debian\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\n'
calls "apt-get update" "apt-get install" " clang-22 " " rocm-device-libs" " g++ "
grep -q " cmake " "$scratch/calls" && fail "cmake was there"

# Ubuntu 24.04: clang 22 comes from apt.llvm.org, which is not added without an answer.
ubuntu24='PRETTY_NAME="Ubuntu 24.04.3 LTS"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nVERSION_CODENAME=noble\n'
expect_exit 1 setup "$ubuntu24"
expect_output "apt.llvm.org" "llvm-toolchain-noble-22 main" "signed-by=" "tools/package" "apt-get install g++"
unchanged
expect_ok setup "$ubuntu24" 0
calls "apt-get install" " clang-22 " " rocm-device-libs-17" " libfmt-dev "

expect_exit 1 setup 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\nVERSION_CODENAME=jammy\n'
expect_output "cannot build hipwright on ubuntu 22.04: CMake 3.22" "tar xf hipwright-" "apt-get install g++"
unchanged
for version in 39 42; do
  expect_exit 1 setup "ID=fedora\nVERSION_ID=$version\n"
  expect_output "cannot build hipwright on fedora $version" "tools/package" "dnf install gcc-c++"
  unchanged
done
expect_exit 1 setup 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.6"\n'
expect_output "unknown system 'opensuse-leap 15.6'" "zypper install gcc-c++" "HIPWRIGHT_SKIP_SETUP=1" " clang-22 "
unchanged
expect_exit 1 setup ''
expect_output "unknown system" "tools/package"
unchanged

# With the terminal's consent the repository is added first.
if command -v script >/dev/null; then
  printf "$ubuntu24" >"$scratch/os-release"
  fake apt-cache "exit 1"
  rm -f "$scratch/calls"
  cat >"$scratch/answer.sh" <<'SCRIPT'
. "$SOURCE_DIR/tools/setup.sh"
install_packages "$SOURCE_DIR/tools/packages"
SCRIPT
  echo y | env -u HIPWRIGHT_SKIP_SETUP PATH="$scratch/bin:$PATH" os_release="$scratch/os-release" SOURCE_DIR="$SOURCE_DIR" \
    script -qec "bash '$scratch/answer.sh'" /dev/null >"$scratch/last" 2>&1 || { cat "$scratch/last"; fail "no answer taken"; }
  calls "wget -qO /usr/share/keyrings/apt.llvm.org.asc" "llvm-toolchain-noble-22" "apt-get install"
fi

# A user who wants none of it.
HIPWRIGHT_SKIP_SETUP=1 bash -c ". '$SOURCE_DIR/tools/setup.sh'; os_release=/nowhere; install_packages '$SOURCE_DIR/tools/packages'" ||
  fail "HIPWRIGHT_SKIP_SETUP is not heeded"
finish
