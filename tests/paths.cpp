// SPDX-License-Identifier: MIT
#include "paths.h"

namespace hipwright {

std::filesystem::path tests_folder() {
  return HIPWRIGHT_TESTS_DIR;
}

std::string built_tool() {
  return HIPWRIGHT_BINARY;
}

}  // namespace hipwright
