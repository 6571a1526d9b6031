// SPDX-License-Identifier: MIT
// Arithmetic with device pointers: CUdeviceptr is an integer, hipDeviceptr_t is void*.
#include <map>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kPointer("CUdeviceptr"), kPointerV2("CUdeviceptr_v2");

class DevicePointers {
 public:
  explicit DevicePointers(SourceContext& context) : context_(context), file_(context.file) {}

  void run() {
    for (const Name& type : {kPointer, kPointerV2})
      for (const cu::TokenIndex at : file_.occurrences(type)) declaration(at);
    if (variables_.empty()) return;
    const auto tokens = file_.tokens();
    for (cu::TokenIndex at = 1; at + 1 < tokens.size(); ++at)
      if (tokens[at].kind == cu::Kind::kName && variable_at(at) != nullptr &&
          !context_.is_settled(at))
        use(at);
  }

 private:
  struct Variable {
    bool is_array = false;
  };

  // CUdeviceptr a, b[2], *c;
  void declaration(cu::TokenIndex type) {
    cu::TokenIndex at = type + 1;
    while (at + 1 < file_.tokens().size()) {
      const bool is_reference = file_.is(at, "&");
      if (is_reference) ++at;
      // Of a pointer to one, arithmetic is C++'s.
      if (file_.tokens()[at].kind != cu::Kind::kName) return;
      const bool is_array = file_.is(at + 1, "[");
      variables_[file_.function_at(at)][file_.text(at)] = {is_array};
      // Only what is declared in a statement goes on behind a comma.
      if (file_.enclosing(at) != cu::kNoToken && file_.is(file_.enclosing(at), "(")) return;
      ++at;
      while (at < file_.tokens().size() && !file_.is(at, ",") && !file_.is(at, ";")) {
        const bool opens = file_.is(at, "(") || file_.is(at, "[") || file_.is(at, "{");
        if (file_.is(at, ")") || file_.is(at, "}")) return;
        at = opens && file_.partner(at) != cu::kNoToken ? file_.partner(at) + 1 : at + 1;
      }
      if (!file_.is(at, ",")) return;
      ++at;
    }
  }

  const Variable* variable_at(cu::TokenIndex at) const {
    for (const cu::Function* const function : {file_.function_at(at), no_function()}) {
      const auto known = variables_.find(function);
      if (known == variables_.end()) continue;
      const auto found = known->second.find(file_.text(at));
      if (found != known->second.end()) return &found->second;
    }
    return nullptr;
  }
  static const cu::Function* no_function() { return nullptr; }

  void use(cu::TokenIndex at) {
    if (file_.is(at - 1, ".") || file_.is(at - 1, "->") || file_.is(at - 1, "&") ||
        file_.is(at - 1, kPointer))
      return;
    cu::TokenIndex end = at + 1;
    if (variable_at(at)->is_array) {
      if (!file_.is(end, "[") || file_.partner(end) == cu::kNoToken) return;
      end = file_.partner(end) + 1;
    }
    const std::string_view text = file_.text(cu::TokenRange{at, end});
    if (file_.is(end, "+") || file_.is(end, "-"))
      replace({at, end}, fmt::format("static_cast<char*>({})", text));
    else if (file_.is(end, "+=") || file_.is(end, "-="))
      replace({at, end + 1}, fmt::format("{} = static_cast<char*>({}) {}", text, text,
                                         file_.text(end).substr(0, 1)));
  }

  void replace(cu::TokenRange range, std::string now) {
    context_.change(file_.span(range), std::move(now), "HP219", "hipDeviceptr_t is void*");
  }

  SourceContext& context_;
  const cu::File& file_;
  // By function; those of none are the file's.
  std::map<const cu::Function*, std::map<std::string_view, Variable>> variables_;
};

void apply(SourceContext& context) {
  DevicePointers(context).run();
}

}  // namespace

Pass device_pointers() {
  return {.codes = {"HP219"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
