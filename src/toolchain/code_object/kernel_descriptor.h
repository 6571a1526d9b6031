// SPDX-License-Identifier: MIT
// The 64 bytes that a dispatch passes to the hardware (LLVM's AMDGPUUsage, "Kernel Descriptor").
#pragma once

#include <cstdint>
#include <string_view>

namespace hipwright::toolchain {

constexpr std::uint64_t kKernelDescriptorSize = 64;

struct KernelDescriptor {
  // As stored.
  std::uint32_t group_segment_fixed_size = 0;
  std::uint32_t private_segment_fixed_size = 0;
  std::uint32_t kernarg_size = 0;
  std::int64_t kernel_code_entry_byte_offset = 0;  // from the descriptor's own address
  std::uint32_t compute_pgm_rsrc1 = 0;
  std::uint32_t compute_pgm_rsrc2 = 0;
  std::uint32_t compute_pgm_rsrc3 = 0;
  std::uint16_t kernel_code_properties = 0;
  std::uint16_t kernarg_preload = 0;

  // Decoded: what a runtime sets up before the first instruction.
  bool wave32 = false;
  unsigned allocated_vgprs = 0;  // per lane; with unified AGPRs both kinds together
  unsigned allocated_sgprs = 0;  // 0: fixed by the hardware (gfx10 and later)
  unsigned accum_offset = 0;     // first AGPR in the unified file; 0 where there is none
  unsigned user_sgprs = 0;
  // User SGPRs, in the order in which they are laid out.
  bool sgpr_private_segment_buffer = false;
  bool sgpr_dispatch_ptr = false;
  bool sgpr_queue_ptr = false;
  bool sgpr_kernarg_segment_ptr = false;
  bool sgpr_dispatch_id = false;
  bool sgpr_flat_scratch_init = false;
  bool sgpr_private_segment_size = false;
  unsigned kernarg_preload_length = 0;  // dwords
  unsigned kernarg_preload_offset = 0;  // dwords
  // System SGPRs and VGPRs.
  bool workgroup_id_x = false, workgroup_id_y = false, workgroup_id_z = false;
  bool workgroup_info = false;
  unsigned workitem_id_dimensions = 1;  // how many of x, y, z are wanted in VGPRs: 1 to 3
  bool uses_scratch = false;
  bool uses_dynamic_stack = false;
  // Modes the wave starts in.
  unsigned round_mode_32 = 0, round_mode_16_64 = 0;
  unsigned denormal_mode_32 = 0, denormal_mode_16_64 = 0;
  bool dx10_clamp = false, ieee_mode = false;  // up to gfx11
  bool fp16_overflow = false;
  bool wgp_mode = false;  // a workgroup may spread over both CUs of a WGP (gfx10 to gfx12.0)
  bool tg_split = false;  // gfx90a and later CDNA: waves of a workgroup may run on several CUs
};

// `bytes` has kKernelDescriptorSize bytes; `processor` decides what the bits mean.
KernelDescriptor decode_kernel_descriptor(std::string_view bytes, std::string_view processor);

}  // namespace hipwright::toolchain
