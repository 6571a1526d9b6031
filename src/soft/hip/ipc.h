// SPDX-License-Identifier: MIT
// What processes share: memory that one of them has allocated, and events.
#pragma once

#include <cstdint>
#include <memory>

#include "soft/hip/shared_file.h"

namespace hipwright::soft::hip {

// hipFree of memory that other processes may still map: theirs stays, ours becomes private again.
void end_sharing(std::uint64_t begin);

// An event of several processes counts its records, and those that have happened.
class SharedEvent {
 public:
  static std::shared_ptr<SharedEvent> create();
  static std::shared_ptr<SharedEvent> open(const FileTicket& ticket);
  explicit SharedEvent(std::shared_ptr<SharedFile> file, void* counts)
      : file_(std::move(file)), counts_(static_cast<Counts*>(counts)) {}
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent();

  FileTicket ticket() const { return file_->ticket(); }
  void recorded();  // a stream has it among its work
  void happened();  // and has reached it
  std::uint64_t records() const;
  // All records up to that number have happened.
  bool is_past(std::uint64_t record) const;
  void wait_for(std::uint64_t record) const;

 private:
  struct Counts {
    std::uint64_t recorded, happened;
  };
  std::shared_ptr<SharedFile> file_;
  Counts* counts_;
};

}  // namespace hipwright::soft::hip
