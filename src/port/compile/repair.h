// SPDX-License-Identifier: MIT
// Turns a compiler's messages into edits. A pure function: no compiler is needed to test it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "port/code_id.h"
#include "toolchain/compile/compile.h"

namespace hipwright::port {

struct Repair {
  std::string path;  // of the tree
  Span span;         // of the ported text
  std::string replacement;
  CodeId code;
  std::string reason;
  bool needs_compat = false;  // hip_compat.h must be part of the tree
};

// The ported text of a file of the tree; nullptr if the path is not in the tree.
using PortedText = std::function<const std::string*(const std::string& path)>;

// One error and the notes that belong to it.
using Messages = std::span<const toolchain::LogMessage>;

// The paths of messages are the tree's where they lie in it. Nothing is proposed twice.
std::vector<Repair> repairs_for(Messages messages, const PortedText& text_of);

// The header that declares a name which CUDA's headers include and HIP's may not: "<cstring>" for
// std::memcpy. Empty if unknown.
struct DeclaringHeader {
  std::string_view header;
  bool is_hip = false;
};
std::optional<DeclaringHeader> header_declaring(std::string_view name, bool in_std);

// The library of a header that only some machines have: "hipBLAS" for "hipblas/hipblas.h".
std::string_view library_of_header(std::string_view header);

}  // namespace hipwright::port
