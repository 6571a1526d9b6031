// SPDX-License-Identifier: MIT
// Progress on standard error: a live bar on a terminal, sparse lines in a log, nothing when quiet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace hipwright {

// Where and how progress is shown; `Progress::standard()` probes it, tests make their own.
struct ProgressOutput {
  bool live = false;   // redraw one line (a terminal)
  bool quiet = false;  // show nothing
  bool colour = false;
  int width = 80;
  std::function<void(std::string_view)> write;
  std::function<std::chrono::steady_clock::time_point()> now;
};

ProgressOutput standard_progress_output(bool quiet);

class Progress {
 public:
  // `unit` names what is counted ("files"). `total` 0: unknown, a counter without bar and ETA.
  Progress(std::string title, std::uint64_t total, std::string unit, ProgressOutput output);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // finishes

  // From any thread. `item` is what is being worked on now; shown while live.
  void advance(std::uint64_t count = 1, std::string_view item = {});
  // The last line: title, count, time. Further calls do nothing.
  void finish();

 private:
  void draw(std::string_view item, bool final);
  std::string bar_line(std::string_view item, double seconds) const;

  const std::string title_;
  const std::uint64_t total_;
  const std::string unit_;
  const ProgressOutput output_;
  const std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point drawn_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  bool finished_ = false;
};

// "850 ms", "12.3 s", "4 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);

}  // namespace hipwright
