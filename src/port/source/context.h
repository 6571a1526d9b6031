// SPDX-License-Identifier: MIT
// Shared state of the passes over one CUDA or C++ file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/options.h"
#include "port/ported_file.h"
#include "port/source/amd_support.h"
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
                const AmdSupport& amd_support, const Waves* whole_waves, PortedFile& into)
      : options(port_options),
        tree(port_tree),
        own(own_names),
        amd(amd_support),
        waves(whole_waves),
        source(*into.source),
        file(*into.source->cuda()),
        out_(into) {}

  const Options& options;
  const Tree& tree;
  const OwnNames& own;
  const AmdSupport& amd;
  const Waves* const waves;  // the files that can use whole waves; nullptr if not requested
  const SourceFile& source;
  const syntax::cuda::File& file;
  Needs needs;

  const Changes& changes() const { return out_.changes; }
  bool change(Span span, std::string replacement, CodeId code, std::string reason = {});
  bool rename(syntax::cuda::TokenIndex name, std::string_view replacement, CodeId code,
              std::string reason = {});
  void report(CodeId code, Severity severity, Span span, std::string message, std::string why = {});

  // In dual mode a header that AMD's compilers read says what it can for the whole file
  // (gate/shim.h): the sources stay as they are.
  bool is_dual() const { return options.mode == Mode::kDual; }
  ShimNeeds& shim() { return out_.shim; }
  // Two forms that NVIDIA's compiler takes for the same: no branch is needed.
  bool change_neutrally(Span span, std::string replacement, CodeId code, std::string reason);
  // Lets a macro of that header stand for a renaming that was made. False if there was none.
  bool use_macro(syntax::cuda::TokenIndex name, std::string macro, std::string text);

  // The only way to give a place 32 lanes: reports it, and changes nothing, where the project
  // counts lanes for AMD itself in code that is compiled together with it. Host code can reach any
  // kernel: there the whole project counts. False: nothing was changed.
  enum class Side { kDevice, kHost };
  bool keep_32_lanes(Span span, std::string replacement, Side side, std::string reason);
  bool keep_32_lanes(syntax::cuda::TokenIndex name, std::string_view replacement,
                     std::string reason);
  // Reports the place and returns true if it must stay unchanged for that reason.
  bool shares_lanes_with_amd(Span span, Side side);

  // Is this token NVIDIA-only, because the project's own #if lines already exclude AMD?
  bool is_settled(syntax::cuda::TokenIndex token) const;
  // Or is it AMD-only? Its lanes are then those of AMD's waves.
  bool are_lanes_settled(syntax::cuda::TokenIndex token) const;

 private:
  PortedFile& out_;
};

}  // namespace hipwright::port
