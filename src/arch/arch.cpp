// SPDX-License-Identifier: MIT
#include "arch/arch.h"

#include <algorithm>
#include <iterator>

#include <fmt/ranges.h>

#include "arch/processors.h"
#include "arch/table.h"

namespace hipwright::arch {

bool ArchInfo::supports_wave(unsigned size) const {
  return std::ranges::find(wave_sizes.value, size) != wave_sizes.value.end();
}

std::string_view to_string(Family family) {
  switch (family) {
    case Family::kGcn5:
      return "GCN5";
    case Family::kCdna1:
      return "CDNA1";
    case Family::kCdna2:
      return "CDNA2";
    case Family::kCdna3:
      return "CDNA3";
    case Family::kCdna4:
      return "CDNA4";
    case Family::kCdna5:
      return "CDNA5";
    case Family::kRdna1:
      return "RDNA1";
    case Family::kRdna2:
      return "RDNA2";
    case Family::kRdna3:
      return "RDNA3";
    case Family::kRdna3_5:
      return "RDNA3.5";
    case Family::kRdna4:
      return "RDNA4";
  }
  bug("family out of range", __FILE__, __LINE__);
}

std::string_view to_string(MatrixUnit unit) {
  switch (unit) {
    case MatrixUnit::kNone:
      return "none";
    case MatrixUnit::kMfma:
      return "MFMA";
    case MatrixUnit::kWmma:
      return "WMMA";
  }
  bug("matrix unit out of range", __FILE__, __LINE__);
}

std::string_view to_string(Fp8 format) {
  switch (format) {
    case Fp8::kNone:
      return "none";
    case Fp8::kFnuz:
      return "e4m3fnuz/e5m2fnuz";
    case Fp8::kOcp:
      return "e4m3fn/e5m2";
  }
  bug("fp8 format out of range", __FILE__, __LINE__);
}

// Largest finite value: fnuz has exponent bias 8 and 0x7F = 1.875 * 2^7; OCP has bias 7 and its
// 0x7F is NaN, so 0x7E = 1.75 * 2^8.
std::optional<double> fp8_e4m3_max(Fp8 format) {
  switch (format) {
    case Fp8::kNone:
      return std::nullopt;
    case Fp8::kFnuz:
      return 240;
    case Fp8::kOcp:
      return 448;
  }
  bug("fp8 format out of range", __FILE__, __LINE__);
}

std::string targets_with(Fp8 format) {
  std::vector<std::string> names;
  for (const ArchInfo& info : all()) {
    if (info.fp8.value != format) continue;
    const unsigned major = version_of(info.gfx).major;
    const bool all_have_it = std::ranges::all_of(all(), [&](const ArchInfo& other) {
      return version_of(other.gfx).major != major || other.fp8.value == format;
    });
    std::string name = all_have_it ? fmt::format("gfx{}", major) : std::string(info.gfx);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::span<const ArchInfo> all() {
  static const std::vector<ArchInfo> table = [] {
    std::vector<ArchInfo> rows;
    for (auto part : {gcn_and_cdna(), rdna1_and_2(), rdna3(), rdna4(), cdna5()})
      std::ranges::move(part, std::back_inserter(rows));
    return rows;
  }();
  return table;
}

const ArchInfo* find(std::string_view gfx) {
  const auto found = std::ranges::find(all(), gfx, &ArchInfo::gfx);
  return found == all().end() ? nullptr : &*found;
}

unsigned waves_by_vgprs(const ArchInfo& info, unsigned vgprs, unsigned wave_size) {
  HW_ASSERT(info.supports_wave(wave_size));
  const Resources& resources = info.resources.value;
  // A wave with twice as many lanes takes twice the space, which leaves half as many registers.
  const unsigned ratio = wave_size / info.default_wave_size();
  const unsigned granule = resources.vgpr_granule / ratio;
  const unsigned total = resources.vgprs_per_simd_lane / ratio;
  const unsigned blocks = std::max(1u, vgprs / granule + (vgprs % granule != 0));
  return std::clamp(total / granule / blocks, 1u, resources.max_waves_per_simd);
}

}  // namespace hipwright::arch
