// SPDX-License-Identifier: MIT
// From a compiler's messages to edits that answer them. Pure: no compiler is needed to test it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "toolchain/compile/compile.h"

namespace hipwright::port {

struct Repair {
  std::string path;  // of the tree
  Span span;         // of the ported text
  std::string replacement;
  std::string_view code;  // "HP801"
  std::string reason;
  bool needs_compat = false;  // hip_compat.h has to be part of the tree
};

// The ported text of a file of the tree; nullptr when the path is none of them.
using PortedText = std::function<const std::string*(const std::string& path)>;

// One error and the notes that belong to it.
using Messages = std::span<const toolchain::LogMessage>;

// The paths of messages are the tree's where they lie in it. Nothing is proposed twice.
std::vector<Repair> repairs_for(Messages messages, const PortedText& text_of);

// The header that declares a name which CUDA's headers bring along and HIP's may not:
// "<cstring>" for std::memcpy. Empty when it is not known.
struct DeclaringHeader {
  std::string_view header;
  bool is_hip = false;
};
std::optional<DeclaringHeader> header_declaring(std::string_view name, bool in_std);

// What a header belongs to that only some machines have: "hipBLAS" for "hipblas/hipblas.h".
std::string_view library_of_header(std::string_view header);

}  // namespace hipwright::port
