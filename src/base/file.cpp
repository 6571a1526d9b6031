// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

namespace fs = std::filesystem;

namespace hipwright {

namespace {

// Closes on destruction; `close()` earlier when its error matters.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

bool write_all(int file_descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file_descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A new file next to `target`, created by open() so that the kernel applies the umask: reading the
// umask means setting it for a moment, for all threads. `path` receives its name.
int create_temporary(const fs::path& folder, const fs::path& target, mode_t mode,
                     std::string& path) {
  while (true) {
    std::uint32_t random = 0;
    if (::getentropy(&random, sizeof random) != 0) return -1;
    path = (folder / ("." + target.filename().string() + "." + std::to_string(random))).string();
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

}  // namespace

Result<std::string> read_file(const fs::path& path) {
  const auto failed = [&](int error_number) {
    return fail("cannot read", path.string(), errno_text(error_number));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failed(errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(errno);
  if (S_ISDIR(info.st_mode)) return failed(EISDIR);

  std::string content;
  std::size_t filled = 0;
  bool at_end = false;
  int reason = 0;
  // Past st_size too: pipes and /proc files report size 0. Not resize(): large files would be
  // written twice.
  for (std::size_t room = static_cast<std::size_t>(info.st_size) + 1; !at_end; room *= 2)
    content.resize_and_overwrite(room, [&](char* data, std::size_t) {
      while (filled < room && !at_end) {
        const ssize_t got = ::read(file.get(), data + filled, room - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) reason = errno;
        if (got <= 0) at_end = true;
        if (got > 0) filled += static_cast<std::size_t>(got);
      }
      return filled;
    });
  if (reason != 0) return failed(reason);
  return content;
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  const auto failed = [&](int error_number) {
    return fail("cannot read", path.string(), errno_text(error_number));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return failed(errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failed(errno);
  if (S_ISDIR(info.st_mode)) return failed(EISDIR);
  if (!S_ISREG(info.st_mode)) return fail("cannot read", path.string(), "not a regular file");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return MappedFile(nullptr, 0);  // mmap() rejects empty ranges
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return failed(errno);
  return MappedFile(data, size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Result<AtomicFile> AtomicFile::create(const fs::path& path, unsigned mode) {
  AtomicFile file;
  std::error_code ignored;
  file.path_ = path;
  file.target_ = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path) : path;
  struct stat existing {};
  if (::stat(file.target_.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) return std::unexpected(file.failed(EISDIR).error());
    file.old_mode_ = existing.st_mode & 07777;
  }
  const fs::path folder = file.target_.has_parent_path() ? file.target_.parent_path() : ".";
  file.file_descriptor_ =
      create_temporary(folder, file.target_, file.old_mode_ ? 0600 : mode, file.temporary_);
  if (file.file_descriptor_ < 0) {
    const int reason = errno;
    file.temporary_.clear();
    return std::unexpected(file.failed(reason).error());
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_descriptor_(std::exchange(other.file_descriptor_, -1)),
      old_mode_(other.old_mode_) {}

AtomicFile::~AtomicFile() {
  if (file_descriptor_ >= 0) ::close(file_descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::failed(int error_number) const {
  return fail("cannot write", path_.string(), errno_text(error_number));
}

Status AtomicFile::write(std::string_view content) {
  if (!write_all(file_descriptor_, content)) return failed(errno);
  return {};
}

Status AtomicFile::commit(Durability durability) {
  Descriptor file(std::exchange(file_descriptor_, -1));
  const bool synced = durability == Durability::kPowerCut;
  const bool done = (!old_mode_ || ::fchmod(file.get(), *old_mode_) == 0) &&
                    (!synced || ::fsync(file.get()) == 0) && file.close() &&
                    ::rename(temporary_.c_str(), target_.c_str()) == 0;
  if (!done) return failed(errno);  // the destructor removes the temporary file
  temporary_.clear();
  if (!synced) return {};
  // The rename itself must survive a power cut; a folder that cannot be synced is not an error.
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  const Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
  return {};
}

Status write_file_atomic(const fs::path& path, std::string_view content, unsigned mode,
                         Durability durability) {
  HW_TRY(AtomicFile file, AtomicFile::create(path, mode));
  HW_CHECK(file.write(content));
  return file.commit(durability);
}

Status can_write(const fs::path& path) {
  HW_TRY(const AtomicFile probe, AtomicFile::create(path));
  return {};
}

bool is_in_directory(const fs::path& path, const fs::path& directory) {
  const auto rest =
      std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first;
  // A trailing slash is an empty name.
  return rest == directory.end() || (rest->empty() && std::next(rest) == directory.end());
}

Status make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail("cannot create the directory", path.string(), error.message());
  return {};
}

Status make_private_directory(const fs::path& path) {
  if (path.has_parent_path()) HW_CHECK(make_directories(path.parent_path()));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail("cannot create the directory", path.string(), errno_text(errno));
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return fail("cannot use the directory", path.string(), errno_text(errno));
  if (!S_ISDIR(info.st_mode))
    return fail("cannot use the directory", path.string(), "not a directory");
  if (info.st_uid != ::geteuid())
    return fail("cannot use the directory", path.string(), "owned by another user",
                "Choose a directory that you own.");
  if ((info.st_mode & 0022) != 0)
    return fail("cannot use the directory", path.string(), "writable by other users",
                "Run: chmod 700 " + path.string());
  return {};
}

Result<fs::path> user_cache_directory() {
  // The XDG specification says that relative values are to be ignored.
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/')
    return fs::path(xdg) / "hipwright";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache" / "hipwright";
  return fail("cannot find the user's cache directory", "",
              "neither XDG_CACHE_HOME nor HOME is set", "Set one of them to an absolute path.");
}

Result<FileLock> FileLock::acquire(const fs::path& path) {
  const int file_descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_descriptor < 0)
    return fail("cannot open the lock file", path.string(), errno_text(errno));
  while (::flock(file_descriptor, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int reason = errno;
    ::close(file_descriptor);
    return fail("cannot lock", path.string(), errno_text(reason));
  }
  return FileLock(file_descriptor);
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_descriptor_(std::exchange(other.file_descriptor_, -1)) {}

FileLock::~FileLock() {
  if (file_descriptor_ >= 0) ::close(file_descriptor_);
}

Result<TemporaryDirectory> TemporaryDirectory::create() {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error) return fail("cannot find a temporary directory", "", error.message(), "Set TMPDIR.");
  std::string name = (parent / "hipwright-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return fail("cannot create a temporary directory in", parent.string(), errno_text(errno),
                "Set TMPDIR to a directory with free space.");
  return TemporaryDirectory(name);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace hipwright
