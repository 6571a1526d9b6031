// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "toolchain/driver.h"

namespace hipwright::port {

// ROCm's compiler where it is installed, else clang with the SDK: found once, called often.
class UnitCompiler {
 public:
  static Result<UnitCompiler> find(std::vector<std::string> archs);

  // To an object file, for all targets: instructions are checked as well as types. `words`: -I, -D
  // and -std of this source.
  Result<Finished> compile(const std::filesystem::path& source, const std::filesystem::path& object,
                           const std::vector<std::string>& words) const;

 private:
  std::vector<std::string> archs_;
  std::optional<toolchain::Rocm> rocm_;
  std::optional<toolchain::DriverEnvironment> own_;
};

}  // namespace hipwright::port
