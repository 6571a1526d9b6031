// SPDX-License-Identifier: MIT
// The device-library folder that clang-22 requires, completed from Debian's 5.2 bitcode.
#include <set>

#include <fmt/format.h>

#include "arch/arch.h"
#include "toolchain/sdk.h"

namespace hipwright::toolchain {

namespace {

// __oclc_ISA_version of gfx<major><minor><stepping>: "90a" is 9010, "1100" is 11000. The last two
// characters are hexadecimal digits.
unsigned isa_version(std::string_view digits) {
  const auto hex = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  unsigned major = 0;
  for (char c : digits.substr(0, digits.size() - 2)) major = major * 10 + hex(c);
  return major * 1000 + hex(digits[digits.size() - 2]) * 100 + hex(digits.back());
}

// A generic target has the version of its least capable member.
constexpr std::pair<std::string_view, unsigned> kGenericIsaVersions[] = {
    {"9-generic", 9000},     {"9-4-generic", 9400}, {"10-1-generic", 10100},
    {"10-3-generic", 10300}, {"11-generic", 11003}, {"12-generic", 12000},
};

std::string constant(std::string_view name, std::string_view type, unsigned value) {
  return fmt::format(
      "@{} = linkonce_odr protected local_unnamed_addr addrspace(4) constant {} {}\n", name, type,
      value);
}

}  // namespace

std::vector<BitcodeModule> generated_bitcode(std::string_view data_layout,
                                             const std::vector<std::string>& present) {
  const std::string head = fmt::format(
      "target datalayout = \"{}\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n", data_layout);
  std::vector<BitcodeModule> modules;
  const auto add_isa = [&](std::string_view suffix, unsigned version) {
    // Debian's ocml.bc also wants __oclc_daz_opt, which clang no longer links. Off, because
    // HIP's default keeps denormals.
    modules.push_back({fmt::format("oclc_isa_version_{}.bc", suffix),
                       head + constant("__oclc_ISA_version", "i32", version) +
                           constant("__oclc_daz_opt", "i8", 0)});
  };
  std::set<std::string> targets;
  for (const arch::ArchInfo& info : arch::all()) targets.emplace(info.gfx.substr(3));
  constexpr std::string_view kPrefix = "oclc_isa_version_";
  for (const std::string& file : present) {
    if (!file.starts_with(kPrefix) || !file.ends_with(".bc")) continue;
    const std::string digits = file.substr(kPrefix.size(), file.size() - kPrefix.size() - 3);
    if (digits.size() >= 3 && digits.find_first_not_of("0123456789abcdef") == std::string::npos)
      targets.insert(digits);
  }
  for (const std::string& digits : targets) add_isa(digits, isa_version(digits));
  for (const auto& [suffix, version] : kGenericIsaVersions) add_isa(suffix, version);
  for (unsigned abi : {400U, 500U, 600U})
    modules.push_back({fmt::format("oclc_abi_version_{}.bc", abi),
                       head + constant("__oclc_ABI_version", "i32", abi)});
  return modules;
}

std::optional<std::string> repaired_ockl(std::string text) {
  bool changed = false;
  const auto replace_all = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
      changed = true;
    }
  };
  replace_all("@llvm.amdgcn.s.memrealtime()", "@llvm.readsteadycounter()");
  replace_all("\"target-features\"=\"+s-memrealtime\"", "");
  return changed ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace hipwright::toolchain
