// SPDX-License-Identifier: MIT
// The build files of a tree, or of the project that it is a directory of, that choose AMD, because
// the project says so: not because an earlier port did.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "port/project_names.h"
#include "project/build/built.h"

namespace hipwright::port {

class AmdBuilds {
 public:
  explicit AmdBuilds(const Tree& tree);

  // Does the build that this file is part of choose AMD?
  bool has(std::string_view path) const;
  // The platforms that such a build compiles a source for; kNo if it does not name it.
  project::BuiltFor built(std::string_view source) const;
  // Does such a build compile the device sources beside this one for AMD, all of them? For sources
  // that no list names: templates, names that CMake puts together.
  bool compile_beside(std::string_view source) const;
  // Does a setup.py around this source choose AMD and build PyTorch extensions? Its sources are
  // often named by patterns.
  bool may_extend_pytorch(std::string_view source) const;
  // Are CUDA names translated while the project is built, by hipify or by PyTorch?
  bool translate_names() const { return translates_names_; }

 private:
  bool chooses(std::string_view path) const;  // from where the build begins

  std::string prefix_;                             // from there to the tree
  std::set<std::string, std::less<>> folders_;     // of builds that do, with those below
  std::set<std::string, std::less<>> extensions_;  // the same, of PyTorch extensions
  project::BuiltFiles lists_;
  project::BuiltFiles device_folders_;  // by folder: `nvidia` if a device source is NVIDIA's only
  bool translates_names_ = false;
};

}  // namespace hipwright::port
