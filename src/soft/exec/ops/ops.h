// SPDX-License-Identifier: MIT
// The operations. Each file of this folder holds one family and gives its table; the whole folder
// is compiled once per SIMD level, and the level is picked when the program starts.
#pragma once

#include <span>
#include <string_view>

#include "soft/exec/inst.h"

// HIPWRIGHT_SIMD: generic or avx2, set by the build.
#define HIPWRIGHT_SIMD_NAMESPACE HIPWRIGHT_SIMD

namespace hipwright::soft {

// The operation with this canonical name at this machine's SIMD level; nullptr if there is none.
const Op* find_op(std::string_view name);
std::span<const Op* const> all_ops();
std::string_view simd_level();  // "avx2"

#ifdef HIPWRIGHT_SIMD
namespace HIPWRIGHT_SIMD_NAMESPACE {
std::span<const Op> scalar_ops();     // scalar.cpp: SOP1, SOP2, SOPC, SOPK
std::span<const Op> control_ops();    // control.cpp: SOPP, branches, calls, messages, registers
std::span<const Op> smem_ops();       // smem.cpp
std::span<const Op> move_ops();       // move.cpp: moves, swaps, selects, relative moves
std::span<const Op> integer_ops();    // integer.cpp: VALU on integers and bits
std::span<const Op> integer16_ops();  // integer16.cpp: 16-bit, packed and dot products
std::span<const Op> compare_ops();    // compare.cpp: v_cmp, v_cmpx, class
std::span<const Op> float_ops();      // float.cpp: f32 and f64 arithmetic
std::span<const Op> float16_ops();    // float16.cpp: f16, bf16, packed, mixed
std::span<const Op> convert_ops();    // convert.cpp, fp8 included
std::span<const Op> scaled_ops();     // scaled.cpp: microscaling formats of gfx950
std::span<const Op> special_ops();    // special.cpp: rcp, sqrt, exp, log, sin, cos, division steps
std::span<const Op> cube_ops();       // cube.cpp: cube maps
std::span<const Op> lane_ops();       // lane.cpp: readlane, permlane, bpermute, swizzle
std::span<const Op> lds_ops();        // lds.cpp
std::span<const Op> global_ops();     // global.cpp: global, flat and scratch
std::span<const Op> buffer_ops();     // buffer.cpp
std::span<const Op> image_ops();      // image.cpp
std::span<const Op> mfma_ops();       // mfma.cpp
std::span<const Op> wmma_ops();       // wmma.cpp
std::span<const Op> scalar_float_ops();
}  // namespace HIPWRIGHT_SIMD_NAMESPACE
#endif

}  // namespace hipwright::soft
