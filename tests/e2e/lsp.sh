#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright lsp with a scripted client and with Neovim.
. "$(dirname "$0")/lib.sh"
needs python3
here=$SOURCE_DIR/tests/e2e/lsp

make_project() {
  rm -rf "$scratch/project" && mkdir -p "$scratch/project/csrc" && cd "$scratch/project" || exit 1
  cat >csrc/reduce.cu <<'END'
#define WARP_SIZE 32
__device__ bool any_of(int n) { return __any(n < WARP_SIZE); }
END
  cp csrc/reduce.cu csrc/only_cuda.cu
  printf 'project(p LANGUAGES CXX)\nadd_library(k csrc/reduce.cu)\nif(USE_CUDA)\n  target_sources(k PRIVATE csrc/only_cuda.cu)\nendif()\n' >CMakeLists.txt
}

make_project
expect_ok python3 "$here/session.py" "$HIPWRIGHT" "$scratch/project"
expect_output "the session went as it should"

# A terminal is no editor.
expect_exit 2 script -qec "$HIPWRIGHT lsp" /dev/null
expect_output "standard input is a terminal"
expect_exit 1 hipwright lsp </dev/null

make_project
needs nvim
export HIPWRIGHT XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data XDG_STATE_HOME=$scratch/state
expect_exit 0 timeout 120 nvim --headless --clean -u NONE -i NONE -n -S "$here/neovim.lua"
expect_output "neovim is content"
finish
