// SPDX-License-Identifier: MIT
#include "lint/fixture.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/file.h"
#include "paths.h"
#include "syntax/text.h"

namespace hipwright::lint {

namespace {

Result<Confidence> confidence_named(const std::string& word, const std::string& where) {
  for (const Confidence each : {Confidence::kLow, Confidence::kMedium, Confidence::kHigh})
    if (word == to_string(each)) return each;
  return fail("cannot read a fixture's expectation", where,
              fmt::format("'{}' is not a confidence", word), "Write low, medium or high");
}

Status read_line(const std::string& line, const std::string& path, std::uint32_t number,
                 Fixture& fixture) {
  if (line.find(" quiet: ") != std::string::npos) ++fixture.quiet;
  static const std::string kMark = " finding: ";
  for (std::size_t at = line.find(kMark); at != std::string::npos; at = line.find(kMark, at + 1)) {
    std::istringstream words(line.substr(at + kMark.size()));
    Expected expected{.path = path, .line = number};
    words >> expected.code;
    std::string word;
    // After the code: a confidence, another expectation, the comment's end, or a suppression.
    const bool is_other =
        !(words >> word) || word == "finding:" || word == "*/" || word == "hipwright:";
    if (!is_other) {
      HW_TRY(expected.at_least, confidence_named(word, fmt::format("{}:{}", path, number)));
    }
    fixture.expected.push_back(expected);
  }
  return {};
}

}  // namespace

std::filesystem::path fixture_folder(std::string_view code) {
  return tests_folder() / "lint/fixtures" / code;
}

Result<Fixture> read_fixture(const std::filesystem::path& folder) {
  Fixture fixture{.folder = folder};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() != ".fixed")
      fixture.sources.push_back(entry.path().lexically_relative(folder).string());
  std::sort(fixture.sources.begin(), fixture.sources.end());
  for (const std::string& path : fixture.sources) {
    HW_TRY(std::string bytes, read_file(folder / path));
    std::istringstream lines(syntax::decode(std::move(bytes)).bytes);
    std::string line;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number)
      HW_CHECK(read_line(line, path, number, fixture));
  }
  return fixture;
}

}  // namespace hipwright::lint
