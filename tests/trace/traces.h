// SPDX-License-Identifier: MIT
// Small traces as text, and where real ones may be.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paths.h"

namespace hipwright::trace {

// Times in microseconds.
inline std::string kernel_event(std::string_view name, double begin, double duration,
                                int stream = 0, int correlation = 0) {
  return fmt::format(
      R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"device":0,"stream":{},"correlation":{}}}}})",
      name, stream, begin, duration, stream, correlation == 0 ? -1 : correlation);
}
inline std::string call_event(std::string_view name, double begin, double duration,
                              int correlation) {
  return fmt::format(
      R"({{"ph":"X","cat":"cuda_runtime","name":"{}","pid":9,"tid":9,"ts":{},"dur":{},"args":{{"correlation":{}}}}})",
      name, begin, duration, correlation);
}
inline std::string op_event(std::string_view name, double begin, double duration,
                            std::string_view shapes = "[]", std::string_view types = "") {
  return fmt::format(
      R"({{"ph":"X","cat":"cpu_op","name":"{}","pid":9,"tid":9,"ts":{},"dur":{},"args":{{"Input Dims":{},"Input type":[{}]}}}})",
      name, begin, duration, shapes, types);
}
inline std::string trace_text(const std::vector<std::string>& events,
                              std::string_view device = "AMD Instinct MI300X") {
  return fmt::format(
      R"({{"deviceProperties":[{{"id":0,"name":"{}","numSms":304}}],"traceEvents":[{}]}})", device,
      fmt::join(events, ",\n"));
}

// The folder with real traces, which is not part of the project.
inline std::filesystem::path real_traces() {
  return tests_folder().parent_path().parent_path() / "shared" / "traces";
}

}  // namespace hipwright::trace
