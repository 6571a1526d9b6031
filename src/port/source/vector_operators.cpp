// SPDX-License-Identifier: MIT
#include "port/source/vector_operators.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "port/source/parts.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

constexpr std::array<std::string_view, 12> kElements = {"char",  "uchar",    "short",     "ushort",
                                                        "int",   "uint",     "long",      "ulong",
                                                        "float", "longlong", "ulonglong", "double"};
constexpr std::string_view kComponents = "xyzw";

// How many components; 0: no vector type.
std::size_t components_of(std::string_view type) {
  if (type.empty() || type.back() < '1' || type.back() > '4') return 0;
  const bool is_vector =
      std::ranges::find(kElements, type.substr(0, type.size() - 1)) != kElements.end();
  return is_vector ? static_cast<std::size_t>(type.back() - '0') : 0;
}

struct Parameter {
  std::string_view type, name;
  bool is_const = false, is_reference = false;
};

class Operator {
 public:
  Operator(const cu::File& file, const cu::Function& function) : file_(file), function_(function) {}

  VectorOperator kind() {
    if (function_.body.empty() || !function_.template_parameters.empty()) return {};
    if (function_.name == cu::kNoToken || file_.text(function_.name) != "operator") return {};
    if (is_member() || !read_parameters()) return {};
    sign_ = file_.text(function_.name + 1);
    if (!is_as_good_as_hips()) return VectorOperator::kNone;
    return is_by_component() ? VectorOperator::kSame : VectorOperator::kOther;
  }

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
      const std::string_view text = file_.text(at);
      if (text == ",") {
        if (!finish()) return false;
      } else if (text == "const" || text == "&") {
        (text == "&" ? now.is_reference : now.is_const) = true;
      } else if (components_of(text) != 0 && now.type.empty()) {
        now.type = text;
      } else if (file_.tokens()[at].kind == cu::Kind::kName && !now.type.empty() &&
                 now.name.empty()) {
        now.name = text;
      } else {
        return false;
      }
    }
    return finish() && parameters_.size() <= 2 && parameters_[0].type == parameters_.back().type;
  }

  bool is_assignment() const { return sign_.size() >= 2 && sign_.back() == '='; }

  // HIP has these as plain functions or members; the others as templates, which step back.
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
    const std::size_t count = components_of(parameters_[0].type);
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

  // a = a + b, and perhaps return a: as good as the operator that it uses, which is looked at by
  // itself where it is the program's own.
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
  // Its last token; none when the expression goes on.
  cu::TokenIndex end_of_component(cu::TokenIndex at) const {
    const cu::TokenIndex last = at + (parameters_.size() == 1 ? 3 : 6);
    const cu::TokenIndex next = last + 1;
    if (next > function_.body.end) return cu::kNoToken;
    const std::string_view text = next == function_.body.end ? ";" : file_.text(next);
    return text == "," || text == ";" || text == ")" || text == "}" ? last : cu::kNoToken;
  }

  // What may stand around the components.
  bool is_frame(cu::TokenIndex at, std::size_t made) const {
    const std::string_view text = file_.text(at);
    const std::string_view type = parameters_[0].type;
    if (text == "(" || text == ")" || text == "{" || text == "}" || text == "," || text == ";")
      return true;
    if (text == "return" || text == type) return true;
    if (text.starts_with("make_")) return text.substr(5) == type;
    if (file_.tokens()[at].kind == cu::Kind::kName) {
      if (text == parameters_.back().name && parameters_.size() == 2) return false;
      // `r` of a declaration, of `r.x =` for the component that comes next, of `return r`.
      const bool is_result = text != parameters_[0].name || is_assignment();
      const std::string_view before = file_.text(at - 1), after = file_.text(at + 1);
      if (before == ".")
        return made < kComponents.size() && text == kComponents.substr(made, 1) && after == "=";
      return is_result && (before == type || before == "return" || after == ".");
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
  return Operator(file, function).kind();
}

namespace {

// Are its vectors CUDA's? Others have types of these names, too.
bool is_of_cuda(const SourceContext& context, const cu::Function& function) {
  const cu::File& file = context.file;
  for (cu::TokenIndex at = function.parameters.begin; at < function.parameters.end; ++at)
    if (components_of(file.text(at)) != 0 && context.own.has(file.text(at), context.source, at))
      return false;
  const std::string_view path = context.source.path();
  if (function.qualifiers != 0 || path.ends_with(".cu") || path.ends_with(".cuh")) return true;
  return std::ranges::any_of(file.includes(), [](const cu::Include& include) {
    return api::find_header(include.path) != nullptr || include.path.starts_with("hip/");
  });
}

const syntax::Name kOperator("operator");

}  // namespace

void settle_vector_operators(SourceContext& context) {
  const cu::File& file = context.file;
  if (!file.has(kOperator)) return;
  for (const cu::Function& function : file.functions()) {
    const VectorOperator kind = vector_operator(file, function);
    if (kind == VectorOperator::kNone || context.is_settled(function.name) ||
        !is_of_cuda(context, function))
      continue;
    const Span whole = {file.span(function.head).begin, file.span(function.body.end).end};
    if (kind == VectorOperator::kSame)
      context.change(whole, "", "HP212", "HIP's vector types have this operator");
    else
      context.tell("HP212", Severity::kError, file.span(function.name),
                   "HIP's vector types have this operator, and theirs does something else",
                   "Calls are ambiguous with both. Make this one a function, or the type a struct "
                   "of your own.");
  }
}

}  // namespace hipwright::port
