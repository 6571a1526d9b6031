#!/bin/sh
# SPDX-License-Identifier: MIT
# A compiler launcher: ccache.sh CCACHE SOURCE_DIR COMPILER ARGUMENT…
# What one checkout has compiled, another takes from the cache: paths below the source folder are
# hashed relative to the build folder. The sloppiness is what precompiled headers need; contents are
# compared.
ccache=$1
export CCACHE_BASEDIR="$2" CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
shift 2

# clang writes absolute paths into a precompiled header, so each checkout makes its own, and what it
# was made from stands for it in the cache.
export CCACHE_PCH_EXTSUM=1
case " $* " in
  *" -emit-pch "*)
    "$@" || exit
    header= rule=
    while [ $# != 0 ]; do
      case $1 in
        -o) header=$2 ;;
        -MF) rule=$2 ;;
      esac
      shift
    done
    # The prerequisites, one a line, less the rule's target.
    sed -e 's/^[^:]*: *//' -e 's/ *\\$//' "$rule" | tr ' ' '\n' | grep . | xargs cat | sha256sum >"$header.sum"
    exit
    ;;
esac

# ccache leaves the words behind -Xclang as they are.
here=$(pwd)/
for word; do
  shift
  case $word in
    *.gch) rm -f "$word" ;;  # of one that is made anew, ccache would hash the old one
    "$here"*cmake_pch.hxx*) [ "$previous" != -Xclang ] || word=${word#"$here"} ;;
  esac
  previous=$word
  set -- "$@" "$word"
done
exec "$ccache" "$@"
