// SPDX-License-Identifier: MIT
#include "soft/decode/canonical_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace hipwright::soft {

namespace {

using Rename = std::pair<std::string_view, std::string_view>;

// Whole names, sorted.
constexpr Rename kRenames[] = {
    {"image_atomic_add_uint", "image_atomic_add"},
    {"image_atomic_dec_uint", "image_atomic_dec"},
    {"image_atomic_inc_uint", "image_atomic_inc"},
    {"image_atomic_max_flt", "image_atomic_fmax"},
    {"image_atomic_max_int", "image_atomic_smax"},
    {"image_atomic_max_uint", "image_atomic_umax"},
    {"image_atomic_min_flt", "image_atomic_fmin"},
    {"image_atomic_min_int", "image_atomic_smin"},
    {"image_atomic_min_uint", "image_atomic_umin"},
    {"image_atomic_sub_uint", "image_atomic_sub"},
    {"s_add_co_ci_u32", "s_addc_u32"},
    {"s_add_co_i32", "s_add_i32"},
    {"s_add_co_u32", "s_add_u32"},
    {"s_addk_co_i32", "s_addk_i32"},
    {"s_and_not0_saveexec_b32", "s_andn1_saveexec_b32"},
    {"s_and_not0_saveexec_b64", "s_andn1_saveexec_b64"},
    {"s_and_not0_wrexec_b32", "s_andn1_wrexec_b32"},
    {"s_and_not0_wrexec_b64", "s_andn1_wrexec_b64"},
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b32"},
    {"s_and_not1_saveexec_b64", "s_andn2_saveexec_b64"},
    {"s_and_not1_wrexec_b32", "s_andn2_wrexec_b32"},
    {"s_and_not1_wrexec_b64", "s_andn2_wrexec_b64"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_or_not0_saveexec_b32", "s_orn1_saveexec_b32"},
    {"s_or_not0_saveexec_b64", "s_orn1_saveexec_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_or_not1_saveexec_b32", "s_orn2_saveexec_b32"},
    {"s_or_not1_saveexec_b64", "s_orn2_saveexec_b64"},
    {"s_sub_co_ci_u32", "s_subb_u32"},
    {"s_sub_co_i32", "s_sub_i32"},
    {"s_sub_co_u32", "s_sub_u32"},
    {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_add_nc_i16", "v_add_i16"},
    {"v_add_nc_i32", "v_add_i32"},
    {"v_add_nc_u16", "v_add_u16"},
    {"v_add_nc_u32", "v_add_u32"},
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_cmp_t_f16", "v_cmp_tru_f16"},
    {"v_cmp_t_f32", "v_cmp_tru_f32"},
    {"v_cmp_t_f64", "v_cmp_tru_f64"},
    {"v_cmpx_t_f16", "v_cmpx_tru_f16"},
    {"v_cmpx_t_f32", "v_cmpx_tru_f32"},
    {"v_cmpx_t_f64", "v_cmpx_tru_f64"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"},
    {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
    {"v_cvt_pk_norm_i16_f16", "v_cvt_pknorm_i16_f16"},
    {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"},
    {"v_cvt_pk_norm_u16_f16", "v_cvt_pknorm_u16_f16"},
    {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"},
    {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
    {"v_dot2acc_f32_bf16", "v_dot2c_f32_bf16"},
    {"v_dot2acc_f32_f16", "v_dot2c_f32_f16"},
    {"v_fma_legacy_f32", "v_fma_dx9_zero_f32"},
    {"v_fmac_legacy_f32", "v_fmac_dx9_zero_f32"},
    {"v_mad_co_i64_i32", "v_mad_i64_i32"},
    {"v_mad_co_u64_u32", "v_mad_u64_u32"},
    {"v_mul_dx9_zero_f32", "v_mul_legacy_f32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"},
    {"v_sub_nc_i16", "v_sub_i16"},
    {"v_sub_nc_i32", "v_sub_i32"},
    {"v_sub_nc_u16", "v_sub_u16"},
    {"v_sub_nc_u32", "v_sub_u32"},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    {"v_subrev_nc_u32", "v_subrev_u32"},
};
static_assert(std::ranges::is_sorted(kRenames));

// What follows "global_load_" and so on.
constexpr Rename kLoads[] = {
    {"b128", "dwordx4"},
    {"b32", "dword"},
    {"b64", "dwordx2"},
    {"b96", "dwordx3"},
    {"d16_b16", "short_d16"},
    {"d16_format_x", "format_d16_x"},
    {"d16_format_xy", "format_d16_xy"},
    {"d16_format_xyz", "format_d16_xyz"},
    {"d16_format_xyzw", "format_d16_xyzw"},
    {"d16_hi_b16", "short_d16_hi"},
    {"d16_hi_format_x", "format_d16_hi_x"},
    {"d16_hi_i8", "sbyte_d16_hi"},
    {"d16_hi_u8", "ubyte_d16_hi"},
    {"d16_i8", "sbyte_d16"},
    {"d16_u8", "ubyte_d16"},
    {"dword_addtid", "addtid_b32"},
    {"i16", "sshort"},
    {"i8", "sbyte"},
    {"u16", "ushort"},
    {"u8", "ubyte"},
};
constexpr Rename kStores[] = {
    {"b128", "dwordx4"},
    {"b16", "short"},
    {"b32", "dword"},
    {"b64", "dwordx2"},
    {"b8", "byte"},
    {"b96", "dwordx3"},
    {"d16_format_x", "format_d16_x"},
    {"d16_format_xy", "format_d16_xy"},
    {"d16_format_xyz", "format_d16_xyz"},
    {"d16_format_xyzw", "format_d16_xyzw"},
    {"d16_hi_b16", "short_d16_hi"},
    {"d16_hi_b8", "byte_d16_hi"},
    {"d16_hi_format_x", "format_d16_hi_x"},
    {"dword_addtid", "addtid_b32"},
};
constexpr Rename kAtomics[] = {
    {"add_u32", "add"},      {"add_u64", "add_x2"},       {"and_b32", "and"},
    {"and_b64", "and_x2"},   {"cmpswap_b32", "cmpswap"},  {"cmpswap_b64", "cmpswap_x2"},
    {"dec_u32", "dec"},      {"dec_u64", "dec_x2"},       {"inc_u32", "inc"},
    {"inc_u64", "inc_x2"},   {"max_i32", "smax"},         {"max_i64", "smax_x2"},
    {"max_u32", "umax"},     {"max_u64", "umax_x2"},      {"min_i32", "smin"},
    {"min_i64", "smin_x2"},  {"min_u32", "umin"},         {"min_u64", "umin_x2"},
    {"or_b32", "or"},        {"or_b64", "or_x2"},         {"sub_clamp_u32", "csub_u32"},
    {"sub_u32", "sub"},      {"sub_u64", "sub_x2"},       {"swap_b32", "swap"},
    {"swap_b64", "swap_x2"}, {"xor_b32", "xor"},          {"xor_b64", "xor_x2"},
    {"csub", "csub_u32"},    {"fcmpswap", "cmpswap_f32"}, {"fcmpswap_x2", "cmpswap_f64"},
    {"fmax", "max_f32"},     {"fmax_x2", "max_f64"},      {"fmin", "min_f32"},
    {"fmin_x2", "min_f64"},
};
constexpr Rename kScalarLoads[] = {
    {"b128", "dwordx4"},  {"b256", "dwordx8"}, {"b32", "dword"},
    {"b512", "dwordx16"}, {"b64", "dwordx2"},  {"b96", "dwordx3"},
};

struct Family {
  std::string_view printed, canonical;  // beginnings of names
  std::span<const Rename> rest;         // whole ends; others stay as they are
};

constexpr std::array<Family, 24> kFamilies = {{
    {"global_load_", "global_load_", kLoads},
    {"global_store_", "global_store_", kStores},
    {"global_atomic_", "global_atomic_", kAtomics},
    {"flat_load_", "flat_load_", kLoads},
    {"flat_store_", "flat_store_", kStores},
    {"flat_atomic_", "flat_atomic_", kAtomics},
    {"scratch_load_", "scratch_load_", kLoads},
    {"scratch_store_", "scratch_store_", kStores},
    {"buffer_load_", "buffer_load_", kLoads},
    {"buffer_store_", "buffer_store_", kStores},
    {"buffer_atomic_", "buffer_atomic_", kAtomics},
    {"tbuffer_load_", "tbuffer_load_", kLoads},
    {"tbuffer_store_", "tbuffer_store_", kStores},
    {"s_load_", "s_load_", kScalarLoads},
    {"s_buffer_load_", "s_buffer_load_", kScalarLoads},
    {"ds_load_2addr_stride64_", "ds_read2st64_", {}},
    {"ds_load_2addr_", "ds_read2_", {}},
    {"ds_load_", "ds_read_", {}},
    {"ds_store_2addr_stride64_", "ds_write2st64_", {}},
    {"ds_store_2addr_", "ds_write2_", {}},
    {"ds_store_", "ds_write_", {}},
    {"ds_storexchg_2addr_stride64_rtn_", "ds_wrxchg2st64_rtn_", {}},
    {"ds_storexchg_2addr_rtn_", "ds_wrxchg2_rtn_", {}},
    {"ds_storexchg_rtn_", "ds_wrxchg_rtn_", {}},
}};

}  // namespace

std::string canonical_name(std::string_view mnemonic) {
  std::string name(mnemonic);
  if (name.starts_with("v_dual_")) name.erase(2, 5);
  // v_max_num_f32, ds_max_num_rtn_f64
  const std::size_t number = name.find("_num_");
  if (number != std::string::npos) name.erase(number, 4);
  const auto renamed = std::ranges::lower_bound(kRenames, name, {}, &Rename::first);
  if (renamed != std::end(kRenames) && renamed->first == name) return std::string(renamed->second);
  for (const Family& family : kFamilies) {
    if (!name.starts_with(family.printed)) continue;
    const std::string_view rest = std::string_view(name).substr(family.printed.size());
    const auto found = std::ranges::find(family.rest, rest, &Rename::first);
    return std::string(family.canonical).append(found == family.rest.end() ? rest : found->second);
  }
  return name;
}

}  // namespace hipwright::soft
