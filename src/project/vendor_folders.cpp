// SPDX-License-Identifier: MIT
#include "project/vendor_folders.h"

#include <array>

#include "base/words.h"
#include "project/file_facts.h"
#include "project/language.h"
#include "project/path.h"

namespace hipwright::project {

namespace {

constexpr std::array<std::string_view, 2> kAmdFolders = {"hip", "rocm"};

// Calls `body` with each folder of a path that has this name, from the root: "src/hip/".
template <class Body>
void each_folder(std::string_view small_path, std::string_view name, Body body) {
  std::size_t begin = 0;
  for (std::size_t slash = small_path.find('/'); slash != std::string_view::npos;
       slash = small_path.find('/', begin)) {
    if (small_path.substr(begin, slash - begin) == name) body(small_path.substr(0, slash + 1));
    begin = slash + 1;
  }
}

// The path with another word in the file's name: scan_cuda.hpp and scan_hip.hpp.
std::string beside(std::string_view path, std::string_view word, std::string_view other) {
  const std::size_t at = path.rfind(word);
  if (at == std::string_view::npos || path.find('/', at) != std::string_view::npos) return {};
  return std::string(path.substr(0, at)).append(other).append(path.substr(at + word.size()));
}

}  // namespace

void VendorFolders::add(std::string_view path) {
  const std::string small = lowered(path);
  has_amd_code_ = has_amd_code_ || facts_of_path(std::string(path)).is_rocm_specific;
  is_translated_ |= contains_word(small, "hipify") || small.ends_with("build_amd.py");
  const bool is_python = language_of(path) == Language::kPython;
  if (!is_python && language_of(path) != Language::kCuda) return;
  auto& folders = is_python ? python_of_hip_ : of_hip_;
  for (const std::string_view name : kAmdFolders)
    each_folder(small, name, [&](std::string_view folder) { folders.emplace(folder); });
  if (is_python) return;
  const std::string_view name = name_of(small);
  if (has_any(name, {"_rocm."}) || name.starts_with("rocm_")) of_hip_.emplace(small);
  if (!has_any(name, {"_hip.", ".hip."}) && !name.starts_with("hip_")) return;
  of_hip_.emplace(small);
  of_hip_.emplace(small.substr(0, small.size() - name.size()) + "hip/");
}

bool VendorFolders::is_for_cuda_alone(std::string_view path) const {
  const bool is_python = language_of(path) == Language::kPython;
  if (!is_python && (is_translated_ || language_of(path) != Language::kCuda)) return false;
  const auto& folders = is_python ? python_of_hip_ : of_hip_;
  if (folders.empty()) return false;
  const std::string small = lowered(path);
  bool found = !is_python && (of_hip_.contains(beside(small, "_cuda.", "_hip.")) ||
                              of_hip_.contains(beside(small, ".cuda.", ".hip.")) ||
                              of_hip_.contains(beside(small, "cuda_", "hip_")) ||
                              of_hip_.contains(beside(small, "_cuda.", "_rocm.")) ||
                              of_hip_.contains(beside(small, "cuda_", "rocm_")));
  each_folder(small, "cuda", [&](std::string_view folder) {
    const std::string_view above =
        folder.substr(0, folder.size() - std::string_view("cuda/").size());
    for (const std::string_view name : kAmdFolders)
      found |= folders.contains(std::string(above).append(name) + "/");
  });
  return found;
}

}  // namespace hipwright::project
