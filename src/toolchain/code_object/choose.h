// SPDX-License-Identifier: MIT
// Which of several code objects a device runs.
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
  std::optional<CodeObject> best;  // nothing: none is for the device
  std::set<std::string> targets;   // of all that are there
};

// `bytes`: a code object, or whatever find_code_objects() reads. One that is damaged is an error.
Result<Choice> choose_code_object(const Bytes& bytes, const std::string& origin,
                                  const arch::Target& device);

}  // namespace hipwright::toolchain
