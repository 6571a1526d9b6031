// SPDX-License-Identifier: MIT
// Shared state of the passes over one CUDA or C++ file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/options.h"
#include "port/ported_file.h"
#include "port/source/own_names.h"

namespace hipwright::port {

class Waves;

// Headers that the changed file needs and may lack.
struct Needs {
  bool runtime = false;  // uses HIP
  bool compat = false;   // uses what HIP lacks
  bool ptx = false;      // uses what translated PTX calls
};

class SourceContext {
 public:
  SourceContext(const Options& port_options, const Tree& port_tree, const OwnNames& own_names,
                const Waves* whole_waves, PortedFile& into)
      : options(port_options),
        tree(port_tree),
        own(own_names),
        waves(whole_waves),
        source(*into.source),
        file(*into.source->cuda()),
        out_(into) {}

  const Options& options;
  const Tree& tree;
  const OwnNames& own;
  const Waves* const waves;  // the files that can use whole waves; nullptr if not requested
  const SourceFile& source;
  const syntax::cuda::File& file;
  Needs needs;

  const Changes& changes() const { return out_.changes; }
  bool change(Span span, std::string replacement, CodeId code, std::string reason = {});
  bool rename(syntax::cuda::TokenIndex name, std::string_view replacement, CodeId code,
              std::string reason = {});
  void report(CodeId code, Severity severity, Span span, std::string message, std::string why = {});

  // Is this token NVIDIA-only, because the project's own #if lines already exclude AMD?
  bool is_settled(syntax::cuda::TokenIndex token) const;
  // Or is it AMD-only? Its lanes are then those of AMD's waves.
  bool are_lanes_settled(syntax::cuda::TokenIndex token) const;

 private:
  bool asks_for_amd(syntax::cuda::TokenIndex token) const;

  PortedFile& out_;
};

}  // namespace hipwright::port
