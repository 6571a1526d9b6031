// SPDX-License-Identifier: MIT
#include "project/read_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "base/error.h"

namespace hipwright::project {

namespace {

// One open(), fstat() and read() for nearly every file.
std::string read_bytes(const std::filesystem::path& path, std::string& buffer) {
  // O_NONBLOCK: a pipe without a writer must not block.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno_text(errno);
  std::string why_not;
  struct stat info {};
  if (::fstat(file, &info) != 0) {
    why_not = errno_text(errno);
  } else if (!S_ISREG(info.st_mode)) {
    why_not = "not a regular file";
  } else if (static_cast<std::size_t>(info.st_size) > kLargestFile) {
    why_not = "larger than 256 MiB";
  } else {
    const auto size = static_cast<std::size_t>(info.st_size);
    try {
      buffer.resize_and_overwrite(size, [&](char* bytes, std::size_t) {
        std::size_t done = 0;
        while (done < size) {
          const ssize_t got = ::read(file, bytes + done, size - done);
          if (got < 0 && errno == EINTR) continue;
          if (got < 0) why_not = errno_text(errno);
          if (got <= 0) break;
          done += static_cast<std::size_t>(got);
        }
        return done;
      });
    } catch (const std::bad_alloc&) {
      why_not = "not enough memory";
    }
  }
  ::close(file);
  return why_not;
}

}  // namespace

ReadText read_source(const std::filesystem::path& path, std::string buffer) {
  ReadText result;
  result.why_not = read_bytes(path, buffer);
  if (!result.why_not.empty()) {
    // A file that was removed since the walk is no longer part of the tree.
    result.is_error = result.why_not != errno_text(ENOENT);
    result.text.bytes = std::move(buffer);
    return result;
  }
  result.text = syntax::decode(std::move(buffer));
  if (result.text.is_binary) result.why_not = "binary";
  return result;
}

}  // namespace hipwright::project
