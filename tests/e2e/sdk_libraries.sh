#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# sdk add, list and remove, from a small repository of packages that is made and signed here: the network is not used.
. "$(dirname "$0")/lib.sh"
needs clang++-22 g++ apt-get dpkg-deb dpkg-scanpackages gpg cmake ninja readelf
export XDG_CACHE_HOME=$scratch/cache GNUPGHOME=$scratch/gpg
mkdir -p "$XDG_CACHE_HOME" "$scratch/repo/pool"
mkdir -m 700 "$GNUPGHOME"
home=$XDG_CACHE_HOME/hipwright/rocm

for key in good other; do
  gpg --batch --quiet --passphrase '' --quick-generate-key "$key@localhost" ed25519 sign never 2>/dev/null || fail "no key"
  gpg --batch --export "$key@localhost" >"$scratch/$key.gpg"
done

# package NAME VERSION DEPENDS: what is below $scratch/files becomes a package
package() {
  local root=$scratch/package
  rm -rf "$root" && mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$1" && cp -r "$scratch/files/." "$root/"
  printf 'Format: x\n\nFiles: *\nLicense: Expat\n' >"$root/usr/share/doc/$1/copyright"
  printf 'Package: %s\nVersion: %s\nArchitecture: amd64\nMaintainer: none\nDescription: none\n' "$1" "$2" >"$root/DEBIAN/control"
  [ -z "$3" ] || echo "Depends: $3" >>"$root/DEBIAN/control"
  [ "$1" != libc6 ] || echo "Installed-Size: 4000" >>"$root/DEBIAN/control"
  dpkg-deb -Znone --root-owner-group -b "$root" "$scratch/repo/pool" >/dev/null || fail "no package $1"
  rm -rf "$scratch/files"
}

# publish KEY: the lists of the packages, signed
publish() {
  local lists=$scratch/repo/dists/sid/main/binary-amd64 file
  mkdir -p "$lists"
  (cd "$scratch/repo" && dpkg-scanpackages -m pool 2>/dev/null) >"$lists/Packages"
  file=$(sha256sum <"$lists/Packages" | cut -d' ' -f1)
  printf 'Origin: test\nSuite: sid\nCodename: sid\nArchitectures: amd64\nComponents: main\nDate: %s\nSHA256:\n %s %s main/binary-amd64/Packages\n' \
    "$(LC_ALL=C date -Ru)" "$file" "$(stat -c %s "$lists/Packages")" >"$scratch/Release"
  gpg --batch --yes --quiet --passphrase '' -u "$1@localhost" --clearsign -o "$scratch/repo/dists/sid/InRelease" "$scratch/Release" ||
    fail "cannot sign"
}

files() { mkdir -p "$scratch/files/usr/include/$1" "$scratch/files/usr/lib/x86_64-linux-gnu/cmake/$1"; }
folder=usr/lib/x86_64-linux-gnu

# hipBLAS in two packages: a function that is also named like a version of a newer C library, so that this machine's is too old for it.
make_hipblas() {
  files hipblas
  echo 'extern "C" int hipblasAnswer();' >"$scratch/files/usr/include/hipblas/hipblas.h"
  printf 'add_library(roc::hipblas SHARED IMPORTED)\nset_target_properties(roc::hipblas PROPERTIES IMPORTED_LOCATION "${CMAKE_CURRENT_LIST_DIR}/../../libhipblas.so" INTERFACE_LINK_LIBRARIES hip::host)\n' \
    >"$scratch/files/$folder/cmake/hipblas/hipblas-config.cmake"
  echo 'set(PACKAGE_VERSION 2.4)' >"$scratch/files/$folder/cmake/hipblas/hipblas-config-version.cmake"
  ln -s libhipblas.so.2 "$scratch/files/$folder/libhipblas.so"
  package libhipblas-dev "$1" "libhipblas2 (= $1), libamdhip64-dev"
  mkdir -p "$scratch/files/$folder"
  printf 'extern "C" int hipblasAnswer() { return 42; }\nextern "C" int newer() __asm__("GLIBC_2.99"); int newer() { return 0; }\n' |
    clang++-22 -x c++ -shared -fPIC -Wl,-rpath,'$ORIGIN/../lib',--enable-new-dtags -Wl,-soname,libhipblas.so.2 -o "$scratch/files/$folder/libhipblas.so.2" - || fail "no library"
  # A program that comes with the library.
  echo 'extern "C" int hipblasAnswer(); int main() { return hipblasAnswer() - 41; }' |
    g++ -x c++ -o "$scratch/files/$folder/helper" - -x none "$scratch/files/$folder/libhipblas.so.2" || fail "no program"
  package libhipblas2 "$1" "$2"
}

# The C and C++ libraries of a newer system: this machine's own, under a higher version.
for name in libc6:ld-linux-x86-64.so.2,libc.so.6,libm.so.6 libstdc++6:libstdc++.so.6 libgcc-s1:libgcc_s.so.1; do
  mkdir -p "$scratch/files/$folder"
  for file in $(echo "${name#*:}" | tr , ' '); do
    cp -L "$(case $file in ld-*) echo "/lib64/$file" ;; *) g++ -print-file-name="$file" ;; esac)" "$scratch/files/$folder/$file" ||
      fail "no $file"
  done
  package "${name%%:*}" 99 ""
done
make_hipblas 6.4.4-1 "libc6 (>= 98), libstdc++6, libgcc-s1, libamdhip64-6 (>= 6.1)"
files hiprand
echo 'enum { kHiprand = 1 };' >"$scratch/files/usr/include/hiprand/hiprand.h"
package libhiprand-dev 6.4.3-1 libamdhip64-dev
files rocfft
package librocfft-dev 7.2.0-1 ""
publish good

add() { hipwright sdk add --mirror "$scratch/repo" --keyring "$scratch/good.gpg" "$@"; }

# Nothing was added: the build says what to do.
expect_ok hipwright sdk list
expect_output "No libraries were added." "Can be added for ROCm 6.4: rocprim hipcub"
cat >"$scratch/a.hip" <<'END'
#include <hipblas/hipblas.h>
int main() { return hipblasAnswer(); }
END
expect_exit 1 hipwright cc --arch gfx90a -o "$scratch/a" "$scratch/a.hip"
expect_output "a.hip:1: hipblas/hipblas.h is hipBLAS's, which was not added: hipwright sdk add hipblas"
mkdir "$scratch/app"
cat >"$scratch/app/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(app LANGUAGES CXX)
find_package(hip REQUIRED)
find_package(hipblas REQUIRED)
add_executable(app app.cpp)
target_include_directories(app PRIVATE ${hip_INCLUDE_DIR})
target_link_libraries(app PRIVATE roc::hipblas)
END
cp "$scratch/a.hip" "$scratch/app/app.cpp"
configure() { rm -rf "$scratch/app/build"; cmake -S "$scratch/app" -B "$scratch/app/build" -G Ninja -DCMAKE_PREFIX_PATH="$(hipwright sdk path)"; }
expect_exit 1 configure
expect_output "hipBLAS was not added to hipwright's SDK.  Run: hipwright sdk add hipblas"

# The names are checked first, and the keys.
expect_exit 2 add hipblass
expect_output "Did you mean hipblas?"
expect_exit 2 add rccl
expect_output "Known: --rocm 7.2."
expect_exit 2 hipwright sdk add --mirror "$scratch/repo" --keyring "$scratch/other.gpg" hipblas
expect_output "cannot get the package lists of Debian unstable" "NO_PUBKEY"
expect_exit 2 hipwright sdk add --mirror "$scratch/repo" --keyring "$scratch/none.gpg" hipblas
expect_output "none.gpg is not on this machine"
expect_exit 2 hipwright sdk add --mirror http://127.0.0.1:9/debian --keyring "$scratch/good.gpg" hipblas
expect_output "cannot get the package lists" "onnect" "Nothing was changed."
[ ! -e "$home/6.4" ] || fail "a failed sdk add left a directory"

# A package of another release, and one that is not there at all.
expect_exit 2 add rocfft
expect_output "Debian unstable has version 7.2.0-1, which is not of ROCm 6.4"
expect_exit 2 add rocsolver
expect_output "Unable to locate package librocsolver-dev"

# Two at once.
add hipblas >"$scratch/one" 2>&1 & one=$!
add hiprand >"$scratch/two" 2>&1 & two=$!
wait $one || fail "$(cat "$scratch/one")"
wait $two || fail "$(cat "$scratch/two")"
expect_ok hipwright sdk list --json
equal "both were added" "$(python3 -c "
import json, sys
release, = json.load(sys.stdin)['releases']
print(release['release'], *sorted(x['name'] for x in release['libraries']))" <"$last")" "6.4 hipblas hiprand"
expect_ok hipwright sdk list
expect_output "from Debian unstable, $scratch/repo" 6.4.4-1 Expat
[ -f "$home/6.4/runtime/libc.so.6" ] || fail "the C library did not come along"
[ -z "$(ls "$home/.apt-6.4/cache" | grep archives)" ] || fail "downloads were left"

# Compiled, linked and started with its own loader, by itself and below `run`; a program of another linker only below `run`.
expect_ok hipwright cc --arch gfx90a -o "$scratch/a" "$scratch/a.hip" -lhipblas
readelf -l "$scratch/a" >"$scratch/last" && expect_output "$home/6.4/runtime/ld-linux-x86-64.so.2"
LD_LIBRARY_PATH= expect_exit 42 hipwright run -- "$scratch/a"
expect_ok configure
expect_ok cmake --build "$scratch/app/build"
readelf -l "$scratch/app/build/app" >"$scratch/last" && expect_output "$home/6.4/runtime/ld-linux-x86-64.so.2"
expect_exit 42 hipwright run -- "$scratch/app/build/app"
cat >"$scratch/b.cpp" <<'END'
#include <cstring>
extern "C" int hipblasAnswer();
int main(int count, char** words) { return std::strcmp(words[0], "its-name") == 0 ? 1 : count == 2 ? hipblasAnswer() + 1 : 2; }
END
expect_ok g++ -o "$scratch/b" "$scratch/b.cpp" -L"$home/6.4/lib/x86_64-linux-gnu" -lhipblas
expect_exit 43 hipwright run -- "$scratch/b" word
expect_exit 127 "$scratch/b" word
expect_exit 1 "$home/6.4/lib/x86_64-linux-gnu/helper"
# One that does not use them is as before.
expect_ok hipwright cc --arch gfx90a -o "$scratch/c" "$SOURCE_DIR/examples/vector_add/vector_add.hip"
readelf -l "$scratch/c" >"$scratch/last" && ! grep -q "$home" "$last" || fail "a program without the libraries has their loader"

# Damaged packages: the directory stays as it was.
before=$(readlink "$home/6.4")
make_hipblas 6.4.5-1 "libc6 (>= 98)"
publish good
truncate -s 2000 "$scratch"/repo/pool/libhipblas2_6.4.5-1_amd64.deb
expect_exit 2 add hipblas
expect_output "cannot download packages" "Hash Sum mismatch" "Nothing was changed."
make_hipblas 6.4.5-1 "libc6 (>= 98)"
publish good
printf X | dd of="$scratch/repo/pool/libhipblas2_6.4.5-1_amd64.deb" bs=1 seek=2000 conv=notrunc 2>/dev/null
expect_exit 2 add hipblas
expect_output "Hash Sum mismatch"
sed -i 's/^Codename: sid/Codename: sad/' "$scratch/repo/dists/sid/InRelease"
expect_exit 2 add hipblas
expect_output "cannot get the package lists"
equal "the directory after failures" "$(readlink "$home/6.4")" "$before"
expect_exit 42 hipwright run -- "$scratch/a"

# A killed one, and what it left.
mkdir -p "$home/.trees/6.4-1-1" && touch "$home/.trees/6.4-1-1/x"
make_hipblas 6.4.5-1 "libc6 (>= 98)"
publish good
expect_ok add hipblas
expect_output "Added 2 packages of ROCm 6.4"
[ ! -e "$home/.trees/6.4-1-1" ] || fail "what a killed process left is still there"
equal "directories of the release" "$(ls "$home/.trees" | wc -l)" 1
expect_exit 42 hipwright run -- "$scratch/a"
expect_ok add hipblas
expect_output "Nothing to add"

# Another origin is not mixed in.
expect_exit 2 hipwright sdk add --mirror "file:$scratch/repo" --keyring "$scratch/good.gpg" hiprand
expect_output "those that are there come from Debian unstable, $scratch/repo"

# A full disk.
if unshare -rm true 2>/dev/null; then
  mkdir "$scratch/small"
  expect_exit 2 unshare -rm sh -c "mount -t tmpfs -o size=5m none '$scratch/small' && XDG_CACHE_HOME='$scratch/small' \
    '$HIPWRIGHT' sdk add --mirror '$scratch/repo' --keyring '$scratch/good.gpg' hipblas; code=\$?; ls '$scratch/small/hipwright/rocm'; exit \$code"
  expect_output "not enough space" "Nothing was changed."
fi

# A checkout of a header-only library; one whose version differs from what is there.
checkout=$scratch/rocPRIM
mkdir -p "$checkout/rocprim/include/rocprim" "$checkout/test"
echo 'set(VERSION_STRING "3.4.1")' >"$checkout/CMakeLists.txt"
printf '#define ROCPRIM_VERSION_MAJOR @rocprim_VERSION_MAJOR@\n#define ROCPRIM_VERSION_MINOR @rocprim_VERSION_MINOR@\n' \
  >"$checkout/rocprim/include/rocprim/rocprim_version.hpp.in"
expect_ok hipwright sdk add rocprim --from "$checkout"
printf '#include <rocprim/rocprim_version.hpp>\nstatic_assert(ROCPRIM_VERSION_MAJOR == 3 && ROCPRIM_VERSION_MINOR == 4);\n' >"$scratch/v.hip"
expect_ok hipwright cc --arch gfx90a -c -o "$scratch/v.o" "$scratch/v.hip"
expect_ok hipwright sdk list
expect_output rocprim 3.4.1
mkdir -p "$scratch/hipCUB/hipcub/include/hipcub"
echo 'set(VERSION_STRING "3.3.0")' >"$scratch/hipCUB/CMakeLists.txt"
sed s/ROCPRIM/HIPCUB/ "$checkout/rocprim/include/rocprim/rocprim_version.hpp.in" >"$scratch/hipCUB/hipcub/include/hipcub/hipcub_version.hpp.in"
expect_exit 2 hipwright sdk add hipcub --from "$scratch/hipCUB"
expect_output "rocPRIM 3.4 and hipCUB 3.3" "different ROCm releases"
expect_exit 2 hipwright sdk add rocfft --from "$checkout"
expect_output "has code that must be built"

# An installed ROCm, in a directory of its own.
rocm=$scratch/rocm-6.4
mkdir -p "$rocm/.info" "$rocm/include/hip" "$rocm/include/rocrand" "$rocm/lib/cmake/rocrand"
echo 6.4.1-99 >"$rocm/.info/version"
touch "$rocm/include/hip/hip_version.h" "$rocm/lib/librocrand.so" "$rocm/lib/libamdhip64.so"
echo 'enum { kRocrand = 2 };' >"$rocm/include/rocrand/rocrand.h"
echo 'set(here ${CMAKE_CURRENT_LIST_DIR})' >"$rocm/lib/cmake/rocrand/rocrand-config.cmake"
expect_exit 2 hipwright sdk add rocrand --from "$rocm"
expect_output "cannot mix libraries"
expect_exit 2 hipwright sdk add rocrand --from "$rocm" --rocm 7.2
expect_output "it is ROCm 6.4, not 7.2"

# Removed: what others need stays.
expect_ok hipwright sdk remove hipblas
expect_output "Removed hipblas. Left: hiprand, rocprim."
[ ! -e "$home/6.4/include/hipblas" ] || [ -z "$(find "$home/6.4/include/hipblas" -type f)" ] || fail "headers were left"
[ ! -e "$home/6.4/runtime/libc.so.6" ] || fail "the C library was left"
expect_exit 2 hipwright sdk remove hipblas
expect_output "it was not added"
expect_ok hipwright sdk remove all
expect_ok hipwright sdk add rocrand --from "$rocm"
printf '#include <rocrand/rocrand.h>\nstatic_assert(kRocrand == 2);\n' >"$scratch/v.hip"
expect_ok hipwright cc --arch gfx90a -c -o "$scratch/v.o" "$scratch/v.hip"
[ ! -e "$home/6.4/lib/x86_64-linux-gnu/libamdhip64.so" ] || fail "ROCm's runtime was linked"
grep -qF "$rocm/lib/cmake/rocrand/rocrand-config.cmake" "$(hipwright sdk path)/lib/cmake/rocrand/rocrand-config.cmake" || fail "no CMake package"
