// SPDX-License-Identifier: MIT
// The changes of one file and their reasons: every pass adds to one set, which is applied at once.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "base/diagnostic.h"
#include "base/text_edit.h"
#include "port/code_id.h"

namespace hipwright::port {

struct Change {
  TextEdit edit;
  CodeId code;         // the kind of change; its page says why
  std::string reason;  // of this one; may be empty
  // Replaces one name with another throughout the file: in dual mode a macro can do it.
  bool is_renaming = false;
  // That macro, if it is not just the name: "cudaFuncGetAttributes(a1, a2)" and its text.
  std::string macro, macro_text;
  // NVIDIA's compiler accepts both forms and takes them for the same: in dual mode it needs no
  // branch.
  bool is_neutral = false;

  Phase phase() const { return code.phase(); }
};

class Changes {
 public:
  struct ByPlace {
    using is_transparent = void;
    bool operator()(const Change& a, const Change& b) const {
      return std::tie(a.edit.span.begin, a.edit.span.end) <
             std::tie(b.edit.span.begin, b.edit.span.end);
    }
    bool operator()(const Change& change, std::size_t offset) const {
      return change.edit.span.begin < offset;
    }
    bool operator()(std::size_t offset, const Change& change) const {
      return offset < change.edit.span.begin;
    }
  };
  using List = std::set<Change, ByPlace>;

  // A change that covers others replaces them: a pass that rewrites a whole statement has read the
  // names in it. Of two that overlap otherwise the first stays, and false is returned.
  bool add(Change change);
  bool empty() const { return list_.empty(); }
  // Lets a macro stand for the renaming of exactly this span. False if there is none.
  bool use_macro(Span span, std::string macro, std::string text);
  // Is any byte of this span changed?
  bool touches(Span span) const;

  const List& list() const { return list_; }  // by place
  // The part of the text with the changes applied, for a pass that rewrites changed code.
  std::string text_of(std::string_view text, Span span) const;
  std::string apply(std::string_view text) const { return text_of(text, {0, text.size()}); }
  // Combines both as changes of `text`: `next` are changes of the result of this set. Overlapping
  // changes become one.
  Changes then(std::string_view text, const Changes& next) const;

 private:
  List list_;  // none overlap
};

}  // namespace hipwright::port
