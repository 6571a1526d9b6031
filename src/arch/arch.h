// SPDX-License-Identifier: MIT
// THE table of gfx targets, and the types that describe one. Decide by gfx, never by family:
// gfx1250 is of the CDNA line and has 32-lane waves.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::arch {

// A fact and the key of its source in sources(): what has no source is not in the table.
template <class T>
struct Fact {
  T value{};
  std::string_view source;
};

enum class Family { kGcn5, kCdna1, kCdna2, kCdna3, kCdna4, kCdna5, kRdna2, kRdna3, kRdna3_5, kRdna4 };
enum class MatrixUnit { kNone, kMfma, kWmma };
enum class Fp8 { kNone, kFnuz, kOcp };

// One product built on a target. Facts that could not be verified are absent.
struct Product {
  std::string_view name;                    // "MI300X"
  std::optional<Fact<unsigned>> cus;
  std::optional<Fact<double>> memory_gib;
  std::optional<Fact<double>> bandwidth_gbs;  // GB/s, 10^9 bytes
  // Dense peak rates in TFLOPS.
  std::optional<Fact<double>> fp16_tflops, bf16_tflops, fp8_tflops, tf32_tflops;
};

// What one compute unit (gfx9) or work-group processor (gfx10+) offers a kernel: enough to
// compute occupancy as the compiler does.
struct Resources {
  unsigned simds;                  // per CU (gfx9) or per WGP (gfx10+)
  unsigned max_waves_per_simd;
  unsigned vgprs_per_simd_lane;    // registers one SIMD has for each lane, at the default wave size
  unsigned vgpr_granule;           // allocation unit, at the default wave size
  unsigned max_vgprs;              // addressable by one wave (VGPRs + AGPRs where unified)
  bool unified_agprs;              // gfx90a and later CDNA: AGPRs come from the same file
  unsigned sgprs_per_simd;         // 0: SGPRs do not limit occupancy (gfx10+)
  unsigned sgpr_granule;
  unsigned lds_bytes;              // shared by the workgroups of one CU or WGP
  unsigned lds_granule;
};

struct ArchInfo {
  std::string_view gfx;            // "gfx942"
  Family family;
  std::string_view architecture;   // "CDNA3"
  std::vector<Product> products;
  std::vector<std::string_view> aliases;  // further names people type: "Strix Halo"
  Fact<std::vector<unsigned>> wave_sizes; // default first
  Fact<MatrixUnit> matrix;
  std::string_view matrix_detail;  // "MFMA with fp8 and xf32"
  Fact<Fp8> fp8;                   // what the hardware computes with
  Fact<unsigned> lds_per_workgroup;  // bytes
  Fact<Resources> resources;
  std::optional<Fact<std::string_view>> aiter;
  std::optional<Fact<std::string_view>> rocm;
  std::string_view note;           // may be empty
  bool supports_sramecc, supports_xnack;  // target features that exist for it

  unsigned default_wave_size() const { return wave_sizes.value.front(); }
  bool supports_wave(unsigned size) const;
};

std::string_view to_string(Family family);
std::string_view to_string(MatrixUnit unit);
std::string_view to_string(Fp8 format);      // "none", "e4m3fnuz/e5m2fnuz", "e4m3fn/e5m2"
std::optional<double> fp8_e4m3_max(Fp8 format);  // 240 for fnuz, 448 for OCP

std::span<const ArchInfo> all();                // in the order in which people list them
const ArchInfo* find(std::string_view gfx);     // exact gfx name only; nullptr when unknown

struct Source {
  std::string_view key;
  std::string_view text;
};
std::span<const Source> sources();

}  // namespace hipwright::arch
