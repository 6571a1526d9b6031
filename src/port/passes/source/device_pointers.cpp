// SPDX-License-Identifier: MIT
// Arithmetic with device pointers: CUdeviceptr is an integer, hipDeviceptr_t is void*.
#include <algorithm>
#include <array>
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
    for (const Name& type : {kPointer, kPointerV2})
      for (const cu::TokenIndex at : file_.occurrences(type))
        if (!context_.is_settled(at)) cast(at);
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
      // CUdeviceptr next(…) is called elsewhere.
      const cu::Function* const scope =
          file_.is(at + 1, "(") ? no_function() : file_.function_at(at);
      variables_[scope][file_.text(at)] = {is_array || is_pointer, is_pointer};
      if (!is_array && !is_pointer && file_.is(at + 1, "=") && is_number({at + 2, at + 3}) &&
          cu::is_punctuator(file_, at + 3, {";", ",", ")"}) && !context_.is_settled(at))
        from_number(at + 2);
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

  void from_number(cu::TokenIndex at) {
    replace({at, at + 1}, fmt::format("(hipDeviceptr_t){}", file_.text(at)));
  }

  // static_cast<CUdeviceptr>(number), (CUdeviceptr)number + n, ~(CUdeviceptr)255
  void cast(cu::TokenIndex type) {
    if (file_.is(type - 1, "(") && file_.is(type + 1, ")")) {
      if (is_in_integers(type)) return;
      if (type > 1 && file_.is(type - 2, "~"))
        return replace({type, type + 1}, "unsigned long long");
      const cu::TokenIndex end = operand_end(type + 2);
      if (cu::is_punctuator(file_, end, {"+", "-"})) replace({type, type + 1}, "char*");
    } else if (file_.is(type - 1, "<") && file_.is(type + 1, ">") && file_.is(type + 2, "(") &&
               type > 1 && file_.partner(type + 2) != cu::kNoToken) {
      const cu::TokenRange from{type - 2, type + 2};
      const bool is_moved = cu::is_punctuator(file_, file_.partner(type + 2) + 1, {"+", "-"});
      if (is_in_integers(type)) return;
      if (is_moved)
        replace(from, "(char*)");
      else if (file_.text(type - 2) == "static_cast" || is_const(type + 3))
        replace(from, "(hipDeviceptr_t)");
    }
  }

  // The argument is a pointer to const, which reinterpret_cast<void*> refuses.
  bool is_const(cu::TokenIndex argument) const {
    if (!cu::is_name(file_, argument)) return false;
    const auto variable = cu::declaration_of(file_, argument);
    return variable && file_.text(variable->type).find("const") != std::string_view::npos;
  }

  // a, a.b, f(a), (a), 3: the token behind it.
  cu::TokenIndex operand_end(cu::TokenIndex at) const {
    if (file_.is(at, "(") && file_.partner(at) != cu::kNoToken) return file_.partner(at) + 1;
    for (++at; at < file_.tokens().size();) {
      if (cu::is_punctuator(file_, at, {".", "->", "::"}))
        at += 2;
      else if (cu::is_punctuator(file_, at, {"(", "["}) && file_.partner(at) != cu::kNoToken)
        at = file_.partner(at) + 1;
      else
        break;
    }
    return at;
  }

  // The expression around a token that becomes the value of a device pointer: behind = or return.
  cu::TokenRange assigned(cu::TokenIndex at) const {
    for (cu::TokenIndex open = file_.enclosing(at); open != cu::kNoToken && file_.is(open, "(");
         open = file_.enclosing(at)) {
      if (open > 0 && cu::is_name(file_, open - 1) && file_.text(open - 1) != "return") return {};
      at = open;
    }
    const cu::TokenRange part = cu::segment(file_, at);
    const cu::Function* const function = file_.function_at(at);
    if (part.empty() || function == nullptr) return {};
    if (file_.text(part.begin) == "return") {
      for (cu::TokenIndex head = function->head.begin; head < function->name; ++head)
        if (file_.is(head, kPointer) || file_.is(head, kPointerV2))
          return {part.begin + 1, part.end};
      return {};
    }
    for (cu::TokenIndex equals = part.begin + 1; equals < at; ++equals)
      if (file_.is(equals, "=")) {
        const Variable* const target =
            cu::is_name(file_, equals - 1) ? variable_at(equals - 1) : nullptr;
        if (target == nullptr || target->is_array) return {};
        for (cu::TokenIndex each = equals + 1; each < part.end; ++each)
          if (file_.is(each, ",") && file_.enclosing(each) == file_.enclosing(equals)) return {};
        return {equals + 1, part.end};
      }
    return {};
  }

  // A device pointer computed with bits, (p + 255) & ~255: the whole is computed in integers.
  bool is_in_integers(cu::TokenIndex at) {
    const cu::TokenRange value = assigned(at);
    if (in_integers_.contains(value.begin)) return true;
    if (value.empty() || !has_bit_operator(value)) return false;
    in_integers_.insert(value.begin);
    if (const std::string now = as_integers(value); !now.empty())
      replace(value, fmt::format("reinterpret_cast<hipDeviceptr_t>({})", now));
    else
      context_.report("HP219", Severity::kWarning, file_.span(value),
                      "arithmetic with a device pointer: hipDeviceptr_t is void*",
                      "Cast the pointers to unsigned long long, and the result back.");
    return true;
  }

  bool has_bit_operator(cu::TokenRange value) const {
    for (cu::TokenIndex at = value.begin + 1; at + 1 < value.end; ++at) {
      const bool is_behind_operand = cu::is_name(file_, at - 1) || file_.is(at - 1, ")") ||
                                     file_.is(at - 1, "]") ||
                                     file_.tokens()[at - 1].kind == cu::Kind::kNumber;
      if (is_behind_operand && cu::is_punctuator(file_, at, {"&", "|", "^", "%"})) return true;
    }
    return false;
  }

  // Empty if it calls functions or has members, whose types are unknown.
  std::string as_integers(cu::TokenRange value) const {
    std::string text;
    std::size_t end = file_.span(value.begin).begin;
    for (cu::TokenIndex at = value.begin; at < value.end; ++at) {
      const Span span = file_.span(at);
      text += file_.text().substr(end, span.begin - end);
      end = span.end;
      const bool is_type = file_.is(at, kPointer) || file_.is(at, kPointerV2);
      const bool is_variable = cu::is_name(file_, at) && !is_type && variable_at(at) != nullptr;
      if (cu::is_punctuator(file_, at, {".", "->", "["}) ||
          (cu::is_name(file_, at) && file_.is(at + 1, "(") && file_.text(at) != "sizeof"))
        return {};
      text += is_type ? "unsigned long long"
              : is_variable
                  ? fmt::format("reinterpret_cast<unsigned long long>({})", file_.text(at))
                  : std::string(file_.text(at));
    }
    return text;
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
    } else if (file_.is(end, "(") && file_.partner(end) != cu::kNoToken) {
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

  static bool are_words_of_integer(std::string_view word) {
    static constexpr auto kWords =
        std::to_array<std::string_view>({"const", "int", "int64_t", "long", "size_t", "ssize_t",
                                         "std", "::", "uint64_t", "uintptr_t", "unsigned"});
    return std::ranges::find(kWords, word) != kWords.end();
  }
  bool is_integer_type(cu::TokenRange type) const {
    for (cu::TokenIndex at = type.begin; at < type.end; ++at)
      if (!are_words_of_integer(file_.text(at)) || file_.is(at, kPointer)) return false;
    return !type.empty();
  }

  // A literal other than 0, or a variable of integer type.
  bool is_number(cu::TokenRange value) const {
    if (file_.tokens()[value.begin].kind == cu::Kind::kNumber)
      return !cu::is_constant(file_, value, 0);
    if (!cu::is_name(file_, value.begin)) return false;
    const auto variable = cu::declaration_of(file_, value.begin);
    return variable && !variable->is_array && is_integer_type(variable->type);
  }

  // size_t n = p; static_cast<size_t>(p); p > 0
  bool is_number_wanted(cu::TokenRange pointer) const {
    const cu::TokenIndex before = pointer.begin - 1, end = pointer.end;
    if (cu::is_punctuator(file_, end, {"<", ">", "<=", ">=", "==", "!="}) &&
        file_.tokens()[end + 1].kind == cu::Kind::kNumber)
      return !cu::is_constant(file_, {end + 1, end + 2}, 0) ||
             !cu::is_punctuator(file_, end, {"==", "!="});
    if (file_.is(before, "=") && cu::is_punctuator(file_, end, {";", ","})) {
      const auto to = cu::declared_at(file_, before - 1);
      return to && !to->is_array && is_integer_type(to->type);
    }
    if (!file_.is(before, "(") || !file_.is(end, ")") || before < 4 || !file_.is(before - 1, ">"))
      return false;
    cu::TokenIndex begin = before - 1;
    while (begin > 0 && !file_.is(begin, "<")) --begin;
    return begin > 0 && file_.text(begin - 1) == "static_cast" &&
           is_integer_type({begin + 1, before - 1});
  }

  void arithmetic(cu::TokenRange pointer) {
    const std::string_view text = file_.text(pointer);
    const cu::TokenIndex end = pointer.end;
    if (is_in_integers(pointer.begin)) return;
    if (is_number_wanted(pointer))
      return replace(pointer, fmt::format("reinterpret_cast<unsigned long long>({})", text));
    if (file_.is(end, "=") && is_number({end + 1, end + 2}) && file_.is(end + 2, ";"))
      return from_number(end + 1);
    if (is_difference(pointer))
      return replace({pointer.begin, end + 2},
                     fmt::format("(static_cast<char*>({}) - static_cast<char*>({}))", text,
                                 file_.text(end + 1)));
    if (cu::is_punctuator(file_, end, {"%", "/", ">>", "<<", "&", "|", "^"})) {
      // Of an alignment, or a part of the address. A << B may be output.
      if (cu::is_punctuator(file_, end, {"%", "/", "&", "|", "^"}) ||
          file_.tokens()[end + 1].kind == cu::Kind::kNumber || file_.is(end + 1, "("))
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
  std::set<cu::TokenIndex> in_integers_;  // where expressions computed in integers begin
};

void apply(SourceContext& context) {
  DevicePointers(context).run();
}

}  // namespace

Pass device_pointers() {
  return {.codes = {"HP219"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
