// SPDX-License-Identifier: MIT
// CUDA C++ in the strings of a Python file: kernels for cupy.RawKernel, load_inline, hiprtc and the
// like.
#pragma once

#include <string>
#include <vector>

#include "lint/rule.h"
#include "syntax/python/file.h"

namespace hipwright::lint {

struct EmbeddedCuda {
  std::size_t begin = 0;  // in the Python text
  // As long as the strings with what is between them: quotes, escapes and the fields of f-strings
  // are replaced by other bytes, so that every token has its place in the Python text.
  std::string text;
  bool is_formatted = false;  // braces are doubled in the Python text
  syntax::Truth on_amd = syntax::Truth::kMaybe;
};

// Strings with device functions that may be compiled for AMD; adjacent strings are one text.
std::vector<EmbeddedCuda> embedded_cuda(const syntax::python::File& file, const FileFacts& facts);

// Checks the embedded texts with rules for CUDA; the findings are places in the Python text.
void check_embedded(const EmbeddedCuda& embedded, const FileFacts& facts,
                    const std::vector<const Rule*>& rules, std::string_view python,
                    std::vector<Reported>& found);

}  // namespace hipwright::lint
