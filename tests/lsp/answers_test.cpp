// SPDX-License-Identifier: MIT
#include "lsp/answers.h"

#include <gmock/gmock.h>

#include "lsp/session.h"

namespace hipwright::lsp {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Answers : public Session {
 protected:
  static std::vector<std::string> titles(const Value& list) {
    std::vector<std::string> all;
    for (const Value& each : list) all.push_back(each["title"]);
    return all;
  }
  static Value titled(const Value& list, const std::string& part) {
    for (const Value& each : list)
      if (each["title"].get<std::string>().find(part) != std::string::npos) return each;
    ADD_FAILURE() << "no action has " << part << " in its title: " << list;
    return {};
  }
  // The text after an action, by the server's own reading of edits; then what is found in it.
  void apply(const Value& action, const std::string& uri = kUri) {
    Value edits = action["edit"]["changes"][uri];
    std::reverse(edits.begin(), edits.end());  // so that earlier places stay where they are
    Value changes = Value::array();
    for (const Value& edit : edits)
      changes.push_back({{"range", edit["range"]}, {"text", edit["newText"]}});
    change(changes, uri);
  }
  // HW002 has a safe fix.
  static constexpr const char* kUnused =
      "int a;  // hipwright: ignore[HW101] old\nint b;  // hipwright: ignore[HW201] old\n";
};

TEST_F(Answers, AFixOfTheRuleIsAnAction) {
  start();
  open(kBad);
  const Value fix = titled(actions(range(0, 10, 10)), "(unsafe: review it)");
  EXPECT_EQ(fix["kind"], "quickfix");
  EXPECT_FALSE(fix.contains("isPreferred")) << "unsafe";
  EXPECT_EQ(fix["diagnostics"][0]["code"], "HW101");
  apply(fix);
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(Answers, SafeFixesArePreferred) {
  start();
  open(kUnused);
  const Value fix = titled(actions(range(0, 12, 12)), "remove the unused suppression");
  EXPECT_EQ(fix["isPreferred"], true);
}

TEST_F(Answers, ASuppressionAsksForItsReason) {
  start();
  open(kBad);
  apply(titled(actions(range(0, 10, 10)), "suppress here"));
  EXPECT_THAT(codes(), ElementsAre("HW001"));
}

TEST_F(Answers, AllSafeFixesAtOnce) {
  start();
  open(kUnused);
  ASSERT_THAT(codes(), ElementsAre("HW002", "HW002"));
  const Value all = actions(range(0, 0, 0), {{"only", {"source.fixAll"}}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["kind"], "source.fixAll.hipwright");
  EXPECT_EQ(all[0]["edit"]["changes"][kUri][0]["newText"], "int a;\nint b;\n");
  apply(all[0]);
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(Answers, OnlyRequestedKindsAreOffered) {
  start();
  open(kUnused);
  EXPECT_EQ(actions(range(0, 12, 12), {{"only", {"refactor"}}}).size(), 0U);
  EXPECT_EQ(actions(range(0, 12, 12), {{"only", {"source"}}}).size(), 1U);
  EXPECT_EQ(actions(range(0, 12, 12), {{"only", {"quickfix"}}}).size(), 1U);
  EXPECT_EQ(actions(range(0, 12, 12), {{"only", {"quick"}}}).size(), 0U);
  EXPECT_THAT(titles(actions(range(0, 0, 0))), Not(Contains(HasSubstr("HW002"))))
      << "the finding is elsewhere";
  EXPECT_EQ(error("textDocument/codeAction", {{"textDocument", of()}}), -32602);
}

TEST_F(Answers, EditsHaveAVersionWhereTheClientWantsIt) {
  Value capabilities = able();
  capabilities["workspace"]["workspaceEdit"]["documentChanges"] = true;
  start(capabilities);
  open(kBad);
  const Value fix = titled(actions(range(0, 10, 10)), "(unsafe: review it)");
  const Value& change = fix["edit"]["documentChanges"][0];
  EXPECT_EQ(change["textDocument"]["uri"], kUri);
  EXPECT_EQ(change["textDocument"]["version"], 1);
  EXPECT_FALSE(change["edits"].empty());
}

TEST_F(Answers, AHoverShowsTheRulePage) {
  start();
  open(kBad);
  const Value found =
      result("textDocument/hover", {{"textDocument", of()}, {"position", at(0, 9)}});
  EXPECT_EQ(found["contents"]["kind"], "markdown");
  EXPECT_EQ(found["range"], range(0, 8, 17));
  const std::string page = found["contents"]["value"];
  EXPECT_THAT(page, StartsWith("# HW101 warp-size-constant"));
  EXPECT_THAT(page, HasSubstr("## When it is not a bug"));
  EXPECT_TRUE(
      result("textDocument/hover", {{"textDocument", of()}, {"position", at(1, 0)}}).is_null());
}

TEST_F(Answers, UnusedSuppressionsAreTagged) {
  start();
  open(kUnused);
  EXPECT_EQ(last("textDocument/publishDiagnostics")["diagnostics"][0]["tags"], Value::array({1}));
}

TEST(CodeDescription, PointsAtAnExistingPage) {
  const std::string text = "#define WARP_SIZE 32\nbool f() { return __any(WARP_SIZE); }\n";
  Workspace workspace(false);
  const auto result = workspace.check({}, "a.cu", text);
  ASSERT_TRUE(result);
  ASSERT_FALSE(result->findings.empty());
  const Client client{.knows_code_description = true};
  const Document document{.uri = "file:///a.cu", .lines = TextLines(text)};
  EXPECT_EQ(diagnostics(client, document, result->findings, "/docs")[0]["codeDescription"]["href"],
            "file:///docs/HW101-warp-size-constant.md");
}

}  // namespace
}  // namespace hipwright::lsp
