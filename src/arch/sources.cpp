// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "arch/table.h"

namespace hipwright::arch {

namespace {

constexpr Source kSources[] = {
    {kAliasSource,
     "Code names and processor names: Gentoo's amdgpu_targets flags, TheRock's build targets, "
     "ROCm's "
     "GPU specifications"},
    {kClang,
     "Compile probes with clang 22.1 (Debian): default wave size, whether wave64 is allowed, "
     "largest "
     "LDS of a workgroup, which MFMA, WMMA, dot and fp8 builtins are accepted"},
    {kLlvm,
     "LLVM 22 AMDGPU backend: register file, granules and wave limits, checked against the "
     "occupancy that clang 22.1 reports; LDS blocks from the AMDGPU usage guide"},
    {kLlvmUsage,
     "LLVM's AMDGPU usage guide (ROCm/llvm-project@056c6fbd): processors, example products, target "
     "features, members of generic processors"},
    {kSpecs,
     "ROCm documentation, GPU specifications (ROCm/legacy-rocm-build@e88a729c, "
     "docs/reference/gpu-specs.rst): architecture, VRAM, compute units, LDS"},
    {kArchDocs,
     "ROCm documentation, MI100, MI250 and MI300 architecture pages (ROCm/ROCm@e396b489, "
     "docs/conceptual/gpu-arch): peak rates and bandwidth"},
    {kRocmStatus,
     "Compatibility matrix of ROCm 6.3 (ROCm/ROCm@e396b489); architectures and Linux status in "
     "TheRock's SUPPORTED_GPUS.md (ROCm/TheRock@89553ce3, 22 August 2026); gfx950: hipFFT's "
     "release notes for ROCm 7.0"},
    {kTheRock,
     "TheRock's list of build targets (ROCm/TheRock@89553ce3, "
     "cmake/therock_amdgpu_targets.cmake): product names"},
    {kVllm,
     "vLLM's ROCm platform code (vllm-project/vllm@a014e35, vllm/platforms/rocm.py): fnuz on "
     "gfx94x "
     "only, which targets have fp8 and MX formats, device ids"},
    {kHipFp8,
     "HIP 6.2 documentation of fp8 numbers (gfx94x: fnuz); Mojo's choice of the AMD fp8 type (OCP "
     "from CDNA4 and RDNA4 on, none on RDNA3)"},
    {kAiter, "AITER README, table of supported hardware (ROCm/aiter@07318c0c)"},
    {kAiterChips, "AITER's chip_info.py (ROCm/aiter), which maps 80 compute units to gfx942"},
    {kDerived,
     "Computed: operations per clock and CU (fp8 on CDNA4: 8192, from ISSCC coverage, bf16 half of "
     "it; "
     "bf16 on RDNA3: 512; bf16 and fp8 on RDNA4: 1024 and 2048) x CUs x boost clock (MI350X 2.2 "
     "and "
     "MI355X 2.4 GHz, from Hot Chips coverage; RX 7900 XTX 2.5, RX 9060 XT 3.13, RX 9070 XT 2.97 "
     "GHz, "
     "from press specifications)"},
    {kInstinctList, "Wikipedia, list of AMD Instinct accelerators (vector fp16 rate, bandwidth)"},
    {kMi200Launch,
     "Press coverage of the MI200 launch (zexron.com): AMD's table of rates, eight HBM2e stacks at "
     "1.6 GHz"},
    {kMi210Launch,
     "Press coverage of the MI210 launch (anandtech.com): AMD's table of rates; bandwidth of 4096 "
     "bits "
     "of HBM2e at 3.2 Gbit/s"},
    {kMi300aLaunch,
     "Coverage of the MI300A launch: AMD's table of fp16 and bf16 rates (vengineer.hatenablog.com, "
     "11 December 2023), fp8 at twice that (tomshardware.com), 5.3 TB/s (3DNews)"},
    {kMi325xRates,
     "Specification listing (awesomeagents.ai): the compute rates of the MI300X, 304 compute "
     "units"},
    {kMi325x, "Product page of a reseller (wiaix.com): 6 TB/s peak memory bandwidth"},
    {kMi350Launch, "Press coverage of the MI350 launch (The Register, 12 June 2025): 8 TB/s"},
    {kMi450, "Press coverage of the MI450 (kad8.com): CDNA 5"},
    {kRx7000, "Specification listing (pcspecchart.com): 24 GB GDDR6, 384 bits, 960 GB/s"},
    {kRx9000, "Press specifications of the RX 9000 series (multiplayer.it, svethardware.cz)"},
    {kHfHardware, "Hugging Face hardware page of the RX 7700 XT"},
};

}  // namespace

std::span<const Source> sources() {
  return kSources;
}

const Source* find_source(std::string_view key) {
  const auto found = std::ranges::find(sources(), key, &Source::key);
  return found == sources().end() ? nullptr : &*found;
}

}  // namespace hipwright::arch
