// SPDX-License-Identifier: MIT
#include "soft/hip/shared_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace hipwright::soft::hip {

namespace {

std::uint64_t inode_of(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

std::shared_ptr<SharedFile> SharedFile::create(std::uint64_t bytes) {
  const int descriptor = memfd_create("hipwright", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return nullptr;
  // No process can take away pages that another one has mapped.
  static_cast<void>(fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK));
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  return file->grow(bytes) ? file : nullptr;
}

std::shared_ptr<SharedFile> SharedFile::duplicate(int descriptor) {
  const int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? nullptr : std::shared_ptr<SharedFile>(new SharedFile(copy));
}

std::shared_ptr<SharedFile> SharedFile::open(const FileTicket& ticket) {
  const std::string path =
      "/proc/" + std::to_string(ticket.process) + "/fd/" + std::to_string(ticket.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<SharedFile> file(new SharedFile(descriptor));
  return inode_of(descriptor) == ticket.inode ? file : nullptr;
}

SharedFile::~SharedFile() {
  ::close(descriptor_);
}

FileTicket SharedFile::ticket() const {
  return {.process = static_cast<std::uint64_t>(getpid()),
          .descriptor = static_cast<std::uint64_t>(descriptor_),
          .inode = inode_of(descriptor_)};
}

std::uint64_t SharedFile::bytes() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool SharedFile::grow(std::uint64_t bytes) {
  return ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
}

void SharedFile::discard(std::uint64_t offset, std::uint64_t bytes) {
  static_cast<void>(fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                              static_cast<off_t>(offset), static_cast<off_t>(bytes)));
}

void* SharedFile::map(std::uint64_t offset, std::uint64_t bytes, void* place) const {
  // Pages behind the end of the file would kill the process at the first access.
  const std::uint64_t there = this->bytes();
  if (bytes == 0 || offset > there || bytes > there - offset) return nullptr;
  void* const mapped =
      mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (place ? MAP_FIXED : 0), descriptor_,
           static_cast<off_t>(offset));
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace hipwright::soft::hip
