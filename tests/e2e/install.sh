#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An installed hipwright: the tool, find_package(hipwright), and the Debian package.
. "$(dirname "$0")/lib.sh"
needs cmake ninja clang++-22

expect_ok cmake --install "$BUILD_DIR" --prefix "$scratch/usr"
expect_ok "$scratch/usr/bin/hipwright" --version
expect_output "hipwright "
for file in man/man1/hipwright.1 man/man1/hipwright-port.1 bash-completion/completions/hipwright \
  zsh/site-functions/_hipwright fish/vendor_completions.d/hipwright.fish; do
  [ -s "$scratch/usr/share/$file" ] || fail "$file is not installed"
done

# A sanitizer build's archive needs the same flags in the program that links it.
flags=$(sed -n 's/^HIPWRIGHT_SANITIZE:[A-Z]*=\(..*\)$/-fsanitize=\1/p' "$BUILD_DIR/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt")
expect_ok cmake -S "$SOURCE_DIR/examples/embed_compiler" -B "$scratch/embed" -G Ninja \
  -DCMAKE_PREFIX_PATH="$scratch/usr" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags"
expect_ok cmake --build "$scratch/embed"
expect_ok env XDG_CACHE_HOME="$scratch/cache" "$scratch/embed/embed_compiler" gfx942 "RX 7900 XTX"
expect_output "gfx942: scale, " "gfx1100: scale, " "from the cache" "2 hits, 2 misses, hit rate 50%"
expect_exit 1 "$scratch/embed/embed_compiler" gfx924
expect_output gfx942

needs cpack dpkg-deb dpkg-shlibdeps
expect_ok cpack --config "$BUILD_DIR/CPackConfig.cmake" -B "$scratch/package"
expect_ok dpkg-deb --contents "$scratch"/package/hipwright_*.deb
expect_output ./usr/bin/hipwright ./usr/include/hipwright/compiler.h hipwright-config.cmake
expect_ok dpkg-deb --field "$scratch"/package/hipwright_*.deb Depends Recommends
expect_output libfmt9 clang-22
finish
