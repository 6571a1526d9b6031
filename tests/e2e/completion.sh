#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The shells complete commands, options and values with the scripts that hipwright prints.
. "$(dirname "$0")/lib.sh"
for shell in bash zsh fish; do
  expect_ok hipwright completion $shell
  cp "$last" "$scratch/completion.$shell"
done
mkdir "$scratch/tree" && cd "$scratch/tree" && mkdir folder && touch file.cu || exit 1

# completes WORDS… : CANDIDATES…: bash offers exactly these for the last word
completes() {
  local words=() wanted
  while [ "$1" != : ]; do words+=("$1"); shift; done
  shift
  wanted=$(printf '%s\n' "$@" | sort)
  equal "completions of: ${words[*]}" "$(
    . ../completion.bash
    COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
    _hipwright
    printf '%s\n' "${COMPREPLY[@]}" | sort
  )" "$wanted"
}
completes hipwright po : port
completes hipwright -q po : port
completes hipwright verify k : kernel
completes hipwright port --veri : --verify
completes hipwright verify kernel --sch : --schedules
completes hipwright port --mode "" : hip dual
completes hipwright port --mode = "" : hip dual
completes hipwright port --out "" : folder
completes hipwright port --hip "" : ""
completes hipwright lint f : file.cu folder
completes hipwright lint --arch gfx942,gfx110 : gfx942,gfx110{0,1,2,3}
completes hipwright arch gfx95 : gfx950
completes hipwright run -- f : file.cu folder
completes hipwright cc --sdk "" : own rocm
completes hipwright completion z : zsh
# Every visible command of the help is completed, and nothing else.
# shellcheck disable=SC2046  # words
completes hipwright "" : $(hipwright --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')

if command -v zsh >/dev/null; then
  expect_ok zsh -n ../completion.zsh
  cp ../completion.zsh ../_hipwright
  expect_ok env PATH="$(dirname "$HIPWRIGHT"):$PATH" python3 "$SOURCE_DIR/tests/e2e/zsh_completion.py" "$scratch" \
    "hipwright po" "hipwright -q verify k" "hipwright port --veri" "hipwright port --mode " "hipwright port --mode=" \
    "hipwright port --out " "hipwright port --out=fo" "hipwright lint f" "hipwright lint --arch gfx942,gfx110" \
    "hipwright arch gfx95" "hipwright cc --sdk " "hipwright run -- f" "hipwright sdk "
  equal "zsh's completions" "$(cat "$last")" "hipwright port
hipwright -q verify kernel
hipwright port --verify
hipwright port --mode dual hip
hipwright port --mode=dual --mode=hip
hipwright port --out folder/
hipwright port --out=folder/
hipwright lint file.cu folder/
hipwright lint --arch gfx942,gfx1100 gfx942,gfx1101 gfx942,gfx1102 gfx942,gfx1103,
hipwright arch gfx950
hipwright cc --sdk own rocm
hipwright run -- file.cu folder/
hipwright sdk add list path remove"
else
  echo "not run: zsh is not installed"
fi
if command -v fish >/dev/null; then
  expect_ok fish -n ../completion.fish
  # fish_completes LINE CANDIDATES…
  fish_completes() {
    local line=$1
    shift
    expect_ok fish --no-config -c "source ../completion.fish; complete -C '$line'"
    equal "fish's completions of: $line" "$(cut -f1 "$last" | sort)" "$(printf '%s\n' "$@" | sort)"
  }
  fish_completes "hipwright po" port
  fish_completes "hipwright port --mode " hip dual
  fish_completes "hipwright verify k" kernel
  fish_completes "hipwright port --veri" --verify
else
  echo "not run: fish is not installed"
fi
expect_exit 2 hipwright completion tcsh
expect_output "is not one of bash, zsh, fish"
finish
