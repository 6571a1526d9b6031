// SPDX-License-Identifier: MIT
// Memory that several processes map: a file without a name.
#pragma once

#include <cstdint>
#include <memory>

namespace hipwright::soft::hip {

constexpr std::uint64_t kSharedPage = 4096;

inline std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + kSharedPage - 1) / kSharedPage * kSharedPage;
}

// Says to another process of this machine which file is meant. A stale one is recognised.
struct FileTicket {
  std::uint64_t process = 0, descriptor = 0, inode = 0;
  bool operator==(const FileTicket&) const = default;
};

class SharedFile {
 public:
  // nullptr: no memory, no such file, or not one of ours to map.
  static std::shared_ptr<SharedFile> create(std::uint64_t bytes);
  static std::shared_ptr<SharedFile> duplicate(int descriptor);
  static std::shared_ptr<SharedFile> open(const FileTicket& ticket);

  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  int descriptor() const { return descriptor_; }
  FileTicket ticket() const;  // for files of this process
  std::uint64_t bytes() const;
  bool grow(std::uint64_t bytes);
  // Gives the pages back; they are zeros from then on.
  void discard(std::uint64_t offset, std::uint64_t bytes);

  // nullptr: impossible. `offset` is a multiple of kSharedPage. With `place`, there and nowhere
  // else, instead of what was there.
  void* map(std::uint64_t offset, std::uint64_t bytes, void* place = nullptr) const;

 private:
  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace hipwright::soft::hip
