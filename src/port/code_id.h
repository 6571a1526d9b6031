// SPDX-License-Identifier: MIT
// A code of the porter, HPnnn, as written in the source. One without a page does not compile: the
// build generates the table from the names of the pages, HPnnn-name.md.
#pragma once

#include <string_view>

#include "port/phase.h"
#include "port_code_list.h"  // made by cmake/HipwrightCodes.cmake

namespace hipwright::port {

class CodeId {
 public:
  consteval CodeId(const char* code) : text_(code) {
    bool has_page = false;
    for (const std::string_view each : kCodeList) has_page |= each == text_;
    if (!has_page) this_code_has_no_page();
  }

  constexpr std::string_view text() const { return text_; }
  constexpr operator std::string_view() const { return text_; }
  constexpr Phase phase() const { return phase_of(text_); }

  friend constexpr bool operator==(CodeId, CodeId) = default;
  friend constexpr auto operator<=>(CodeId, CodeId) = default;

 private:
  static void this_code_has_no_page() {}  // not constexpr: to call it is the error

  std::string_view text_;
};

}  // namespace hipwright::port
