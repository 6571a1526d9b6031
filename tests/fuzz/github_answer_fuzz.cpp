// SPDX-License-Identifier: MIT
// Any JSON is a pull request or an error, and whatever is read can be judged and shown.
#include <cstdint>

#include "base/json.h"
#include "github/client/cache.h"
#include "github/client/client.h"
#include "github/fetch/read.h"
#include "github/report/report.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(github::next_page(text));
  static_cast<void>(github::parse_cache(text, "GET x"));
  const auto json = parse_json(text, "answer");
  if (!json) return 0;
  static_cast<void>(github::read_search(*json));
  static_cast<void>(github::read_summaries(*json));
  static_cast<void>(github::read_base_failures(*json));
  static_cast<void>(github::read_blame(*json, {"a", "b"}));
  std::vector<github::NextPage> more;
  auto read = github::read_pull_request(*json, {{"a", "b"}, 1}, more);
  if (!read) {
    HW_ASSERT(!read.error().message().empty());
    return 0;
  }
  const github::Profile profile;
  const github::Setting setting{.profile = &profile};
  github::Judged judged{*read, github::assess(*read, setting)};
  HW_ASSERT(!judged.assessment.action.empty());
  const github::Health health{.judged = judged};
  HW_ASSERT(!github::health_text(health, 0, false).empty());
  HW_ASSERT(!github::status_markdown({judged}, 0).empty());
  static_cast<void>(json_text(github::health_json(health, 0)));
  return 0;
}
