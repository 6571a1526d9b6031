// SPDX-License-Identifier: MIT
// Is an exception caught where it is raised?
#include <algorithm>
#include <array>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

namespace {

using namespace std::string_view_literals;

struct Kinship {
  std::string_view exception;
  std::string_view base;
};

// Base classes besides Exception and BaseException.
constexpr std::array kBases = {
    Kinship{"ModuleNotFoundError", "ImportError"},
    // Either of the two handles a missing module.
    Kinship{"ImportError", "ModuleNotFoundError"},
    Kinship{"NotImplementedError", "RuntimeError"},
    Kinship{"RecursionError", "RuntimeError"},
    Kinship{"KeyError", "LookupError"},
    Kinship{"IndexError", "LookupError"},
    Kinship{"FileNotFoundError", "OSError"},
    Kinship{"PermissionError", "OSError"},
    Kinship{"OSError", "IOError"},
    Kinship{"OSError", "EnvironmentError"},
    Kinship{"UnicodeDecodeError", "ValueError"},
    Kinship{"ZeroDivisionError", "ArithmeticError"},
    Kinship{"OverflowError", "ArithmeticError"},
};

bool catches(std::string_view caught, std::string_view exception) {
  if (caught == exception || caught == "Exception"sv || caught == "BaseException"sv) return true;
  return std::ranges::any_of(
      kBases, [&](const Kinship& kin) { return kin.exception == exception && kin.base == caught; });
}

// Any of the names of a list of exceptions; the last part of a dotted one.
bool list_catches(const File& file, TokenRange list, std::string_view exception) {
  for (TokenIndex at = list.begin; at < list.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName) continue;
    if (file.text(at) == "as"sv) return false;
    if (at + 1 < list.end && file.is(at + 1, ".")) continue;
    if (catches(file.text(at), exception)) return true;
  }
  return false;
}

bool handlers_catch(const File& file, StatementIndex statement, std::string_view exception) {
  const auto all = file.statements();
  StatementIndex at = all[statement].block_end;
  for (; at < all.size() && all[at].kind == StatementKind::kExcept; at = all[at].block_end) {
    TokenRange list = all[at].tokens;
    ++list.begin;
    if (list.empty() || list_catches(file, list, exception)) return true;
  }
  return false;
}

bool suppresses(const File& file, TokenRange header, std::string_view exception) {
  for (TokenIndex at = header.begin; at < header.end; ++at)
    if (file.is(at, "suppress") && file.is(at + 1, "("))
      for (const TokenRange& argument : file.arguments(at + 1))
        if (list_catches(file, argument, exception)) return true;
  return false;
}

}  // namespace

bool File::guarded_by_try(StatementIndex statement, std::string_view exception) const {
  const auto all = statements();
  for (StatementIndex at = all[statement].parent; at != kNoStatement; at = all[at].parent) {
    // A function runs when it is called, not where it is written.
    if (all[at].kind == StatementKind::kDef) return false;
    if (all[at].kind == StatementKind::kTry && handlers_catch(*this, at, exception)) return true;
    if (all[at].kind == StatementKind::kWith && suppresses(*this, all[at].tokens, exception))
      return true;
  }
  return false;
}

}  // namespace hipwright::syntax::python
