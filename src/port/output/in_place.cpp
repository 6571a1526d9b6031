// SPDX-License-Identifier: MIT
#include "port/output/in_place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "port/output/journal.h"
#include "port/output/output.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCannot = "cannot port in place";
constexpr const char* kUndoFirst = "Run: hipwright port --undo ";

struct Work {
  std::string path;
  const PortedFile* ported = nullptr;  // nullptr: a new file
  std::string bytes;
  bool is_removed = false;                 // it is renamed
  const PortedFile* named_like = nullptr;  // for a new name: the file that had the old one
  struct stat found {};                    // as last seen; empty for a new file
  bool exists = false;
  bool has_other_names = false;  // hard links
  struct stat like {};           // whose owner and mode a new name has
  bool exists_like = false;
};

// Porting one name of a hard-linked file changes the ctime of the others.
bool is_same(const struct stat& a, const struct stat& b, bool has_other_names) {
  const auto same_time = [](const timespec& x, const timespec& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         same_time(a.st_mtim, b.st_mtim) && (has_other_names || same_time(a.st_ctim, b.st_ctim));
}

// Parent folders may have become links, even to outside the tree.
Status check_way(const fs::path& root, const std::string& path) {
  fs::path folder = (root / path).parent_path();
  std::error_code error;
  while (!fs::exists(fs::symlink_status(folder, error))) folder = folder.parent_path();
  if (fs::canonical(folder, error) != folder || error)
    return fail(kCannot, path, "a directory in its path is a symbolic link");
  return {};
}

Status changed_meanwhile(const std::string& path) {
  return fail(kCannot, path, "the file changed while it was being ported", "Run hipwright again.");
}

Status sync_all(const fs::path& root) {
  const int folder = ::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool ok = folder >= 0 && ::syncfs(folder) == 0;
  const int reason = errno;
  if (folder >= 0) ::close(folder);
  if (!ok) return fail("cannot write", root.string(), errno_text(reason));
  return {};
}

std::vector<Work> work_of(const Ported& ported) {
  std::vector<Work> list;
  for (const PortedFile& file : ported.files)
    if (!file.renamed.empty()) {
      list.push_back({.path = file.renamed, .bytes = bytes_of(file), .named_like = &file});
      list.push_back({.path = file.source->path(), .ported = &file, .is_removed = true});
    } else if (!file.changes.empty() && !ported.added.contains(file.source->path())) {
      list.push_back({.path = file.source->path(), .ported = &file, .bytes = bytes_of(file)});
    }
  for (const auto& [path, content] : ported.added) list.push_back({.path = path, .bytes = content});
  return list;
}

// Fills in the current state. A file that differs from the one that was read is an error.
Status look_at(Work& work, const fs::path& root) {
  HW_CHECK(check_way(root, work.path));
  const fs::path target = root / work.path;
  work.exists = ::lstat(target.c_str(), &work.found) == 0;
  work.has_other_names = work.exists && work.found.st_nlink > 1;
  if (!work.exists && work.ported != nullptr) return changed_meanwhile(work.path);
  if (!work.exists && work.named_like != nullptr)
    work.exists_like = ::lstat((root / work.named_like->source->path()).c_str(), &work.like) == 0;
  if (!work.exists) return {};
  if (work.named_like != nullptr)
    return fail(kCannot, work.path, "the project already has a file of that name");
  if (!S_ISREG(work.found.st_mode)) return fail(kCannot, work.path, "not a regular file");
  HW_TRY(std::string bytes, read_file(target));
  if (work.ported == nullptr) {
    const bool is_ours = bytes.substr(0, 1000).find("hipwright") != std::string::npos;
    if (bytes != work.bytes && !is_ours)
      return fail(kCannot, work.path, "the project already has a file of that name",
                  "Rename the file: the port needs its name.");
    if (bytes == work.bytes) work.bytes.clear();
    return {};
  }
  const syntax::Text now = syntax::decode(std::move(bytes));
  const SourceFile& source = *work.ported->source;
  if (now.bytes != source.text() || now.encoding != source.encoding())
    return changed_meanwhile(work.path);
  return {};
}

Status write_new(const Work& work, const fs::path& file) {
  const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const auto failed = [&] {
    const int reason = errno;
    if (made >= 0) ::close(made);
    return fail(kCannot, work.path, errno_text(reason), "Nothing has been changed.");
  };
  if (made < 0) return failed();
  for (std::string_view left = work.bytes; !left.empty();) {
    const ssize_t written = ::write(made, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed();
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  struct stat info {};
  if (::fstat(made, &info) != 0) return failed();
  if (work.exists) {
    mode_t mode = work.found.st_mode & 07777;
    if (info.st_dev != work.found.st_dev) {
      ::close(made);
      return fail(kCannot, work.path, "it is on a different file system",
                  "Port that directory separately.");
    }
    if ((info.st_uid != work.found.st_uid || info.st_gid != work.found.st_gid) &&
        ::fchown(made, work.found.st_uid, work.found.st_gid) != 0) {
      // Another user's file in a writable folder gets this user as its owner, as with git.
      if (errno != EPERM) return failed();
      mode &= 0777;
    }
    if (::fchmod(made, mode) != 0) return failed();
  } else if (work.exists_like && ::fchmod(made, work.like.st_mode & 07777) != 0) {
    return failed();
  }
  if (::close(made) != 0) return fail(kCannot, work.path, errno_text(errno));
  return {};
}

// A hard link to the file, so that nothing gets lost; a copy where the file system
// does not support or permit links.
Status save(Work& work, const fs::path& root, const fs::path& saved) {
  const fs::path target = root / work.path;
  if (::linkat(AT_FDCWD, target.c_str(), AT_FDCWD, saved.c_str(), 0) != 0) {
    HW_TRY(const std::string bytes, read_file(target));
    Work copy{.path = work.path, .bytes = bytes, .found = work.found, .exists = true};
    HW_CHECK(write_new(copy, saved));
    const timespec times[2] = {work.found.st_atim, work.found.st_mtim};
    if (::utimensat(AT_FDCWD, saved.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
      return fail(kCannot, work.path, errno_text(errno), "Nothing has been changed.");
  }
  // Creating the link changes the ctime, too.
  struct stat now {};
  if (::lstat(target.c_str(), &now) != 0 || now.st_ino != work.found.st_ino ||
      now.st_size != work.found.st_size || now.st_mtim.tv_sec != work.found.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != work.found.st_mtim.tv_nsec)
    return changed_meanwhile(work.path);
  work.found = now;
  return {};
}

std::vector<JournalFolder> folders_of(const std::vector<Work>& list, const fs::path& root) {
  std::map<std::string, JournalFolder> folders;
  const auto add = [&](const std::string& path) {
    struct stat info {};
    const bool exists = ::lstat((root / path).c_str(), &info) == 0;
    folders[path] = {path, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, !exists};
  };
  add("");
  for (const Work& work : list)
    for (fs::path at = fs::path(work.path).parent_path(); !at.empty(); at = at.parent_path())
      add(at.generic_string());
  std::vector<JournalFolder> out;
  for (auto& [path, folder] : folders) out.push_back(std::move(folder));  // outer ones first
  return out;
}

class Undo {
 public:
  Undo(const Journals& journals, fs::path folder, Journal journal, const InPlaceOptions& options)
      : journals_(journals),
        folder_(std::move(folder)),
        journal_(std::move(journal)),
        options_(options) {}

  Status check_edits() const {
    std::vector<std::string> edited;
    for (std::size_t i = 0; i < journal_.files.size(); ++i) {
      HW_CHECK(check_way(journals_.root(), journal_.files[i].path));
      if (is_written(i) && !is_as_ported(i)) edited.push_back(journal_.files[i].path);
    }
    if (edited.empty() || options_.force) return {};
    return fail(
        "will not undo the port", edited.front(),
        edited.size() == 1
            ? std::string("edited since the port")
            : fmt::format("this and {} more files were edited since the port", edited.size() - 1),
        "Save the edits elsewhere, then use --force, which discards them.");
  }

  Result<std::size_t> all() {
    journal_.state = JournalState::kUndoing;
    step("undoing");
    HW_CHECK(write_file_atomic(folder_ / "journal.json", journal_text(journal_)));
    for (std::size_t i = 0; i < journal_.files.size(); ++i) {
      step("restore");
      HW_CHECK(restore(i));
    }
    step("restored");
    HW_CHECK(sync_all(journals_.root()));
    std::error_code error;
    for (auto at = journal_.folders.rbegin(); at != journal_.folders.rend(); ++at)
      if (at->is_new) fs::remove(journals_.root() / at->path, error);  // if it is empty
    for (const JournalFolder& each : journal_.folders)
      if (!each.path.empty()) restore_time(each);
    step("remove the journal");
    HW_CHECK(journals_.remove(folder_));
    for (const JournalFolder& each : journal_.folders)
      if (each.path.empty()) restore_time(each);  // the journal was in it
    return static_cast<std::size_t>(
        std::count_if(journal_.files.begin(), journal_.files.end(),
                      [](const JournalFile& file) { return !file.is_new; }));
  }

 private:
  void restore_time(const JournalFolder& folder) const {
    if (folder.is_new) return;
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                               {.tv_sec = folder.seconds, .tv_nsec = folder.nanoseconds}};
    ::utimensat(AT_FDCWD, (journals_.root() / folder.path).c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
  fs::path part(const char* which, std::size_t i) const {
    return folder_ / which / std::to_string(i);
  }
  bool is_written(std::size_t i) const {
    std::error_code error;
    if (fs::exists(part("new", i), error)) return false;
    return journal_.files[i].is_new || fs::exists(part("was", i), error);
  }
  // A file that no longer exists cannot be lost.
  bool is_as_ported(std::size_t i) const {
    const JournalFile& file = journal_.files[i];
    const fs::path target = journals_.root() / file.path;
    struct stat info {};
    if (::lstat(target.c_str(), &info) != 0) return errno == ENOENT;
    if (!S_ISREG(info.st_mode)) return false;
    const auto bytes = read_file(target);
    if (!bytes) return false;
    if (!file.is_removed) return hash128(*bytes).hex() == file.after_hash;
    const auto was = read_file(part("was", i));  // it ended before the file was removed
    return was && *was == *bytes;
  }
  Status restore(std::size_t i) const {
    if (!is_written(i)) return {};
    const JournalFile& file = journal_.files[i];
    const fs::path target = journals_.root() / file.path;
    const int failed =
        file.is_new ? ::unlink(target.c_str()) : ::rename(part("was", i).c_str(), target.c_str());
    if (failed != 0 && !(file.is_new && errno == ENOENT))
      return fail("cannot restore", target.string(), errno_text(errno),
                  "Its original is " + part("was", i).string());
    return {};
  }
  void step(std::string_view name) const {
    if (options_.before_step) options_.before_step(name);
  }

  const Journals& journals_;
  const fs::path folder_;
  Journal journal_;
  const InPlaceOptions& options_;
};

class InPlace {
 public:
  InPlace(const Journals& journals, std::vector<Work> list, const InPlaceOptions& options)
      : journals_(journals), list_(std::move(list)), options_(options) {}

  Result<std::size_t> all() {
    for (Work& work : list_) HW_CHECK(look_at(work, journals_.root()));
    std::erase_if(list_, [](const Work& work) {
      return work.ported == nullptr && work.exists && work.bytes.empty();
    });
    if (list_.empty()) return 0;
    journal_.folders = folders_of(list_, journals_.root());
    HW_TRY(folder_, journals_.prepare());
    if (const Status staged = stage(); !staged) {
      static_cast<void>(journals_.remove(folder_));
      return std::unexpected(staged.error());
    }
    if (const Status written = write(); !written) return back(written.error());
    step("done");
    journal_.state = JournalState::kDone;
    HW_CHECK(write_journal());
    return list_.size();
  }

 private:
  // Everything that needs disk space, before anything changes.
  Status stage() {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      Work& work = list_[i];
      step("save");
      if (work.exists) HW_CHECK(save(work, journals_.root(), folder_ / "was" / std::to_string(i)));
      step("stage");
      if (!work.is_removed) HW_CHECK(write_new(work, folder_ / "new" / std::to_string(i)));
      journal_.files.push_back({work.path, work.is_removed ? "" : hash128(work.bytes).hex(),
                                !work.exists, work.is_removed});
    }
    HW_CHECK(sync_all(journals_.root()));
    step("journal");
    return write_journal();
  }

  Status write() {
    for (const JournalFolder& folder : journal_.folders)
      if (folder.is_new) HW_CHECK(make_directories(journals_.root() / folder.path));
    for (std::size_t i = 0; i < list_.size(); ++i) {
      step("write");
      const Work& work = list_[i];
      const fs::path target = journals_.root() / work.path;
      HW_CHECK(check_way(journals_.root(), work.path));
      struct stat now {};
      const bool exists = ::lstat(target.c_str(), &now) == 0;
      if (exists != work.exists || (exists && !is_same(now, work.found, work.has_other_names)))
        return changed_meanwhile(work.path);
      const int failed =
          work.is_removed ? ::unlink(target.c_str())
                          : ::rename((folder_ / "new" / std::to_string(i)).c_str(), target.c_str());
      if (failed != 0) return fail(kCannot, work.path, errno_text(errno));
    }
    return sync_all(journals_.root());
  }

  Result<std::size_t> back(Error why) {
    const InPlaceOptions all_of_it{.force = true, .before_step = {}};
    const auto undone = Undo(journals_, folder_, journal_, all_of_it).all();
    why.fix = undone ? "Nothing has been changed. " + why.fix
                     : undone.error().message() + " " + kUndoFirst + journals_.root().string();
    return std::unexpected(std::move(why));
  }

  Status write_journal() const {
    return write_file_atomic(folder_ / "journal.json", journal_text(journal_));
  }
  void step(std::string_view name) const {
    if (options_.before_step) options_.before_step(name);
  }

  const Journals& journals_;
  std::vector<Work> list_;
  const InPlaceOptions& options_;
  fs::path folder_;
  Journal journal_;
};

}  // namespace

Result<std::size_t> write_in_place(const Ported& ported, const InPlaceOptions& options) {
  const fs::path& root = ported.tree.root;
  HW_TRY(const Journals journals, Journals::open(root));
  HW_TRY(const auto newest, journals.newest());
  if (newest && newest->journal.state != JournalState::kDone)
    return fail(kCannot, root.string(),
                newest->journal.state == JournalState::kWriting
                    ? "an earlier port was interrupted"
                    : "an undo of an earlier port was interrupted",
                kUndoFirst + root.string());
  if (!options.force) HW_CHECK(check_clean(root));
  return InPlace(journals, work_of(ported), options).all();
}

Result<std::size_t> undo(const fs::path& path, const InPlaceOptions& options) {
  std::error_code error;
  fs::path root = path;
  if (!fs::is_directory(path, error)) root = path.has_parent_path() ? path.parent_path() : ".";
  HW_TRY(const Journals journals, Journals::open(root));
  HW_TRY(auto newest, journals.newest());
  if (!newest) {
    HW_TRY(const bool had_begun, journals.sweep());
    if (had_begun) return 0;  // and ended before it changed anything
    return fail("cannot undo a port", path.string(), "no port in place to undo",
                "Give the ported directory.");
  }
  Undo work(journals, newest->folder, std::move(newest->journal), options);
  HW_CHECK(work.check_edits());
  return work.all();
}

}  // namespace hipwright::port
