// SPDX-License-Identifier: MIT
#include "trace/record/record.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "trace/record/hook.h"

namespace hipwright::trace {

namespace {

namespace fs = std::filesystem;
using Environment = std::vector<std::pair<std::string, std::string>>;

constexpr char kWhat[] = "cannot record a trace of";

Result<int> run_program(const std::vector<std::string>& command, Environment environment) {
  auto code = run_in_foreground({.argv = command, .environment = std::move(environment)});
  if (!code) code.error().what = kWhat;
  return code;
}

fs::path stem_of(const fs::path& output) {
  fs::path stem = output;
  return stem.extension() == ".json" ? stem.replace_extension() : stem;
}

// OUTPUT, or OUTPUT's name with .rank<N> before .json.
std::vector<fs::path> written(const fs::path& output, fs::file_time_type since) {
  std::vector<fs::path> found;
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  const std::string stem = stem_of(output).filename().string();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_rank = name.starts_with(stem + ".rank") && name.ends_with(".json");
    if ((name == output.filename().string() || is_rank) && entry.last_write_time(error) >= since)
      found.push_back(folder == "." && !output.has_parent_path() ? fs::path(name) : entry.path());
  }
  std::ranges::sort(found);
  return found;
}

Result<Recorded> with_torch(const RecordOptions& options) {
  HW_TRY(const TemporaryDirectory folder, TemporaryDirectory::create());
  HW_CHECK(write_file_atomic(folder.path() / "sitecustomize.py", kTorchHook));
  const char* paths = std::getenv("PYTHONPATH");
  Environment environment{
      {"PYTHONPATH", folder.path().string() +
                         (paths != nullptr && *paths != '\0' ? std::string(":") + paths : "")},
      {"HIPWRIGHT_TRACE_OUTPUT", stem_of(fs::absolute(options.output)).string()},
      {"HIPWRIGHT_TRACE_FOLDER", folder.path().string()},
      {"HIPWRIGHT_TRACE_STACKS", options.stacks ? "1" : "0"},
      {"HIPWRIGHT_TRACE_MEMORY", options.memory ? "1" : "0"},
  };
  const auto since = fs::file_time_type::clock::now() - std::chrono::seconds(1);
  HW_TRY(const int code, run_program(options.command, std::move(environment)));
  Recorded out{
      .exit_code = code, .traces = written(options.output, since), .with = "torch.profiler"};
  if (out.traces.empty())
    return fail(kWhat, shell_quoted(options.command),
                fmt::format("the program ended with exit code {} and wrote no trace", code),
                "It must import torch, and end without os._exit(); Python must read sitecustomize "
                "(no -S, no -I, no -E).");
  return out;
}

Result<Recorded> with_rocprofv3(const RecordOptions& options) {
  if (!find_program("rocprofv3"))
    return fail(kWhat, shell_quoted(options.command),
                "not a Python program, and rocprofv3 is not installed",
                "Install rocprofiler-sdk (ROCm 6.2 or newer), or start the program with Python.");
  const fs::path stem = stem_of(fs::absolute(options.output));
  std::vector<std::string> command{"rocprofv3",
                                   "--kernel-trace",
                                   "--memory-copy-trace",
                                   "--hip-runtime-trace",
                                   "--output-format",
                                   "json",
                                   "-d",
                                   stem.parent_path().string(),
                                   "-o",
                                   stem.filename().string(),
                                   "--"};
  command.insert(command.end(), options.command.begin(), options.command.end());
  HW_TRY(const int code, run_program(command, {}));
  // rocprofv3 adds _results to the name.
  const fs::path results = stem.string() + "_results.json";
  if (!fs::exists(results))
    return fail(
        kWhat, shell_quoted(command),
        fmt::format("rocprofv3 ended with exit code {} and wrote no {}", code, results.string()));
  return Recorded{.exit_code = code, .traces = {results}, .with = "rocprofv3"};
}

}  // namespace

bool is_python_program(const std::string& program) {
  const std::string name = fs::path(program).filename().string();
  if (name.starts_with("python") || name.starts_with("pypy") || name.ends_with(".py")) return true;
  if (is_any(name, {"torchrun", "accelerate", "deepspeed", "pytest", "vllm", "sglang", "ipython",
                    "uv", "conda"}))
    return true;
  // A script that pip installed: its first line names Python.
  const auto path = find_program(program);
  if (!path) return false;
  std::error_code error;
  if (fs::file_size(*path, error) > (1U << 20) || error) return false;
  const auto text = read_file(*path);
  return text && text->starts_with("#!") &&
         text->substr(0, text->find('\n')).find("python") != std::string::npos;
}

Result<Recorded> record(const RecordOptions& options) {
  HW_CHECK(can_write(options.output));
  return is_python_program(options.command.front()) ? with_torch(options) : with_rocprofv3(options);
}

}  // namespace hipwright::trace
