// SPDX-License-Identifier: MIT
#include "github/time.h"

#include <algorithm>
#include <ctime>

namespace hipwright::github {

std::int64_t parse_time(std::string_view text) {
  std::tm parts{};
  const std::string copy(text.substr(0, 40));
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (end == nullptr || *end != 'Z') return 0;
  return timegm(&parts);
}

std::string time_text(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  char text[40] = "";
  if (gmtime_r(&time, &parts) != nullptr)
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string age_text(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  seconds = std::max<std::int64_t>(seconds, 0);
  if (seconds < kHour) return std::to_string(seconds / kMinute) + " min";
  if (seconds < 2 * kDay) return std::to_string(seconds / kHour) + " h";
  return std::to_string(seconds / kDay) + " d";
}

}  // namespace hipwright::github
