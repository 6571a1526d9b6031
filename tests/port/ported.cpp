// SPDX-License-Identifier: MIT
#include "port/ported.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace hipwright::port {

std::string TestPort::said() const {
  std::string out;
  for (const Diagnostic& each : diagnostics) {
    if (each.severity == Severity::kNote) continue;
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", each.code, each.position.line);
  }
  return out;
}

TestPort port_files(const std::map<std::string, std::string>& files, Options options) {
  TestPort result;
  const auto folder = TemporaryDirectory::create();
  if (!folder) {
    ADD_FAILURE() << folder.error().message();
    return result;
  }
  for (const auto& [path, text] : files) {
    const auto target = folder->path() / path;
    EXPECT_TRUE(make_directories(target.parent_path()));
    EXPECT_TRUE(write_file_atomic(target, text));
  }
  options.path = folder->path();
  const auto ported = port(options);
  if (!ported) {
    ADD_FAILURE() << ported.error().message();
    return result;
  }
  for (const PortedFile& file : ported->files) {
    result.files[file.source->path()] = file.after();
    result.diagnostics.insert(result.diagnostics.end(), file.diagnostics.begin(),
                              file.diagnostics.end());
  }
  result.added = ported->added;
  return result;
}

std::string to_hip(const std::string& text, const std::string& name) {
  Options options;
  options.mode = Mode::kHip;
  return port_files({{name, text}}, options).files[name];
}

}  // namespace hipwright::port
