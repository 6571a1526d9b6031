#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright ci init for a small repository of each kind: actionlint, zizmor, GitHub's own parser, shellcheck and our rules
# accept what it writes, and every job for a hosted Linux runner is executed.
. "$(dirname "$0")/lib.sh"
needs python3 git cmake tar clang++-22
repositories=$SOURCE_DIR/tests/ci/repositories
bin=$(dirname "$HIPWRIGHT")
export PATH=$bin:$PATH
unset HIPWRIGHT_HIP_ARCHES PYTORCH_ROCM_ARCH

# The peers: what is installed, otherwise below the build directory. Without network they are not run.
peers=$BUILD_DIR/ci-peers
mkdir -p "$peers"
exec 8>"$peers/lock"
command -v flock >/dev/null && flock 8
unrun=()
# peer NAME FILE COMMAND…: makes FILE
peer() {
  [ -e "$2" ] || (cd "$peers" && "${@:3}") >"$peers/$1.log" 2>&1
  [ -e "$2" ] || unrun+=("$1")
}
with_venv() { python3 -m venv venv && venv/bin/pip install --quiet zizmor tree-sitter tree-sitter-powershell; }
with_go() { GOBIN=$peers/bin go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12; }
with_npm() { npm install --prefix npm @actions/workflow-parser; }
with_apt() { apt-get download shellcheck && dpkg -x shellcheck_*.deb deb; }
zizmor=$(command -v zizmor) || zizmor=$peers/venv/bin/zizmor
actionlint=$(command -v actionlint) || actionlint=$peers/bin/actionlint
shellcheck=$(command -v shellcheck) || shellcheck=$peers/deb/usr/bin/shellcheck
peer zizmor "$zizmor" with_venv
peer tree-sitter-powershell "$peers/venv/bin/zizmor" with_venv
peer actionlint "$actionlint" with_go
peer workflow-parser "$peers/npm/node_modules/@actions/workflow-parser" with_npm
peer shellcheck "$shellcheck" with_apt
flock -u 8 2>/dev/null
is_there() { [[ " ${unrun[*]-} " != *" $1 "* ]]; }

# accepted: by all, in the repository at hand
accepted() {
  expect_ok hipwright ci check --no-others
  for file in .github/rocm/*; do
    case $file in
      *.py) python3 -m py_compile "$file" || fail "$file is not Python" ;;
      *.sh) ! is_there shellcheck || expect_ok "$shellcheck" "$file" ;;
    esac
  done
  rm -rf .github/rocm/__pycache__
  ! is_there zizmor || expect_ok "$zizmor" --offline --no-progress --quiet .github/workflows
  ! is_there actionlint || PATH=$(dirname "$shellcheck"):$PATH expect_ok "$actionlint" -no-color
  ! is_there workflow-parser || expect_ok node "$SOURCE_DIR/tests/ci/workflow_parser.mjs" "$peers/npm/node_modules" .github/workflows/*.yml
  ! is_there tree-sitter-powershell || expect_ok "$peers/venv/bin/python" "$SOURCE_DIR/tests/ci/parse_powershell.py" .github
}

# prepared KIND DIRECTORY: a git repository, with workflows
prepared() {
  cp -r "$repositories/$1" "$2"
  cd "$2" || exit 1
  git init -q .
  expect_ok hipwright -q ci init --arch gfx942,gfx1100
  accepted
}

# executed WORKFLOW CODE [ARGUMENTS…]: the table of jobs is in $last, without runs of blanks
executed() {
  expect_exit "$2" hipwright ci run ".github/workflows/$1.yml" "${@:3}"
  tr -s ' ' <"$last" >"$last.narrow" && last=$last.narrow
  sed -n '/^job result/,$p' "$last" | grep -v 'not executed' | sed "s/^/$(basename "$PWD"): /"
}

# The workflows that the documentation shows.
mkdir -p "$scratch/bin" "$scratch/docs/.github/workflows" "$scratch/docs/.github/rocm"
cd "$scratch/docs" || exit 1
git init -q .
python3 - "$SOURCE_DIR/docs/commands/ci.md" <<'END'
import re, sys
for text in re.findall(r"^```yaml\n(name: .*?)^```", open(sys.argv[1]).read(), flags=re.M | re.S):
    name = re.match("name: (.*)", text)[1]
    with open(f".github/workflows/{name}.yml", "w") as file:
        file.write(text.replace("@COMMIT # TAG", "@" + "0123456789" * 4 + " # v1.0"))
END
[ -e .github/workflows/hip-comment.yml ] || fail "the documentation shows no workflow"
accepted

prepared cpp "$scratch/cpp"
executed rocm 3
expect_output "configure success" "lint success" "compile (gfx942) success" "compile (gfx1100) success" \
  "software-gpu (gfx942) success" "software-gpu (gfx1100) success" "perf (gfx942) success" "summary success" \
  "compile-windows (gfx1100) not executed" "gpu-linux not executed" "gpu-windows not executed" \
  "1 tests ran, 0 were skipped" "nothing was compared, there is no baseline yet"

# With a baseline the gate compares; a kernel that grew fails it.
mkdir -p .github/rocm/baselines
hipwright cc --arch gfx942 -o sum sum.hip && hipwright -q perf run --runs 1 -o .github/rocm/baselines/kernels-gfx942.json --code sum -- true >/dev/null
sed -i 's/atomicAdd(total, values\[i\])/atomicAdd(total, values[i] * values[i] + values[i \/ 2] % 7)/' sum.hip
executed rocm 1 --job perf --var HIPWRIGHT_HIP_ARCHES=gfx942
expect_output "compile (gfx942) success" "perf (gfx942) failure" "regressed"
cp "$repositories/cpp/sum.hip" sum.hip

# A test that fails on the software GPU fails the job, and a build without tests does, too.
sed -i 's/return result ==/return result !=/' sum.hip
executed rocm 1 --job software-gpu --var HIPWRIGHT_HIP_ARCHES=gfx942
expect_output "software-gpu (gfx942) failure"
cp "$repositories/cpp/sum.hip" sum.hip
sed -i '/^add_test/d' CMakeLists.txt
executed rocm 1 --job software-gpu --var HIPWRIGHT_HIP_ARCHES=gfx942
expect_output "software-gpu (gfx942) failure"
cp "$repositories/cpp/CMakeLists.txt" CMakeLists.txt

# A release: gh is a stand-in that says what it would publish; without GPU jobs, whose result is not known here.
printf '#!/bin/sh\necho "gh $*"\n' >"$scratch/bin/gh"
chmod +x "$scratch/bin/gh"
rm -r .github
expect_ok hipwright -q ci init --arch gfx942,gfx1100 --no-gpu-runners --no-windows
accepted
PATH=$scratch/bin:$PATH executed rocm-release 0 --ref refs/tags/v1.0
expect_output "release success" "gh release create v1.0 --verify-tag --generate-notes dist/SHA256SUMS dist/build-gfx1100.tar.gz dist/build-gfx942.tar.gz"

# Python: what pip downloads must be there.
python3 -m venv "$scratch/venv" && "$scratch/venv/bin/pip" download --quiet --no-deps --dest "$scratch/pip" pytest build==1.2.2 2>/dev/null ||
  not_run "the Python presets: no package index can be reached (${#unrun[@]} other tools: ${unrun[*]-})"
prepared python "$scratch/python"
# The monorepo below executes the same jobs.
if [ -n "${HIPWRIGHT_TEST_FULL-}" ]; then
  executed rocm 3
  expect_output "wheel success" "test success" "1 tests ran" "summary success" "profile-linux not executed"
fi

# A PyTorch extension, with a stand-in for PyTorch in an index of its own.
runtime=$(dirname "$bin")/lib/hipwright/rocm/libamdhip64.so.6
[ -e "$runtime" ] || fail "no $runtime"
python3 "$repositories/torch/make.py" "$scratch/index" "$runtime"
prepared torch-extension "$scratch/torch-extension"
executed rocm 3 --var "TORCH_INDEX=file://$scratch/index" --var "ROCM_PATH_HOSTED=$(hipwright sdk path)"
expect_output "wheel-linux success" "test success" "perf success" "wheel-windows not executed" "gfx1100" "1 tests ran"

mkdir -p "$scratch/parts/libs" "$scratch/parts/packages"
cp -r "$repositories/cpp" "$scratch/parts/libs/sum"
cp -r "$repositories/python" "$scratch/parts/packages/tidy"
repositories=$scratch prepared parts "$scratch/monorepo"
executed rocm 3
expect_output "compile-sum (gfx942) success" "software-gpu-sum (gfx1100) success" "wheel-tidy success" "test-tidy success" \
  "gpu-linux-sum not executed" "gpu-windows-tidy not executed" "1 tests ran" "summary success"

[ ${#unrun[@]} = 0 ] || echo "not run: ${unrun[*]}: not installed, and could not be downloaded"
finish
