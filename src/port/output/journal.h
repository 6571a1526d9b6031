// SPDX-License-Identifier: MIT
// The journal of a port in place, written before the first change. Every change is one rename of a
// prepared file, so that at any moment the folder of the journal shows the progress:
//   .hipwright/port/N/journal.json  without it, nothing has happened yet
//   .hipwright/port/N/new/I         the new content of file I, until it is renamed into place;
//                                   absent if file I is removed
//   .hipwright/port/N/was/I         what file I was: the same inode where links can be made, so
//                                   that mode, owner and times are kept, too
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "port/output/folder_lock.h"

namespace hipwright::port {

struct JournalFile {
  std::string path;        // from the root, with '/'
  std::string after_hash;  // of its ported bytes; empty if the file is removed
  bool is_new = false;
  bool is_removed = false;  // its content was renamed
};

struct JournalFolder {
  std::string path;                           // "" is the root
  std::int64_t seconds = 0, nanoseconds = 0;  // when it was last modified
  bool is_new = false;
};

enum class JournalState { kWriting, kDone, kUndoing };

struct Journal {
  JournalState state = JournalState::kWriting;
  std::vector<JournalFile> files;
  std::vector<JournalFolder> folders;  // in which files are created or removed; outer ones first
};

std::string journal_text(const Journal& journal);
// A journal may come from an untrusted repository: paths outside the tree are an error.
Result<Journal> parse_journal(std::string_view text, const std::string& origin);

// The journals of one tree, the newest with the highest number. One process at a time uses them.
class Journals {
 public:
  static Result<Journals> open(const std::filesystem::path& root);

  const std::filesystem::path& root() const { return root_; }
  // Folder and content of the newest; empty if there is nothing to undo.
  struct Newest {
    std::filesystem::path folder;
    Journal journal;
  };
  Result<std::optional<Newest>> newest() const;
  // An empty folder for the next one.
  Result<std::filesystem::path> prepare() const;
  // Removes leftovers of ports that were interrupted before they had a journal. Returns whether
  // there were any.
  Result<bool> sweep() const;
  // Removes the folder of a journal: the journal first. The last one takes .hipwright with it.
  Status remove(const std::filesystem::path& folder) const;

 private:
  Journals(std::filesystem::path root, FolderLock lock)
      : root_(std::move(root)), lock_(std::move(lock)) {}
  std::filesystem::path base() const;
  Result<std::vector<unsigned>> numbers() const;  // ascending
  void remove_empty_folders() const;

  std::filesystem::path root_;
  FolderLock lock_;
};

}  // namespace hipwright::port
