// SPDX-License-Identifier: MIT
// Reports as one HTML file: the parts that all of them are made of. A page needs no other file and
// no network; it has a light, a dark and a printed form, and screen readers find their way.
//
// Parameters named `html` or `…_html` are markup; all others are text and get escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hipwright {

// Escapes for elements and quoted attributes. Bytes that are not UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

// What a number or a word means for the reader. kOpen: not decided, look at it.
enum class Tone { kPlain, kGood, kBad, kOpen, kSoft };
std::string_view class_of(Tone tone);  // "good"; of kPlain: ""

std::string html_badge(std::string_view text, Tone tone);
std::string html_code(std::string_view text);
// A message: what stands between backticks is code.
std::string html_message(std::string_view text);
// To an element of the same page.
std::string html_link(std::string_view id, std::string_view text);

struct HtmlCard {
  std::string number, what;
  Tone tone = Tone::kPlain;
};
std::string html_cards(const std::vector<HtmlCard>& cards);

// Questions that a summary answers before any detail: "Proven", "Not proven", "To do by hand".
struct HtmlAnswer {
  std::string question;
  std::string html;
  Tone tone = Tone::kPlain;
};
std::string html_answers(const std::vector<HtmlAnswer>& answers);

class HtmlTable {
 public:
  // A column whose name begins with '>' has numbers, and is aligned to the right. `style` names
  // classes.
  explicit HtmlTable(std::vector<std::string> columns, std::string style = {});
  void row(const std::vector<std::string>& cells_html, std::string_view style = {});
  std::string html() const;

 private:
  std::vector<std::string> columns_;
  std::string style_, rows_;
};

// A part that unfolds. A link to its id, or to one inside it, unfolds it.
struct HtmlDetails {
  std::string summary_html;
  std::string body_html;
  std::string id = {};
  // What the filter of the page looks for; empty: the filter leaves it alone.
  std::string name = {};
  bool is_open = false;
};
std::string html_details(const HtmlDetails& details);

// A field that shows only those parts of the element `id` whose name has the text typed into it.
std::string html_filter(std::string_view id, std::string_view label);

struct HtmlSection {
  std::string id, title;
  std::string html;
};
struct HtmlPage {
  std::string title;
  std::string lead_html;              // the summary
  std::vector<HtmlSection> sections;  // in the navigation, too
  std::string style = {};             // added to what all pages share
};
std::string html_page(const HtmlPage& page);

// "data:image/png;base64,…".
std::string data_url(std::string_view type, std::string_view bytes);

}  // namespace hipwright
