// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "base/terminal.h"

namespace hipwright {

namespace {

using std::chrono::steady_clock;

// A terminal redraws fast enough to look alive; a log gets a line now and then.
constexpr auto kLiveInterval = std::chrono::milliseconds(100);
constexpr auto kLogInterval = std::chrono::seconds(10);
constexpr int kBarCells = 24;

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

ProgressOutput standard_progress_output(bool quiet) {
  return {.live = is_terminal(STDERR_FILENO),
          .quiet = quiet,
          .colour = wants_colour(STDERR_FILENO),
          .width = terminal_width(STDERR_FILENO),
          .write =
              [](std::string_view text) {
                std::fwrite(text.data(), 1, text.size(), stderr);
                std::fflush(stderr);
              },
          .now = [] { return steady_clock::now(); }};
}

Progress::Progress(std::string title, std::uint64_t total, std::string unit, ProgressOutput output)
    : title_(std::move(title)),
      total_(total),
      unit_(std::move(unit)),
      output_(std::move(output)),
      started_(output_.now()),
      drawn_(started_) {}

Progress::~Progress() {
  finish();
}

void Progress::advance(std::uint64_t count, std::string_view item) {
  const std::lock_guard lock(mutex_);
  done_ += count;
  if (output_.quiet || finished_) return;
  const auto now = output_.now();
  const auto interval = output_.live ? steady_clock::duration(kLiveInterval) : kLogInterval;
  if (now - drawn_ < interval) return;
  drawn_ = now;
  draw(item, false);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(finished_, true) || output_.quiet) return;
  draw({}, true);
}

void Progress::draw(std::string_view item, bool final) {
  const double seconds = std::chrono::duration<double>(output_.now() - started_).count();
  const char* const clear = output_.live ? "\r\x1b[K" : "";
  if (final) {
    output_.write(fmt::format("{}{}: {} {} in {}\n", clear,
                              paint(title_, Colour::kBold, output_.colour), done_, unit_,
                              duration_text(seconds)));
  } else {
    output_.write(clear + bar_line(item, seconds) + (output_.live ? "" : "\n"));
  }
}

std::string Progress::bar_line(std::string_view item, double seconds) const {
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string line = title_;
  if (total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    if (output_.live) {
      const int filled = static_cast<int>(share * kBarCells);
      line += fmt::format(" [{:=<{}}{:{}}]", "", filled, "", kBarCells - filled);
    }
    line += fmt::format(" {}/{} {} {:.0f}%", done_, total_, unit_, share * 100);
  } else {
    line += fmt::format(" {} {}", done_, unit_);
  }
  line += fmt::format(", {:.3g}/s", rate);
  if (total_ > done_ && rate > 0)
    line += fmt::format(", {} left", duration_text(static_cast<double>(total_ - done_) / rate));
  if (output_.live && !item.empty()) line += fmt::format("  {}", item);
  if (output_.live && static_cast<int>(line.size()) >= output_.width)
    line.resize(static_cast<std::size_t>(std::max(1, output_.width - 1)));
  return line;
}

}  // namespace hipwright
