// SPDX-License-Identifier: MIT
// Critical sections inside the loop that acquires their lock. A compiler that knows that the loop
// ends behind the section moves the section behind the loop, where no lane of a wave arrives before
// all have acquired the lock. The port hides from the compiler that the loop ends, and leaves the
// loop one way to begin again: with two, the compiler makes one a loop of its own.
#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

const Name kWhile("while"), kFor("for"), kDo("do"), kIf("if"), kBreak("break"), kReturn("return"),
    kSwitch("switch");
const std::array kAcquiring = {Name("atomicCAS"),        Name("atomicCAS_block"),
                               Name("atomicCAS_system"), Name("atomicExch"),
                               Name("atomicExch_block"), Name("atomicExch_system")};

struct Loop {
  TokenIndex keyword;
  TokenRange condition;  // empty in for (;;)
  TokenRange body;       // between its braces, or one statement
};

// The statement that begins here, with its else branches.
TokenIndex statement_end(const cu::File& file, TokenIndex at) {
  const auto size = static_cast<TokenIndex>(file.tokens().size());
  const auto behind = [&](TokenIndex bracket) {
    const TokenIndex partner = file.partner(bracket);
    return partner == cu::kNoToken ? size : partner + 1;
  };
  if (at >= size) return size;
  if (file.is(at, "{")) return behind(at);
  if (file.is(at, kIf) || file.is(at, kFor) || file.is(at, kWhile) || file.is(at, kSwitch)) {
    if (!file.is(at + 1, "(")) return size;
    const bool is_if = file.is(at, kIf);
    TokenIndex end = statement_end(file, behind(at + 1));
    while (is_if && end < size && file.text(end) == "else") end = statement_end(file, end + 1);
    return end;
  }
  while (at < size && !file.is(at, ";")) {
    if (file.is(at, "}")) return size;
    at = cu::is_punctuator(file, at, {"(", "[", "{"}) ? behind(at) : at + 1;
  }
  return std::min<TokenIndex>(at + 1, size);
}

// while (…) …, for (…;…;…) …, do {…} while (…);
std::optional<Loop> loop_at(const cu::File& file, TokenIndex keyword) {
  const auto size = static_cast<TokenIndex>(file.tokens().size());
  TokenIndex body = keyword + 1;
  TokenRange condition;
  if (!file.is(keyword, kDo)) {
    if (!file.is(body, "(") || file.partner(body) == cu::kNoToken) return std::nullopt;
    condition = {body + 1, file.partner(body)};
    body = condition.end + 1;
    if (file.is(keyword, kFor)) {
      const TokenIndex first = statement_end(file, condition.begin);
      if (first >= condition.end) return std::nullopt;  // for (x : all)
      condition = {first, std::min(statement_end(file, first) - 1, condition.end)};
    } else if (keyword > 0 && file.is(keyword - 1, "}") && file.is(body, ";")) {
      return std::nullopt;  // of a do
    }
  }
  if (body >= size) return std::nullopt;
  const bool is_braced = file.is(body, "{");
  const TokenIndex end = statement_end(file, body);
  if (end >= size) return std::nullopt;
  if (file.is(keyword, kDo)) {
    if (!is_braced || !file.is(end, kWhile) || !file.is(end + 1, "(") ||
        file.partner(end + 1) == cu::kNoToken)
      return std::nullopt;
    condition = {end + 2, file.partner(end + 1)};
  }
  const TokenRange inner = is_braced ? TokenRange{body + 1, end - 1} : TokenRange{body, end};
  return Loop{keyword, condition, inner};
}

// Names the variable: "locks i" for &locks[i] and locks + i, "lock" for *lock and (int*)lock.
std::string place(const cu::File& file, TokenRange expression) {
  std::string text;
  expression = cu::unwrapped(file, expression);
  for (TokenIndex at = expression.begin; at < expression.end; ++at) {
    if (at + 1 < expression.end && file.is(at, "(") && file.partner(at) != cu::kNoToken &&
        file.partner(at) + 1 < expression.end && file.is(file.partner(at) - 1, "*")) {
      at = file.partner(at);  // a cast
      continue;
    }
    if (cu::is_punctuator(file, at, {"+", "["}))
      text += ' ';
    else if (!cu::is_punctuator(file, at, {"&", "*", "(", ")", "]"}))
      text += file.text(at);
  }
  return text;
}

// if (atomicCAS(lock, 0, 1) == 0), or got = atomicExch(lock, 1) == 0: the first argument.
std::optional<TokenRange> acquired(const cu::File& file, TokenIndex call) {
  if (!file.is(call + 1, "(")) return std::nullopt;
  const auto arguments = file.arguments(call + 1);
  if (arguments.size() < 2) return std::nullopt;
  return arguments[0];
}

// Is the lock given back in the loop: atomicExch(lock, 0), *lock = 0?
bool is_released(const cu::File& file, const Loop& loop, TokenIndex after,
                 const std::string& lock) {
  for (TokenIndex at = after; at < loop.body.end; ++at) {
    if (file.is(at, "=") && at > loop.body.begin) {
      const TokenRange left = {cu::segment(file, at).begin, at};
      if (left.begin >= after && place(file, left) == lock) return true;
    }
    if (!cu::is_name(file, at) || !file.is(at + 1, "(")) continue;
    const std::string_view name = file.text(at);
    if (!name.starts_with("atomic") && name != "__hip_atomic_store") continue;
    const auto arguments = file.arguments(at + 1);
    if (!arguments.empty() && place(file, arguments[0]) == lock) return true;
  }
  return false;
}

// The call that acquires a lock which the loop gives back.
std::optional<TokenIndex> acquires(const cu::File& file, const Loop& loop) {
  for (const Name& name : kAcquiring)
    for (const TokenIndex at : file.occurrences(name)) {
      if (!loop.body.contains(at)) continue;
      const auto lock = acquired(file, at);
      if (!lock) continue;
      const TokenIndex open = file.enclosing(at);
      const TokenRange around = cu::segment(file, at);
      const bool is_tested =
          (open != cu::kNoToken && open > 0 && file.is(open - 1, kIf)) ||
          std::ranges::any_of(std::views::iota(around.begin, around.end),
                              [&](TokenIndex each) { return file.is(each, "="); });
      const std::string text = place(file, *lock);
      if (is_tested && !text.empty() && is_released(file, loop, file.partner(at + 1) + 1, text))
        return at;
    }
  return std::nullopt;
}

bool is_in_inner_loop(const cu::File& file, const Loop& loop, TokenIndex at, bool counts_switch) {
  for (TokenIndex each = loop.body.begin; each < at; ++each) {
    const bool is_loop = file.is(each, kWhile) || file.is(each, kFor) || file.is(each, kDo) ||
                         (counts_switch && file.is(each, kSwitch));
    if (is_loop && statement_end(file, each) > at) return true;
  }
  return false;
}

// The variables that end the loop: in its condition, and assigned in its body.
std::vector<std::string_view> flags(const cu::File& file, const Loop& loop) {
  std::vector<std::string_view> found;
  for (TokenIndex at = loop.condition.begin; at < loop.condition.end; ++at) {
    if (!cu::is_name(file, at) || file.is(at + 1, "(") ||
        std::ranges::find(found, file.text(at)) != found.end())
      continue;
    const auto variable = cu::declaration_of(file, at);
    if (!variable || variable->is_array) continue;
    const cu::Bits bits = cu::bits_of_type(file, variable->type);
    if (bits != cu::Bits::kBool && bits != cu::Bits::kNarrow && bits != cu::Bits::kAuto) continue;
    for (const TokenIndex use : cu::places_of(file, file.text(at)))
      if (loop.body.contains(use) &&
          cu::is_punctuator(file, use + 1, {"=", "|=", "&=", "^=", "++", "--", "+=", "-="})) {
        found.push_back(file.text(at));
        break;
      }
  }
  return found;
}

bool is_always_true(const cu::File& file, TokenRange condition) {
  condition = cu::unwrapped(file, condition);
  const std::string_view text = condition.empty() ? "true" : file.text(condition);
  return text == "true" || text == "1";
}

class Section {
 public:
  Section(SourceContext& context, const Loop& loop, TokenIndex acquiring)
      : context_(context), file_(context.file), loop_(loop), acquiring_(acquiring) {}

  void keep_in_loop() {
    const auto names = flags(file_, loop_);
    const auto exits = exits_behind_the_lock();
    if (names.empty() ? !hide(exits) : !exits.empty()) return report();
    if (!names.empty()) hide(names);
    context_.needs.compat = true;
  }

 private:
  // break; and return …; that leave this loop.
  std::vector<TokenIndex> exits_behind_the_lock() const {
    std::vector<TokenIndex> found;
    for (const Name& name : {kBreak, kReturn})
      for (const TokenIndex at : file_.occurrences(name))
        if (at > acquiring_ && leaves(at)) found.push_back(at);
    std::ranges::sort(found);
    return found;
  }

  bool leaves(TokenIndex at) const {
    return loop_.body.contains(at) && !is_in_inner_loop(file_, loop_, at, file_.is(at, kBreak));
  }

  // The flags change, for all the compiler knows, whenever the loop begins again.
  void hide(const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names)
      text += fmt::format("{}hip_compat::keep_in_loop({})", text.empty() ? "" : ", ", name);
    if (file_.is(loop_.keyword, kDo)) return insert(loop_.condition.begin, text + ", ");
    const TokenIndex close = file_.partner(loop_.keyword + 1);
    if (file_.is(loop_.keyword, kFor))
      return insert(close, (loop_.condition.end + 1 < close ? ", " : " ") + text);
    replace(loop_.keyword, loop_.keyword, "for");
    insert(loop_.condition.begin, "; ");
    insert(close, "; " + text);
  }

  // Exits at several places become one flag. False if the loop is of another form.
  bool hide(const std::vector<TokenIndex>& exits) {
    if (exits.empty() || file_.is(loop_.keyword, kDo)) return false;
    const TokenIndex open = loop_.keyword + 1, close = file_.partner(open);
    const bool is_endless = is_always_true(file_, loop_.condition);
    if (file_.is(loop_.keyword, kFor) && close != open + 3) return false;  // for (;;)
    const bool breaks = file_.is(exits[0], kBreak);
    const bool is_in_block = cu::is_punctuator(file_, loop_.keyword - 1, {"{", "}", ";"});
    if (!breaks && !is_in_block) return false;
    for (const TokenIndex exit : exits)
      if (file_.is(exit, kBreak) != breaks || !file_.is(exit + 1, ";")) return false;
    if (!breaks && (!is_endless || std::ranges::any_of(file_.occurrences(kBreak),
                                                       [&](TokenIndex at) { return leaves(at); })))
      return false;
    const std::string rest = is_endless ? "" : fmt::format(" && ({})", file_.text(loop_.condition));
    replace(loop_.keyword, close,
            fmt::format("for (int hip_left = 0; !hip_left{}; hip_compat::keep_in_loop(hip_left))",
                        rest));
    for (const TokenIndex exit : exits) replace(exit, exit + 1, "{ hip_left = 1; continue; }");
    if (!breaks) {
      const std::size_t end = file_.span(statement_end(file_, loop_.keyword) - 1).end;
      context_.change({end, end}, " return;", "HP307", kReason);
    }
    return true;
  }

  void insert(TokenIndex before, std::string text) {
    const std::size_t at = file_.span(before).begin;
    context_.change({at, at}, std::move(text), "HP307", kReason);
  }
  void replace(TokenIndex first, TokenIndex last, std::string text) {
    context_.change({file_.span(first).begin, file_.span(last).end}, std::move(text), "HP307",
                    kReason);
  }

  void report() {
    context_.report("HP307", Severity::kWarning, file_.span(acquiring_),
                    "this lock may never be acquired on AMD",
                    "The compiler may move the section that the lock guards behind the loop, where "
                    "the lanes of a wave arrive together. Leave the loop by a flag alone, and pass "
                    "the flag to hip_compat::keep_in_loop() before the loop begins again.");
  }

  static constexpr const char* kReason =
      "the compiler must not move the section that the lock guards behind the loop";

  SourceContext& context_;
  const cu::File& file_;
  const Loop loop_;
  const TokenIndex acquiring_;
};

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  if (std::ranges::none_of(kAcquiring, [&](const Name& name) { return file.has(name); })) return;
  for (const Name& name : {kWhile, kFor, kDo})
    for (const TokenIndex at : file.occurrences(name)) {
      const cu::Function* function = file.function_at(at);
      if (function == nullptr || !function->body.contains(at) || !function->is_device() ||
          context.are_lanes_settled(at) || (file.tokens()[at].flags & cu::kInDirective) != 0)
        continue;
      const auto loop = loop_at(file, at);
      if (!loop) continue;
      const auto acquiring = acquires(file, *loop);
      if (!acquiring || is_in_inner_loop(file, *loop, *acquiring, false)) continue;
      Section(context, *loop, *acquiring).keep_in_loop();
    }
}

}  // namespace

Pass critical_sections() {
  return {.codes = {"HP307"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
