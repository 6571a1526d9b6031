// SPDX-License-Identifier: MIT
// Reading a trace, beside a bare scan of the same file with simdjson (On-Demand: every event's
// duration). Prints MB/s, the ratio, and each one's peak memory, for 6, 60 and 600 MB.
// usage: trace_bench TRACE.json.gz [LARGEST_MB]   (events repeated with shifted times)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/file.h"
#include "trace/analysis/summary.h"
#include "trace/read/input.h"
#include "trace/read/read.h"

namespace {

using namespace hipwright;

std::string unpacked(const std::string& path) {
  auto input = trace::open_input(path).value();
  std::string text, block(1 << 20, '\0');
  while (const std::size_t size = input->read(block).value()) text.append(block, 0, size);
  return text;
}

// The number behind `"ts":`, moved by `shift` microseconds, wherever it stands.
void append_shifted(std::string& out, std::string_view events, double shift) {
  constexpr std::string_view kKey = "\"ts\":";
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = events.find(kKey, at);
    if (found == std::string_view::npos) break;
    const std::size_t begin = found + kKey.size();
    const std::size_t end = events.find_first_of(",}", begin);
    out += events.substr(at, begin - at);
    out += fmt::format(
        " {:.3f}",
        std::strtod(std::string(events.substr(begin, end - begin)).c_str(), nullptr) + shift);
    at = end;
  }
  out += events.substr(at);
}

std::string repeated(const std::string& text, std::size_t bytes) {
  const std::size_t open = text.find('[', text.find("\"traceEvents\"")), close = text.rfind(']');
  const std::string_view events = std::string_view(text).substr(open + 1, close - open - 1);
  std::string out(text, 0, open + 1);
  for (int i = 0; out.size() < bytes; ++i) {
    if (i > 0) out += ',';
    append_shifted(out, events, i * 1e6);
  }
  return out + text.substr(close);
}

struct Cost {
  double seconds = 0;
  double gigabytes = 0;  // peak
};

// In a process of its own, so that the peak is its own.
Cost cost_of(const std::function<void()>& work) {
  int pipes[2];
  if (pipe(pipes) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (write(pipes[1], &seconds, sizeof seconds) != sizeof seconds) std::abort();
    _exit(0);
  }
  Cost cost;
  if (read(pipes[0], &cost.seconds, sizeof cost.seconds) != sizeof cost.seconds) std::abort();
  close(pipes[0]);
  close(pipes[1]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  cost.gigabytes = static_cast<double>(usage.ru_maxrss) * 1024e-9;
  return cost;
}

void bare_scan(const std::string& path) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string text = simdjson::padded_string::load(path);
  simdjson::ondemand::document document = parser.iterate(text);
  double sum = 0;
  for (simdjson::ondemand::object event : document["traceEvents"]) {
    double duration = 0;
    if (event["dur"].get(duration) == simdjson::SUCCESS) sum += duration;
  }
  if (sum < 0) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: trace_bench TRACE.json.gz [LARGEST_MB]\n");
    return 2;
  }
  const std::string text = unpacked(argv[1]);
  const double largest = argc > 2 ? std::atof(argv[2]) : 600;
  const TemporaryDirectory folder = TemporaryDirectory::create().value();
  fmt::print("{}, simdjson with {}\n", argv[1], simdjson::builtin_implementation()->name());
  fmt::print("{:>6} {:>22} {:>22} {:>8} {:>12}\n", "MB", "bare scan", "read and summarize", "ratio",
             "summary .gz");
  for (const double megabytes : {6.0, 60.0, 600.0}) {
    if (megabytes > largest) break;
    const std::string path = (folder.path() / "trace.json").string();
    {
      const std::string big = repeated(text, static_cast<std::size_t>(megabytes * 1e6));
      if (!write_file_atomic(path, big, 0600, Durability::kProcessDeath)) return 1;
    }
    const double size = static_cast<double>(std::filesystem::file_size(path)) * 1e-6;
    bare_scan(path);  // warms the page cache
    const Cost bare = cost_of([&] { bare_scan(path); });
    const Cost own = cost_of([&] { trace::summarize(trace::read_trace({path}).value()); });
    const std::string packed = path + ".gz";
    if (std::system(fmt::format("gzip -1 -c {} > {}", path, packed).c_str()) != 0) return 1;
    const Cost unpack = cost_of([&] {
      auto input = trace::open_input(packed).value();
      std::string block(1 << 20, '\0');
      while (input->read(block).value() > 0) {
      }
    });
    const Cost from_packed =
        cost_of([&] { trace::summarize(trace::read_trace({packed}).value()); });
    fmt::print(
        "{:>6.0f} {:>5.2f} s {:>4.0f} MB/s {:.2f} GB {:>5.2f} s {:>4.0f} MB/s {:.2f} GB {:>6.2f} "
        "{:>8.2f} s (zlib alone {:.2f} s)\n",
        size, bare.seconds, size / bare.seconds, bare.gigabytes, own.seconds, size / own.seconds,
        own.gigabytes, own.seconds / bare.seconds, from_packed.seconds, unpack.seconds);
  }
  return 0;
}
