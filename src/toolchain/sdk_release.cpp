// SPDX-License-Identifier: MIT
#include "toolchain/sdk_release.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hipwright::toolchain {

namespace {

// Where sdk/ names its release. {0} is the major version, {1} the minor one, {2} HIP's patch.
struct Place {
  std::string_view path;  // or the end of one
  std::string_view text;
  std::string_view form;
};

constexpr std::array kPlaces = {
    Place{"include/hip/amd_detail/level.h", "__HW_ROCM 604", "__HW_ROCM {0}{1:02}"},
    Place{"include/hip/hip_version.h", "HIP_VERSION_MAJOR 6", "HIP_VERSION_MAJOR {0}"},
    Place{"include/hip/hip_version.h", "HIP_VERSION_MINOR 4", "HIP_VERSION_MINOR {1}"},
    Place{"include/hip/hip_version.h", "HIP_VERSION_PATCH 43482", "HIP_VERSION_PATCH {2}"},
    Place{"share/hip/version", "HIP_VERSION_MAJOR=6", "HIP_VERSION_MAJOR={0}"},
    Place{"share/hip/version", "HIP_VERSION_MINOR=4", "HIP_VERSION_MINOR={1}"},
    Place{"share/hip/version", "HIP_VERSION_PATCH=43482", "HIP_VERSION_PATCH={2}"},
    Place{".info/version", "6.4.0", "{0}.{1}.0"},
    Place{"-config-version.cmake", "PACKAGE_VERSION 6.4.43482", "PACKAGE_VERSION {0}.{1}.{2}"},
    Place{"-config-version.cmake", "VERSION_MAJOR EQUAL 6", "VERSION_MAJOR EQUAL {0}"},
    Place{"bin/hipcc", "cc --sdk own", "cc --sdk own --rocm {0}.{1}"},
    Place{"bin/amdclang++", "cc --sdk own", "cc --sdk own --rocm {0}.{1}"},
    Place{"bin/amdclang", "cc --sdk own", "cc --sdk own --rocm {0}.{1}"},
};

// "hip_7.1" to 701; the nodes of ROCm 7.0 were named when it was still 6.5.
unsigned number_of_node(std::string_view node) {
  if (node == "hip_6.5") return 700;
  if (!node.starts_with("hip_") || node.size() < 7) return 0;
  return static_cast<unsigned>(node[4] - '0') * 100 + static_cast<unsigned>(node[6] - '0');
}

bool is_in(const ExportedSymbol& symbol, const Release& release) {
  const unsigned since = symbol.since ? symbol.since : number_of_node(symbol.version);
  return since <= release.number() && (symbol.until == 0 || release.number() < symbol.until);
}

}  // namespace

std::string text_for_release(std::string_view path, std::string_view text, const Release& release) {
  std::string result(text);
  const unsigned major = release.number() / 100, minor = release.number() % 100;
  for (const Place& place : kPlaces) {
    if (!path.ends_with(place.path)) continue;
    const std::size_t at = result.find(place.text);
    if (at == std::string::npos) continue;
    result.replace(at, place.text.size(),
                   fmt::format(fmt::runtime(place.form), major, minor, release.hip_patch));
  }
  return result;
}

Result<std::vector<ExportedSymbol>> symbols_of_release(const std::vector<std::string_view>& scripts,
                                                       const Release& release) {
  std::vector<ExportedSymbol> chosen;
  for (const std::string_view script : scripts) {
    HW_TRY(const auto symbols, exported_symbols(script));
    std::ranges::copy_if(symbols, std::back_inserter(chosen),
                         [&](const ExportedSymbol& each) { return is_in(each, release); });
  }
  return chosen;
}

std::string version_script_of(const std::vector<ExportedSymbol>& symbols) {
  std::string script, parent;
  for (std::size_t i = 0; i < symbols.size();) {
    const std::string& node = symbols[i].version;
    script += fmt::format("{}{{\n  global:\n", node.empty() ? "" : node + " ");
    for (; i < symbols.size() && symbols[i].version == node; ++i)
      script += fmt::format("    {};\n", symbols[i].name);
    script += fmt::format("}}{};\n", parent.empty() ? "" : " " + parent);
    parent = node;
  }
  return script;
}

}  // namespace hipwright::toolchain
