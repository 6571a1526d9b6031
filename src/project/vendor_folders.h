// SPDX-License-Identifier: MIT
// Projects that keep two implementations side by side, cuda/x.cuh and hip/x.cuh or x_cuda.h and
// x_hip.h: AMD's compiler never sees the first. Not so where hipify translates one into the other.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hipwright::project {

class VendorFolders {
 public:
  // Every file of the project, before the first question.
  void add(std::string_view path);
  // A CUDA, C++ or Python file in a folder "cuda" beside a folder "hip" or "rocm" with files of
  // that kind; a CUDA or C++ file beside files named after HIP, or with a twin that has "hip" or
  // "rocm" for "cuda".
  bool is_for_cuda_alone(std::string_view path) const;
  // Has the project code for AMD, judging by its paths?
  bool has_amd_code() const { return has_amd_code_; }

 private:
  // "src/hip/", "src/scan_hip.h"; in small letters
  std::set<std::string, std::less<>> of_hip_, python_of_hip_;
  bool is_translated_ = false;
  bool has_amd_code_ = false;
};

}  // namespace hipwright::project
