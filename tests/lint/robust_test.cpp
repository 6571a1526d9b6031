// SPDX-License-Identifier: MIT
// Files that nobody should have, and somebody has: read, or said not to be.
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "lint/fix.h"
#include "lint/tree.h"

namespace hipwright::lint {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

class Robust : public TreeTest {
 protected:
  // All rules, and what the notes say of the files.
  Report all() { return run({.root = root()}); }
  static std::vector<std::string> notes(const Report& report) {
    std::vector<std::string> list;
    for (const FileNote& note : report.notes) list.push_back(note.path + ": " + note.what);
    return list;
  }
  void expect_found(std::string_view bytes) {
    file("a.cu", bytes);
    const Report report = run();
    EXPECT_THAT(places(report), ElementsAre("a.cu:1 HW101"));
    EXPECT_THAT(notes(report), IsEmpty());
  }
  void expect_note(const std::string& name, std::string_view bytes, const std::string& note) {
    file(name, bytes);
    const Report report = all();
    EXPECT_THAT(notes(report), ElementsAre(name + ": " + note));
    EXPECT_THAT(report.findings, IsEmpty());
  }
  static std::string utf16(std::string_view text, bool is_big) {
    std::string bytes(is_big ? "\xFE\xFF" : "\xFF\xFE");
    for (const char byte : text) {
      if (is_big) bytes += '\0';
      bytes += byte;
      if (!is_big) bytes += '\0';
    }
    return bytes;
  }
};

constexpr std::size_t kMegabyte = 1'000'000;
constexpr std::size_t kTenMegabytes = 10 * kMegabyte;

TEST_F(Robust, OneLineOfTenMegabytes) {
  file("a.cu", repeated("int x = 1; ", kTenMegabytes));
  file("a.py", repeated("x = f(y)[0]; ", kTenMegabytes));
  const Report report = all();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(notes(report), IsEmpty());
  EXPECT_GT(report.statistics.bytes, 2 * kTenMegabytes);
}

// Every place asks for the whole file: what is too much is left out and said.
TEST_F(Robust, OneLongLineFullOfFindings) {
  file("a.cu",
       repeated("__device__ bool f(int n) { unsigned m = __ballot_sync(0xffffffff, n & 31); "
                "return __popc(m) > (threadIdx.x >> 5); } ",
                kMegabyte));
  const Report report = all();
  EXPECT_GT(report.findings.size(), 1000U);
  EXPECT_THAT(notes(report), ElementsAre(HasSubstr("too repetitive to analyse completely")));
}

TEST_F(Robust, ManySimilarPythonStatements) {
  file("a.py", repeated("y = [[0] * 3] * 3; y[0][1] = 2; ", kMegabyte));
  const Report report = all();
  EXPECT_GT(report.findings.size(), 0U);  // how many is a matter of what the rule asks per place
  EXPECT_THAT(notes(report), ElementsAre(HasSubstr("too repetitive to analyse completely")));
}

TEST_F(Robust, ManySuppressions) {
  file("lines.cu", repeated("int x;  // hipwright: ignore[HW101] why\n", kMegabyte));
  file("one.cu", "/* " + repeated("hipwright: ignore[HW101] why ", kMegabyte) + "*/\n");
  file("open.py", "# " + repeated("hipwright: ignore[HW101, ", kMegabyte) + "\n");
  file("word.py", "# hipwright: ignore[" + std::string(kMegabyte, 'x') + "] why\n");
  const Report report = run();
  EXPECT_GT(report.findings.size(), 50'000U);
  EXPECT_GT(apply_fixes(repeated("int x;  // hipwright: ignore[HW101] why\n", kMegabyte),
                        std::span(report.findings).first(20'000), FixKind::kSafe)
                .applied,
            15'000U);
}

TEST_F(Robust, EndlessBrackets) {
  for (const std::string name : {"a.cu", "a.py"})
    for (const char open : {'(', '[', '{'}) {
      const char close = open == '(' ? ')' : open == '[' ? ']' : '}';
      const std::string opened(kMegabyte, open), closed(kMegabyte, close);
      expect_note(name, opened,
                  name == "a.cu" ? "unclosed bracket (line 1, and 99 more)"
                                 : "unclosed bracket (line 1, and 63 more)");
      expect_note(name, closed,
                  name == "a.cu" ? "unmatched closing bracket (line 1, and 99 more)"
                                 : "unmatched closing bracket (line 1, and 63 more)");
      file(name, opened + closed);
      EXPECT_THAT(notes(all()), IsEmpty());
      fs::remove(root() / name);
    }
}

TEST_F(Robust, EndlessConditionsAndOperators) {
  expect_note("a.cu", "#if " + std::string(kMegabyte, '('),
              "unterminated conditional directive (line 1)");
  file("a.cu", "#if " + std::string(kMegabyte, '!') + "A\n#endif\n" +
                   repeated("template<class T> ", kMegabyte) + kBad);
  file("a.py", "x = " + repeated("not lambda: -", kMegabyte) + "y\n");
  file("b.py", "x = " + repeated("a if b else ", kMegabyte) + "c\n");
  file("CMakeLists.txt", repeated("set(x y) ", kMegabyte) + std::string(kMegabyte, '('));
  all();
}

TEST_F(Robust, BinaryFilesAreNotRead) {
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
  expect_note("a.cu", repeated(all_bytes, 100'000), "not read: binary");
}

TEST_F(Robust, ZeroBytesAreBinary) {
  expect_note("a.cu", std::string(kBad) + '\0', "not read: binary");
}

TEST_F(Robust, Utf16OfBothKinds) {
  expect_found(utf16(kBad, false));
  expect_found(utf16(kBad, true));
  expect_note("a.cu", utf16(kBad, false) + "x", "not read: binary");
}

TEST_F(Robust, LinesMayEndInAnyWay) {
  std::string with_return(kBad);
  for (std::size_t at = 0; (at = with_return.find('\n', at)) != std::string::npos; at += 2)
    with_return.insert(at, "\r");
  expect_found(with_return);
  std::erase(with_return, '\n');
  expect_note("a.cu", with_return, "lines end with CR only; read as a single line");
}

TEST_F(Robust, BytesThatAreNotUtf8) {
  file("a.cu", "// \xE4\xFF\xC3\n" + std::string(kBad));
  EXPECT_THAT(places(run()), ElementsAre("a.cu:2 HW101"));
}

TEST_F(Robust, EmptyFiles) {
  for (const char* name : {"a.cu", "a.py", "CMakeLists.txt", "requirements.txt"}) file(name, "");
  const Report report = all();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(notes(report), IsEmpty());
  EXPECT_EQ(report.statistics.files, 4U);
}

TEST_F(Robust, CyclicLinks) {
  file("a.cu", kBad);
  fs::create_directory_symlink(".", root() / "loop");
  fs::create_symlink("self.cu", root() / "self.cu");
  const Report report = run();
  EXPECT_THAT(places(report), ElementsAre("a.cu:1 HW101"));
  EXPECT_THAT(notes(report), ElementsAre("loop: symbolic link: not followed",
                                         "self.cu: symbolic link: not followed"));
  Options options = this->options();
  options.paths = {"self.cu"};
  const auto named = lint(options);
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().message(), AllOf(HasSubstr("self.cu"), HasSubstr("symbolic links")));
}

TEST_F(Robust, TheFirstTokenOfAFile) {
  for (const char* word : {"nvidia", "torch", "triton", "cuda", "flash_attn", "pynvml", "xformers"})
    for (const char* more : {"", "\n", ".x(1)\n", " = 1\n", ",\n", "()\n"}) {
      file("a.py", std::string(word) + more);
      EXPECT_THAT(places(run()), ElementsAre()) << word << more;
    }
}

TEST_F(Robust, SpecialFilesAreNotRead) {
  fs::create_directory(root() / "x.cu");
  file("x.cu/y.cu", kBad);
  ASSERT_EQ(::mkfifo((root() / "x.py").c_str(), 0600), 0);
  EXPECT_THAT(places(run()), ElementsAre("x.cu/y.cu:1 HW101"));
  Options options = this->options();
  options.paths = {"x.py"};
  const auto pipe = lint(options);
  ASSERT_FALSE(pipe);
  EXPECT_THAT(pipe.error().message(), HasSubstr("neither a file nor a directory"));
}

TEST_F(Robust, FilesThatCannotBeOpened) {
  if (::geteuid() == 0) GTEST_SKIP() << "not run: root can open every file";
  file("a.cu", kBad);
  ::chmod((root() / "a.cu").c_str(), 0);
  EXPECT_THAT(notes(all()), ElementsAre("a.cu: not read: Permission denied"));
}

TEST_F(Robust, AFixOfAFileThatVanishedIsAnError) {
  file("a.cu", "int x;  // hipwright: ignore[HW101] old\n");
  const auto fixed = fix(options(), FixKind::kSafe);
  ASSERT_TRUE(fixed);
  ASSERT_EQ(fixed->files.size(), 1U);
  fs::remove(root() / "a.cu");
  const Status written = write_fixes(options(), *fixed);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("a.cu"));
}

TEST_F(Robust, OneReadOnlyFileBlocksAllFixes) {
  const std::string text = "int x;  // hipwright: ignore[HW101] old\n";
  file("a.cu", text);
  file("b.cu", text);
  ::chmod((root() / "b.cu").c_str(), 0444);
  const auto fixed = fix(options(), FixKind::kSafe);
  ASSERT_TRUE(fixed);
  const Status written = write_fixes(options(), *fixed);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), AllOf(HasSubstr("b.cu"), HasSubstr("read-only")));
  EXPECT_EQ(*read_file(root() / "a.cu"), text);
}

}  // namespace
}  // namespace hipwright::lint
