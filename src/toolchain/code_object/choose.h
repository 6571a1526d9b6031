// SPDX-License-Identifier: MIT
// Chooses the code object that a device runs.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "arch/target.h"
#include "base/error.h"
#include "toolchain/code_object/bytes.h"
#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain {

struct Choice {
  std::optional<CodeObject> best;  // empty if none is for the device
  std::set<std::string> targets;   // of all code objects
};

// `bytes`: a code object, or any input of find_code_objects(). Damaged input is an error.
Result<Choice> choose_code_object(const Bytes& bytes, const std::string& origin,
                                  const arch::Target& device);

}  // namespace hipwright::toolchain
