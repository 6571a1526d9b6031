// SPDX-License-Identifier: MIT
// Instructions that no other hardware has: what takes their place.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

// The matrix instructions of AMD GPUs by the type of the factors.
struct Matrix {
  std::string_view type;  // as PTX names it
  std::string_view mfma;  // gfx9
  std::string_view wmma;  // gfx11 and gfx12
};
constexpr std::array kMatrices = {
    Matrix{"f16", "v_mfma_f32_16x16x16_f16 (__builtin_amdgcn_mfma_f32_16x16x16f16)",
           "v_wmma_f32_16x16x16_f16 (__builtin_amdgcn_wmma_f32_16x16x16_f16_w32)"},
    Matrix{"bf16", "v_mfma_f32_16x16x16_bf16 (__builtin_amdgcn_mfma_f32_16x16x16bf16_1k)",
           "v_wmma_f32_16x16x16_bf16 (__builtin_amdgcn_wmma_f32_16x16x16_bf16_w32)"},
    Matrix{"tf32", "v_mfma_f32_16x16x8_xf32 (gfx942 only) or v_mfma_f32_16x16x4_f32", ""},
    Matrix{"f64", "v_mfma_f64_16x16x4_f64 (gfx90a and later)", ""},
    Matrix{"s8", "v_mfma_i32_16x16x32_i8 (gfx942; v_mfma_i32_16x16x16_i8 on gfx90a)",
           "v_wmma_i32_16x16x16_iu8"},
    Matrix{"u8", "", "v_wmma_i32_16x16x16_iu8"},
    Matrix{"s4", "", "v_wmma_i32_16x16x16_iu4"},
    Matrix{"u4", "", "v_wmma_i32_16x16x16_iu4"},
    Matrix{"e4m3", "v_mfma_f32_16x16x32_fp8_fp8 (gfx942 in the fnuz format, gfx950 in OCP's)",
           "v_wmma_f32_16x16x16_fp8_fp8 (gfx12)"},
    Matrix{"e5m2", "v_mfma_f32_16x16x32_bf8_bf8 (gfx942 in the fnuz format, gfx950 in OCP's)",
           "v_wmma_f32_16x16x16_bf8_bf8 (gfx12)"}};

constexpr std::string_view kLayout =
    "The matrix fragments are distributed differently over the lanes: with mfma 16x16x16 lane i "
    "holds four neighbours in k of row i % 16 of A (column of B), from k = i / 16 * 4 on, and of C "
    "rows i / 16 * 4 to + 3 in column i % 16; with wmma on gfx11 lanes i and i + 16 both hold row "
    "i % 16 of A, and C has every second row. Rewrite the loads, too, or use rocWMMA or Composable "
    "Kernel.";

std::string shape_of(const Instruction& in) {
  for (const std::string& word : in.modifiers)
    if (word.size() > 4 && word[0] == 'm' && word[1] >= '0' && word[1] <= '9' &&
        word.find('n') != std::string::npos)
      return word;
  return {};
}

Remark matrix(const Instruction& in) {
  // mma: d, a, b, c types at the end. The type of A is the second of four, or the first one that
  // has an entry.
  std::vector<std::string_view> types;
  for (const std::string& word : in.modifiers)
    if (word == "f32" || word == "s32" ||
        std::any_of(kMatrices.begin(), kMatrices.end(),
                    [&](const Matrix& each) { return each.type == word; }))
      types.push_back(word);
  const std::string_view type = types.size() >= 2 ? types[1] : types.empty() ? "" : types[0];
  const std::string shape = shape_of(in);
  Remark remark{"HP313", fmt::format("{} is an instruction of NVIDIA's tensor cores", in.name), {}};
  for (const Matrix& each : kMatrices) {
    if (each.type != type) continue;
    remark.why = fmt::format("{}{}{} products: on gfx9 {}, on gfx11 and gfx12 {}. {}", shape,
                             shape.empty() ? "" : " ", type, each.mfma.empty() ? "none" : each.mfma,
                             each.wmma.empty() ? "none" : each.wmma, kLayout);
    return remark;
  }
  remark.why = fmt::format(
      "AMD's counterparts are v_mfma_… on gfx9 and v_wmma_… on gfx11 and gfx12. {}", kLayout);
  return remark;
}

}  // namespace

std::optional<Remark> advice_for(const Instruction& in) {
  const std::string_view name = in.name;
  if (name == "mma" || name == "wmma" || name == "wgmma" || name == "tcgen05") return matrix(in);
  if (name == "ldmatrix" || name == "stmatrix" || name == "movmatrix")
    return Remark{"HP313",
                  fmt::format("{} moves a matrix in the layout of NVIDIA's tensor cores", name),
                  "With mfma and wmma each lane reads its part of a row with one plain load of 8 "
                  "or 16 bytes (ds_read_b64, ds_read_b128), as the layouts intend. gfx950 and "
                  "gfx12 have transposing loads (ds_read_b64_tr_b16, global_load_tr)."};
  if (name == "mbarrier" || (name == "cp" && in.has("bulk")) ||
      (name == "cp" && in.has("mbarrier")) || name == "tensormap" ||
      (name == "prefetch" && in.has("tensormap")))
    return Remark{"HP314", fmt::format("{} needs NVIDIA's asynchronous copies", name),
                  "Copy with plain loads and stores in all threads, and wait with __syncthreads(): "
                  "two buffers in shared memory hide the latency."};
  if (name == "bar" || name == "barrier") {
    if (in.has("cluster"))
      return Remark{"HP314", "AMD GPUs have no thread block clusters",
                    "Use a cooperative launch, or one larger block."};
    return Remark{"HP314", "only barrier 0, for the whole block, has a counterpart",
                  "Named barriers synchronise part of a block. Synchronise the whole block "
                  "(__syncthreads()), or count arrivals in shared memory."};
  }
  if (name == "mapa" || name == "getctarank" || name == "multimem" ||
      name == "clusterlaunchcontrol")
    return Remark{"HP314",
                  fmt::format("{} has no counterpart: no clusters, no multicast memory", name),
                  "Exchange the data through global memory."};
  if (name == "fence" || name == "membar")
    return Remark{"HP314", "a fence for NVIDIA's asynchronous copies",
                  "Remove it with its copies."};
  if (name == "bra" || name == "call" || name == "ret")
    return Remark{"HP311", "control flow in assembly", "Write the loop or the branch in C++."};
  if (name == "cvt" &&
      std::any_of(in.modifiers.begin(), in.modifiers.end(), [](const std::string& word) {
        return word.starts_with("e4m3") || word.starts_with("e5m2") || word.starts_with("e2m1") ||
               word.starts_with("ue8m0");
      }))
    return Remark{"HP311", "a conversion to or from 8-bit or 4-bit floats",
                  "<hip/hip_fp8.h> has __hip_cvt_float2_to_fp8x2 and the types. gfx942 uses the "
                  "fnuz format, with another bias: convert with the hardware's type."};
  if (std::any_of(in.modifiers.begin(), in.modifiers.end(), [](const std::string& word) {
        return word == "rz" || word == "rm" || word == "rp";
      }))
    return Remark{"HP311", "arithmetic with a rounding mode other than nearest",
                  "HIP's functions round to nearest. If it matters, compute in double and correct "
                  "the result."};
  return std::nullopt;
}

}  // namespace hipwright::port::ptx
