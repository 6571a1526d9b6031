// SPDX-License-Identifier: MIT
// THE table of gfx targets, and the types that describe one. Decide by gfx name, never by family:
// gfx1250 belongs to CDNA and has 32-lane waves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::arch {

// A fact and the key of its source in sources(): the table has no fact without a source.
template <class T>
struct Fact {
  T value{};
  std::string_view source;
};

enum class Family {
  kGcn5,
  kCdna1,
  kCdna2,
  kCdna3,
  kCdna4,
  kCdna5,
  kRdna1,
  kRdna2,
  kRdna3,
  kRdna3_5,
  kRdna4
};
enum class MatrixUnit { kNone, kMfma, kWmma };
enum class Fp8 { kNone, kFnuz, kOcp };

// One product built on a target. Facts that could not be verified are absent.
struct Product {
  std::string_view name;    // "MI300X"
  std::string_view source;  // of the claim that it is built on this target
  std::optional<Fact<unsigned>> cus;
  std::optional<Fact<double>> memory_gib;
  std::optional<Fact<double>> bandwidth_gbs;  // GB/s, 10^9 bytes
  // Dense peak rates in TFLOPS: of the matrix unit, or of the vector units if there is none.
  std::optional<Fact<double>> fp16_tflops, bf16_tflops, fp8_tflops, tf32_tflops;
};

// The resources of one compute unit (gfx9, gfx1250) or work-group processor (gfx10 to gfx12),
// enough to compute occupancy as the compiler does.
struct Resources {
  unsigned simds;  // per CU or per WGP
  unsigned max_waves_per_simd;
  unsigned vgprs_per_simd_lane;  // registers one SIMD has for each lane, at the default wave size
  unsigned vgpr_granule;         // allocation unit, at the default wave size
  unsigned max_vgprs;            // addressable by one wave (VGPRs + AGPRs where unified)
  bool unified_agprs;            // gfx90a and later CDNA with MFMA: AGPRs come from the same file
  unsigned sgprs_per_simd;       // 0: SGPRs do not limit occupancy (gfx10+)
  unsigned sgpr_granule;         // 0 where SGPRs do not limit occupancy
  unsigned lds_bytes;            // shared by the workgroups of one CU or WGP
  unsigned lds_granule;          // bytes
};

struct ArchInfo {
  std::string_view gfx;  // "gfx942"
  Family family;
  Fact<std::string_view> architecture;  // "CDNA3"
  std::vector<Product> products;
  std::vector<std::string_view> aliases;   // other names that users type: "Strix Halo"
  Fact<std::vector<unsigned>> wave_sizes;  // default first
  Fact<MatrixUnit> matrix;
  std::string_view matrix_detail;  // "fp16, bf16, fp64, fp8, xf32"; without a unit, its substitute
  Fact<Fp8> fp8;                   // the format the hardware computes with
  Fact<unsigned> lds_per_workgroup;  // bytes
  Fact<Resources> resources;
  std::optional<Fact<std::string_view>> aiter;
  std::optional<Fact<std::string_view>> rocm;
  std::string_view note;                                  // may be empty
  bool supports_sramecc = false, supports_xnack = false;  // target features that exist for it

  unsigned default_wave_size() const { return wave_sizes.value.front(); }
  bool supports_wave(unsigned size) const;
};

// Sources that are the same for every target.
constexpr std::string_view kFeatureSource = "llvm-usage";  // of supports_*, and of generic targets
constexpr std::string_view kAliasSource = "code-names";    // of aliases

std::string_view to_string(Family family);
std::string_view to_string(MatrixUnit unit);
std::string_view to_string(Fp8 format);          // "none", "e4m3fnuz/e5m2fnuz", "e4m3fn/e5m2"
std::optional<double> fp8_e4m3_max(Fp8 format);  // 240 for fnuz, 448 for OCP
// The targets that compute with it, for messages: "gfx950 and gfx12", if all of gfx12 do.
std::string targets_with(Fp8 format);

std::span<const ArchInfo> all();             // ascending gfx numbers
const ArchInfo* find(std::string_view gfx);  // exact gfx name only; nullptr when unknown

// Waves of one SIMD that fit when each uses `vgprs` registers (VGPRs and AGPRs together where
// they are unified), as the compiler computes it; other limits are not considered. `wave_size`
// must be one that the target supports.
unsigned waves_by_vgprs(const ArchInfo& info, unsigned vgprs, unsigned wave_size);

struct Source {
  std::string_view key;
  std::string_view text;
};
std::span<const Source> sources();
const Source* find_source(std::string_view key);

}  // namespace hipwright::arch
