// SPDX-License-Identifier: MIT
// Results that were right once, kept: a safetensors file with where each came from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "verify/numeric/compare.h"

namespace hipwright::verify {

// Who made a result. All of it is in the file, and in every report.
struct Provenance {
  std::string device;       // "NVIDIA H200 (sm_90)", "soft:gfx942"
  std::string driver;       // "CUDA 13.0, driver 580.82"
  std::string compiler;     // "nvcc 13.0.88", "clang 22.0.0, device libraries 6.4 (hipwright)"
  std::string source_hash;  // of the sources that were run: sha256 of their texts
  std::string command;      // how it was run
  std::uint64_t seed = 0;
  std::string made;         // date, UTC
};

// A tensor as stored: all of it, or a sample.
struct Stored {
  Values values;                      // of a sample: one dimension
  Shape shape;                        // of the whole
  std::vector<std::int64_t> indices;  // of the sample's elements in the whole; empty: all
};

struct Golden {
  Provenance provenance;
  std::map<std::string, Stored> tensors;
};

// At most this many elements of a tensor are stored: first and last, the rest spread by a hash.
constexpr std::size_t kSample = 65536;
Stored sampled(const Values& values, std::size_t at_most = kSample);

// Errors name the file and what is wrong with it: truncated, another format, no provenance.
Result<Golden> read_golden(const std::filesystem::path& file);
Status write_golden(const Golden& golden, const std::filesystem::path& file);

// Another shape or type is a problem of the comparison; only what was stored is compared.
Comparison compare(const Stored& expected, const Values& actual, const Tolerance& tolerance,
                   const Layout& layout = {});

// Captures of a program (hipwright/golden.h), or of Python: a folder of NAME.npy, NAME.npz files.
Result<std::map<std::string, Values>> read_captures(const std::filesystem::path& folder);
Result<Values> read_npy(std::string_view bytes, const std::string& origin);
Result<std::map<std::string, Values>> read_npz(std::string_view bytes, const std::string& origin);
std::string npy_of(const Values& values);  // bf16 and fp8 as their bits; the name says the type

}  // namespace hipwright::verify
