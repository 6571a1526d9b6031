#!/bin/sh
# SPDX-License-Identifier: MIT
# A compiler launcher: ccache.sh CCACHE SOURCE_DIR COMPILER ARGUMENT…
# What one checkout has compiled, another takes from the cache: paths below the source folder are
# hashed relative to the build folder. The sloppiness is what precompiled headers need; contents are
# compared.
ccache=$1
export CCACHE_BASEDIR="$2" CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
shift 2
# Of a precompiled header that is made anew, ccache would hash the old one in place of the headers.
for word; do
  case $word in *.gch) rm -f "$word" ;; esac
done
exec "$ccache" "$@"
