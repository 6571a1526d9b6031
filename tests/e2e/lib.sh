# SPDX-License-Identifier: MIT
# For end-to-end tests: run the tool, look at what it said. Each script has a scratch folder and a
# cache folder of its own, and stops at the first surprise.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=${E2E_CACHE:-$BUILD_DIR/e2e-cache}
mkdir -p "$XDG_CACHE_HOME"
# The python3 of a version manager may be a script that starts many processes.
case ":$PATH:" in *":${PYTHON_FOLDER:=/usr/bin}:"*) ;; *) PATH=$PYTHON_FOLDER:$PATH ;; esac
unset NO_COLOR CLICOLOR_FORCE ROCM_PATH HIP_PATH HCC_AMDGPU_TARGET
last=""

hipwright() { "$HIPWRIGHT" "$@"; }

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  [ -z "$last" ] || { echo "--- the last command printed:"; head -c 4000 "$last"; } >&2
  exit 1
}

not_run() { echo "not run: $*"; exit 77; }

# needs PROGRAM…: the rest makes no sense without them
needs() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || not_run "$program is not installed"
  done
}

# expect_ok COMMAND…: exit 0; standard output goes to $last, standard error to $last.err
expect_ok() {
  last=$scratch/last
  "$@" >"$last" 2>"$last.err" || { local code=$?; cat "$last.err" >&2; fail "exit code $code from: $*"; }
}

# expect_exit CODE COMMAND…: exactly that exit code; output and error together in $last
expect_exit() {
  local wanted=$1 code=0
  shift
  last=$scratch/last
  "$@" >"$last" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "exit code $code, not $wanted, from: $*"
}

# expect_output TEXT…: each appears in what the last command printed
expect_output() {
  local text
  for text in "$@"; do grep -qF -- "$text" "$last" || fail "the output lacks: $text"; done
}

# with_included FILE…: the files, and those that they include by quotes
with_included() {
  local file name
  for file in "$@"; do
    echo "$file"
    grep -oE '^ *# *include *"[^"]+"' "$file" | cut -d'"' -f2 | while read -r name; do
      case $name in /*) ;; *) name=$(dirname "$file")/$name ;; esac
      [ ! -e "$name" ] || with_included "$name"
    done
  done
}

# compile ARGUMENT… -o PROGRAM: hipwright cc, for tests of what it compiles. What the same compiler has made of the same files with the
# same options is taken from the cache folder, as ccache does for objects; `./test --full` compiles everything.
compile() {
  local word previous= program= sources=() folders=() kept temporary
  for word in "$@"; do
    [ "$previous" != -o ] || program=$word
    case $word in
      *.hip | *.cu) sources+=("$word") ;;
      -I*) folders+=("${word#-I}") ;;
    esac
    previous=$word
  done
  last=$scratch/commands
  hipwright cc -### "$@" >"$last" 2>&1 || fail "no commands for: cc $*"
  kept=$XDG_CACHE_HOME/programs/$({
    # Names of temporary files differ. With -g the program knows its sources' paths.
    sed -E "s|${TMPDIR:-/tmp}(/tmp\\.\w{10})+|scratch|g; s/-[0-9a-f]{6,}([.\"])/\1/g; s/-cuid=\w*//g" "$last"
    case " $* " in *" -g "*) echo "${sources[@]}" ;; esac
    cat /dev/null $(grep -oE '(fpass-plugin=|-load" ")[^" ]*' "$last" | sed 's/.*[="]//' | sort -u)
    with_included "${sources[@]}" | xargs -d '\n' cat
    [ ${#folders[@]} = 0 ] || find "${folders[@]}" -type f -print0 | sort -z | xargs -0 cat
  } | sha256sum | cut -c1-40)
  if [ -n "${HIPWRIGHT_TEST_FULL-}" ] || ! cp "$kept" "$program" 2>/dev/null; then
    expect_ok hipwright -q cc "$@"
    mkdir -p "${kept%/*}" && temporary=$(mktemp "$kept.XXXXXX") && cp "$program" "$temporary" && chmod +x "$temporary" && mv "$temporary" "$kept"
    find "${kept%/*}" -type f -mtime +9 -delete
  else
    touch "$kept"
  fi
}

# equal WHAT A B
equal() { [ "$2" = "$3" ] || fail "$1: '$2' is not '$3'"; }

# two_at_once FUNCTION ITEM…: FUNCTION ITEM for each, in subshells with scratch folders of their own
two_at_once() {
  local each=$1 item running=0 failed=0
  shift
  for item in "$@"; do
    if [ $running = 2 ]; then wait -n || failed=1; else running=$((running + 1)); fi
    (
      scratch=$(mktemp -d -p "$scratch")
      "$each" "$item"
    ) &
  done
  while [ $running -gt 0 ]; do wait -n || failed=1; running=$((running - 1)); done
  [ $failed = 0 ] || exit 1
}

finish() { echo "ok"; exit 0; }
