# SPDX-License-Identifier: MIT
# Sourced by ./hipwright and ./test: brings the machine and the build up to date.
# Everything is said on standard error; standard output belongs to the command.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf 'hipwright: %s\n' "$*" >&2; }

# progress TEXT PERCENT: on a terminal one line that is written over; else a line for every tenth of the
# way, and one after 15 seconds without.
progress_tenth=0
progress_second=0
progress() {
  if [ -t 2 ]; then
    printf '\r\033[Khipwright: %s (%d %%)' "$1" "$2" >&2
  elif [ $(($2 / 10)) != "$progress_tenth" ] || [ $((SECONDS - progress_second)) -ge 15 ]; then
    progress_tenth=$(($2 / 10))
    progress_second=$SECONDS
    say "$1 ($2 %)"
  fi
}
progress_end() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

. "$root/tools/distribution.sh"

# missing_packages LIST…: names in the lists that dpkg does not have
missing_packages() {
  local wanted installed
  wanted=$(package_names "$@")
  # shellcheck disable=SC2086  # one word per package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed //p')
  comm -23 <(sort -u <<<"$wanted") <(sort -u <<<"$installed")
}

# install_packages LIST…: files with a package name a line
install_packages() {
  local way reason system
  [ -z "${HIPWRIGHT_SKIP_SETUP-}" ] || return 0
  system="$(release_field ID) $(release_field VERSION_ID)"
  IFS=$'\t' read -r way reason <<<"$(setup_row)"
  case $way in
    apt | llvm) install_with_apt "$way" "$@" ;;
    tarball)
      say "cannot build hipwright on $system: $reason."
      tarball_steps >&2
      exit 1
      ;;
    *)
      say "unknown system '$system'."
      tarball_steps >&2
      say "To build anyway, install the equivalents of these Debian packages and set HIPWRIGHT_SKIP_SETUP=1:"
      package_names "$@" | paste -sd' ' >&2
      exit 1
      ;;
  esac
}

# install_with_apt WAY LIST…
install_with_apt() {
  local way=$1 missing as_root=()
  shift
  missing=$(missing_packages "$@" | paste -sd' ')
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "packages are missing, and sudo is not installed. As root, run: apt-get install $missing"
      exit 1
    fi
    as_root=(sudo)
  fi
  if [ "$way" = llvm ] && [[ " $missing " == *-22* ]] && ! has_clang_22; then add_llvm_repository; fi
  say "installing: $missing"
  "${as_root[@]}" apt-get update -qq >&2
  # shellcheck disable=SC2046,SC2086
  apt_install $missing $(optional_packages $missing) || { say "apt-get could not install them; its message is above"; exit 1; }
}

# optional_packages PACKAGE…: those of packages.optional that apt can install along with PACKAGE… and
# without removing anything; of the others it says what is then missing.
optional_packages() {
  local package purpose
  while read -r package purpose; do
    if apt-get install -s -qq --no-remove "$@" "$package" >/dev/null 2>&1; then
      echo "$package"
    else
      say "note: $package is left out, because apt would remove other packages for it; without it: no $purpose"
    fi
  done < <(grep -v '^#' "$root/tools/packages.optional")
}

# apt_install PACKAGE…: what is there stays there. Uses as_root of its caller.
apt_install() {
  mkdir -p "$root/build"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends --no-remove \
    -o APT::Status-Fd=1 "$@" 2>&1 | apt_progress "$root/build/apt.log"
  [ "${PIPESTATUS[0]}" = 0 ] || { tail -n 20 "$root/build/apt.log" >&2; return 1; }
}

# apt_progress LOG: apt's status lines ("dlstatus:3:40.2:Retrieving…", "pmstatus:g++:80.1:Unpacking…")
# become progress; the other lines go to LOG.
apt_progress() {
  local line kind percent
  while IFS= read -r line; do
    IFS=: read -r kind _ percent _ <<<"$line"
    case $kind in
      dlstatus) progress "downloading packages" "${percent%.*}" ;;
      pmstatus) progress "installing packages" "${percent%.*}" ;;
      *) printf '%s\n' "$line" >&3 ;;
    esac
  done 3>"$1"
  progress_end
}

has_clang_22() { apt-cache show clang-22 >/dev/null 2>&1; }

# add_llvm_repository: asks first; without a terminal it says what to run. Uses as_root of its caller.
add_llvm_repository() {
  local answer=
  say "clang 22 is not in the repositories of this system. LLVM's own repository, apt.llvm.org, has it:"
  llvm_commands | sed 's/^/  /' >&2
  if [ -t 0 ]; then
    read -r -p "hipwright: run these commands as root? [y/N] " answer
  fi
  case $answer in
    y | Y | yes) llvm_commands | "${as_root[@]}" sh -e >&2 || { say "could not add the repository"; exit 1; } ;;
    *)
      say "Run them as root, then try again; or use the tarball:"
      tarball_steps >&2
      exit 1
      ;;
  esac
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
    NINJA_STATUS='[%f/%t] ' ninja -C "$folder" "$@" 2>&1 | ninja_progress "building $preset" "$folder/build.log"
    [ "${PIPESTATUS[0]}" = 0 ] || { tail -n 60 "$folder/build.log" >&2; exit 1; }
  ) 9>"$folder/.lock" || exit 1
}

# ninja_progress WHAT LOG: ninja's lines go to LOG; how many are done is shown.
ninja_progress() {
  local line text begin=$SECONDS
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\] ]] || continue
    printf -v text '%s: %d of %d, %d:%02d so far' "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
      $(((SECONDS - begin) / 60)) $(((SECONDS - begin) % 60))
    progress "$text" $((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
  done 3>"$2"
  progress_end
}
