// SPDX-License-Identifier: MIT
// Critical sections inside the loop that acquires their lock. A compiler that knows that the loop
// ends behind the section moves the section behind the loop, where no lane of a wave arrives before
// all have acquired the lock. The port hides from the compiler that the loop ends, and leaves the
// loop one way to begin again: with two, the compiler makes one a loop of its own.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/lock_loops.h"
#include "syntax/cuda/places.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

const Name kFor("for"), kDo("do"), kBreak("break"), kReturn("return");
// The variables that end the loop: in its condition, and assigned in its body.
std::vector<std::string_view> flags(const cu::File& file, const cu::LockLoop& loop) {
  std::vector<std::string_view> found;
  for (TokenIndex at = loop.condition.begin; at < loop.condition.end; ++at) {
    if (!cu::is_name(file, at) || file.is(at + 1, "(") ||
        std::ranges::find(found, file.text(at)) != found.end())
      continue;
    const auto variable = cu::declaration_of(file, at);
    if (!variable || variable->is_array) continue;
    const cu::Bits bits = cu::bits_of_type(file, variable->type);
    if (bits != cu::Bits::kBool && bits != cu::Bits::kNarrow && bits != cu::Bits::kAuto) continue;
    for (const TokenIndex use : cu::places_in(file, loop.body, file.text(at)))
      if (cu::is_punctuator(file, use + 1, {"=", "|=", "&=", "^=", "++", "--", "+=", "-="})) {
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
  Section(SourceContext& context, const cu::LockLoop& loop)
      : context_(context), file_(context.file), loop_(loop), acquiring_(loop.acquiring) {}

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
      for (const TokenIndex at : cu::places_in(file_, {acquiring_ + 1, loop_.body.end}, name))
        if (leaves(at)) found.push_back(at);
    std::ranges::sort(found);
    return found;
  }

  bool leaves(TokenIndex at) const {
    return loop_.body.contains(at) && !cu::is_in_inner_loop(file_, loop_, at, file_.is(at, kBreak));
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
    if (!breaks && (!is_endless || std::ranges::any_of(cu::places_in(file_, loop_.body, kBreak),
                                                       [&](TokenIndex at) { return leaves(at); })))
      return false;
    const std::string rest = is_endless ? "" : fmt::format(" && ({})", file_.text(loop_.condition));
    replace(loop_.keyword, close,
            fmt::format("for (int hip_left = 0; !hip_left{}; hip_compat::keep_in_loop(hip_left))",
                        rest));
    for (const TokenIndex exit : exits) replace(exit, exit + 1, "{ hip_left = 1; continue; }");
    if (!breaks) {
      const std::size_t end = file_.span(cu::statement_end(file_, loop_.keyword) - 1).end;
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
  const cu::LockLoop loop_;
  const TokenIndex acquiring_;
};

void apply(SourceContext& context) {
  for (const cu::LockLoop& loop : cu::lock_loops(context.file))
    if (!context.are_lanes_settled(loop.keyword)) Section(context, loop).keep_in_loop();
}

}  // namespace

Pass critical_sections() {
  return {.codes = {"HP307"}, .before = {"names"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
