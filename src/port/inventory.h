// SPDX-License-Identifier: MIT
// The inventory of a repository for a port: read, never changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "port/api/api.h"
#include "port/project_names.h"

namespace hipwright::port {

struct Place {
  std::string path;
  std::uint32_t line = 1;
  friend bool operator==(const Place&, const Place&) = default;
};

struct LanguageCount {
  std::size_t files = 0;
  std::size_t lines = 0;
};

struct LibraryUse {
  std::size_t names = 0;           // uses of its names
  std::size_t no_counterpart = 0;  // of those
  std::map<std::string, std::size_t> headers;
  std::size_t files = 0;
};

// The Python packages and torch features that a port has to look at.
enum class PythonUse {
  kTorch,
  kFlashAttention,
  kXformers,
  kNvml,
  kCompile,  // torch.compile
  kGraphs,   // torch.cuda.CUDAGraph, torch.cuda.graph
  kJax,
  kTriton,
  kAllocator,    // PYTORCH_CUDA_ALLOC_CONF
  kOtherNvidia,  // packages that exist for NVIDIA only
};
std::string_view to_string(PythonUse use);

struct CutlassUse {
  std::string name;         // "cutlass::gemm::device::Gemm"
  std::string counterpart;  // in Composable Kernel; empty if unknown
  Place place;
};

struct ProjectInventory {
  std::map<Language, LanguageCount> languages;
  std::map<std::string, std::size_t> kernels;  // path to how many are defined there
  std::size_t kernel_count = 0, launches = 0, device_functions = 0;
  std::size_t cuda_sources = 0;  // .cu and .cuh
  std::map<api::Library, LibraryUse> libraries;
  std::map<std::string, std::vector<std::string>> build_systems;  // "CMake" to its files
  std::vector<Place> extensions;                                  // of torch, compiled by setup.py
  std::vector<Place> run_time_extensions;  // torch's load() and load_inline()
  std::map<PythonUse, std::vector<Place>> python;
  std::vector<CutlassUse> cutlass;
  // Files that already check for AMD; a repository with many of them is partly ported.
  std::map<Language, std::size_t> knows_rocm;
  std::vector<Place> inline_ptx;
  std::vector<Place> lane_masks;  // ballots, shuffles, votes and literal warp sizes
};

// Per file, then added up.
ProjectInventory inventory_of(const Tree& tree, ThreadPool& pool);

}  // namespace hipwright::port
