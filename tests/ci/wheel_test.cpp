// SPDX-License-Identifier: MIT
#include "ci/wheel/wheel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "ci/wheel/zip.h"
#include "paths.h"

namespace hipwright::ci {
namespace {

using testing::HasSubstr;

void append(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

// An archive of stored members.
std::string archive(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    const std::size_t header = out.size();
    out += std::string("PK\x03\x04", 4) + std::string(14, '\0');
    append(out, content.size(), 4), append(out, content.size(), 4);
    append(out, name.size(), 2), append(out, 0, 2);
    out += name + content;
    directory += std::string("PK\x01\x02", 4) + std::string(16, '\0');
    append(directory, content.size(), 4), append(directory, content.size(), 4);
    append(directory, name.size(), 2), append(directory, 0, 2 + 2 + 2 + 2 + 4);
    append(directory, header, 4);
    directory += name;
  }
  const std::size_t begin = out.size();
  out += directory + std::string("PK\x05\x06", 4) + std::string(4, '\0');
  append(out, members.size(), 2), append(out, members.size(), 2);
  append(out, directory.size(), 4), append(out, begin, 4), append(out, 0, 2);
  return out;
}

Result<Wheel> checked(const std::string& name, const std::string& bytes, const char* targets) {
  const auto folder = TemporaryDirectory::create().value();
  EXPECT_TRUE(write_file_atomic(folder.path() / name, bytes));
  return check_wheel(folder.path() / name, arch::parse_targets(targets).value());
}

TEST(Wheel, ListsTargetsAndWhatIsMissing) {
  const std::string bytes =
      archive({{"ext/__init__.py", ""},
               {"ext/axpy.co", read_file(tests_folder() / "fixtures/inspect/axpy.hipfb").value()}});
  const auto wheel =
      checked("ext-1.0-cp311-cp311-linux_x86_64.whl", bytes, "gfx942,gfx1100,gfx90a").value();
  ASSERT_EQ(wheel.targets.size(), 2U);
  EXPECT_GT(wheel.targets.at("gfx942").bytes, 1000U);
  ASSERT_EQ(wheel.problems.size(), 2U);
  EXPECT_TRUE(wheel.problems[0].is_failure);
  EXPECT_EQ(wheel.problems[0].what, "no code for gfx90a");
  EXPECT_THAT(wheel.problems[1].what, HasSubstr("linux_x86_64 is refused"));
}

TEST(Wheel, ReadsWhatAHostLibraryNeeds) {
  const std::string bytes = archive({{"ext/_C.so", read_file(built_tool()).value()}});
  const auto wheel =
      checked("ext-1.0-cp311-cp311-manylinux_2_17_x86_64.whl", bytes, "gfx942").value();
  ASSERT_EQ(wheel.libraries.size(), 1U);
  EXPECT_THAT(wheel.libraries[0].needed, testing::Contains("libc.so.6"));
  EXPECT_GT(wheel.libraries[0].glibc_minor, 17U);
  bool found = false;
  for (const WheelProblem& problem : wheel.problems)
    found |= problem.what.find("the tag promises 2.17") != std::string::npos;
  EXPECT_TRUE(found);
}

std::vector<std::string> problems_of(const Wheel& wheel) {
  std::vector<std::string> all;
  for (const WheelProblem& problem : wheel.problems) all.push_back(problem.what);
  return all;
}

TEST(Wheel, TheTagAnyPromisesThatThereAreNoLibraries) {
  const std::string gpu = read_file(tests_folder() / "fixtures/inspect/axpy.hipfb").value();
  const Wheel fine =
      checked("ext-1.0-py3-none-any.whl", archive({{"ext/axpy.co", gpu}}), "gfx942").value();
  EXPECT_THAT(problems_of(fine), testing::IsEmpty());
  EXPECT_THAT(wheel_text(fine), HasSubstr("0 libraries and 1 file of GPU code, tagged any"));
  const Wheel wrong = checked("ext-1.0-py3-none-any.whl",
                              archive({{"ext/axpy.co", gpu}, {"ext/_C.pyd", "MZ"}}), "gfx942")
                          .value();
  EXPECT_THAT(problems_of(wrong), testing::ElementsAre(HasSubstr("the tag any promises")));
}

// An offload binary of another vendor, as SYCL libraries have them.
TEST(Wheel, CodeOfOtherVendorsIsNotCounted) {
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__";
  const std::string id = "sycl-spir64-intel-unknown-", code = "not for AMD";
  append(bundle, 1, 8);
  append(bundle, 24 + 8 + 24 + id.size(), 8);
  append(bundle, code.size(), 8);
  append(bundle, id.size(), 8);
  const Wheel wheel = checked("ext-1.0-cp311-cp311-manylinux_2_28_x86_64.whl",
                              archive({{"ext/a.co", bundle + id + code}}), "gfx942")
                          .value();
  EXPECT_THAT(wheel.targets, testing::IsEmpty());
  EXPECT_THAT(problems_of(wheel), testing::ElementsAre("it contains no code for AMD GPUs"));
}

TEST(Wheel, DamageIsAnErrorThatNamesTheMember) {
  const std::string good = archive({{"a.so", "12345678"}});
  EXPECT_EQ(unpack(good, zip_members(good, "w")->at(0), "w").value(), "12345678");
  EXPECT_FALSE(zip_members(good.substr(0, good.size() - 23), "w"));
  EXPECT_FALSE(zip_members("", "w"));
  std::string bad = good;
  bad[bad.size() - 6] = 'x';  // where the directory begins
  EXPECT_FALSE(zip_members(bad, "w"));
  ZipMember bomb{.name = "a.so", .method = 8, .packed = 8, .size = 1ULL << 40};
  EXPECT_THAT(unpack(good, bomb, "w").error().message(), HasSubstr("a.so: its size"));
}

}  // namespace
}  // namespace hipwright::ci
