// SPDX-License-Identifier: MIT
// Known good results, stored in a safetensors file with their provenance.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "verify/numeric/compare.h"

namespace hipwright::verify {

// Where a result comes from. All of it is stored in the file and shown in every report.
struct Provenance {
  std::string device;       // "NVIDIA H200 (sm_90)", "soft:gfx942"
  std::string driver;       // "CUDA 13.0, driver 580.82"
  std::string compiler;     // "nvcc 13.0.88", "clang 22.0.0, device libraries 6.4 (hipwright)"
  std::string source_hash;  // of the sources, see source_hash()
  std::string command;      // how it was run
  std::uint64_t seed = 0;
  std::string made;  // date, UTC

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

// A tensor as stored: all of it, or a sample.
struct StoredValues {
  Values values;                      // of a sample: one dimension
  Shape shape;                        // of the whole
  std::vector<std::int64_t> indices;  // of the sample's elements in the whole; empty: all
};

struct Golden {
  Provenance provenance;
  std::map<std::string, StoredValues> tensors;
};

// Stores at most this many elements of a tensor: the first, the last, and others picked by a hash.
constexpr std::size_t kSample = 65536;
StoredValues sampled(const Values& values, std::size_t at_most = kSample);
// The indices of a sample of `stored` out of `count` elements, ascending: number i lies in the i-th
// of `stored` equal parts, at an offset given by the hash of i. Files do not store the list.
std::vector<std::int64_t> sample_indices(std::uint64_t count, std::uint64_t stored);

// Errors name the file and what is wrong with it: truncated, another format, no provenance,
// damaged.
Result<Golden> read_golden(const std::filesystem::path& file);
Result<Golden> parse_golden(std::string_view bytes, const std::string& origin);
Result<std::string> golden_bytes(const Golden& golden, const std::string& origin);
Status write_golden(const Golden& golden, const std::filesystem::path& file);

// sha256 of a file's bytes, as sha256sum prints it; for several files, of their sorted hashes, one
// per line. Names do not count, so that a tree may move.
Result<std::string> source_hash(const std::vector<std::filesystem::path>& sources);
// An error if the golden results come from other sources.
Status check_source(const Golden& golden, const std::string& hash, const std::string& origin);

// A different shape or type sets Comparison::problem. Only stored elements are compared: is_wrong
// has one entry per stored element; indices refer to the whole tensor.
Comparison compare(const StoredValues& expected, const Values& actual, const Tolerance& tolerance,
                   const Layout& layout = {});

// Compares every tensor of either side, by name. One that is missing on one side is a problem that
// says what to do.
struct NamedComparison {
  std::string name;
  Comparison comparison;
};
std::vector<NamedComparison> check(
    const Golden& golden, const std::map<std::string, Values>& actual,
    const std::function<Tolerance(const std::string& name, DataType)>& tolerance_of,
    const Layout& layout = {});

// Captures of a program (hipwright/golden.h), or of Python: a folder of NAME.npy files, whose
// tensors are called NAME, and NAME.npz files, whose tensors are called NAME/MEMBER. In names,
// bytes other than letters, digits and ._- are written %2F. Types that numpy lacks are named:
// NAME@bf16.npy, NAME@f8e4m3.npy, NAME@f8e5m2.npy have 16-bit or 8-bit elements.
// NAME@any_order.npy has elements whose order does not matter; the suffix is part of the name.
Result<std::map<std::string, Values>> read_captures(const std::filesystem::path& folder);
// `origin` is the file's name, which may name the type.
Result<Values> read_npy(std::string_view bytes, const std::string& origin);
Result<std::map<std::string, Values>> read_npz(std::string_view bytes, const std::string& origin);
// Whether a tensor's name says that its order does not matter: "slots@any_order".
bool is_any_order(std::string_view name);
std::string npy_of(const Values& values);  // bf16 and fp8 as their bits; the name says the type
// "layer%2F0@bf16.npy"
std::string capture_file_name(const std::string& name, DataType type);

}  // namespace hipwright::verify
