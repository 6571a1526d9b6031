#!/usr/bin/env bash
# Sets up a self-hosted Linux runner for jobs on AMD GPUs: Ubuntu 22.04 or 24.04, run as root. Running it again changes nothing.
#
# usage: setup-runner.sh [--check] --user USER [--runner-directory DIRECTORY] [--rocm-version X.Y.Z]
#   --check             print what would change; exit with 1 if something would
#   --user USER         the account that runs jobs; it must exist
#   --runner-directory  where actions-runner is unpacked: its .env and .path are written
#   --rocm-version      default 6.4.3
#
# Afterwards register the runner, for one job at a time:
#   ./config.sh --url https://github.com/OWNER/REPOSITORY --token TOKEN --labels Linux,ROCm --ephemeral
set -euo pipefail

root=${SETUP_ROOT:-}  # before each path below /etc and /usr: tests set it
rocm=6.4.3 user="" runner="" check=0 changes=0
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=1 ;;
    --user | --runner-directory | --rocm-version)
      [ $# -gt 1 ] || { echo "setup-runner.sh: $1 needs a value" >&2; exit 2; }
      case $1 in --user) user=$2 ;; --runner-directory) runner=$2 ;; *) rocm=$2 ;; esac
      shift
      ;;
    *)
      sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
  shift
done
[ -n "$user" ] || { echo "setup-runner.sh: --user is missing" >&2; exit 2; }
id -u "$user" >/dev/null 2>&1 || { echo "setup-runner.sh: there is no account '$user': create it with useradd" >&2; exit 2; }
[[ $rocm =~ ^[0-9]+\.[0-9]+(\.[0-9]+)?$ ]] || { echo "setup-runner.sh: '$rocm' is not a ROCm release" >&2; exit 2; }
if [ -n "$runner" ] && [ ! -d "$runner" ]; then
  echo "setup-runner.sh: there is no directory '$runner'" >&2
  exit 2
fi

# change WHAT COMMAND…: says it, and does it unless --check
change() {
  echo "$1"
  changes=$((changes + 1))
  [ $check = 1 ] || "${@:2}"
}

# has_text FILE TEXT: the file is exactly this
has_text() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }
write_text() {
  mkdir -p "$(dirname "$1")"
  printf '%s\n' "$2" >"$1"
}
# file FILE TEXT
file() { has_text "$root$1" "$2" || change "write $1" write_text "$root$1" "$2"; }
# line FILE TEXT: a file of the runner has this line
line() {
  grep -qxF -- "$2" "$1" 2>/dev/null || change "add to $1: $2" append "$1" "$2"
}
append() { printf '%s\n' "$2" >>"$1"; }

install_key() {
  mkdir -p "$root/usr/share/keyrings"
  curl -fsSL --retry 3 https://repo.radeon.com/rocm/rocm.gpg.key | gpg --dearmor --yes -o "$root/usr/share/keyrings/rocm.gpg"
}
installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

# shellcheck source=/dev/null
codename=$(. "$root/etc/os-release" && echo "${VERSION_CODENAME:-}")
case $codename in
  jammy | noble) ;;
  *)
    echo "setup-runner.sh: ROCm's packages are for Ubuntu 22.04 (jammy) and 24.04 (noble), this is '${codename:-unknown}'" >&2
    exit 2
    ;;
esac

# ROCm's packages, pinned to one release.
[ -s "$root/usr/share/keyrings/rocm.gpg" ] || change "install the key of repo.radeon.com" install_key
sources="deb [arch=amd64 signed-by=/usr/share/keyrings/rocm.gpg] https://repo.radeon.com/rocm/apt/$rocm $codename main"
before=$changes
file /etc/apt/sources.list.d/rocm.list "$sources"
file /etc/apt/preferences.d/rocm "Package: *
Pin: release o=repo.radeon.com
Pin-Priority: 600"
[ $changes = "$before" ] || change "read the package lists" apt-get update
missing=()
for package in rocm-dev rocminfo rocblas hipblaslt hipfft amd-smi-lib cmake ninja-build ccache git curl python3 python3-venv python3-dev build-essential; do
  installed $package || missing+=("$package")
done
[ ${#missing[@]} = 0 ] || change "install ${missing[*]}" apt-get install --yes --no-install-recommends "${missing[@]}"

# The groups that own the device nodes: their numbers count, whatever their names are.
devices=0
for node in "$root"/dev/kfd "$root"/dev/dri/renderD*; do
  [ -e "$node" ] || continue
  devices=1
  group=$(stat -c %G "$node")
  if [ "$group" = UNKNOWN ]; then
    echo "setup-runner.sh: $node belongs to group $(stat -c %g "$node"), which has no name: groupadd --gid it first" >&2
    exit 1
  fi
  case " $(id -nG "$user") " in
    *" $group "*) ;;
    *) [ "${added:-}" = "$group" ] || change "add $user to group $group, owner of ${node#"$root"}" usermod -aG "$group" "$user"; added=$group ;;
  esac
done
[ $devices = 1 ] || echo "warning: no /dev/kfd: install the kernel driver (amdgpu-dkms) and reboot"

# NUMA balancing stalls GPU jobs.
file /etc/sysctl.d/60-rocm-runner.conf "kernel.numa_balancing = 0"

# The runner's service reads no shell profile: its environment is in these files.
if [ -n "$runner" ]; then
  line "$runner/.env" "ROCM_PATH=/opt/rocm"
  line "$runner/.env" "ROCM_HOME=/opt/rocm"
  line "$runner/.env" "HIP_PATH=/opt/rocm"
  line "$runner/.env" "LD_LIBRARY_PATH=/opt/rocm/lib"
  path=/opt/rocm/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  has_text "$runner/.path" "$path" || change "write $runner/.path" write_text "$runner/.path" "$path"
  if command -v hipwright >/dev/null && ! grep -q '^ACTIONS_RUNNER_HOOK_JOB_STARTED=' "$runner/.env" 2>/dev/null; then
    hooks() { hipwright doctor hooks "$runner" | grep '^ACTIONS_RUNNER_HOOK_' >>"$runner/.env"; }
    change "add job hooks to $runner/.env" hooks
  fi
fi

# Old work directories and caches fill the disk.
file /etc/tmpfiles.d/rocm-runner.conf "e /home/$user/.cache/pip - - - 30d
e /home/$user/.cache/ccache - - - 30d"

if [ $changes = 0 ]; then
  echo "nothing to change"
elif [ $check = 1 ]; then
  exit 1
fi
