// SPDX-License-Identifier: MIT
#include "syntax/cuda/signature.h"

#include <algorithm>
#include <array>

namespace hipwright::syntax::cuda {

namespace {

constexpr std::array<std::string_view, 19> kTakeArguments = {"if",
                                                             "for",
                                                             "while",
                                                             "switch",
                                                             "catch",
                                                             "__launch_bounds__",
                                                             "__attribute__",
                                                             "__declspec",
                                                             "__align__",
                                                             "alignas",
                                                             "decltype",
                                                             "noexcept",
                                                             "requires",
                                                             "explicit",
                                                             "throw",
                                                             "sizeof",
                                                             "asm",
                                                             "__cluster_dims__",
                                                             "static_assert"};

// Words that may precede a constructor or a macro without being a type.
constexpr std::array<std::string_view, 13> kSpecifiers = {
    "static", "inline",     "constexpr",  "consteval", "explicit",        "virtual",     "friend",
    "extern", "__global__", "__device__", "__host__",  "__forceinline__", "__noinline__"};

constexpr std::array<std::string_view, 9> kBehindParameters = {
    "const",    "volatile", "noexcept",      "override", "final",
    "requires", "try",      "__attribute__", "mutable"};

// Macros of well-known projects that mark device functions.
struct QualifierMacro {
  std::string_view name;
  unsigned qualifiers;
};
constexpr std::array<QualifierMacro, 6> kQualifierMacros = {{{"FLASHINFER_INLINE", kDevice},
                                                             {"DINLINE", kDevice},
                                                             {"SGL_DEVICE", kDevice},
                                                             {"__hip_device", kDevice},
                                                             {"GPU_KERNEL", kGlobal},
                                                             {"__KERNEL__", kGlobal}}};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

unsigned qualifiers_of(std::string_view word) {
  if (word == "__global__") return kGlobal;
  if (word == "__device__") return kDevice;
  if (word == "__host__") return kHost;
  return 0;
}

unsigned qualifiers_of_macro(const File& file, std::string_view word) {
  for (const QualifierMacro& macro : kQualifierMacros) {
    if (macro.name == word) return macro.qualifiers;
  }
  if (const Macro* macro = file.macro_named(word)) {
    unsigned all = 0;
    for (TokenIndex at = macro->body.begin; at < macro->body.end; ++at)
      all |= qualifiers_of(file.text(at));
    return all;
  }
  if (!is_all_capitals(word)) return 0;
  unsigned all = 0;  // CUTLASS_HOST_DEVICE, C10_DEVICE, …
  if (word.find("DEVICE") != std::string_view::npos) all |= kDevice;
  if (word.find("HOST") != std::string_view::npos) all |= kHost;
  return (all & kDevice) != 0 ? all : 0;
}

class Reader {
 public:
  Reader(const File& file, TokenRange head) : file_(file), head_(head) {}

  std::optional<Signature> run() {
    TokenIndex at = template_parameters(head_.begin);
    const TokenIndex begin = at;
    while (at < head_.end && !is_done_) at = step(at);
    if (found_.name == kNoToken) return std::nullopt;
    for (TokenIndex word = begin; word < found_.parameters.begin; ++word) {
      if (!is_name(word)) continue;
      const std::string_view text = file_.text(word);
      const unsigned own = qualifiers_of(text);
      found_.qualifiers |= own;
      if (own == 0 && word != found_.name) found_.qualifiers |= qualifiers_of_macro(file_, text);
    }
    found_.has_type = has_type(begin);
    return found_;
  }

 private:
  bool is_name(TokenIndex at) const { return file_.tokens()[at].kind == Kind::kName; }
  bool is_directive(TokenIndex at) const { return (file_.tokens()[at].flags & kInDirective) != 0; }

  // template <…> template <…> requires …
  TokenIndex template_parameters(TokenIndex at) {
    while (at < head_.end && file_.text(at) == "template" && file_.is(at + 1, "<")) {
      const TokenIndex end = angle_end(file_, at + 1, head_.end);
      if (end == kNoToken) return at + 2;
      found_.template_parameters = {at + 2, end};
      at = end + 1;
      while (at < head_.end && is_directive(at)) ++at;
    }
    return at;
  }

  TokenIndex step(TokenIndex at) {
    if (is_directive(at)) return at + 1;
    if (file_.is(at, "=")) {
      is_done_ = true;  // what follows is a value
      return at;
    }
    if (is_name(at) && file_.text(at) == "operator") return operator_name(at);
    if (file_.is(at, "(")) return parenthesis(at);
    if (file_.is(at, "[")) return behind(at);
    return at + 1;
  }

  TokenIndex behind(TokenIndex open) const {
    const TokenIndex close = file_.partner(open);
    return close == kNoToken || close < open ? open + 1 : close + 1;
  }

  TokenIndex operator_name(TokenIndex at) {
    TokenIndex open = at + 1;
    if (file_.is(open, "(") && file_.is(open + 1, ")")) open += 2;
    while (open < head_.end && !file_.is(open, "(")) ++open;
    if (open < head_.end) accept(at, open);
    is_done_ = true;
    return head_.end;
  }

  TokenIndex parenthesis(TokenIndex open) {
    const TokenIndex after = behind(open);
    TokenIndex name = open;
    do {
      if (name == head_.begin) return after;
      --name;
    } while (is_directive(name));
    if (file_.is(name, ">")) {
      name = name_before_angles(name);
    } else if (file_.is(name, ")") && found_.name != kNoToken) {
      name = found_.name;  // MACRO(name)(parameters)
    }
    if (name == kNoToken || !is_name(name) || name < head_.begin) return after;
    const std::string_view text = file_.text(name);
    if (contains(kTakeArguments, text) || text.find("LAUNCH_BOUNDS") != std::string_view::npos ||
        file_.is(after, "::") || file_.is(after, ">") || file_.is(after, ","))
      return after;
    // A type in parentheses after it: void (*callback)(int).
    if (contains(kSpecifiers, text) || file_.is(open + 1, "*")) return after;
    const bool ends = ends_parameters(after);
    // Macros may precede and follow the real one.
    if (ends || found_.name == kNoToken || !is_all_capitals(text)) accept(name, open);
    is_done_ = ends;
    return after;
  }

  bool ends_parameters(TokenIndex after) const {
    while (after < head_.end && is_directive(after)) ++after;
    if (after >= head_.end) return true;
    if (is_name(after)) return contains(kBehindParameters, file_.text(after));
    for (const char* text : {":", "->", "&", "&&", "=", "[", ";"}) {
      if (file_.is(after, text)) return true;
    }
    return false;
  }

  void accept(TokenIndex name, TokenIndex open) {
    found_.name = name;
    found_.parameters = {open + 1, behind(open) - 1};
    if (found_.parameters.end <= open) found_.parameters = {open + 1, open + 1};
  }

  // f<int>( : the f.
  TokenIndex name_before_angles(TokenIndex greater) const {
    int depth = 0;
    for (TokenIndex at = greater; at > head_.begin; --at) {
      if (file_.is(at, ">")) ++depth;
      if (file_.is(at, ">>")) depth += 2;
      if (file_.is(at, "<") && --depth == 0) return at - 1;
    }
    return kNoToken;
  }

  bool has_type(TokenIndex begin) const {
    TokenIndex at = found_.name;
    // A::B<T>::name is one name.
    while (at > begin && (file_.is(at - 1, "::") || file_.is(at - 1, "~"))) {
      --at;
      if (file_.is(at, "~") || at == begin) continue;
      if (file_.is(at - 1, ">")) {
        const TokenIndex name = name_before_angles(at - 1);
        if (name == kNoToken || name < begin) break;
        at = name;
      } else if (is_name(at - 1)) {
        --at;
      } else {
        break;
      }
    }
    for (TokenIndex word = begin; word < at; ++word) {
      if (is_directive(word)) continue;
      if (file_.is(word, "(") || file_.is(word, "[")) {
        word = behind(word) - 1;
        continue;
      }
      const std::string_view text = file_.text(word);
      if (is_name(word) && !contains(kSpecifiers, text) && !contains(kTakeArguments, text) &&
          !file_.is(word + 1, "("))
        return true;
    }
    return false;
  }

  const File& file_;
  TokenRange head_;
  Signature found_;
  bool is_done_ = false;
};

}  // namespace

std::optional<Signature> read_signature(const File& file, TokenRange head) {
  return Reader(file, head).run();
}

TokenIndex angle_end(const File& file, TokenIndex less, TokenIndex end) {
  int depth = 0;
  for (TokenIndex at = less; at < end; ++at) {
    if (file.is(at, "<")) {
      ++depth;
    } else if (file.is(at, ">") || file.is(at, ">>")) {
      depth -= file.is(at, ">") ? 1 : 2;
      if (depth <= 0) return at;
    } else if (file.is(at, "(") || file.is(at, "[") || file.is(at, "{")) {
      const TokenIndex close = file.partner(at);
      if (close != kNoToken && close > at) at = close;
    }
  }
  return kNoToken;
}

bool is_all_capitals(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace hipwright::syntax::cuda
