// SPDX-License-Identifier: MIT
#include "syntax/build/cmake_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::syntax::build {
namespace {

using testing::ElementsAre;

TEST(CMake, CommandsAreSplitIntoArguments) {
  const std::string text =
      "# comment (\nSet(X \"a;b\" [=[c]]]=] d\\ e \"f\\\"g\") #[[ long\n comment ]] if((A) AND "
      "B)\n";
  const CMakeCommands commands = read_cmake(text);
  ASSERT_EQ(commands.list.size(), 2U);
  EXPECT_EQ(commands.list[0].name, "set");
  std::vector<std::string> arguments;
  for (const CMakeArgument& each : commands.list[0].arguments) arguments.emplace_back(each.text);
  EXPECT_THAT(arguments, ElementsAre("X", "a;b", "c]]", "d\\ e", "f\\\"g"));
  EXPECT_EQ(commands.list[1].arguments.size(), 5U);
  EXPECT_TRUE(commands.problems.empty());
}

TEST(CMake, ParsingContinuesAfterErrors) {
  for (const char* text :
       {"set(X", "set(X \"a", "set(X [[a", ")", "set", "set(", "#[[", "\\", "if("})
    read_cmake(text);
  EXPECT_EQ(read_cmake("set(X \"a)").problems.at(0).what, "unterminated string");
  EXPECT_EQ(read_cmake("set(X").problems.at(0).what, "unclosed parenthesis");
}

}  // namespace
}  // namespace hipwright::syntax::build
