// SPDX-License-Identifier: MIT
#include "port/output/in_place.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "port/output/journal.h"
#include "port/output/output.h"
#include "port/port.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kCuda =
    "#include <cuda_runtime.h>\nvoid f(float** p) { cudaMalloc(p, 4); }\n";

struct Seen {
  std::string content;  // of a link: where it points to
  mode_t mode = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};
using Snapshot = std::map<std::string, Seen>;

class InPlace : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    scratch_.emplace(*std::move(made));
    root_ = scratch_->path() / "tree";
    ASSERT_TRUE(make_directories(root_));
  }

  void file(const std::string& path, const std::string& content, mode_t mode = 0644) {
    ASSERT_TRUE(make_directories((root_ / path).parent_path()));
    ASSERT_TRUE(write_file_atomic(root_ / path, content));
    ASSERT_EQ(::chmod((root_ / path).c_str(), mode), 0);
    // Times that no file gets by chance, with nanoseconds.
    const timespec old[2] = {{1'000'000'000, 123'456'789}, {1'100'000'000, 987'654'321}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (root_ / path).c_str(), old, 0), 0);
  }

  // Everything but git's folder: contents, modes, times; of folders, too.
  Snapshot snapshot() const {
    Snapshot all;
    const auto add = [&](const fs::path& path) {
      struct stat info {};
      EXPECT_EQ(::lstat(path.c_str(), &info), 0);
      Seen seen{{}, info.st_mode, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
      if (S_ISLNK(info.st_mode)) seen.content = fs::read_symlink(path).string();
      if (S_ISREG(info.st_mode)) seen.content = read_file(path).value_or("unreadable");
      all[path.lexically_relative(root_).string()] = seen;
    };
    add(root_);
    for (auto at = fs::recursive_directory_iterator(root_); at != fs::end(at); ++at) {
      if (at->path().filename() == ".git") at.disable_recursion_pending();
      add(at->path());
    }
    return all;
  }

  Ported ported(Mode mode = Mode::kHip) const {
    Options options;
    options.path = root_;
    options.mode = mode;
    auto result = port(options);
    EXPECT_TRUE(result);
    return *std::move(result);
  }

  // Runs `body` in a process that is killed before step number `at`. False: it came to its end.
  static bool killed_at(int at, const std::function<void(const InPlaceOptions&)>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
      int step = 0;
      body({.force = true, .before_step = [&](std::string_view) {
              if (step++ == at) ::kill(::getpid(), SIGKILL);
            }});
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }

  Result<std::size_t> write(const Ported& what) const {
    return write_in_place(what, {.force = true, .before_step = {}});
  }
  Result<std::size_t> take_back(bool force = false) const {
    return undo(root_, {.force = force, .before_step = {}});
  }
  std::string text(const std::string& path) const {
    return read_file(root_ / path).value_or("unreadable");
  }

  std::optional<TemporaryDirectory> scratch_;
  fs::path root_;
};

TEST_F(InPlace, WritesAndUndoBringsBackBytesModesAndTimes) {
  file("a.cu", kCuda);
  file("sub/run.cu", kCuda, 0755);
  file("sub/locked.cu", kCuda, 0444);
  file("crlf.cu", "#include <cuda_runtime.h>\r\nvoid f(float** p) { cudaMalloc(p, 4); }\r\n");
  file("latin.cu", std::string("// caf\xE9\n") + kCuda);
  file("same.txt", "cudaMalloc\n");
  const Snapshot before = snapshot();

  const auto written = write(ported());
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(*written, 5U);
  const Snapshot after = snapshot();
  for (const char* path : {"a.cu", "sub/run.cu", "sub/locked.cu", "crlf.cu", "latin.cu"}) {
    EXPECT_THAT(after.at(path).content, HasSubstr("hipMalloc")) << path;
    EXPECT_EQ(after.at(path).mode, before.at(path).mode) << path;
  }
  EXPECT_THAT(after.at("crlf.cu").content, HasSubstr("}\r\n"));
  EXPECT_THAT(after.at("latin.cu").content, HasSubstr("caf\xE9\n"));
  EXPECT_EQ(after.at("same.txt"), before.at("same.txt"));

  ASSERT_TRUE(take_back());
  EXPECT_EQ(snapshot(), before);
  const auto again = take_back();
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("no port in place to undo"));
}

TEST_F(InPlace, Utf16StaysUtf16) {
  const std::string bytes = syntax::encode(kCuda, syntax::Encoding::kUtf16Le);
  file("wide.cu", bytes);
  ASSERT_TRUE(write(ported()));
  const syntax::Text now = syntax::decode(text("wide.cu"));
  EXPECT_EQ(now.encoding, syntax::Encoding::kUtf16Le);
  EXPECT_THAT(now.bytes, HasSubstr("hipMalloc"));
  ASSERT_TRUE(take_back());
  EXPECT_EQ(text("wide.cu"), bytes);
}

TEST_F(InPlace, ASecondRunHasNothingToDo) {
  file("a.cu", kCuda);
  for (const Mode mode : {Mode::kDual, Mode::kHip}) {
    ASSERT_TRUE(write(ported(mode)));
    const auto again = write(ported(mode));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(*again, 0U);
    ASSERT_TRUE(take_back());
  }
  EXPECT_EQ(text("a.cu"), kCuda);
}

TEST_F(InPlace, PortsAreTakenBackOneByOne) {
  file("a.cu", kCuda);
  const Snapshot first = snapshot();
  ASSERT_TRUE(write(ported()));
  file("b.cu", kCuda);
  ASSERT_TRUE(write(ported()));
  ASSERT_TRUE(take_back());
  EXPECT_EQ(text("b.cu"), kCuda);
  EXPECT_THAT(text("a.cu"), HasSubstr("hipMalloc"));
  ASSERT_TRUE(take_back());
  fs::remove(root_ / "b.cu");
  EXPECT_EQ(snapshot().at("a.cu"), first.at("a.cu"));
  EXPECT_FALSE(fs::exists(root_ / ".hipwright"));
}

// The one promise: killed before whichever step, undo brings back everything, and if there is
// nothing to undo, everything is as it was.
TEST_F(InPlace, KilledAnywhereNothingIsLost) {
  file("a.cu", kCuda);
  file("b/c.cu", kCuda, 0755);
  file("b/d.cu", kCuda, 0400);
  const Snapshot before = snapshot();
  const Ported what = ported(Mode::kDual);  // also makes new files
  ASSERT_FALSE(what.added.empty());
  int at = 0;
  int undone = 0;
  for (bool killed = true; killed; ++at) {
    killed = killed_at(at, [&](const InPlaceOptions& options) {
      static_cast<void>(write_in_place(what, options));
    });
    Snapshot now = snapshot();
    for (const auto& [path, seen] : before) {
      if (path == "." || path == "b") continue;
      EXPECT_TRUE(now[path].content == seen.content ||
                  now[path].content.find("hip") != std::string::npos)
          << path << " at step " << at;
    }
    if (const auto back = take_back()) {
      ++undone;
      now = snapshot();
      EXPECT_EQ(now, before) << "step " << at;
    } else {
      // No journal: the leftovers are swept away by the next one.
      fs::remove_all(root_ / ".hipwright");
      now = snapshot();
      now["."] = before.at(".");
      EXPECT_EQ(now, before) << "step " << at;
    }
    const timespec old[2] = {{0, UTIME_OMIT}, {before.at(".").seconds, before.at(".").nanoseconds}};
    ::utimensat(AT_FDCWD, root_.c_str(), old, 0);
  }
  EXPECT_GT(at, 12);
  EXPECT_GT(undone, 4);
}

TEST_F(InPlace, AnUndoThatIsKilledCanBeDoneAgain) {
  file("a.cu", kCuda);
  file("b/c.cu", kCuda, 0755);
  const Snapshot before = snapshot();
  int at = 0;
  for (bool killed = true; killed; ++at) {
    ASSERT_TRUE(write(ported(Mode::kDual)));
    killed = killed_at(
        at, [&](const InPlaceOptions& options) { static_cast<void>(undo(root_, options)); });
    if (killed) {
      const auto back = take_back();
      ASSERT_TRUE(back) << back.error().message();
    }
    EXPECT_EQ(snapshot(), before) << "step " << at;
  }
  EXPECT_GT(at, 4);
}

TEST_F(InPlace, AfterAKillTheNextOneSaysWhatToDo) {
  file("a.cu", kCuda);
  file("b.cu", kCuda);
  const Ported what = ported();
  // save, stage, save, stage, journal, write, [write]
  ASSERT_TRUE(killed_at(
      6, [&](const InPlaceOptions& options) { static_cast<void>(write_in_place(what, options)); }));
  EXPECT_THAT(text("a.cu"), HasSubstr("hipMalloc"));
  EXPECT_EQ(text("b.cu"), kCuda);
  const auto again = write(ported());
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message(), HasSubstr("was interrupted"));
  EXPECT_THAT(again.error().message(), HasSubstr("hipwright port --undo"));
  ASSERT_TRUE(take_back());
  EXPECT_EQ(text("a.cu"), kCuda);
  EXPECT_TRUE(write(ported()));
}

TEST_F(InPlace, LinksAreLeftAlone) {
  ASSERT_TRUE(write_file_atomic(scratch_->path() / "outside.cu", kCuda));
  file("a.cu", kCuda);
  fs::create_symlink("../outside.cu", root_ / "link.cu");
  fs::create_directory(scratch_->path() / "elsewhere");
  ASSERT_TRUE(write_file_atomic(scratch_->path() / "elsewhere/x.cu", kCuda));
  fs::create_directory_symlink("../elsewhere", root_ / "folder");
  ASSERT_TRUE(write(ported()));
  EXPECT_EQ(fs::read_symlink(root_ / "link.cu"), "../outside.cu");
  EXPECT_EQ(*read_file(scratch_->path() / "outside.cu"), kCuda);
  EXPECT_EQ(*read_file(scratch_->path() / "elsewhere/x.cu"), kCuda);
}

TEST_F(InPlace, AFolderThatBecameALinkIsNotFollowed) {
  file("sub/a.cu", kCuda);
  const Ported what = ported();
  fs::rename(root_ / "sub", scratch_->path() / "moved");
  fs::create_directory_symlink("../moved", root_ / "sub");
  const auto written = write(what);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("symbolic link"));
  EXPECT_EQ(*read_file(scratch_->path() / "moved/a.cu"), kCuda);
}

// The file itself is the one that was read.
TEST_F(InPlace, AFolderThatBecomesALinkBetweenTwoWritesIsNotFollowed) {
  file("a.cu", kCuda);
  file("sub/b.cu", kCuda);
  int writes = 0;
  const auto written =
      write_in_place(ported(), {.force = true, .before_step = [&](std::string_view step) {
                                  if (step != "write" || ++writes != 2) return;
                                  fs::rename(root_ / "sub", scratch_->path() / "moved");
                                  fs::create_directory_symlink("../moved", root_ / "sub");
                                }});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("symbolic link"));
  EXPECT_EQ(*read_file(scratch_->path() / "moved/b.cu"), kCuda);
}

TEST_F(InPlace, AnotherNameOfAFileKeepsItsContent) {
  file("a.cu", kCuda);
  fs::create_hard_link(root_ / "a.cu", scratch_->path() / "other");
  ASSERT_TRUE(write(ported()));
  EXPECT_EQ(*read_file(scratch_->path() / "other"), kCuda);
}

TEST_F(InPlace, TwoNamesOfOneFileInTheTreeArePortedAndBecomeOneAgain) {
  file("a.cu", kCuda);
  fs::create_hard_link(root_ / "a.cu", root_ / "b.cu");
  const Snapshot before = snapshot();
  const Ported what = ported();
  EXPECT_EQ(hard_links_in(what), (std::vector<std::string>{"a.cu", "b.cu"}));
  const auto written = write(what);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_THAT(*read_file(root_ / "a.cu"), HasSubstr("hipMalloc"));
  EXPECT_EQ(*read_file(root_ / "a.cu"), *read_file(root_ / "b.cu"));
  ASSERT_TRUE(undo(root_, {}));
  EXPECT_EQ(snapshot(), before);
  EXPECT_EQ(fs::hard_link_count(root_ / "a.cu"), 2U);
}

TEST_F(InPlace, AFileThatChangedAfterReadingIsNotWrittenOver) {
  file("a.cu", kCuda);
  file("b.cu", kCuda);
  const Ported what = ported();
  file("b.cu", std::string(kCuda) + "// mine\n");
  const Snapshot before = snapshot();
  const auto written = write(what);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("changed while"));
  EXPECT_EQ(snapshot(), before);
}

// The same, but when others are already written: those are taken back.
TEST_F(InPlace, AFileThatChangesBetweenTwoWritesIsNotWrittenOver) {
  file("a.cu", kCuda);
  file("b.cu", kCuda);
  for (const bool replaced : {true, false}) {
    int writes = 0;
    const auto written = write_in_place(
        ported(), {.force = true, .before_step = [&](std::string_view step) {
                     if (step != "write" || ++writes != 2) return;
                     const std::string mine = std::string(kCuda) + "// mine\n";
                     if (replaced) return file("b.cu", mine);
                     const int fd = ::open((root_ / "b.cu").c_str(), O_WRONLY | O_APPEND);
                     EXPECT_EQ(::write(fd, "//!\n", 4), 4);
                     ::close(fd);
                   }});
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message(), HasSubstr("b.cu"));
    EXPECT_EQ(text("a.cu"), kCuda);
    EXPECT_THAT(text("b.cu"), HasSubstr(replaced ? "// mine" : "//!"));
    EXPECT_THAT(text("b.cu"), Not(HasSubstr("hip")));
    EXPECT_FALSE(fs::exists(root_ / ".hipwright"));
  }
}

// Whatever happens to the second file while the first is written: nothing of it is lost, and the
// first is taken back.
TEST_F(InPlace, EveryChangeBetweenTwoWritesIsNoticed) {
  const auto times_of = [](const fs::path& path) {
    struct stat info {};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0);
    return std::array{info.st_atim, info.st_mtim};
  };
  const std::string mine = std::string(kCuda).replace(0, 2, "//");
  const std::map<std::string, std::function<void(const fs::path&)>> changes = {
      {"the same size and time",
       [&](const fs::path& path) {
         const auto times = times_of(path);
         const int fd = ::open(path.c_str(), O_WRONLY);
         EXPECT_EQ(::pwrite(fd, "//", 2, 0), 2);
         EXPECT_EQ(::futimens(fd, times.data()), 0);
         ::close(fd);
       }},
      {"another file of the same size and time",
       [&](const fs::path& path) {
         const auto times = times_of(path);
         fs::rename(path, scratch_->path() / "aside");
         EXPECT_TRUE(write_file_atomic(path, mine));
         EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
       }},
      {"a link in its place",
       [&](const fs::path& path) {
         EXPECT_TRUE(write_file_atomic(scratch_->path() / "behind", mine));
         fs::remove(path);
         fs::create_symlink(scratch_->path() / "behind", path);
       }},
      {"its directory became a link", [&](const fs::path& path) {
         fs::rename(path.parent_path(), scratch_->path() / "moved");
         EXPECT_TRUE(write_file_atomic(scratch_->path() / "moved/b.cu", mine));
         fs::create_directory_symlink(scratch_->path() / "moved", path.parent_path());
       }}};
  for (const auto& [name, change] : changes) {
    fs::remove_all(root_);
    fs::remove_all(scratch_->path() / "moved");
    file("a.cu", kCuda);
    file("sub/b.cu", kCuda);
    int writes = 0;
    const auto written =
        write_in_place(ported(), {.force = true, .before_step = [&](std::string_view step) {
                                    if (step == "write" && ++writes == 2)
                                      change(root_ / "sub/b.cu");
                                  }});
    EXPECT_FALSE(written) << name;
    EXPECT_EQ(text("sub/b.cu"), mine) << name;
    EXPECT_THAT(text("a.cu"), Not(HasSubstr("hip"))) << name;
  }
}

TEST_F(InPlace, AFileThatAppearsMeanwhileStays) {
  file("a.cu", kCuda);
  const auto written = write_in_place(ported(Mode::kDual),
                                      {.force = true, .before_step = [&](std::string_view step) {
                                         if (step == "write") file("hip_names.h", "// mine\n");
                                       }});
  EXPECT_FALSE(written);
  EXPECT_EQ(text("hip_names.h"), "// mine\n");
}

TEST_F(InPlace, NoRoomOnTheDiskLeavesTheOriginals) {
  file("a.cu", kCuda);
  file("big.cu", std::string(kCuda) + std::string(100'000, '\n'));
  const Snapshot before = snapshot();
  const Ported what = ported();
  // A limit on file sizes fails like a full disk, at a write.
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{50'000, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = write(what);
  const auto tree = write_tree(what, scratch_->path() / "out");
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("big.cu"));
  Snapshot now = snapshot();
  now["."] = before.at(".");
  EXPECT_EQ(now, before);
  EXPECT_FALSE(tree);
  for (const auto& entry : fs::directory_iterator(scratch_->path()))
    EXPECT_EQ(entry.path(), root_) << "a half-made tree was left";
}

TEST_F(InPlace, EditsAfterThePortStopAnUndo) {
  file("a.cu", kCuda);
  file("b.cu", kCuda);
  ASSERT_TRUE(write(ported()));
  ASSERT_TRUE(write_file_atomic(root_ / "b.cu", text("b.cu") + "// by hand\n"));
  const auto refused = take_back();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("b.cu"));
  EXPECT_THAT(text("a.cu"), HasSubstr("hipMalloc"));
  ASSERT_TRUE(take_back(true));
  EXPECT_EQ(text("b.cu"), kCuda);
}

TEST_F(InPlace, AFileOfTheProjectThatHasTheNameOfOursStays) {
  file("a.cu", kCuda);
  file("hip_names.h", "#define MINE 1\n");
  const auto written = write(ported(Mode::kDual));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("hip_names.h"));
  EXPECT_EQ(text("a.cu"), kCuda);
}

TEST_F(InPlace, OneProcessAtATime) {
  file("a.cu", kCuda);
  const Ported what = ported();
  const auto held = Journals::open(root_);
  ASSERT_TRUE(held);
  const auto written = write(what);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("another hipwright"));
}

class Git : public InPlace {
 protected:
  void SetUp() override {
    InPlace::SetUp();
    if (!find_program("git")) GTEST_SKIP() << "not run: git is not installed";
  }
  void git(std::vector<std::string> words, const fs::path& folder) {
    words.insert(words.begin(), {"git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c",
                                 "protocol.file.allow=always", "-c", "init.defaultBranch=main"});
    const auto done = run({.argv = words, .directory = folder});
    ASSERT_TRUE(done && done->ok()) << shell_quoted(words) << done->err;
  }
  void commit(const fs::path& folder) {
    git({"init", "-q"}, folder);
    git({"add", "-A"}, folder);
    git({"commit", "-qm", "all"}, folder);
  }
  Result<std::size_t> write_clean() const {
    return write_in_place(ported(), {.force = false, .before_step = {}});
  }
};

TEST_F(Git, IsAskedWhetherItCouldBringTheFilesBack) {
  file("a.cu", kCuda);
  auto refused = write_clean();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("not in a git repository"));
  commit(root_);
  file("new.cu", kCuda);
  refused = write_clean();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("new.cu"));
  fs::remove(root_ / "new.cu");
  const auto written = write_clean();
  ASSERT_TRUE(written) << written.error().message();
  // The originals are no news to git, and an undone tree is clean.
  const auto status = run({.argv = {"git", "status", "--porcelain"}, .directory = root_});
  EXPECT_EQ(status->out, " M a.cu\n");
  ASSERT_TRUE(take_back());
  EXPECT_TRUE(check_clean(root_));
}

TEST_F(Git, SubmodulesMustBeCleanToo) {
  const fs::path library = scratch_->path() / "library";
  ASSERT_TRUE(make_directories(library));
  ASSERT_TRUE(write_file_atomic(library / "l.cu", kCuda));
  commit(library);
  file("a.cu", kCuda);
  commit(root_);
  git({"submodule", "add", "-q", library.string(), "sub"}, root_);
  git({"commit", "-qm", "sub"}, root_);
  file("sub/l.cu", std::string(kCuda) + "// mine\n");
  const auto refused = write_clean();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("(sub/l.cu)"));
  git({"checkout", "-q", "l.cu"}, root_ / "sub");
  ASSERT_TRUE(write_clean());
  EXPECT_THAT(text("sub/l.cu"), HasSubstr("hipMalloc"));
  ASSERT_TRUE(take_back());
  EXPECT_TRUE(check_clean(root_));
}

TEST(Journal, SurvivesPathsOfAnyBytes) {
  Journal journal;
  journal.state = JournalState::kUndoing;
  journal.files = {{"caf\xE9 100%\n/x.cu", "ab", true}, {"y", "cd", false}};
  journal.folders = {{"", -5, 7, false}, {"caf\xE9 100%\n", 1, 2, true}};
  const auto back = parse_journal(journal_text(journal), "j");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->state, JournalState::kUndoing);
  ASSERT_EQ(back->files.size(), 2U);
  EXPECT_EQ(back->files[0].path, journal.files[0].path);
  EXPECT_TRUE(back->files[0].is_new);
  EXPECT_EQ(back->folders[0].seconds, -5);
}

// A repository can bring a journal along.
TEST(Journal, MayNotLeadOutOfTheTree) {
  for (const char* path :
       {"../x", "a/../../x", "/etc/x", "a/%2E%2E/x", "", ".git/hooks/x", "%00", "%4"}) {
    const std::string text = fmt::format(
        R"({{"version":1,"state":"done","files":[{{"path":"{}","after":"","new":true}}],"folders":[]}})",
        path);
    EXPECT_FALSE(parse_journal(text, "j")) << path;
  }
  for (const char* text : {"", "{}", "[]", R"({"version":1,"state":"done","files":3,"folders":[]})",
                           R"({"version":1,"state":"late","files":[],"folders":[]})"})
    EXPECT_FALSE(parse_journal(text, "j")) << text;
}

}  // namespace
}  // namespace hipwright::port
