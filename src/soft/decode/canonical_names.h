// SPDX-License-Identifier: MIT
// One name per operation. Targets spell the same operation differently; the tables of exec/ops
// know only the canonical spelling:
// - the one of gfx9 where gfx9 has the operation: v_add_u32 (v_add_nc_u32 of gfx10+), ds_read_b32
//   (ds_load_b32), global_load_dword (global_load_b32), s_load_dwordx2 (s_load_b64),
//   global_atomic_add_x2 (…_add_u64), global_atomic_umax (…_max_u32), s_ff1_i32_b32
//   (s_ctz_i32_b32), s_andn2_b64 (s_and_not1_b64), v_cmp_tru_f32 (v_cmp_t_f32),
//   s_add_u32 (s_add_co_u32 of gfx12), v_cndmask_b32 (v_dual_cndmask_b32);
// - without "_num": v_max_f32 for v_max_num_f32, s_max_f32 for s_max_num_f32, ds_min_rtn_f32 for
//   ds_min_num_rtn_f32 (what differs between targets, the handler takes from wave.isa);
// - else the name as it is printed: v_xor3_b32, s_wait_loadcnt.
// Names that hide a different meaning are not joined: ds_cmpst_b32 and ds_cmpstore_b32 take their
// data the other way round, s_waitcnt and s_wait_loadcnt count differently. MFMA keeps both of
// its spellings (v_mfma_f32_32x32x8f16 of gfx90a, v_mfma_f32_32x32x8_f16 of gfx942).
#pragma once

#include <string>
#include <string_view>

namespace hipwright::soft {

// `mnemonic` as printed, without the encoding suffix.
std::string canonical_name(std::string_view mnemonic);

}  // namespace hipwright::soft
