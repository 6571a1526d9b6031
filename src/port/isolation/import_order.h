// SPDX-License-Identifier: MIT
// Imports of a port that load PyTorch earlier than the program does: the program's setup, such as
// environment variables, would come too late.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "port/isolation/isolation.h"

namespace hipwright::port {

class ImportOrder {
 public:
  using Read = std::function<std::optional<std::string>(const std::string& path)>;
  // All paths of the ported tree, and how to read one of them.
  ImportOrder(const std::set<std::string>& paths, Read read)
      : paths_(paths), read_(std::move(read)) {}

  std::vector<IsolationLeak> check(const std::string& path, std::string_view before,
                                   std::string_view after) const;

 private:
  bool loads_torch(const std::string& path, const std::string& module, int depth) const;
  bool file_loads_torch(const std::string& path, int depth) const;

  const std::set<std::string>& paths_;
  Read read_;
};

}  // namespace hipwright::port
