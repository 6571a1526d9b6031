#!/usr/bin/env bash
# usage: use-rocm.sh sdk|release|runner
# Makes a ROCm installation the one that later steps use: ROCM_PATH, PATH and the loader's path.
#   sdk      hipwright's SDK: compiles C++ and HIP, needs no ROCm
#   release  the ROCm release ROCM_VERSION, installed from AMD's packages on a hosted runner
#   runner   what is installed on a self-hosted runner
# ROCM_PATH, if it is set, is used in all cases. ROCM_EXTRA_BIN_DIRS and ROCM_EXTRA_LIB_DIRS are
# further directories, separated by colons.
set -euo pipefail

install_release() {
  if [ "${RUNNER_ENVIRONMENT:-}" != github-hosted ]; then
    echo "::error::no ROCm on this runner: set ROCM_PATH (packages are only installed on hosted runners)"
    exit 1
  fi
  local codename packages
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  packages="rocm-hip-runtime-dev rocminfo hipblas-dev hipblaslt-dev hipsparse-dev hipsolver-dev hipfft-dev hiprand-dev hipcub-dev rocthrust-dev"
  curl -fsSL --retry 3 https://repo.radeon.com/rocm/rocm.gpg.key |
    sudo gpg --dearmor --yes -o /usr/share/keyrings/rocm.gpg
  echo "deb [arch=amd64 signed-by=/usr/share/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/$ROCM_VERSION $codename main" |
    sudo tee /etc/apt/sources.list.d/rocm.list
  printf 'Package: *\nPin: release o=repo.radeon.com\nPin-Priority: 600\n' |
    sudo tee /etc/apt/preferences.d/rocm
  sudo apt-get update
  # Words: one package each.
  # shellcheck disable=SC2086
  sudo apt-get install --yes --no-install-recommends $packages
}

rocm=${ROCM_PATH:-}
case ${1:-} in
  sdk) [ -n "$rocm" ] || rocm=$(hipwright sdk path) ;;
  release)
    if [ -z "$rocm" ]; then
      rocm=/opt/rocm
      [ -x $rocm/bin/hipcc ] || install_release
    fi
    ;;
  runner) [ -n "$rocm" ] || rocm=/opt/rocm ;;
  *)
    sed -n '2,9s/^# //p' "$0" >&2
    exit 2
    ;;
esac
if [ ! -d "$rocm/bin" ]; then
  echo "::error::there is no ROCm in $rocm: install it, or set the repository variable ROCM_PATH"
  exit 1
fi
libraries=$rocm/lib${ROCM_EXTRA_LIB_DIRS:+:$ROCM_EXTRA_LIB_DIRS}
{
  echo "ROCM_PATH=$rocm"
  echo "ROCM_HOME=$rocm"
  echo "HIP_PATH=$rocm"
  # hipwright's SDK is for linking: its libraries contain no code.
  [ "$1" = sdk ] || echo "LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
} >>"$GITHUB_ENV"
# The last line comes first in PATH.
if [ -n "${ROCM_EXTRA_BIN_DIRS:-}" ]; then tr ':' '\n' <<<"$ROCM_EXTRA_BIN_DIRS" >>"$GITHUB_PATH"; fi
echo "$rocm/bin" >>"$GITHUB_PATH"
echo "ROCm: $rocm"
if [ -x "$rocm/bin/hipcc" ]; then "$rocm/bin/hipcc" --version | sed -n 1p; fi
