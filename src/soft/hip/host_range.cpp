// SPDX-License-Identifier: MIT
#include "soft/hip/host_range.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace hipwright::soft::hip {

HostRange host_range(std::uint64_t begin, std::uint64_t size) {
  const std::uint64_t end = begin + size;
  if (begin == 0 || end <= begin) return HostRange::kUnmapped;
  std::ifstream maps("/proc/self/maps");
  bool writable = true;
  std::uint64_t covered = begin;  // all below it is mapped
  for (std::string line; covered < end && std::getline(maps, line);) {
    std::uint64_t first = 0, last = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &first, &last, rights) != 3)
      continue;
    if (last <= covered) continue;
    if (first > covered || rights[0] != 'r') break;
    writable = writable && rights[1] == 'w';
    covered = last;
  }
  if (covered < end) return HostRange::kUnmapped;
  return writable ? HostRange::kWritable : HostRange::kReadOnly;
}

}  // namespace hipwright::soft::hip
