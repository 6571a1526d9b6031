// SPDX-License-Identifier: MIT
// Arithmetic with device pointers: CUdeviceptr is an integer, hipDeviceptr_t is void*.
#include <map>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

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
    members();
    if (variables_.empty()) return;
    const auto tokens = file_.tokens();
    for (cu::TokenIndex at = 1; at + 1 < tokens.size(); ++at)
      if (tokens[at].kind == cu::Kind::kName && variable_at(at) != nullptr &&
          !context_.is_settled(at))
        use(at);
  }

 private:
  struct Variable {
    bool is_array = false;  // or a pointer: p[i]
    bool is_pointer = false;
  };

  // CUdeviceptr a, b[2], *c;
  void declaration(cu::TokenIndex type) {
    cu::TokenIndex at = type + 1;
    while (at + 1 < file_.tokens().size()) {
      const bool is_pointer = file_.is(at, "*");
      if (is_pointer || file_.is(at, "&")) ++at;
      if (file_.tokens()[at].kind != cu::Kind::kName) return;
      const bool is_array = file_.is(at + 1, "[");
      variables_[file_.function_at(at)][file_.text(at)] = {is_array || is_pointer, is_pointer};
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

  // a.base + n, where a structure of the tree has CUdeviceptr base.
  void members() {
    std::set<std::string_view> names;
    for (const auto& source : context_.tree.files)
      if (source->cuda() != nullptr) find_members(*source->cuda(), names);
    for (const std::string_view name : names)
      for (const cu::TokenIndex at : cu::places_of(file_, name))
        if (at > 1 && cu::is_punctuator(file_, at - 1, {".", "->"}) &&
            cu::is_punctuator(file_, at + 1, {"+", "-", "+=", "-="}) && !context_.is_settled(at))
          member(at);
  }

  // Other files are read without asking for their brackets, which others may be making just now:
  // a local variable of the name counts as a member, too.
  static void find_members(const cu::File& file, std::set<std::string_view>& names) {
    for (const Name& type : {kPointer, kPointerV2})
      for (const cu::TokenIndex type_at : file.occurrences(type))
        for (cu::TokenIndex at = type_at + 1; cu::is_name(file, at); at += 2) {
          if (cu::is_punctuator(file, at + 1, {";", ",", "=", "{"})) names.insert(file.text(at));
          if (!file.is(at + 1, ",")) break;
        }
  }

  // Other structures may use the name for something else.
  bool is_always_pointer(std::string_view name) const {
    for (const auto& source : context_.tree.files) {
      const cu::File* file = source->cuda();
      if (file == nullptr || file->text().find(name) == std::string_view::npos) continue;
      for (const cu::TokenIndex at : cu::places_of(*file, name)) {
        const bool is_declared = at > 0 && file->is(at + 1, ";") &&
                                 (cu::is_name(*file, at - 1) || file->is(at - 1, "*")) &&
                                 file->text(at - 1) != "return";
        if (is_declared && !file->is(at - 1, kPointer) && !file->is(at - 1, kPointerV2))
          return false;
      }
    }
    return true;
  }

  void member(cu::TokenIndex at) {
    const cu::TokenIndex begin = object_before(at - 1);
    if (begin != cu::kNoToken && begin > 0 && file_.is(begin - 1, "&")) return;
    if (begin == cu::kNoToken || !is_always_pointer(file_.text(at)))
      return context_.report("HP219", Severity::kWarning, file_.span(at),
                             "arithmetic with a device pointer, if this is one: hipDeviceptr_t is "
                             "void*",
                             "Write static_cast<char*>(…) around the pointer.");
    arithmetic({begin, at + 1});
  }

  // a, a->b, a[i].b: where it begins.
  cu::TokenIndex object_before(cu::TokenIndex dot) const {
    for (cu::TokenIndex at = dot;;) {
      if (at == 0) return cu::kNoToken;
      --at;
      while (file_.is(at, "]") && file_.partner(at) != cu::kNoToken && file_.partner(at) > 0)
        at = file_.partner(at) - 1;
      if (!cu::is_name(file_, at)) return cu::kNoToken;
      if (at == 0 || !cu::is_punctuator(file_, at - 1, {".", "->", "::"})) return at;
      --at;
    }
  }

  void use(cu::TokenIndex at) {
    if (file_.is(at - 1, ".") || file_.is(at - 1, "->") || file_.is(at - 1, "&") ||
        file_.is(at - 1, kPointer))
      return;
    cu::TokenIndex end = at + 1;
    // *p + n; of p itself arithmetic is C++'s.
    const bool is_read = file_.is(at - 1, "*") && at > 1 &&
                         !cu::is_punctuator(file_, at - 2, {")", "]"}) &&
                         (!cu::is_name(file_, at - 2) || file_.text(at - 2) == "return");
    if (variable_at(at)->is_pointer && is_read && !file_.is(end, "["))
      return arithmetic({at - 1, end});
    if (variable_at(at)->is_array) {
      if (!file_.is(end, "[") || file_.partner(end) == cu::kNoToken) return;
      end = file_.partner(end) + 1;
    }
    arithmetic({at, end});
  }

  // p - q of two pointers.
  bool is_difference(cu::TokenRange pointer) const {
    const cu::TokenIndex other = pointer.end + 1;
    if (!file_.is(pointer.end, "-") || !cu::is_name(file_, other)) return false;
    const Variable* const variable = variable_at(other);
    return variable != nullptr && !variable->is_array &&
           !cu::is_punctuator(file_, other + 1, {"(", "[", ".", "->", "::"});
  }

  void arithmetic(cu::TokenRange pointer) {
    const std::string_view text = file_.text(pointer);
    const cu::TokenIndex end = pointer.end;
    if (is_difference(pointer))
      return replace({pointer.begin, end + 2},
                     fmt::format("(static_cast<char*>({}) - static_cast<char*>({}))", text,
                                 file_.text(end + 1)));
    if (cu::is_punctuator(file_, end, {"%", ">>", "<<", "&", "|"}) && !file_.is(end, "&&")) {
      // Of an alignment, or a part of the address.
      if (file_.is(end, "%") || file_.tokens()[end + 1].kind == cu::Kind::kNumber ||
          file_.is(end + 1, "("))
        replace(pointer, fmt::format("reinterpret_cast<unsigned long long>({})", text));
      return;
    }
    if (file_.is(end, "+") || file_.is(end, "-"))
      replace(pointer, fmt::format("static_cast<char*>({})", text));
    else if (file_.is(end, "+=") || file_.is(end, "-="))
      replace({pointer.begin, end + 1}, fmt::format("{} = static_cast<char*>({}) {}", text, text,
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
