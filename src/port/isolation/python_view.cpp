// SPDX-License-Identifier: MIT
#include "port/isolation/python_view.h"

#include <algorithm>
#include <array>

#include "port/python/rocm_facts.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Truth;

namespace {

constexpr int kDeepest = 200;

// Tokens that end an expression to their left and begin one to their right.
bool divides(std::string_view text) {
  static constexpr std::array<std::string_view, 36> kWords = {
      ",",     "=",      ":",     ":=",   "+=",   "-=",     "*=",    "/=",     "//=",
      "%=",    "@=",     "&=",    "|=",   "^=",   ">>=",    "<<=",   "**=",    "return",
      "yield", "assert", "raise", "for",  "from", "as",     "@",     "if",     "in",
      "del",   "->",     "while", "elif", "with", "except", "async", "lambda", "await"};
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

struct Part {
  Truth truth = Truth::kMaybe;  // of a condition
  std::vector<SeenToken> tokens;
};

void append(std::vector<SeenToken>& to, std::vector<SeenToken> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

class View {
 public:
  explicit View(std::string_view text) : file_(text), facts_(file_, {}) {}

  std::vector<SeenToken> run() {
    block(kNoStatement);
    return std::move(seen_);
  }

 private:
  SeenToken token(TokenIndex at) const {
    return {std::string(file_.text(at)), file_.span(at).begin};
  }
  void mark(std::string_view text, StatementIndex statement) {
    const TokenRange tokens = file_.statements()[statement].tokens;
    seen_.push_back({std::string(text), file_.span(tokens.begin).begin});
  }

  // --- statements ---

  void block(StatementIndex parent) {
    if (++depth_ < kDeepest) {
      const std::vector<StatementIndex> list = file_.children(parent);
      for (std::size_t i = 0; i < list.size();) i = statement(list, i);
    } else if (parent != kNoStatement) {
      // Nested too deeply to evaluate: kept unchanged.
      const StatementIndex end = file_.statements()[parent].block_end;
      for (StatementIndex at = parent + 1; at < end; ++at) {
        const TokenRange tokens = file_.statements()[at].tokens;
        for (TokenIndex each = tokens.begin; each < tokens.end; ++each)
          seen_.push_back(token(each));
        mark("<line>", at);
      }
    }
    --depth_;
  }

  // Returns the place of what follows.
  std::size_t statement(const std::vector<StatementIndex>& list, std::size_t i) {
    const Statement& statement = file_.statements()[list[i]];
    if (statement.kind == StatementKind::kIf && statement.has_block) return branches(list, i);
    if (facts_.is_definition(list[i])) return i + 1;
    whole(list[i]);
    return i + 1;
  }

  void whole(StatementIndex index) {
    const Statement& statement = file_.statements()[index];
    if (statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport ||
        statement.kind == StatementKind::kGlobal) {
      for (TokenIndex at = statement.tokens.begin; at < statement.tokens.end; ++at)
        seen_.push_back(token(at));
    } else {
      append(seen_, words(statement.tokens));
    }
    mark(statement.has_block ? "<block>" : "<line>", index);
    if (!statement.has_block) return;
    block(index);
    mark("<end>", index);
  }

  // An if with its elifs and its else.
  std::size_t branches(const std::vector<StatementIndex>& list, std::size_t i) {
    bool is_written = false, is_decided = false;
    std::size_t at = i;
    for (; at < list.size(); ++at) {
      const Statement& each = file_.statements()[list[at]];
      if (at != i && each.kind != StatementKind::kElif && each.kind != StatementKind::kElse) break;
      const bool is_else = each.kind == StatementKind::kElse;
      if (!is_decided) {
        Part condition{Truth::kYes, {}};
        if (!is_else) condition = truth_of({each.tokens.begin + 1, each.tokens.end});
        if (condition.truth != Truth::kNo) branch(list[at], condition, is_written, is_decided);
      }
      if (is_else) return at + 1;
    }
    return at;
  }

  void branch(StatementIndex index, Part& condition, bool& is_written, bool& is_decided) {
    is_decided = condition.truth == Truth::kYes;
    if (is_decided && !is_written) return block(index);
    mark(is_decided ? "else" : is_written ? "elif" : "if", index);
    append(seen_, std::move(condition.tokens));
    mark("<block>", index);
    block(index);
    mark("<end>", index);
    is_written = true;
  }

  // --- expressions ---

  // A whole range: expressions and the tokens between them.
  std::vector<SeenToken> words(TokenRange range) {
    std::vector<SeenToken> out;
    if (++depth_ > kDeepest) {
      for (TokenIndex at = range.begin; at < range.end; ++at) out.push_back(token(at));
      --depth_;
      return out;
    }
    TokenIndex begin = range.begin;
    bool in_for = false;
    for (TokenIndex at = range.begin; at < range.end; at = next(at, range)) {
      const std::string_view text = file_.text(at);
      if (text == "for") in_for = true;
      const bool is_filter = text == "if" && else_of(at, range) == kNoToken;
      const bool is_star = (text == "*" || text == "**") && at == begin;
      const bool divided = text == "in"   ? in_for
                           : text == "if" ? is_filter
                                          : divides(text) || is_star;
      if (!divided) {
        if (text == "if") at = else_of(at, range);  // what is between belongs to the expression
        continue;
      }
      if (text == "in") in_for = false;
      // `a @ b` and `a for`: '@' divides only where a decorator begins.
      if (text == "@" && at != range.begin) continue;
      append(out, value({begin, at}));
      out.push_back(token(at));
      begin = at + 1;
    }
    append(out, value({begin, range.end}));
    --depth_;
    return out;
  }

  TokenIndex next(TokenIndex at, TokenRange range) const {
    return std::min(std::max(file_.skip(at), at + 1), range.end);
  }

  // Of `a if c else b`; kNoToken: a filter of a comprehension, or no expression.
  TokenIndex else_of(TokenIndex if_at, TokenRange range) const {
    int open = 0;
    for (TokenIndex at = if_at; at < range.end; at = next(at, range)) {
      const std::string_view text = file_.text(at);
      if (text == "if") ++open;
      if (text == "else" && --open == 0) return at;
      if (text == "," || text == "for" || text == ":" || text == "=") break;
    }
    return kNoToken;
  }

  TokenIndex find(TokenRange range, std::string_view word) const {
    for (TokenIndex at = range.begin; at < range.end; at = next(at, range))
      if (file_.is(at, word)) return at;
    return kNoToken;
  }

  bool is_group(TokenRange range) const {
    return range.size() > 2 && file_.is(range.begin, "(") &&
           file_.partner(range.begin) == range.end - 1;
  }
  // Do the brackets around it only group?
  bool only_groups(TokenRange inside) const {
    for (const std::string_view word : {",", "for", "yield", ":=", "as", "*", "**"}) {
      const TokenIndex at = find(inside, word);
      if (at != kNoToken && (word.front() != '*' || at == inside.begin)) return false;
    }
    return true;
  }

  // One expression.
  std::vector<SeenToken> value(TokenRange range) {
    if (range.empty()) return {};
    if (++depth_ > kDeepest) {
      std::vector<SeenToken> out;
      for (TokenIndex at = range.begin; at < range.end; ++at) out.push_back(token(at));
      --depth_;
      return out;
    }
    std::vector<SeenToken> out;
    if (is_group(range) && only_groups({range.begin + 1, range.end - 1})) {
      out = value({range.begin + 1, range.end - 1});
    } else {
      out = chosen(range);
    }
    --depth_;
    return out;
  }

  std::vector<SeenToken> chosen(TokenRange range) {
    const TokenIndex if_at = find(range, "if");
    const TokenIndex else_at = if_at == kNoToken ? kNoToken : else_of(if_at, range);
    if (else_at == kNoToken) return logical(range, false).tokens;
    Part condition = truth_of({if_at + 1, else_at});
    if (condition.truth == Truth::kYes) return value({range.begin, if_at});
    std::vector<SeenToken> otherwise = value({else_at + 1, range.end});
    if (condition.truth == Truth::kNo) return otherwise;
    std::vector<SeenToken> out = logical({range.begin, if_at}, false).tokens;
    out.push_back(token(if_at));
    append(out, std::move(condition.tokens));
    out.push_back(token(else_at));
    append(out, std::move(otherwise));
    return out;
  }

  // A condition: only whether it is true matters.
  Part truth_of(TokenRange range) {
    if (find(range, ":=") != kNoToken || find(range, "lambda") != kNoToken ||
        find(range, "if") != kNoToken)
      return {Truth::kMaybe, words(range)};
    return logical(range, true);
  }

  Part known(Truth truth, TokenRange range) const {
    return {truth, {{truth == Truth::kYes ? "True" : "False", file_.span(range.begin).begin}}};
  }

  // or, and, not, and what they join. `as_truth`: only whether it is true matters.
  Part logical(TokenRange range, bool as_truth) {
    if (range.empty()) return {};
    if (++depth_ > kDeepest) {
      --depth_;
      return {Truth::kMaybe, plain(range)};
    }
    Part part;
    if (const TokenIndex at = find(range, "or"); at != kNoToken)
      part = joined(range, at, Truth::kYes, as_truth);
    else if (const TokenIndex and_at = find(range, "and"); and_at != kNoToken)
      part = joined(range, and_at, Truth::kNo, as_truth);
    else if (file_.is(range.begin, "not"))
      part = negated(range);
    else
      part = operand(range, as_truth);
    --depth_;
    return part;
  }

  // `decides`: the truth of one side that makes the other one unread.
  Part joined(TokenRange range, TokenIndex at, Truth decides, bool as_truth) {
    const Truth passes = decides == Truth::kYes ? Truth::kNo : Truth::kYes;
    Part left = logical({range.begin, at}, as_truth);
    if (left.truth == decides) return left;
    Part right = logical({at + 1, range.end}, as_truth);
    if (left.truth == passes) return right;
    if (as_truth && right.truth == decides) return right;
    if (as_truth && right.truth == passes) return left;
    Part out{Truth::kMaybe, std::move(left.tokens)};
    out.tokens.push_back(token(at));
    append(out.tokens, std::move(right.tokens));
    return out;
  }

  Part negated(TokenRange range) {
    Part part = logical({range.begin + 1, range.end}, true);
    if (part.truth != Truth::kMaybe)
      return known(part.truth == Truth::kYes ? Truth::kNo : Truth::kYes, range);
    part.tokens.insert(part.tokens.begin(), token(range.begin));
    return part;
  }

  Part operand(TokenRange range, bool as_truth) {
    const Truth truth = facts_.operand(range);
    if (truth != Truth::kMaybe) return known(truth, range);
    if (is_group(range) && only_groups({range.begin + 1, range.end - 1})) {
      const TokenRange inside{range.begin + 1, range.end - 1};
      Part part = find(inside, "if") == kNoToken ? logical(inside, as_truth)
                                                 : Part{Truth::kMaybe, chosen(inside)};
      if (part.truth != Truth::kMaybe || !needs_brackets(part.tokens)) return part;
      part.tokens.insert(part.tokens.begin(), token(range.begin));
      part.tokens.push_back(token(range.end - 1));
      return part;
    }
    return {Truth::kMaybe, plain(range)};
  }

  // Next to and, or, not: does the bracketed expression bind less tightly?
  static bool needs_brackets(const std::vector<SeenToken>& tokens) {
    int level = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string& text = tokens[i].text;
      if (text == "(" || text == "[" || text == "{") ++level;
      if (text == ")" || text == "]" || text == "}") --level;
      if (level != 0) continue;
      // `is not` and `not in` compare.
      const bool compares =
          text == "not" && ((i > 0 && tokens[i - 1].text == "is") ||
                            (i + 1 < tokens.size() && tokens[i + 1].text == "in"));
      if (text == "or" || text == "and" || (text == "not" && !compares) || text == "if" ||
          text == "lambda")
        return true;
    }
    return false;
  }

  // Without and, or, not: bracketed parts are read separately.
  std::vector<SeenToken> plain(TokenRange range) {
    std::vector<SeenToken> out;
    for (TokenIndex at = range.begin; at < range.end;) {
      const TokenIndex end = next(at, range);
      if (end <= at + 1 || file_.partner(at) == kNoToken) {
        out.push_back(token(at));
        ++at;
        continue;
      }
      const TokenRange inside{at + 1, end - 1};
      std::vector<SeenToken> tokens = words(inside);
      const bool is_bare = file_.is(at, "(") && !is_called(range, at) && is_primary(tokens);
      if (!is_bare) out.push_back(token(at));
      append(out, std::move(tokens));
      if (!is_bare) out.push_back(token(end - 1));
      at = end;
    }
    return out;
  }

  bool is_called(TokenRange range, TokenIndex open) const {
    if (open == range.begin) return false;
    const Token& before = file_.tokens()[open - 1];
    if (before.kind == Kind::kName) return !is_keyword(file_.text(open - 1));
    return before.kind == Kind::kString || file_.is(open - 1, ")") || file_.is(open - 1, "]") ||
           file_.is(open - 1, "}");
  }

  // A name, a call, an element: brackets around it change nothing.
  static bool is_primary(const std::vector<SeenToken>& tokens) {
    int level = 0;
    bool follows = false;  // a name or a closing bracket
    for (const SeenToken& each : tokens) {
      const char c = each.text.front();
      const bool opens = c == '(' || c == '[' || c == '{',
                 closes = c == ')' || c == ']' || c == '}';
      if (closes) --level;
      if (level == 0 && !closes) {
        const bool is_word =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '"' || c == '\'';
        if (opens ? !(follows || &each == tokens.data()) : is_word ? follows : c != '.')
          return false;
        if (is_word && is_keyword(each.text) && each.text != "None" && each.text != "True" &&
            each.text != "False")
          return false;
        follows = is_word;
      }
      if (opens) ++level;
      if (closes) follows = true;
    }
    return !tokens.empty() && follows && level == 0;
  }

  File file_;
  PythonFacts facts_;
  std::vector<SeenToken> seen_;
  int depth_ = 0;
};

}  // namespace

std::vector<SeenToken> nvidia_view_of_python(std::string_view text) {
  return View(text).run();
}

}  // namespace hipwright::port
