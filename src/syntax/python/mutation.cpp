// SPDX-License-Identifier: MIT
// In-place changes of a variable's value, and of its elements through loops and aliases.
#include <algorithm>
#include <array>

#include "syntax/python/binding.h"
#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

using namespace std::string_view_literals;

// Methods of lists, dictionaries, sets, deques and tensors that change what they are called on.
bool changes_in_place(std::string_view method) {
  static constexpr std::array kMethods = {
      "add"sv,    "append"sv, "appendleft"sv, "clear"sv,   "discard"sv,    "extend"sv, "fill"sv,
      "insert"sv, "pop"sv,    "popitem"sv,    "popleft"sv, "remove"sv,     "resize"sv, "reverse"sv,
      "rotate"sv, "sort"sv,   "setdefault"sv, "update"sv,  "extendleft"sv, "put"sv};
  if (std::ranges::find(kMethods, method) != kMethods.end()) return true;
  // PyTorch's convention: add_(), zero_(), copy_().
  return method.size() > 1 && method.back() == '_' && method[method.size() - 2] != '_' &&
         method.front() != '_';
}

class Finder {
 public:
  explicit Finder(const File& file) : file_(file), reader_(file) {}

  void find(const Variable& variable, unsigned level, TokenRange within, int depth) {
    for (const TokenIndex name : uses(file_, variable)) {
      if (!within.contains(name) || found_.size() >= kMost || budget_-- <= 0) continue;
      look(name, variable.is_attribute ? name - 2 : name, level, depth);
    }
  }

  std::vector<Mutation> take() {
    std::ranges::sort(found_, {}, &Mutation::name);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kMost = 256;
  static constexpr int kDeepest = 3;  // names for parts of parts

  void add(TokenIndex name, unsigned level) {
    found_.push_back({name, file_.statement_at(name), level});
  }

  void look(TokenIndex name, TokenIndex from, unsigned level, int depth) {
    TokenIndex at = name + 1;
    unsigned subscripts = 0;
    for (; is_op(file_, at, op("[")) && file_.partner(at) != kNoToken; at = file_.partner(at) + 1)
      ++subscripts;
    const StatementIndex statement = file_.statement_at(name);
    if (statement == kNoStatement) return;
    if (is_op(file_, at, op(".")) && file_.tokens()[at + 1].kind == Kind::kName) {
      if (is_op(file_, at + 2, op("("))) {
        if (changes_in_place(file_.text(at + 1))) return add(name, level + subscripts);
      } else if (reader_.is_target(from, at + 2)) {
        return add(name, level + subscripts);
      }
    } else if (file_.statements()[statement].kind == StatementKind::kDel) {
      if (subscripts > 0) add(name, level + subscripts - 1);
      return;
    } else if (reader_.is_target(from, at)) {
      const bool is_augmented = reader_.is_augmented(at);
      const bool adds_list = is_augmented && is_op(file_, reader_.right_side().begin, op("["));
      // `x[i] += [1]` changes the element, `x[i] += 1` and `x[i] = 1` what holds it.
      if (adds_list) {
        add(name, level + subscripts);
      } else if (subscripts > 0) {
        add(name, level + subscripts - 1);
      }
      return;
    }
    if (depth < kDeepest) look_through(name, from, at, level + subscripts, statement, depth);
  }

  // Other names for the same thing: `row = x[i]`, `for row in x`.
  void look_through(TokenIndex name, TokenIndex from, TokenIndex after, unsigned level,
                    StatementIndex statement, int depth) {
    const Statement& made = file_.statements()[statement];
    const auto all = file_.statements();
    if (made.kind == StatementKind::kSimple) {
      // The whole right side of `row = …`.
      const bool is_plain = after == made.tokens.end && from == made.tokens.begin + 2 &&
                            is_op(file_, from - 1, op("=")) &&
                            file_.tokens()[made.tokens.begin].kind == Kind::kName;
      if (is_plain) follow(made.tokens.begin, level, {after, end_of_file()}, depth);
    } else if (made.kind == StatementKind::kFor && made.block_end > statement + 1) {
      const TokenIndex target = loop_target(made, name, from, after);
      const TokenIndex body_end =
          made.block_end < all.size() ? all[made.block_end].tokens.begin : end_of_file();
      if (target != kNoToken) follow(target, level + 1, {made.tokens.end, body_end}, depth);
    }
  }

  TokenIndex end_of_file() const { return static_cast<TokenIndex>(file_.tokens().size()); }

  void follow(TokenIndex other, unsigned level, TokenRange within, int depth) {
    find(variable_at(file_, other), level, within, depth + 1);
  }

  // The target that gets the elements: `for row in x`, `for i, row in enumerate(x)`,
  // `for a, b in zip(x, y)`, `for k, v in x.items()`.
  TokenIndex loop_target(const Statement& made, TokenIndex name, TokenIndex from,
                         TokenIndex after) const {
    TokenIndex in = made.tokens.begin;
    std::vector<TokenIndex> targets;
    for (; in < made.tokens.end && !is_word(file_, in, "in"); ++in)
      if (file_.tokens()[in].kind == Kind::kName && !is_word(file_, in, "for") &&
          !is_word(file_, in, "async"))
        targets.push_back(in);
    if (name < in || targets.empty()) return kNoToken;
    const std::size_t last = targets.size() - 1;
    if (from == in + 1) {
      if (after == made.tokens.end) return last == 0 ? targets[0] : kNoToken;
      if (!is_op(file_, after, op(".")) || file_.skip(after + 2) != made.tokens.end)
        return kNoToken;
      if (is_word(file_, after + 1, "values")) return last == 0 ? targets[0] : kNoToken;
      return is_word(file_, after + 1, "items") && last == 1 ? targets[1] : kNoToken;
    }
    const TokenIndex open = file_.enclosing(from);
    if (open != in + 2 || file_.partner(open) + 1 != made.tokens.end) return kNoToken;
    const std::vector<TokenRange> arguments = file_.arguments(open);
    const auto argument = std::ranges::find_if(arguments, [&](const TokenRange& range) {
      return range.begin == from && range.end == after;
    });
    if (argument == arguments.end()) return kNoToken;
    const auto place = static_cast<std::size_t>(argument - arguments.begin());
    if (is_word(file_, in + 1, "enumerate")) return last == 1 && place == 0 ? targets[1] : kNoToken;
    if (is_word(file_, in + 1, "reversed") || is_word(file_, in + 1, "list") ||
        is_word(file_, in + 1, "tuple"))
      return last == 0 ? targets[0] : kNoToken;
    if (is_word(file_, in + 1, "zip")) return place <= last ? targets[place] : kNoToken;
    return kNoToken;
  }

  const File& file_;
  BindingReader reader_;
  std::vector<Mutation> found_;
  int budget_ = 10'000;
};

}  // namespace

std::vector<Mutation> mutations(const File& file, const Variable& variable) {
  Finder finder(file);
  finder.find(variable, 0, {0, static_cast<TokenIndex>(file.tokens().size())}, 0);
  return finder.take();
}

}  // namespace hipwright::syntax::python
