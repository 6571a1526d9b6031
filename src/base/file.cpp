// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/cleanup.h"

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

// Eight letters that nobody guesses; empty if the system has none.
std::string random_letters() {
  std::uint32_t random = 0;
  if (::getentropy(&random, sizeof random) != 0) return "";
  std::string letters;
  for (int i = 0; i < 8; ++i, random >>= 4)
    letters.push_back(static_cast<char>('a' + (random & 15)));
  return letters;
}

// A new file next to `target`, created by open() so that the kernel applies the umask: reading the
// umask means setting it for a moment, for all threads. `path` receives its name.
int create_temporary(const fs::path& folder, const fs::path& target, mode_t mode,
                     std::string& path) {
  while (true) {
    const std::string letters = random_letters();
    if (letters.empty()) return -1;
    path = (folder / ("." + target.filename().string() + "." + letters)).string();
    own_path(path);  // before it exists: a signal may end this process at any point
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) return file;
    const int reason = errno;
    disown_path(path);
    errno = reason;
    if (reason != EEXIST) return -1;
  }
}

// Of a pipe or a device, which may have no end.
constexpr std::uint64_t kMostInputBytes = std::uint64_t{256} << 20;

std::unexpected<Error> cannot_read(const fs::path& path, std::string why) {
  return fail("cannot read", path.string(), std::move(why));
}

std::unexpected<Error> too_large(const fs::path& path, std::uint64_t most) {
  return cannot_read(path, "larger than " + std::to_string(most >> 20) + " MiB");
}

// All of an open file, `expected` bytes at a guess: pipes and /proc files report size 0. More than
// `most` is an error.
Result<std::string> read_all(int file, std::size_t expected, std::uint64_t most,
                             const fs::path& path) {
  std::string content;
  std::size_t filled = 0;
  bool at_end = false;
  int reason = 0;
  try {
    // Not resize(): large files would be written twice.
    for (std::size_t room = expected + 1; !at_end && filled <= most; room *= 2)
      content.resize_and_overwrite(room, [&](char* data, std::size_t) {
        while (filled < room && !at_end) {
          const ssize_t got = ::read(file, data + filled, room - filled);
          if (got < 0 && errno == EINTR) continue;
          if (got < 0) reason = errno;
          if (got <= 0) at_end = true;
          if (got > 0) filled += static_cast<std::size_t>(got);
        }
        return filled;
      });
  } catch (const std::bad_alloc&) {
    reason = ENOMEM;
  } catch (const std::length_error&) {
    reason = ENOMEM;
  }
  if (reason != 0) return cannot_read(path, errno_text(reason));
  if (content.size() > most) return too_large(path, most);
  return content;
}

// Takes the descriptor, or the error of open().
Result<std::string> read_regular(const Descriptor& file, std::uint64_t most, const fs::path& path) {
  if (file.get() < 0) return cannot_read(path, errno_text(errno));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return cannot_read(path, errno_text(errno));
  if (S_ISDIR(info.st_mode)) return cannot_read(path, errno_text(EISDIR));
  if (!S_ISREG(info.st_mode)) return cannot_read(path, "not a regular file");
  if (static_cast<std::uint64_t>(info.st_size) > most) return too_large(path, most);
  return read_all(file.get(), static_cast<std::size_t>(info.st_size), most, path);
}

}  // namespace

// O_NONBLOCK: to open a pipe must not block either.
Result<std::string> read_file(const fs::path& path, std::uint64_t most, Links links) {
  const int how = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == Links::kReject ? O_NOFOLLOW : 0);
  return read_regular(Descriptor(::open(path.c_str(), how)), most, path);
}

Result<std::string> read_file_at(int directory, const char* name, std::uint64_t most) {
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
  return read_regular(Descriptor(::openat(directory, name, kHow)), most, name);
}

Result<std::string> read_input(const fs::path& path) {
  if (path == "-") return read_all(STDIN_FILENO, 0, kMostInputBytes, "standard input");
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)))
    return read_file(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return cannot_read(path, errno_text(errno));
  return read_all(file.get(), 0, kMostInputBytes, path);
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  const auto failed = [&](int error_number) {
    return fail("cannot read", path.string(), errno_text(error_number));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
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
  std::error_code ignored, error;
  file.path_ = path;
  file.target_ = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, error) : path;
  if (error) return std::unexpected(file.failed(error.value()).error());
  struct stat existing {};
  if (::stat(file.target_.c_str(), &existing) == 0) {
    if (S_ISDIR(existing.st_mode)) return std::unexpected(file.failed(EISDIR).error());
    // Renaming would replace the pipe or the device itself.
    if (!S_ISREG(existing.st_mode))
      return fail("cannot write", path.string(), "not a regular file");
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
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  disown_path(temporary_);
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
  disown_path(temporary_);
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

namespace {

// One descriptor at a time, and only for its own user's directories, whose permissions it may give
// back: what std::filesystem cannot do.
void remove_slowly(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return;
  if (!S_ISDIR(info.st_mode)) {
    ::unlink(path.c_str());
    return;
  }
  ::chmod(path.c_str(), 0700);
  std::vector<fs::path> inner;
  std::error_code error;
  for (auto at = fs::directory_iterator(path, error); !error && at != fs::directory_iterator();
       at.increment(error))
    inner.push_back(at->path());
  for (const fs::path& each : inner) remove_slowly(each);
  ::rmdir(path.c_str());
}

}  // namespace

void remove_tree(const fs::path& path) noexcept {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) remove_slowly(path);
}

namespace {

// Where others can rename the directories above, a private directory is none.
Status make_for_user(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return {};
  HW_CHECK(make_for_user(path.parent_path()));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail("cannot create the directory", path.string(), errno_text(errno));
  return {};
}

}  // namespace

Status make_private_directory(const fs::path& path, Links links) {
  HW_CHECK(make_for_user(path));
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0)
    return fail("cannot use the directory", path.string(), errno_text(errno));
  // Where links are followed, they must be the user's own.
  if (S_ISLNK(info.st_mode) && (links == Links::kReject || info.st_uid != ::geteuid()))
    return fail("cannot use the directory", path.string(), "it is a symbolic link",
                "Remove the link.");
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
  const int file_descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
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

Result<fs::path> temporary_directory() {
  const char* named = std::getenv("TMPDIR");
  const fs::path path = named != nullptr && *named != '\0' ? named : "/tmp";
  std::error_code error;
  if (fs::is_directory(path, error)) return path;
  return fail("cannot use the temporary directory", path.string(),
              error ? error.message() : "not a directory", "Set TMPDIR to a directory.");
}

namespace {

constexpr const char* kPrefix = "hipwright-tmp-";

// Locks a directory; -1 if another process holds the lock or it cannot be opened.
int lock_directory(int parent, const char* name) {
  const int lock = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  ::close(lock);
  return -1;
}

// Whether the name still leads to the open directory.
bool is_still_there(int directory, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(directory, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

// Removes the private directories PREFIX???????? of this user that no process holds.
void sweep(const fs::path& folder, const std::string& prefix) {
  DIR* const stream = ::opendir(folder.c_str());
  if (stream == nullptr) return;
  while (const dirent* entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name.size() != prefix.size() + 8 || !name.starts_with(prefix)) continue;
    const Descriptor lock(lock_directory(::dirfd(stream), entry->d_name));
    struct stat info {};
    if (lock.get() >= 0 && ::fstat(lock.get(), &info) == 0 && info.st_uid == ::geteuid() &&
        (info.st_mode & 07777) == 0700)
      remove_tree(folder / name);
  }
  ::closedir(stream);
}

}  // namespace

void sweep_temporary_directories() {
  if (const auto folder = temporary_directory()) sweep(*folder, kPrefix);
}

Result<TemporaryDirectory> TemporaryDirectory::create_in(const fs::path& folder,
                                                         const std::string& prefix,
                                                         const std::string& fix) {
  while (true) {
    const std::string name = (folder / (prefix + random_letters())).string();
    own_path(name);  // before it exists: a signal may end this process at any point
    if (::mkdir(name.c_str(), 0700) != 0) {
      const int reason = errno;
      disown_path(name);
      if (reason == EEXIST) continue;
      return fail("cannot create a temporary directory in", folder.string(), errno_text(reason),
                  fix);
    }
    const int lock = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int reason = errno;
    // Another process may be sweeping it: wait for the end of that. Where locks are not supported,
    // nobody sweeps.
    while (lock >= 0 && ::flock(lock, LOCK_EX) != 0 && errno == EINTR) {
    }
    if (lock >= 0 && is_still_there(lock, name)) return TemporaryDirectory(name, lock);
    if (lock >= 0) ::close(lock);
    ::rmdir(name.c_str());
    disown_path(name);
    if (lock < 0 && reason != ENOENT)
      return fail("cannot create a temporary directory in", folder.string(), errno_text(reason),
                  fix);
  }
}

Result<TemporaryDirectory> TemporaryDirectory::create() {
  HW_TRY(const fs::path folder, temporary_directory());
  return create_in(folder, kPrefix, "Set TMPDIR to a directory with free space.");
}

Result<TemporaryDirectory> TemporaryDirectory::create_beside(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string prefix = "." + path.filename().string() + "." + kPrefix;
  sweep(folder, prefix);
  return create_in(folder, prefix, "Choose another directory.");
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}

TemporaryDirectory::~TemporaryDirectory() {
  if (!path_.empty()) {
    remove_tree(path_);
    // Without descriptors or memory this process cannot; the one that cleans up still can.
    struct stat info {};
    if (::lstat(path_.c_str(), &info) != 0) disown_path(path_);
  }
  if (lock_ >= 0) ::close(lock_);
}

void TemporaryDirectory::release() {
  disown_path(path_);
  path_.clear();
}

}  // namespace hipwright
