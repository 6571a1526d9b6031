// SPDX-License-Identifier: MIT
// The kernels in a directory that Triton's AMD backend has written: its cache, or a part of it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "toolchain/code_object/resources.h"

namespace hipwright::toolchain {

struct TritonKernel {
  std::filesystem::path file;  // of the code object
  KernelResources resources;   // with the shared memory that a launch adds
  // What the kernel was compiled with: "num_warps" and "num_stages", and the options of AMD's
  // backend that are set.
  std::vector<std::pair<std::string, std::string>> options;
  std::string variant;  // "waves_per_eu=2": compiled again with another value; empty: as found

  // "num_warps=4 num_stages=2 waves_per_eu=2"
  std::string configuration() const;
};

struct TritonCache {
  std::vector<TritonKernel> kernels;  // by target, name, configuration and file
  std::vector<Error> errors;          // code objects that could not be read
};

// Every NAME.hsaco below the directory that has a NAME.json beside it.
Result<TritonCache> read_triton_cache(const std::filesystem::path& directory);

// Tables, one for each target. `width`: of the column of names.
std::string triton_table(const std::vector<TritonKernel>& kernels, bool colour);
// What each variant changes of the kernel that it was made from; those that change nothing are
// counted.
std::string triton_changes(const std::vector<TritonKernel>& kernels,
                           const std::vector<TritonKernel>& variants);
// The form of inspection_json(), with the options as "triton" of each kernel.
Json triton_json(const std::string& directory, const std::vector<TritonKernel>& kernels);

}  // namespace hipwright::toolchain
