// SPDX-License-Identifier: MIT
#include "base/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/html_diff.h"
#include "base/markdown.h"

namespace hipwright {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, TextIsEscapedAndAlwaysUtf8) {
  EXPECT_EQ(html_text("a < b && \"c\""), "a &lt; b &amp;&amp; &quot;c&quot;");
  EXPECT_EQ(html_message("use `a < b` & c, `d"), "use <code>a &lt; b</code> &amp; c, `d");
  EXPECT_EQ(html_text("\xC3\xA4 \xFF \x01"), "\xC3\xA4 \xEF\xBF\xBD \xEF\xBF\xBD");
}

TEST(Html, APageHasALanguageOneTitleAndLinksToItsSections) {
  const std::string page =
      html_page({.title = "a & b",
                 .lead_html = "<p>lead</p>",
                 .sections = {{"first", "First", "<p>1</p>"}, {"second", "Second", "<p>2</p>"}}});
  EXPECT_THAT(page, HasSubstr("<html lang=\"en\">"));
  EXPECT_THAT(page, HasSubstr("<title>a &amp; b</title>"));
  EXPECT_THAT(page, HasSubstr("<h1>a &amp; b</h1>"));
  for (const char* id : {"first", "second"}) {
    EXPECT_THAT(page, HasSubstr(std::string("href=\"#") + id + '"'));
    EXPECT_THAT(page, HasSubstr(std::string("<section id=\"") + id + '"'));
  }
  EXPECT_LT(page.find("lead"), page.find("<section")) << "the summary comes first";
  for (const char* outside : {"http:", "https:", "src=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

TEST(Html, TablesNameTheirColumns) {
  HtmlTable table({"name", ">count"}, "wide");
  table.row({"<b>a</b>", "3"});
  EXPECT_THAT(table.html(), HasSubstr("<th scope=\"col\">name</th>"));
  EXPECT_THAT(table.html(), HasSubstr("<th scope=\"col\" class=\"n\">count</th>"));
  EXPECT_THAT(table.html(), HasSubstr("<td><b>a</b></td><td class=\"n\">3</td>"));
}

TEST(Html, DetailsCanBeFoundAndFiltered) {
  EXPECT_EQ(
      html_details({.summary_html = "s", .body_html = "b", .id = "x", .name = "a<b"}),
      "<details id=\"x\" data-name=\"a&lt;b\"><summary>s</summary><div>\nb</div></details>\n");
  EXPECT_THAT(html_details({.summary_html = "s", .body_html = "b", .is_open = true}),
              HasSubstr("<details open>"));
}

constexpr std::string_view kDiff =
    "--- a/one.cu\n+++ b/one.cu\n@@ -1,3 +1,3 @@\n same\n-cudaFree(p);\n--- old\n+hipFree(p);\n"
    "+++ new\n--- a/two.cu\n+++ b/two.cu\n@@ -7,0 +8 @@\n+added\n";

TEST(HtmlDiff, ShowsLinesSideBySideAndMarksDifferences) {
  const std::string html = html_diff(kDiff, 100, true);
  EXPECT_THAT(html, HasSubstr("<b>cuda</b>Free(p);"));
  EXPECT_THAT(html, HasSubstr("<b>hip</b>Free(p);"));
  // "--- old" within a hunk is a line that was "-- old".
  EXPECT_THAT(html, HasSubstr("<td class=\"out\">-- old</td>"));
  EXPECT_THAT(html, HasSubstr("<tr class=\"file\"><td colspan=\"4\">two.cu</td>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"no\">8</td><td class=\"in\">added</td>"));
  EXPECT_THAT(html_diff(kDiff, 100, false), Not(HasSubstr("two.cu")));
}

TEST(HtmlDiff, ReportsOmittedLines) {
  EXPECT_THAT(html_diff(kDiff, 2, false), HasSubstr("4 more lines are not shown"));
}

TEST(Markdown, BecomesHtmlWithoutLinksAndWithoutForeignMarkup) {
  const std::string html = html_of_markdown(
      "## Example\n\nSee [the page](https://example.org) and `a < b`.\n\n- one\n  two\n- three\n\n"
      "```cpp\nx = y && z;\n```\n\n| a | b |\n| --- | --- |\n| `c|d` | <b>e</b> |\n");
  EXPECT_THAT(html, HasSubstr("<h4>Example</h4>"));
  EXPECT_THAT(html, HasSubstr("See the page and <code>a &lt; b</code>."));
  EXPECT_THAT(html, HasSubstr("<li>one\ntwo</li>"));
  EXPECT_THAT(html, HasSubstr("<pre>x = y &amp;&amp; z;\n</pre>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\">a</th>"));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;e&lt;/b&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("https")));
  EXPECT_EQ(html_of_markdown_line("the `warpSize` of 32"), "the <code>warpSize</code> of 32");
}

}  // namespace
}  // namespace hipwright
