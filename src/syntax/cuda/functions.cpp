// SPDX-License-Identifier: MIT
#include "syntax/cuda/functions.h"

#include <algorithm>

#include "syntax/cuda/signature.h"
#include "syntax/cuda/state.h"

namespace hipwright::syntax::cuda {

namespace {

constexpr TokenIndex kLongestHead = 4096;

class Finder {
 public:
  explicit Finder(const File& file)
      : file_(file), end_(static_cast<TokenIndex>(file.tokens().size() - 1)) {}

  std::vector<Function> run() {
    while (at_ < end_) step();
    return std::move(found_);
  }

 private:
  void step() {
    if ((file_.tokens()[at_].flags & kInDirective) != 0) {
      if (begin_ == at_) ++begin_;
      ++at_;
    } else if (file_.tokens()[at_].kind != Kind::kPunct) {
      ++at_;
    } else if (file_.is(at_, ";")) {
      declaration();
      restart(at_ + 1);
    } else if (file_.is(at_, "}")) {
      if (!classes_.empty() && classes_.back().end == at_) classes_.pop_back();
      restart(at_ + 1);
    } else if (file_.is(at_, "(") || file_.is(at_, "[")) {
      at_ = behind(at_);
    } else if (file_.is(at_, "{")) {
      brace();
    } else if (file_.is(at_, ":") && at_ == begin_ + 1 && is_access(file_.text(begin_))) {
      restart(at_ + 1);
    } else {
      ++at_;
    }
  }

  void restart(TokenIndex at) { begin_ = at_ = at; }

  TokenIndex behind(TokenIndex open) const {
    const TokenIndex close = file_.partner(open);
    return close == kNoToken || close <= open ? open + 1 : close + 1;
  }

  static bool is_access(std::string_view word) {
    return word == "public" || word == "private" || word == "protected";
  }

  void brace() {
    const TokenRange head{begin_, at_};
    if (head.empty() || at_ - begin_ > kLongestHead) return restart(behind(at_));
    if (is_member_initializer(head)) {
      at_ = behind(at_);
      return;
    }
    const auto signature = read_signature(file_, head);
    if (signature) return body(head, *signature);
    const std::string_view scope = scope_keyword(head);
    if (scope.empty()) {  // int x{1}; enum E {…}; T y = {…};
      at_ = behind(at_);
      return;
    }
    if (scope != "namespace" && scope != "extern")
      classes_.push_back({class_name(head), file_.partner(at_)});
    restart(at_ + 1);
  }

  void body(TokenRange head, const Signature& signature) {
    const TokenIndex open = at_;
    const TokenIndex close = file_.partner(open);
    const bool is_closed = close != kNoToken && close > open;
    const TokenIndex end = is_closed ? close : margin_after(open);
    if (is_function(signature)) add(head, signature, {open + 1, end});
    restart(is_closed ? end + 1 : end);
  }

  // An unclosed body ends at the next declaration in the first column.
  TokenIndex margin_after(TokenIndex open) const {
    for (TokenIndex at = open + 1; at < end_; ++at) {
      const Token& token = file_.tokens()[at];
      const bool at_margin = token.begin == 0 || file_.text()[token.begin - 1] == '\n';
      if (at_margin && token.kind == Kind::kName && (token.flags & kInDirective) == 0) return at;
    }
    return end_;
  }

  void declaration() {
    const TokenRange head{begin_, at_};
    if (head.empty() || at_ - begin_ > kLongestHead) return;
    const std::string_view word = file_.text(head.begin);
    if (word == "using" || word == "typedef" || word == "static_assert" || word == "return") return;
    const auto signature = read_signature(file_, head);
    if (!signature || !is_function(*signature)) return;
    if (!signature->has_type && signature->qualifiers == 0 && !is_constructor(signature->name))
      return;
    // dim3 grid(4, 4); declares an object.
    const Kind first = file_.tokens()[signature->parameters.begin].kind;
    if (first == Kind::kNumber || first == Kind::kString) return;
    add(head, *signature, {at_, at_});
  }

  bool is_function(const Signature& signature) const {
    if (signature.has_type || signature.qualifiers != 0) return true;
    return is_constructor(signature.name) || !is_all_capitals(file_.text(signature.name));
  }

  bool is_constructor(TokenIndex name) const {
    if (name > 0 && file_.is(name - 1, "~")) return true;
    const std::string_view text = file_.text(name);
    if (text == "operator") return true;
    if (!classes_.empty() && classes_.back().name == text) return true;
    return name > 1 && file_.is(name - 1, "::");
  }

  void add(TokenRange head, const Signature& signature, TokenRange body) {
    Function function;
    function.name = signature.name;
    function.qualifiers = signature.qualifiers;
    function.head = head;
    function.parameters = signature.parameters;
    function.template_parameters = signature.template_parameters;
    function.body = body;
    found_.push_back(function);
  }

  // Foo() : a_{1}, b_(2) {: the first brace is not the body.
  bool is_member_initializer(TokenRange head) const {
    const TokenIndex before = head.end - 1;
    if (file_.tokens()[before].kind != Kind::kName && !file_.is(before, ">")) return false;
    bool has_parameters = false;
    for (TokenIndex at = head.begin; at < head.end; ++at) {
      if (file_.is(at, "(")) {
        at = behind(at) - 1;
        has_parameters = true;
      } else if (has_parameters && file_.is(at, ":")) {
        return true;
      }
    }
    return false;
  }

  std::string_view scope_keyword(TokenRange head) const {
    TokenIndex at = head.begin;
    if (file_.text(at) == "template" && file_.is(at + 1, "<")) {
      const TokenIndex angle = angle_end(file_, at + 1, head.end);
      if (angle != kNoToken) at = angle + 1;
    }
    for (; at < head.end; ++at) {
      if (file_.is(at, "=")) return {};
      if (file_.is(at, "(")) at = behind(at) - 1;
      const std::string_view word = file_.text(at);
      if (word == "enum") return {};
      if (word == "namespace" || word == "struct" || word == "class" || word == "union")
        return word;
      if (word == "extern" && at + 1 < head.end && file_.tokens()[at + 1].kind == Kind::kString)
        return word;
    }
    return {};
  }

  // The last name before the bases, the brace or "final".
  std::string_view class_name(TokenRange head) const {
    std::string_view name;
    for (TokenIndex at = head.begin; at < head.end && !file_.is(at, ":"); ++at) {
      if (file_.is(at, "<")) {
        const TokenIndex end = angle_end(file_, at, head.end);
        if (end != kNoToken) at = end;
      } else if (file_.tokens()[at].kind == Kind::kName && file_.text(at) != "final") {
        name = file_.text(at);
      }
    }
    return name;
  }

  struct Class {
    std::string_view name;
    TokenIndex end;
  };

  const File& file_;
  TokenIndex end_;
  TokenIndex begin_ = 0;  // of the declaration being read
  TokenIndex at_ = 0;
  std::vector<Class> classes_;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> find_functions(const File& file) {
  return Finder(file).run();
}

std::span<const Function> File::functions() const {
  if (!state_->functions) state_->functions = find_functions(*this);
  return *state_->functions;
}

const Function* File::function_at(TokenIndex token) const {
  const std::span<const Function> all = functions();
  const auto after = std::upper_bound(
      all.begin(), all.end(), token,
      [](TokenIndex at, const Function& function) { return at < function.head.begin; });
  if (after == all.begin()) return nullptr;
  const Function& before = *std::prev(after);
  return token < std::max(before.body.end, before.head.end) ? &before : nullptr;
}

}  // namespace hipwright::syntax::cuda
