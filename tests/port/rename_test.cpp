// SPDX-License-Identifier: MIT
#include "port/rename.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "port/output/in_place.h"
#include "port/output/output.h"
#include "port/port.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Rename : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    scratch_.emplace(*std::move(made));
    root_ = scratch_->path() / "tree";
    file("src/a.cu", "#include \"k/b.cuh\"\n#include <c.cuh>\nvoid f(void* p) { cudaFree(p); }\n");
    file("src/k/b.cuh", "#pragma once\n#include \"../plain.cuh\"\n");
    file("src/plain.cuh", "#pragma once\n");
    file("src/taken.cu", "int taken;\n");
    file("src/taken.hip", "int taken;\n");
    file("CMakeLists.txt",
         "project(p LANGUAGES CUDA)\nfile(GLOB more src/*.cu)\n"
         "add_library(l src/a.cu ${D}/a.cu src/taken.cu src/other.cu ${more})\n");
    file("Makefile", "OBJ = $(SRC:.cu=.cu.o)\n%.cu.o: %.cu\n\tnvcc -c $< -o $@\n# a.cuda.cu_x\n");
    file("setup.py",
         "from torch.utils.cpp_extension import CUDAExtension\n"
         "e = CUDAExtension('e', ['src/a.cu', 'src/taken.cu'])  # src/a.cu\n");
    ASSERT_EQ(::chmod((root_ / "src/a.cu").c_str(), 0755), 0);
  }
  void file(const std::string& path, const std::string& content) {
    ASSERT_TRUE(make_directories((root_ / path).parent_path()));
    ASSERT_TRUE(write_file_atomic(root_ / path, content));
  }
  Ported renamed() const {
    Options options;
    options.path = root_;
    options.mode = Mode::kHip;
    Ported ported = *port(options);
    rename_to_hip(ported);
    return ported;
  }
  using Snapshot = std::map<std::string, std::pair<std::string, mode_t>>;
  static Snapshot snapshot(const fs::path& root) {
    Snapshot all;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
      struct stat info {};
      ::lstat(at->path().c_str(), &info);
      if (at->path().filename() == ".hipwright") at.disable_recursion_pending();
      if (S_ISREG(info.st_mode))
        all[at->path().lexically_relative(root).string()] = {read_file(at->path()).value_or("?"),
                                                             info.st_mode};
    }
    return all;
  }

  std::optional<TemporaryDirectory> scratch_;
  fs::path root_;
};

TEST_F(Rename, WhoNamesAFileSaysItsNewName) {
  const fs::path out = scratch_->path() / "out";
  ASSERT_TRUE(write_tree(renamed(), out));
  Snapshot tree = snapshot(out);
  EXPECT_FALSE(tree.contains("src/a.cu"));
  EXPECT_EQ(tree.at("src/a.hip").second & 0777U, 0755U);
  EXPECT_THAT(tree.at("src/a.hip").first, HasSubstr("#include \"k/b.hip.h\"\n#include <c.cuh>\n"));
  EXPECT_THAT(tree.at("src/a.hip").first, HasSubstr("hipFree"));
  EXPECT_THAT(tree.at("src/k/b.hip.h").first, HasSubstr("\"../plain.hip.h\""));
  EXPECT_TRUE(tree.contains("src/taken.cu"));  // the other name is taken
  const std::string cmake = tree.at("CMakeLists.txt").first;
  EXPECT_THAT(cmake, HasSubstr("src/*.hip)"));
  EXPECT_THAT(cmake, HasSubstr("src/a.hip ${D}/a.hip src/taken.cu src/other.cu"));
  EXPECT_THAT(tree.at("Makefile").first, HasSubstr("$(SRC:.hip=.hip.o)\n%.hip.o: %.hip\n"));
  EXPECT_THAT(tree.at("Makefile").first, HasSubstr("# a.cuda.cu_x"));
  EXPECT_THAT(tree.at("setup.py").first, HasSubstr("['src/a.hip', 'src/taken.cu'])  # src/a.cu"));
}

TEST_F(Rename, FilesThatAmdBuildsCompileKeepTheirNames) {
  file("src/amd.cu", "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#endif\nint x;\n");
  file("src/b.cu", "#include \"k/b.cuh\"\n");
  const Ported ported = renamed();
  for (const PortedFile& each : ported.files) {
    if (each.source->path() == "src/amd.cu") EXPECT_EQ(each.path_after(), "src/amd.cu");
    if (each.source->path() == "src/b.cu") EXPECT_EQ(each.path_after(), "src/b.hip");
  }
}

TEST_F(Rename, TheDiffIsAPatch) {
  if (!find_program("patch")) GTEST_SKIP() << "not run: patch is not installed";
  const Ported ported = renamed();
  const fs::path out = scratch_->path() / "out";
  ASSERT_TRUE(write_tree(ported, out));
  ASSERT_TRUE(write_file_atomic(scratch_->path() / "patch", diff_of(ported)));
  const auto done = run({.argv = {"patch", "-p1", "-s", "-i", "../patch"}, .directory = root_});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->ok()) << done->out << done->err;
  EXPECT_EQ(snapshot(root_), snapshot(out));
}

TEST_F(Rename, IsTakenBackWhereverItIsKilled) {
  const Snapshot before = snapshot(root_);
  const Ported what = renamed();
  int at = 0;
  for (bool killed = true; killed; ++at) {
    const pid_t child = ::fork();
    if (child == 0) {
      int step = 0;
      static_cast<void>(write_in_place(what, {.force = true, .before_step = [&](std::string_view) {
                                                if (step++ == at) ::kill(::getpid(), SIGKILL);
                                              }}));
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    killed = WIFSIGNALED(status);
    EXPECT_TRUE(killed || (fs::exists(root_ / "src/a.hip") && !fs::exists(root_ / "src/a.cu")));
    const auto back = undo(root_, {.force = false, .before_step = {}});
    EXPECT_TRUE(back) << "step " << at << ": " << back.error().message();
    EXPECT_EQ(snapshot(root_), before) << "step " << at;
  }
  EXPECT_GT(at, 15);
}

}  // namespace
}  // namespace hipwright::port
