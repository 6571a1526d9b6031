// SPDX-License-Identifier: MIT
#include "toolchain/code_object/kernel_descriptor.h"

#include <algorithm>

#include "arch/processors.h"
#include "toolchain/code_object/bytes.h"

namespace hipwright::toolchain {

namespace {

using arch::Generation;

constexpr unsigned bits(std::uint32_t value, unsigned low, unsigned width) {
  return (value >> low) & ((1u << width) - 1);
}

unsigned vgpr_encoding_granule(const Generation& generation, bool wave32) {
  if (generation.unified_agprs) return 8;
  if (generation.gfx125) return wave32 ? 16 : 8;
  return wave32 ? 8 : 4;
}

void decode_registers(KernelDescriptor& d, const Generation& generation) {
  const std::uint32_t rsrc1 = d.compute_pgm_rsrc1;
  d.allocated_vgprs = (bits(rsrc1, 0, 6) + 1) * vgpr_encoding_granule(generation, d.wave32);
  // gfx9 allocates 16 at a time and encodes in units of 8.
  if (generation.gfx9) d.allocated_sgprs = (bits(rsrc1, 6, 4) / 2 + 1) * 16;
  if (generation.unified_agprs) {
    d.accum_offset = (bits(d.compute_pgm_rsrc3, 0, 6) + 1) * 4;
    d.tg_split = bits(d.compute_pgm_rsrc3, 16, 1);
  }
  const std::uint32_t rsrc2 = d.compute_pgm_rsrc2;
  d.uses_scratch = bits(rsrc2, 0, 1);
  d.user_sgprs = bits(rsrc2, 1, generation.gfx125 ? 6 : 5);
  d.workgroup_id_x = bits(rsrc2, 7, 1);
  d.workgroup_id_y = bits(rsrc2, 8, 1);
  d.workgroup_id_z = bits(rsrc2, 9, 1);
  d.workgroup_info = bits(rsrc2, 10, 1);
  d.workitem_id_dimensions = std::min(bits(rsrc2, 11, 2), 2u) + 1;
}

void decode_modes(KernelDescriptor& d, const Generation& generation) {
  const std::uint32_t rsrc1 = d.compute_pgm_rsrc1;
  d.round_mode_32 = bits(rsrc1, 12, 2);
  d.round_mode_16_64 = bits(rsrc1, 14, 2);
  d.denormal_mode_32 = bits(rsrc1, 16, 2);
  d.denormal_mode_16_64 = bits(rsrc1, 18, 2);
  if (!generation.gfx12) {
    d.dx10_clamp = bits(rsrc1, 21, 1);
    d.ieee_mode = bits(rsrc1, 23, 1);
  }
  d.fp16_overflow = bits(rsrc1, 26, 1);
  if (!generation.gfx9 && !generation.gfx125) d.wgp_mode = bits(rsrc1, 29, 1);
}

}  // namespace

KernelDescriptor decode_kernel_descriptor(std::string_view bytes, std::string_view processor) {
  HW_ASSERT(bytes.size() == kKernelDescriptorSize);
  const Generation generation = arch::generation_of(processor);
  KernelDescriptor d;
  d.group_segment_fixed_size = *read_at<std::uint32_t>(bytes, 0);
  d.private_segment_fixed_size = *read_at<std::uint32_t>(bytes, 4);
  d.kernarg_size = *read_at<std::uint32_t>(bytes, 8);
  d.kernel_code_entry_byte_offset = *read_at<std::int64_t>(bytes, 16);
  d.compute_pgm_rsrc3 = *read_at<std::uint32_t>(bytes, 44);
  d.compute_pgm_rsrc1 = *read_at<std::uint32_t>(bytes, 48);
  d.compute_pgm_rsrc2 = *read_at<std::uint32_t>(bytes, 52);
  d.kernel_code_properties = *read_at<std::uint16_t>(bytes, 56);
  d.kernarg_preload = *read_at<std::uint16_t>(bytes, 58);

  const std::uint32_t properties = d.kernel_code_properties;
  d.sgpr_private_segment_buffer = bits(properties, 0, 1);
  d.sgpr_dispatch_ptr = bits(properties, 1, 1);
  d.sgpr_queue_ptr = bits(properties, 2, 1);
  d.sgpr_kernarg_segment_ptr = bits(properties, 3, 1);
  d.sgpr_dispatch_id = bits(properties, 4, 1);
  d.sgpr_flat_scratch_init = bits(properties, 5, 1);
  d.sgpr_private_segment_size = bits(properties, 6, 1);
  d.wave32 = !generation.gfx9 && bits(properties, 10, 1);
  d.uses_dynamic_stack = bits(properties, 11, 1);
  d.kernarg_preload_length = bits(d.kernarg_preload, 0, 7);
  d.kernarg_preload_offset = bits(d.kernarg_preload, 7, 9);
  decode_registers(d, generation);
  decode_modes(d, generation);
  return d;
}

}  // namespace hipwright::toolchain
