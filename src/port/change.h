// SPDX-License-Identifier: MIT
// What a port changes in one file, and why: every phase adds to one set, which is applied at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/text_edit.h"

namespace hipwright::port {

enum class Phase {
  kEnvironment,
  kDetection,
  kSource,
  kWave,
  kBuild,
  kLibraries,
  kCompile,
  kGraphs,
  kVerify
};
constexpr int kPhaseCount = 9;
std::string_view to_string(Phase phase);  // "source translation"

struct Change {
  TextEdit edit;
  Phase phase = Phase::kSource;
  std::string_view code;  // "HP201": the kind of change; its page says why
  std::string reason;     // of this one; may be empty
  // One name for another, wherever in the file it stands: where both platforms are to be kept, a
  // macro can do it.
  bool is_renaming = false;
};

class Changes {
 public:
  // A change that covers others takes their place: who rewrites a whole statement has read the
  // names in it. Of two that overlap otherwise the first stays, and false is returned.
  bool add(Change change);
  bool empty() const { return list_.empty(); }
  // Is any byte of this span changed?
  bool touches(Span span) const;

  const std::vector<Change>& list() const { return list_; }  // by place
  // The part of the text with the changes in it: for a phase that rewrites what others changed.
  std::string text_of(std::string_view text, Span span) const;
  std::string apply(std::string_view text) const { return text_of(text, {0, text.size()}); }
  // Both, as changes of `text`: `next` are those of what this makes of it. Where they meet they
  // become one.
  Changes then(std::string_view text, const Changes& next) const;

 private:
  std::vector<Change> list_;  // by place, none overlap
};

}  // namespace hipwright::port
