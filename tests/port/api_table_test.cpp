// SPDX-License-Identifier: MIT
// The form of the tables: what is understood, and that mistakes are named with file and line.
#include "port/api/table.h"

#include <gmock/gmock.h>

namespace hipwright::port::api {

namespace {

using testing::HasSubstr;

Result<Tables> read(std::string_view text) {
  return read_tables({{"made_up.txt", text}});
}

constexpr std::string_view kTable = R"(# a comment
library blas
rule cublas* hipblas*
rule CUBLAS_* HIPBLAS_*

[function]
cublasSgemm
cublasSgemm_64 @6.0
cublasOld hipblasOther @5.1-7.0
cublasNone -
  ! use something else
cublasTwo compat @-
  > 2: $0($2, $1)
  ! swapped
[enumerator]
CUBLAS_OP_N
)";

TEST(PortApiTable, LinesBecomeEntries) {
  const auto tables = read(kTable);
  ASSERT_TRUE(tables) << tables.error().message();
  const auto& entries = tables->entries;
  ASSERT_EQ(entries.size(), 6u);
  EXPECT_EQ(entries[0].hip, "hipblasSgemm");
  EXPECT_EQ(entries[0].library, Library::kBlas);
  EXPECT_EQ(entries[0].since, HipVersion{});
  EXPECT_EQ(entries[1].hip, "hipblasSgemm_64");
  EXPECT_EQ(entries[1].since, (HipVersion{6, 0}));
  EXPECT_EQ(entries[2].hip, "hipblasOther");
  EXPECT_EQ(entries[2].until, (HipVersion{7, 0}));
  EXPECT_FALSE(entries[3].mapped());
  EXPECT_EQ(entries[3].caveat, "use something else");
  EXPECT_TRUE(entries[4].compat);
  EXPECT_EQ(entries[4].since, kNoRelease);
  EXPECT_EQ(entries[4].call, "2: $0($2, $1)");
  EXPECT_EQ(entries[5].kind, Kind::kEnumerator);
  EXPECT_EQ(entries[5].hip, "HIPBLAS_OP_N");
}

// Across the tables of a library, whatever their order; a name's own caveat wins.
TEST(PortApiTable, AdviceIsForNamesWithoutCounterpart) {
  const auto tables = read_tables(
      {{"generated.txt",
        "library blas\nrule cublas* hipblas*\n[function]\ncublasCgemm3mEx -\ncublasXt -\n"
        "cublasSgemm\ncublasOwn -\n  ! its own\n"},
       {"by_hand.txt",
        "library blas\ninstead cublas*gemm3m* gemm instead\ninstead cublasC* too late\n"
        "instead cublasOwn not this\ninstead cublasSgemm nor this\n"},
       {"other.txt", "library fft\ninstead * another library\n"}});
  ASSERT_TRUE(tables) << tables.error().message();
  std::vector<std::string_view> caveats;
  for (const Entry& entry : tables->entries) caveats.push_back(entry.caveat);
  EXPECT_THAT(caveats, testing::ElementsAre("gemm instead", "", "", "its own"));
}

TEST(PortApiTable, MistakesAreNamedWithFileAndLine) {
  struct Case {
    std::string_view text, where, why;
  };
  constexpr Case kCases[] = {
      {"library cooking", "made_up.txt:1", "unknown library"},
      {"library blas\nrule a b", "made_up.txt:2", "'*'"},
      {"library blas\n[function]\ncublasX", "made_up.txt:3", "no rule"},
      {"[function]\ncublasX hipblasX", "made_up.txt:2", "before 'library'"},
      {"library blas\ninstead cublasX", "made_up.txt:2", "a pattern and a text"},
      {"instead cublasX nothing", "made_up.txt:1", "a library before"},
      {"library blas\n[verb]\n", "made_up.txt:2", "unknown kind"},
      {"library blas\n[type]\na b c", "made_up.txt:3", "unexpected 'c'"},
      {"library blas\n[type]\na b @six", "made_up.txt:3", "invalid HIP version"},
      {"library blas\n[type]\na b @7.0-6.0", "made_up.txt:3", "invalid range"},
      {"library blas\n[type]\na b @-", "made_up.txt:3", "in no HIP"},
      {"library blas\n[type]\na - @6.0", "made_up.txt:3", "no counterpart"},
      {"library blas\n[type]\na b\na c", "made_up.txt:4", "already"},
      {"library blas\n[type]\n  ! lonely", "made_up.txt:3", "below a name"},
      {"library blas\n[type]\na b\n  ? what", "made_up.txt:4", "expected"},
      {"library blas\n[type]\na b\n  ! one\n  ! two", "made_up.txt:5", "once"},
      {"library blas\n[type]\na b\n  > $0($x)", "made_up.txt:4", "digit"},
      {"library blas\n[type]\na b\n  > 2: $0($3)", "made_up.txt:4", "for 2 arguments"},
      {"library blas\n[type]\na b\n  > $0($1) | 2: $0()", "made_up.txt:4", "last one"},
      {"library blas\n[type]\na b\n  > 1: $0() | 1: $0($1)", "made_up.txt:4", "two forms"},
      {"library blas\n[type]\na b\n  > $0(kernel($1, $2))", "made_up.txt:4", "one argument"},
  };
  for (const Case& each : kCases) {
    const auto tables = read(each.text);
    ASSERT_FALSE(tables) << each.text;
    EXPECT_EQ(tables.error().on, each.where) << each.text;
    EXPECT_THAT(tables.error().why, HasSubstr(std::string(each.why))) << each.text;
  }
}

TEST(PortApiTable, FormsAreChosenByTheNumberOfArguments) {
  const Entry entry{.hip = "f", .call = "2: $0($2..) | 3: g($*) | $0(symbol($1))"};
  const auto call = [&](std::vector<std::string_view> arguments) {
    return rewritten_call(entry, arguments).value_or("(none)");
  };
  EXPECT_EQ(call({"a", "b"}), "f(b)");
  EXPECT_EQ(call({"a", " b ", "c"}), "g(a, b, c)");
  EXPECT_EQ(call({"a"}), "f(HIP_SYMBOL(a))");
  EXPECT_EQ(call({}), "(none)");
  const Entry rest{.hip = "f", .call = "$0($1, $2..)"};
  EXPECT_EQ(rewritten_call(rest, std::vector<std::string_view>{"a"}), "f(a)");
}

}  // namespace

}  // namespace hipwright::port::api
