// SPDX-License-Identifier: MIT
#include "port/ported.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "port/pass.h"

namespace hipwright::port {

namespace {

// Nothing emits a code that it does not declare, whatever a test ports.
void expect_declared(const PortedFile& file) {
  for (const auto& [name, codes] : file.emitted)
    for (const std::string_view code : codes) {
      const Pass* pass = find_pass(name);
      const bool is_declared = pass != nullptr
                                   ? pass->may_emit(code)
                                   : std::ranges::any_of(later_steps(), [&](const LaterStep& step) {
                                       return step.may_emit(code);
                                     });
      EXPECT_TRUE(is_declared) << (name.empty() ? "what follows the passes" : name) << " emits "
                               << code << ", and does not declare it";
    }
}

}  // namespace

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
    expect_declared(file);
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
