// SPDX-License-Identifier: MIT
// What the parts of the source phases share while they look at one file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/port.h"
#include "port/source/own_names.h"

namespace hipwright::port {

// Headers that the changed file needs and may not have.
struct Needs {
  bool runtime = false;  // uses HIP
  bool compat = false;   // uses what HIP lacks
  bool ptx = false;      // uses what translated PTX calls
};

class SourceContext {
 public:
  SourceContext(const Options& port_options, const Tree& port_tree, const OwnNames& own_names,
                const SourceFile& source_file, PortedFile& into)
      : options(port_options),
        tree(port_tree),
        own(own_names),
        source(source_file),
        file(*source_file.cuda()),
        out_(into) {}

  const Options& options;
  const Tree& tree;
  const OwnNames& own;
  const SourceFile& source;
  const syntax::cuda::File& file;
  Needs needs;

  Changes& changes() { return out_.changes; }
  bool change(Span span, std::string replacement, std::string_view code, std::string reason = {},
              Phase phase = Phase::kSource);
  bool rename(syntax::cuda::TokenIndex name, std::string_view replacement, std::string_view code,
              std::string reason = {}, Phase phase = Phase::kSource);
  void tell(std::string_view code, Severity severity, Span span, std::string message,
            std::string why = {});

  // Is this token for NVIDIA alone, because the project's own #if lines say so for AMD already?
  bool is_settled(syntax::cuda::TokenIndex token) const;
  // Or is it for AMD alone? What it says of lanes is then meant for AMD's waves.
  bool are_lanes_settled(syntax::cuda::TokenIndex token) const;

 private:
  bool asks_for_amd(syntax::cuda::TokenIndex token) const;

  PortedFile& out_;
};

}  // namespace hipwright::port
