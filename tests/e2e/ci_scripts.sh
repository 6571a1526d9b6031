#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scripts that `hipwright ci init` writes: each gate passes what is right and fails what is wrong.
. "$(dirname "$0")/lib.sh"
needs python3 git
cd "$scratch" || exit 1
cp -r "$SOURCE_DIR/tests/ci/repositories/torch-extension" repository
cd repository || exit 1
expect_ok hipwright -q ci init
scripts=$PWD/.github/rocm
cd "$scratch" || exit 1
cp "$SOURCE_DIR/src/ci/scripts/rocm/changed.py" "$SOURCE_DIR/src/ci/scripts/rocm/relocate-tests.py" "$scripts"
export GITHUB_STEP_SUMMARY=$scratch/summary GITHUB_ENV=$scratch/env GITHUB_PATH=$scratch/path GITHUB_OUTPUT=$scratch/output
export GITHUB_WORKSPACE=$scratch RUNNER_TEMP=$scratch
unset RUNNER_ENVIRONMENT

# Tests that ran, were skipped, or never started.
echo '<testsuites><testsuite><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite></testsuites>' >ran.xml
echo '<testsuite><testcase name="a"><skipped/></testcase><testcase name="b" status="notrun"/></testsuite>' >skipped.xml
expect_ok "$scripts/count-tests.py" ran.xml
expect_output "1 tests ran, 1 were skipped"
expect_exit 1 "$scripts/count-tests.py" skipped.xml
expect_output "no test ran"
expect_exit 1 "$scripts/count-tests.py" missing.xml

# Spills: the compiler's own remarks.
cat >build.log <<'END'
a.hip:3:1: remark: Function Name: _Z4goodPf [-Rpass-analysis=kernel-resource-usage]
a.hip:3:1: remark:     VGPRs: 12 [-Rpass-analysis=kernel-resource-usage]
a.hip:3:1: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
a.hip:9:1: remark: Function Name: _Z3badPf [-Rpass-analysis=kernel-resource-usage]
a.hip:9:1: remark:     VGPRs: 256 [-Rpass-analysis=kernel-resource-usage]
a.hip:9:1: remark:     ScratchSize [bytes/lane]: 96 [-Rpass-analysis=kernel-resource-usage]
a.hip:9:1: remark:     VGPRs Spill: 23 [-Rpass-analysis=kernel-resource-usage]
END
expect_exit 1 "$scripts/spills.py" build.log
expect_output "_Z3badPf: 23 VGPRs spill" "2 kernels, 1 with spilled registers"
grep -qF '| _Z3badPf | 256 | 0 | 96 | 23 |' summary || fail "the summary lacks the kernel"
SPILL_LIMIT=1 expect_ok "$scripts/spills.py" build.log
head -3 build.log >good.log
expect_ok "$scripts/spills.py" good.log
echo "nothing compiled" >empty.log
expect_exit 1 "$scripts/spills.py" empty.log
expect_output "the build contains no kernels"
if command -v clang++-22 >/dev/null; then
  clang++-22 -x hip --offload-device-only --offload-arch=gfx942 -nogpuinc -nogpulib -Rpass-analysis=kernel-resource-usage -c -o /dev/null - \
    2>real.log <<<'__attribute__((global)) void real(float* p) { *p = 1; }' || fail "the compiler failed"
  expect_ok "$scripts/spills.py" real.log
  expect_output "1 kernels, 0 with spilled registers"
fi

# A build tree that moved: ctest finds its program; a directory whose name only begins alike stays.
if command -v cmake >/dev/null; then
  mkdir -p first/sub && printf 'cmake_minimum_required(VERSION 3.20)\nproject(p NONE)\nenable_testing()\nadd_subdirectory(sub)\nadd_test(NAME t COMMAND sh ${CMAKE_BINARY_DIR}/t.sh ${CMAKE_SOURCE_DIR}/CMakeLists.txt)\n' >first/CMakeLists.txt
  printf 'add_test(NAME u COMMAND sh ${CMAKE_BINARY_DIR}/t.sh ${CMAKE_SOURCE_DIR}-data)\n' >first/sub/CMakeLists.txt
  cmake -S first -B first/build >/dev/null && echo 'test -e "$1"' >first/build/t.sh
  touch first-data && mv first second
  (cd second && expect_ok "$scripts/relocate-tests.py" build && expect_ok ctest --test-dir build) || exit 1
fi

# Wheels of Windows.
python3 - <<'END'
import zipfile
for name, files in {"none": {"a.py": b""}, "lacks": {"_C.cp311-win_amd64.pyd": b"..amdhip64_7.dll.."},
                    "bundled": {"_C.cp311-win_amd64.pyd": b"..amdhip64_7-12ab.dll..amdhip64_7.dll", "x.libs/amdhip64_7-12ab.dll": b""}}.items():
    with zipfile.ZipFile(name + ".whl", "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
END
expect_exit 1 "$scripts/wheel-dlls.py" none.whl
expect_output "contains no extension module"
expect_exit 1 "$scripts/wheel-dlls.py" lacks.whl
expect_output "needs amdhip64_7.dll and does not bring it"
expect_ok "$scripts/wheel-dlls.py" bundled.whl

# A release needs all its assets, and no others.
mkdir dist && echo a >dist/a.tar.gz && echo b >dist/b.whl
expect_ok "$scripts/release-assets.py" dist a.tar.gz '*.whl'
(cd dist && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"
expect_exit 1 "$scripts/release-assets.py" dist a.tar.gz '*.whl' '*.zip'
expect_output "no file matches *.zip"
expect_exit 1 "$scripts/release-assets.py" dist a.tar.gz
expect_output "b.whl was not expected"
: >dist/b.whl
expect_exit 1 "$scripts/release-assets.py" dist a.tar.gz '*.whl'
expect_output "is empty"

# Results of jobs: skipped is no failure, cancelled is.
RESULTS='{"a": {"result": "success"}, "b": {"result": "skipped"}}' expect_ok "$scripts/summary.py"
RESULTS='{"a": {"result": "success"}, "b": {"result": "cancelled"}}' expect_exit 1 "$scripts/summary.py"
expect_output "failed: b"

# PyTorch's ROCm release, the index's, a GPU, and what the package says of itself.
mkdir -p site
cat >site/torch.py <<'END'
__version__ = "2.8.0"
class version: hip = "6.4.43482"
class cuda:
    is_available = staticmethod(lambda: False)
END
echo 'has_kernels = True' >site/ext.py
export PYTHONPATH=$scratch/site
USES_TORCH=true TORCH_INDEX=https://example.org/whl/rocm6.3 expect_exit 1 "$scripts/validate-hip.py"
expect_output "TORCH_INDEX is for ROCm 6.3, but PyTorch was built for 6.4" "PyTorch sees no GPU"
EXPECTED_FEATURES="ext.has_kernels=True" expect_ok "$scripts/validate-hip.py"
EXPECTED_FEATURES="ext.has_kernels=False ext.missing=1" expect_exit 1 "$scripts/validate-hip.py"
expect_output "ext.has_kernels is True, expected False" "ext.missing:"
sed -i 's/"6.4.43482"/None/' site/torch.py
USES_TORCH=true expect_exit 1 "$scripts/validate-hip.py"
expect_output "is not a ROCm build"
unset PYTHONPATH

# Profiles: what fails is recorded, too, and perf reads the file.
echo 'print(1)' >fine.py && echo 'raise SystemExit("no weights")' >broken.py && echo 'raise SystemExit(77)' >skipped.py
printf '# comment\nfine.py\nbroken.py\nmissing.py\nskipped.py\n' >list.txt
expect_exit 1 "$scripts/profile-examples.py" list.txt logs/rocm_profile.json
python3 - <<'END' || fail "the profile"
import json
found = json.load(open("logs/rocm_profile.json"))
assert {name: each["status"] for name, each in found.items()} == {"fine.py": "success", "broken.py": "error", "missing.py": "missing", "skipped.py": "skipped"}, found
assert found["broken.py"]["error"] == "no weights" and found["fine.py"]["duration_s"] > 0
END
expect_exit 1 hipwright perf compare logs/rocm_profile.json logs/rocm_profile.json
expect_output "fine.py" "broken.py status: error: no weights"

# Components that a pull request changed.
git init -q -b main monorepo && cd monorepo || exit 1
commit() { git add -A && git -c user.name=a -c user.email=a@example.org commit -qm "$1"; }
mkdir a b && echo 1 >a/x && echo 1 >b/x && commit base && git checkout -q -b change && echo 2 >a/x && commit change
BASE=main expect_ok "$scripts/changed.py" core=a tools=b
expect_output "core: changed" "tools: not changed"
expect_ok "$scripts/changed.py" core=a tools=b
expect_output "core: changed" "tools: changed"
echo 1 >shared && commit shared
BASE=main expect_ok "$scripts/changed.py" core=a tools=b
expect_output "tools: changed"
BASE=unknown expect_ok "$scripts/changed.py" core=a tools=b
expect_output "tools: changed"
cd "$scratch" || exit 1

# ROCm's place for later steps.
mkdir -p rocm/bin
true >env
true >path
ROCM_PATH=$scratch/rocm ROCM_EXTRA_BIN_DIRS=/x/bin:/y/bin ROCM_EXTRA_LIB_DIRS=/x/lib expect_ok bash "$scripts/use-rocm.sh" runner
grep -qx "ROCM_HOME=$scratch/rocm" env || fail "ROCM_HOME"
grep -q "^LD_LIBRARY_PATH=$scratch/rocm/lib:/x/lib" env || fail "LD_LIBRARY_PATH"
equal "PATH" "$(tr '\n' ' ' <path)" "/x/bin /y/bin $scratch/rocm/bin "
ROCM_PATH=$scratch/none expect_exit 1 bash "$scripts/use-rocm.sh" runner
expect_output "set the repository variable ROCM_PATH"
expect_exit 2 bash "$scripts/use-rocm.sh"
expect_ok bash "$scripts/hosted-runner.sh" disk ccache
expect_output "nothing is changed"
HIPWRIGHT_URL='' PATH=/usr/bin:/bin expect_exit 1 bash "$scripts/install-hipwright.sh"
expect_output "set the repository variables HIPWRIGHT_URL and HIPWRIGHT_SHA256"

# A runner's set-up, with stand-ins for what needs root: the first run changes everything, the second nothing.
root=$scratch/root
mkdir -p "$root/etc" "$root/usr" "$root/dev" commands "$scratch/runner"
echo VERSION_CODENAME=noble >"$root/etc/os-release"
cat >commands/stand-in <<'END'
#!/bin/sh
echo "${0##*/} $*" >>"$CALLS"
case ${0##*/} in
  curl) echo key ;;
  gpg) cat >"$SETUP_ROOT/usr/share/keyrings/rocm.gpg" ;;
  apt-get) [ "$1" != install ] || touch "$SETUP_ROOT/installed" ;;
  dpkg-query) [ -e "$SETUP_ROOT/installed" ] && echo "install ok installed" ;;
esac
END
chmod +x commands/stand-in
for name in curl gpg apt-get dpkg-query usermod; do ln -s stand-in commands/$name; done
export CALLS=$scratch/calls SETUP_ROOT=$root
setup() { PATH=$scratch/commands:$PATH "$scripts/setup-runner.sh" --user "$(id -un)" --runner-directory "$scratch/runner" "$@"; }
expect_exit 1 setup --check
[ -e "$root/etc/sysctl.d" ] && fail "--check wrote something"
expect_ok setup
grep -q '^apt-get install .*hipblaslt' calls || fail "nothing was installed"
grep -q 'apt/6.4.3 noble main' "$root/etc/apt/sources.list.d/rocm.list" || fail "the release is not pinned"
grep -qx 'ROCM_HOME=/opt/rocm' runner/.env || fail "the service has no ROCM_HOME"
expect_ok setup
expect_output "nothing to change"
expect_ok setup --check
expect_exit 1 setup --check --rocm-version 7.0.2
expect_output "write /etc/apt/sources.list.d/rocm.list"
echo VERSION_CODENAME=bookworm >"$root/etc/os-release"
expect_exit 2 setup
expect_output "this is 'bookworm'"
expect_exit 2 "$scripts/setup-runner.sh" --user no-such-account
expect_exit 2 "$scripts/setup-runner.sh"
finish
