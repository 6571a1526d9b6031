// SPDX-License-Identifier: MIT
#include "trace/read/input.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hipwright::trace {

namespace {

constexpr char kWhat[] = "cannot read the trace";

// zlib passes on the bytes of files that are not packed.
class FileInput : public Input {
 public:
  FileInput(gzFile file, std::string path) : file_(file), path_(std::move(path)) {}
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  ~FileInput() override { gzclose(file_); }

  Result<std::size_t> read(std::span<char> room) override {
    const int got = gzread(file_, room.data(), static_cast<unsigned>(room.size()));
    int code = Z_OK;
    const char* why = gzerror(file_, &code);
    if (code == Z_BUF_ERROR)
      return fail(kWhat, path_, "the packed file is cut off", "Record or copy it again.");
    if (code == Z_ERRNO) return fail(kWhat, path_, errno_text(errno));
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
      return fail(kWhat, path_, std::string("not a valid gzip file: ") + why,
                  "Record or copy it again.");
    return static_cast<std::size_t>(got);
  }

 private:
  gzFile file_;
  std::string path_;
};

class TextInput : public Input {
 public:
  explicit TextInput(std::string_view text) : left_(text) {}
  Result<std::size_t> read(std::span<char> room) override {
    const std::size_t size = std::min(room.size(), left_.size());
    std::copy_n(left_.begin(), size, room.begin());
    left_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view left_;
};

}  // namespace

Result<std::unique_ptr<Input>> open_input(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return fail(kWhat, path.string(), "it is a directory", "Name the file in it.");
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return fail(kWhat, path.string(), errno_text(errno));
  gzbuffer(file, 1U << 18);
  return std::make_unique<FileInput>(file, path.string());
}

std::unique_ptr<Input> text_input(std::string_view text) {
  return std::make_unique<TextInput>(text);
}

}  // namespace hipwright::trace
