// SPDX-License-Identifier: MIT
// A kernel cache in a folder of its own and a compiler that counts how often it ran.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "toolchain/cache/kernel_cache.h"

namespace hipwright::toolchain {

namespace fs = std::filesystem;

inline CacheRequest request_for(std::string source) {
  return {.source = std::move(source),
          .source_name = "add.hip",
          .compiler = "hiprtc 6.4",
          .target = "gfx90a:xnack-",
          .options = {"-O3", "-std=c++17"}};
}

// Regular files below `folder`, temporary ones (named with a dot first) included.
inline std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (it->is_regular_file()) files.push_back(it->path());
  return files;
}

class CacheTest : public testing::Test {
 protected:
  const fs::path root() const { return folder_.path() / "cache"; }
  fs::path entries() const { return root() / "entries"; }
  fs::path manifests() const { return root() / "manifests"; }
  fs::path quarantine() const { return root() / "quarantine"; }

  CacheOptions options() const {
    return {.directory = root(), .warn = [this](const Error& error) { warnings.push_back(error); }};
  }

  // What another process would see: nothing in memory yet.
  Result<CachedKernel::Pointer> ask_anew(const CacheRequest& request) {
    KernelCache cache(options());
    auto kernel = cache.get_or_compile(request, compiler());
    last = cache.statistics();
    return kernel;
  }

  CompileFunction compiler() {
    return [this] {
      ++compiles;
      return Result<Compiled>(product);
    };
  }

  // A header whose time stamp lies before any compile that begins after this call.
  fs::path write_header(const std::string& name, const std::string& text) {
    const fs::path path = folder_.path() / "include" / name;
    fs::create_directories(path.parent_path());
    EXPECT_TRUE(write_file_atomic(path, text));
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    const std::int64_t written = info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec;
    while (file_clock_now() <= written) {
    }
    return path;
  }

  TemporaryDirectory folder_ = *TemporaryDirectory::create();
  int compiles = 0;
  Compiled product{.payload = "code object", .log = "one warning"};
  CacheStatistics last;
  mutable std::vector<Error> warnings;
};

// A child process that runs `body`; its exit status is body's result.
inline pid_t start(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}

inline int wait_for(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

// Bytes through this wake processes up, or tell that they got somewhere.
class Signal {
 public:
  Signal() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~Signal() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  void send() const { EXPECT_EQ(::write(ends_[1], "x", 1), 1); }
  void wait() const {
    char byte;
    EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
  }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace hipwright::toolchain
