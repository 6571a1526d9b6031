// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>

#include "port/port.h"
#include "port/verify/build_words.h"
#include "syntax/cuda/file.h"

namespace hipwright::port {

// Headers of CUDA that lie outside of a tree and are included from it: nobody ports them.
class HeadersOutside {
 public:
  explicit HeadersOutside(const Tree& tree) : tree_(tree), build_(tree) {}

  // Tells those that the file includes; false: there are none.
  bool tell(PortedFile& file);

 private:
  std::filesystem::path header(const syntax::cuda::Include& include, const SourceFile& from) const;
  std::filesystem::path existing(const std::filesystem::path& path) const;

  const Tree& tree_;
  const UnitWords build_;
  std::map<std::filesystem::path, bool> is_cuda_;
};

}  // namespace hipwright::port
