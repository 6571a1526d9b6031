// SPDX-License-Identifier: MIT
#include "port/source/vector_operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

namespace cu = syntax::cuda;

std::size_t vector_components(std::string_view type) {
  static constexpr std::array<std::string_view, 12> kElements = {
      "char", "uchar", "short", "ushort",   "int",       "uint",
      "long", "ulong", "float", "longlong", "ulonglong", "double"};
  if (type.empty() || type.back() < '1' || type.back() > '4') return 0;
  const bool is_vector =
      std::ranges::find(kElements, type.substr(0, type.size() - 1)) != kElements.end();
  return is_vector ? static_cast<std::size_t>(type.back() - '0') : 0;
}

namespace {

constexpr std::string_view kComponents = "xyzw";
// Those of four 64-bit numbers become hip_compat's, which have no operators.
constexpr std::array<std::string_view, 5> kWithoutOperators = {"double4", "long4", "ulong4",
                                                               "longlong4", "ulonglong4"};
const syntax::Name kTypedef("typedef"), kUsing("using");

// Names that the file gives to a vector type: typedef float2 Complex; using Complex = float2;
// #define.
std::string_view without_alias(const cu::File& file, std::string_view name) {
  if (vector_components(name) != 0) return name;
  if (const cu::Macro* macro = file.macro_named(name);
      macro != nullptr && macro->body.end == macro->body.begin + 1) {
    const std::string_view type = file.text(macro->body.begin);
    return vector_components(type) != 0 ? type : name;
  }
  const std::size_t size = file.tokens().size();
  for (const cu::TokenIndex at : file.occurrences(kTypedef))
    if (at + 3 < size && file.text(at + 2) == name && file.is(at + 3, ";") &&
        vector_components(file.text(at + 1)) != 0)
      return file.text(at + 1);
  for (const cu::TokenIndex at : file.occurrences(kUsing))
    if (at + 4 < size && file.text(at + 1) == name && file.is(at + 2, "=") &&
        file.is(at + 4, ";") && vector_components(file.text(at + 3)) != 0)
      return file.text(at + 3);
  return name;
}

bool is_scalar(std::string_view type) {
  return type == "float" || type == "double" || type == "int" || type == "unsigned";
}

struct Parameter {
  std::string_view type, spelled, name;  // spelled: the program's name for the type
  bool is_const = false, is_reference = false;
};

class Operator {
 public:
  Operator(const cu::File& file, const cu::Function& function) : file_(file), function_(function) {}

  VectorOperator kind() {
    if (function_.body.empty() || !function_.template_parameters.empty()) return {};
    if (function_.name == cu::kNoToken || file_.text(function_.name) != "operator") return {};
    if (is_member() || !read_parameters()) return {};
    if (std::ranges::find(kWithoutOperators, parameters_[vector_index()].type) !=
        kWithoutOperators.end())
      return {};
    sign_ = file_.text(function_.name + 1);
    if (has_scalar()) return kind_with_scalar();
    if (!is_as_good_as_hips()) return VectorOperator::kNone;
    return is_by_component() ? VectorOperator::kSame : VectorOperator::kOther;
  }
  std::string_view sign() const { return sign_; }
  std::string_view vector() const { return parameters_[vector_index()].spelled; }

 private:
  bool is_member() const {
    const cu::TokenIndex brace = file_.enclosing(function_.head.begin);
    if (brace == cu::kNoToken || brace == 0) return false;
    const auto is_namespace = [&](cu::TokenIndex at) { return file_.text(at) == "namespace"; };
    return !is_namespace(brace - 1) && !(brace >= 2 && is_namespace(brace - 2)) &&
           file_.tokens()[brace - 1].kind != cu::Kind::kString;  // extern "C++"
  }

  bool read_parameters() {
    Parameter now;
    const auto finish = [&] {
      parameters_.push_back(now);
      now = {};
      return parameters_.back().type != "";
    };
    for (cu::TokenIndex at = function_.parameters.begin; at < function_.parameters.end; ++at) {
      const std::string_view text = file_.text(at), type = without_alias(file_, text);
      if (text == ",") {
        if (!finish()) return false;
      } else if (text == "const" || text == "&") {
        (text == "&" ? now.is_reference : now.is_const) = true;
      } else if (now.type.empty() && (vector_components(type) != 0 || is_scalar(type))) {
        now.type = type;
        now.spelled = text;
      } else if (file_.tokens()[at].kind == cu::Kind::kName && !now.type.empty() &&
                 now.name.empty()) {
        now.name = text;
      } else {
        return false;
      }
    }
    if (!finish() || parameters_.size() > 2) return false;
    const bool is_first = vector_components(parameters_[0].type) != 0;
    const bool is_last = vector_components(parameters_.back().type) != 0;
    return is_first && is_last ? parameters_[0].type == parameters_.back().type
                               : is_first || is_last;
  }

  bool has_scalar() const { return parameters_[0].type != parameters_.back().type; }
  std::size_t vector_index() const { return vector_components(parameters_[0].type) != 0 ? 0 : 1; }

  // HIP's are templates for every type of scalar.
  VectorOperator kind_with_scalar() const {
    static constexpr std::array<std::string_view, 4> kSigns = {"+", "-", "*", "/"};
    if (std::ranges::find(kSigns, sign_) == kSigns.end() || !mixes_components()) return {};
    return vector_index() == 0 ? VectorOperator::kOtherByScalar : VectorOperator::kOtherOfScalar;
  }

  // A component of the result that depends on another component, or not on the scalar.
  bool mixes_components() const {
    const std::string_view vector = parameters_[vector_index()].name;
    const std::string_view scalar = parameters_[1 - vector_index()].name;
    char component = 0;
    bool has_scalar_here = false;
    for (cu::TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      const std::string_view text = file_.text(at);
      if (text == "," || text == ";") {
        if (component != 0 && !has_scalar_here) return true;
        component = 0;
        has_scalar_here = false;
      } else if (text == vector && file_.is(at + 1, ".") && at + 2 < function_.body.end) {
        const char read = file_.text(at + 2).front();
        if (component != 0 && component != read) return true;
        component = read;
      } else if (text == scalar) {
        has_scalar_here = true;
      } else if (file_.is(at + 1, "(") && file_.tokens()[at].kind == cu::Kind::kName &&
                 text != "return" && !text.starts_with("make_") && !is_vector_type(text)) {
        // conj(b): unknown.
        if (file_.is(at + 2, ")") || file_.text(at + 2) == vector) return true;
      }
    }
    return component != 0 && !has_scalar_here;
  }
  bool is_vector_type(std::string_view text) const {
    const Parameter& vector = parameters_[vector_index()];
    return text == vector.type || text == vector.spelled;
  }

  bool is_assignment() const { return sign_.size() >= 2 && sign_.back() == '='; }

  // HIP has these as plain functions or members; the others are templates, which lose overload
  // resolution.
  bool is_as_good_as_hips() const {
    const Parameter& first = parameters_[0];
    const bool changes_it = first.is_reference && !first.is_const;
    if (parameters_.size() == 1) return (sign_ == "-" || sign_ == "~") && !changes_it;
    if (sign_ == "*" || sign_ == "/") return !changes_it;
    static constexpr std::array<std::string_view, 10> kAssignments = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    return changes_it && std::ranges::find(kAssignments, sign_) != kAssignments.end();
  }

  // The body is one of: make_float2(a.x * b.x, a.y * b.y); {a.x * b.x, …}; r.x = a.x * b.x; … ;
  // a.x *= b.x; … Every component is made of the same components, once and in order.
  bool is_by_component() const {
    if (is_by_operator()) return true;
    const std::size_t count = vector_components(parameters_[0].type);
    std::size_t made = 0;
    for (cu::TokenIndex at = function_.body.begin; at < function_.body.end; ++at) {
      if (file_.tokens()[at].kind == cu::Kind::kNumber) return false;
      if (is_component(at, made)) {
        at = end_of_component(at);
        if (at == cu::kNoToken) return false;
        ++made;
      } else if (!is_frame(at, made)) {
        return false;
      }
    }
    return made == count;
  }

  // a = a + b, and perhaps return a: equivalent to the operator that it uses, which is checked
  // separately if the program defines it.
  bool is_by_operator() const {
    if (!is_assignment() || parameters_.size() != 2) return false;
    const std::string_view a = parameters_[0].name, b = parameters_[1].name;
    const std::string_view words[] = {a,        "=", a,  sign_.substr(0, sign_.size() - 1), b, ";",
                                      "return", a,   ";"};
    const std::size_t size = function_.body.end - function_.body.begin;
    if (size != 6 && size != 9) return false;
    for (std::size_t i = 0; i < size; ++i)
      if (file_.text(function_.body.begin + static_cast<cu::TokenIndex>(i)) != words[i])
        return false;
    return true;
  }

  bool is_term(cu::TokenIndex at, const Parameter& of, std::size_t component) const {
    return at + 2 < function_.body.end && file_.text(at) == of.name && file_.is(at + 1, ".") &&
           component < kComponents.size() && file_.text(at + 2) == kComponents.substr(component, 1);
  }
  // a.x * b.x, -a.x
  bool is_component(cu::TokenIndex at, std::size_t component) const {
    if (parameters_[0].name.empty()) return false;
    if (parameters_.size() == 1)
      return file_.text(at) == sign_ && is_term(at + 1, parameters_[0], component);
    return is_term(at, parameters_[0], component) && file_.text(at + 3) == sign_ &&
           is_term(at + 4, parameters_[1], component);
  }
  // Its last token; none if the expression continues.
  cu::TokenIndex end_of_component(cu::TokenIndex at) const {
    const cu::TokenIndex last = at + (parameters_.size() == 1 ? 3 : 6);
    const cu::TokenIndex next = last + 1;
    if (next > function_.body.end) return cu::kNoToken;
    const std::string_view text = next == function_.body.end ? ";" : file_.text(next);
    return text == "," || text == ";" || text == ")" || text == "}" ? last : cu::kNoToken;
  }

  // Tokens allowed around the components.
  bool is_frame(cu::TokenIndex at, std::size_t made) const {
    const std::string_view text = file_.text(at);
    const std::string_view type = parameters_[0].type;
    if (text == "(" || text == ")" || text == "{" || text == "}" || text == "," || text == ";")
      return true;
    if (text == "return" || is_vector_type(text)) return true;
    if (text.starts_with("make_")) return text.substr(5) == type;
    if (file_.tokens()[at].kind == cu::Kind::kName) {
      if (text == parameters_.back().name && parameters_.size() == 2) return false;
      // `r` of a declaration, of `r.x =` for the component that comes next, of `return r`.
      const bool is_result = text != parameters_[0].name || is_assignment();
      const std::string_view before = file_.text(at - 1), after = file_.text(at + 1);
      if (before == ".")
        return made < kComponents.size() && text == kComponents.substr(made, 1) && after == "=";
      return is_result && (is_vector_type(before) || before == "return" || after == ".");
    }
    if (text == ".") return true;
    return text == "=" && file_.text(at - 2) == ".";
  }

  const cu::File& file_;
  const cu::Function& function_;
  std::vector<Parameter> parameters_;
  std::string_view sign_;
};

}  // namespace

VectorOperator vector_operator(const cu::File& file, const cu::Function& function) {
  return read_vector_operator(file, function).kind;
}

ReadVectorOperator read_vector_operator(const cu::File& file, const cu::Function& function) {
  Operator read(file, function);
  const VectorOperator kind = read.kind();
  if (kind == VectorOperator::kNone) return {};
  return {kind, read.sign(), read.vector()};
}

}  // namespace hipwright::port
