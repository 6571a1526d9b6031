// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include "port/output/in_place.h"

namespace hipwright::port {

std::vector<std::string> hard_links_in(const Ported& ported) {
  std::vector<std::string> found;
  for (const PortedFile& file : ported.files) {
    struct stat info {};
    if (file.is_changed() &&
        ::lstat((ported.tree.root / file.source->path()).c_str(), &info) == 0 && info.st_nlink > 1)
      found.push_back(file.source->path());
  }
  return found;
}

}  // namespace hipwright::port
