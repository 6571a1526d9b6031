# SPDX-License-Identifier: MIT
# Sourced by tools/setup.sh: what to install on which distribution. The functions decide from $os_release and
# two tables, and only print; tests/e2e/setup.sh calls them for each distribution.

os_release=${os_release:-/etc/os-release}

# release_field NAME: a value of os-release, without quotes
release_field() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$os_release" 2>/dev/null | head -n 1; }

# setup_row: "way<TAB>reason" for this distribution, or nothing when the table lacks it
setup_row() {
  awk -F'\t' -v id="$(release_field ID)" -v version="$(release_field VERSION_ID)" '
    !/^#/ && $1 == id && ($2 == version || $2 == "*") { print $3 "\t" $4; exit }' "$root/tools/distributions"
}

# package_names LIST…: the packages of the lists, in this distribution's names
package_names() {
  awk -F'\t' -v id="$(release_field ID)" -v version="$(release_field VERSION_ID)" '
    FNR == 1 { file += 1 }
    /^#/ { next }
    file == 1 { if ($1 == id && $2 == version) name[$3] = $4; next }
    !($1 in name) { print $1; next }
    name[$1] != "-" { print name[$1] }' "$root/tools/packages.names" "$@"
}

# llvm_commands: what adds LLVM's package repository, for a person to read or root to run
llvm_commands() {
  local codename key=/usr/share/keyrings/apt.llvm.org.asc
  codename=$(release_field VERSION_CODENAME)
  printf '%s\n' \
    "apt-get install -y -qq ca-certificates wget" \
    "wget -qO $key https://apt.llvm.org/llvm-snapshot.gpg.key" \
    "echo 'deb [signed-by=$key] https://apt.llvm.org/$codename/ llvm-toolchain-$codename-22 main' >/etc/apt/sources.list.d/llvm-22.list"
}

# host_compiler: the command that installs what clang needs of the host
host_compiler() {
  case "$(release_field ID) $(release_field ID_LIKE)" in
    *fedora* | *rhel*) echo "dnf install gcc-c++" ;;
    *debian* | *ubuntu*) echo "apt-get install g++" ;;
    *suse*) echo "zypper install gcc-c++" ;;
    *arch*) echo "pacman -S gcc" ;;
    *) echo "install g++ with the package manager of this system" ;;
  esac
}

# tarball_steps: how to use the tarball here
tarball_steps() {
  cat <<STEPS
Use the tarball instead; it needs nothing but glibc 2.35:
  1. On Debian 12, in this source tree: tools/package
  2. Here: tar xf hipwright-*-linux-x86_64.tar.gz && hipwright-*-linux-x86_64/bin/hipwright --help
  3. To compile HIP, the headers of the host's C++ library: $(host_compiler)
STEPS
}
