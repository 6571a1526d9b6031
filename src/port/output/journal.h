// SPDX-License-Identifier: MIT
// What a port in place is about to do, written down before it does it. Every change is one rename
// of a file that was made before, so that at any moment the folder of the journal tells how far it
// came:
//   .hipwright/port/N/journal.json  without it, nothing has happened yet
//   .hipwright/port/N/new/I         what file I becomes; there as long as it has not become it
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

namespace hipwright::port {

struct JournalFile {
  std::string path;        // from the root, with '/'
  std::string after_hash;  // of its ported bytes
  bool is_new = false;
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
  std::vector<JournalFolder> folders;  // that files come and go in; outer ones first
};

std::string journal_text(const Journal& journal);
// A journal may come with somebody's repository: paths that lead elsewhere are an error.
Result<Journal> parse_journal(std::string_view text, const std::string& origin);

// The journals of one tree, the newest with the highest number. One process at a time has them.
class Journals {
 public:
  static Result<Journals> open(const std::filesystem::path& root);
  Journals(Journals&& other) noexcept;
  Journals& operator=(Journals&&) = delete;
  ~Journals();

  const std::filesystem::path& root() const { return root_; }
  // Folder and content of the newest; none: there is nothing to undo.
  struct Newest {
    std::filesystem::path folder;
    Journal journal;
  };
  Result<std::optional<Newest>> newest() const;
  // An empty folder for the next one. What was left by a port that was ended before it had a
  // journal is removed.
  Result<std::filesystem::path> prepare() const;
  // Removes the folder of a journal: the journal first. The last one takes .hipwright with it.
  Status remove(const std::filesystem::path& folder) const;

 private:
  Journals(std::filesystem::path root, int lock) : root_(std::move(root)), lock_(lock) {}
  std::filesystem::path base() const;
  Result<std::vector<unsigned>> numbers() const;  // ascending

  std::filesystem::path root_;
  int lock_;
};

}  // namespace hipwright::port
