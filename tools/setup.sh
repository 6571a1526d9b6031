# SPDX-License-Identifier: MIT
# Sourced by ./hipwright and ./test: brings the machine and the build up to date.
# Everything is said on standard error; standard output belongs to the command.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'hipwright: %s\n' "$*" >&2; }

# missing_packages LIST…: names in the lists that dpkg does not have
missing_packages() {
  local wanted installed
  wanted=$(cat "$@" | grep -v '^#')
  # shellcheck disable=SC2086  # one word per package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p')
  comm -23 <(sort -u <<<"$wanted") <(sort -u <<<"$installed")
}

# install_packages LIST…: files with a package name a line
install_packages() {
  local id version missing as_root=()
  id=$(. /etc/os-release 2>/dev/null && echo "$ID")
  version=$(. /etc/os-release 2>/dev/null && echo "$VERSION_ID")
  if [ "$id" != debian ] || [ "$version" != 12 ]; then
    [ -n "${HIPWRIGHT_SKIP_SETUP-}" ] && return
    say "this is ${id:-an unknown system} ${version-}; packages are installed for you on Debian 12 only."
    say "Install the equivalents of these, then set HIPWRIGHT_SKIP_SETUP=1 and run again:"
    cat "$@" | grep -v '^#' | paste -sd' ' >&2
    exit 1
  fi
  missing=$(missing_packages "$@" | paste -sd' ')
  [ -z "$missing" ] && return
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "packages are missing and this user cannot install them. As root: apt-get install $missing"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing: $missing"
  "${as_root[@]}" apt-get update -qq >&2
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing >&2 ||
    { say "apt-get could not install them; its message is above"; exit 1; }
}

# build PRESET TARGET…: configures when needed and builds, one process at a time.
build() {
  local preset=$1 folder=$root/build/$1
  shift
  mkdir -p "$folder"
  (
    flock 9
    cd "$root" || exit 1
    if [ ! -f "$folder/build.ninja" ]; then
      say "configuring $preset"
      cmake --preset "$preset" >"$folder/configure.log" 2>&1 ||
        { cat "$folder/configure.log" >&2; exit 1; }
    fi
    say "building $preset"
    ninja -C "$folder" "$@" >"$folder/build.log" 2>&1 || { tail -n 60 "$folder/build.log" >&2; exit 1; }
  ) 9>"$folder/.lock" || exit 1
}
