// SPDX-License-Identifier: MIT
#include "port/isolation/view.h"

#include <unordered_set>

#include "port/isolation/condition.h"
#include "syntax/cuda/directives.h"
#include "syntax/cuda/platform_macros.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

class View {
 public:
  using Visit = std::function<void(SeenToken)>;
  explicit View(std::string_view text) : file_(text) {}

  std::size_t token_count() const { return file_.tokens().size(); }

  void run(const Visit& visit) {
    visit_ = &visit;
    find_texts();
    const auto tokens = file_.tokens();
    for (cu::TokenIndex at = 0; at < tokens.size();) {
      const bool is_directive = (tokens[at].flags & cu::kFirstOnLine) != 0 && file_.is(at, "#");
      if (!is_directive) {
        if (tokens[at].kind != cu::Kind::kEnd) see(at);
        ++at;
        continue;
      }
      const cu::TokenIndex end = cu::directive_end(file_, at);
      if (!is_condition(at, end))
        for (cu::TokenIndex part = at; part < end; ++part) see(part);
      at = end;
    }
  }

 private:
  // One #if … #endif.
  struct Group {
    bool is_compiled = true;  // the branches around it
    bool is_live = false;     // the current branch is seen
    bool is_decided = false;  // an earlier branch was true: the rest is removed
    bool is_written = false;  // the view contains an #if
  };

  bool is_seen() const { return groups_.empty() || groups_.back().is_live; }

  // Macros that stringify their arguments: blanks count there.
  void find_texts() {
    const auto tokens = file_.tokens();
    std::unordered_set<std::string_view> names = {"assert"};
    for (const cu::Macro& macro : file_.macros())
      for (cu::TokenIndex at = macro.body.begin; macro.is_function && at + 1 < macro.body.end; ++at)
        if (file_.is(at, "#") && tokens[at + 1].kind == cu::Kind::kName)
          names.insert(file_.text(macro.name));
    for (int step = 0; step < 3; ++step)  // and those that pass arguments on to one
      for (const cu::Macro& macro : file_.macros())
        for (cu::TokenIndex at = macro.body.begin; macro.is_function && at + 1 < macro.body.end;
             ++at)
          if (file_.is(at + 1, "(") && names.contains(file_.text(at)))
            names.insert(file_.text(macro.name));
    for (cu::TokenIndex at = 0; at + 1 < tokens.size(); ++at) {
      if (tokens[at].kind != cu::Kind::kName || !file_.is(at + 1, "(") ||
          !names.contains(file_.text(at)) || at < texts_until_)
        continue;
      const cu::TokenIndex close = file_.partner(at + 1);
      if (close == cu::kNoToken) continue;
      texts_.push_back({at + 2, close});
      texts_until_ = close;
    }
  }
  // Is a blank before this token part of a string? Blanks at the ends of an argument are not.
  bool is_blank_seen(cu::TokenIndex token) {
    while (next_text_ < texts_.size() && texts_[next_text_].end <= token) ++next_text_;
    return next_text_ < texts_.size() && texts_[next_text_].begin < token &&
           !file_.is(token, ",") && !file_.is(token - 1, ",") &&
           file_.span(token - 1).end != file_.span(token).begin;
  }

  void see(cu::TokenIndex token) {
    if (!is_seen()) return;
    const std::string_view text = file_.text(token);
    if (text == "dim3" && is_size_of_launch(token)) return;
    if (text == "<<<" || text == ">>>") return see_launch(token, text);
    std::string seen = file_.spelling(token);
    if (is_blank_seen(token)) seen.insert(0, 1, ' ');
    // #define F(x) and #define F (x) differ.
    if (token >= 2 && file_.text(token - 1) == "define" && file_.is(token - 2, "#") &&
        token + 1 < file_.tokens().size() && file_.is(token + 1, "(") &&
        file_.span(token).end == file_.span(token + 1).begin)
      seen += "(…)";
    see(std::move(seen), token);
  }
  // In kernel<<<grid, dim3{16, 16}>>>: NVIDIA's compiler needs no dim3 to read it so.
  bool is_size_of_launch(cu::TokenIndex token) const {
    if (token + 1 >= file_.tokens().size() || !file_.is(token + 1, "{")) return false;
    if (!file_.is(token - 1, ",") && !file_.is(token - 1, "<<<")) return false;
    const cu::TokenIndex open = file_.enclosing(token);
    return open != cu::kNoToken && file_.is(open, "<<<");
  }
  // `<< <` and `<<<` are the same launch to NVIDIA's compiler.
  void see_launch(cu::TokenIndex token, std::string_view text) {
    see((is_blank_seen(token) ? " " : "") + std::string(text.substr(0, 2)), token);
    see(std::string(text.substr(2)), token);
  }
  void see(std::string text, cu::TokenIndex token) {
    (*visit_)({std::move(text), file_.span(token).begin});
  }

  bool is_condition(cu::TokenIndex hash, cu::TokenIndex end) {
    if (hash + 1 >= end) return false;
    const std::string word = file_.spelling(hash + 1);
    const auto condition = [&] { return read(hash + 2, end); };
    if (word == "if") {
      open(hash, condition());
    } else if (word == "ifdef" || word == "ifndef") {
      const Condition defined = definition(hash + 2, end);
      open(hash, word == "ifdef" ? defined : negated(defined));
    } else if (groups_.empty()) {
      return false;  // an #else without an #if is an ordinary line
    } else if (word == "elif") {
      next(hash, condition());
    } else if (word == "elifdef" || word == "elifndef") {
      const Condition defined = definition(hash + 2, end);
      next(hash, word == "elifdef" ? defined : negated(defined));
    } else if (word == "else") {
      next(hash, {Condition::Kind::kTrue, {}});
    } else if (word == "endif") {
      const bool is_written = groups_.back().is_written;
      groups_.pop_back();
      if (is_written) see("#endif", hash);
    } else {
      return false;
    }
    return true;
  }

  void open(cu::TokenIndex hash, const Condition& condition) {
    groups_.push_back({.is_compiled = is_seen()});
    next(hash, condition);
  }

  void next(cu::TokenIndex hash, const Condition& condition) {
    Group& group = groups_.back();
    group.is_live =
        group.is_compiled && !group.is_decided && condition.kind != Condition::Kind::kFalse;
    if (!group.is_live) return;
    group.is_decided = condition.kind == Condition::Kind::kTrue;
    if (group.is_decided) {
      if (group.is_written) see("#else", hash);
      return;
    }
    see((group.is_written ? "#elif " : "#if ") + condition.text, hash);
    group.is_written = true;
  }

  bool is_undefined(std::string_view macro) const {
    const auto on = [&](cu::Platform platform) {
      return cu::platform_macro(macro, platform, cu::Side::kEither).defined;
    };
    // A macro that AMD does not define either (MUSA's) cannot come from a port.
    return on(cu::Platform::kNvidia) == syntax::Truth::kNo &&
           on(cu::Platform::kAmd) != syntax::Truth::kNo;
  }

  Condition read(cu::TokenIndex begin, cu::TokenIndex end) const {
    const auto tokens = file_.tokens().subspan(begin, begin < end ? end - begin : 0);
    return simplified(file_.text(), tokens,
                      [this](std::string_view macro) { return is_undefined(macro); });
  }
  Condition definition(cu::TokenIndex name, cu::TokenIndex end) const {
    if (name >= end) return {Condition::Kind::kOpen, "defined()"};
    const std::string macro = file_.spelling(name);
    if (is_undefined(macro)) return {Condition::Kind::kFalse, {}};
    return {Condition::Kind::kOpen, "defined(" + macro + ")"};
  }

  cu::File file_;
  std::vector<cu::TokenRange> texts_;  // arguments that are stringified
  cu::TokenIndex texts_until_ = 0;
  std::size_t next_text_ = 0;
  std::vector<Group> groups_;
  const Visit* visit_ = nullptr;
};

}  // namespace

std::vector<SeenToken> nvidia_view_of_cuda(std::string_view text) {
  View view(text);
  std::vector<SeenToken> seen;
  seen.reserve(view.token_count());
  view.run([&](SeenToken token) { seen.push_back(std::move(token)); });
  return seen;
}

void visit_nvidia_view_of_cuda(std::string_view text, const std::function<void(SeenToken)>& visit) {
  View(text).run(visit);
}

}  // namespace hipwright::port
