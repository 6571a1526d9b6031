// SPDX-License-Identifier: MIT
// Finds similar bugs: from one line, or from the patch that fixed it, to other places with the same
// shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/engine.h"
#include "lint/like/shape.h"

namespace hipwright::lint::like {

// A file and its lines, as the user names them.
struct Origin {
  std::string path;
  Lines lines;
};
// "csrc/a.cu:12", "csrc/a.cu:12-14"
Result<Origin> parse_origin(const std::string& text);

// A fix shows what matters; in lines alone, everything may.
constexpr float kLeastOfFix = 0.5F, kLeastOfLines = 0.6F;

struct Request {
  Options lint;  // paths, project, excluded files, threads; rules where the line has a finding
  std::optional<Origin> origin;
  std::optional<Patch> patch;  // one of the two
  float least_score = 0;       // 0: the default, kLeastOfFix or kLeastOfLines
  std::size_t limit = 50;      // 0: all
  bool all_platforms = false;  // include code that AMD never compiles or runs
};

struct Difference {
  std::string in_shape, here;  // one may be empty: added or missing here
};

struct Place {
  std::string path;  // as reported
  std::size_t offset = 0;
  Position position, end;
  LineExcerpt line;
  float score = 0;     // what the list is sorted by, from 0 to 1
  float likeness = 0;  // the fraction of the shape that is here
  float nearby = 0;    // the fraction of the surrounding names that is here
  std::size_t shape = 0;
  std::vector<Difference> differences;  // in text order
  syntax::Truth on_amd = syntax::Truth::kMaybe;
};

struct Found {
  std::vector<Shape> shapes;          // by weight, including those without a place
  std::vector<std::string> codes;     // rules that find the bug itself
  std::vector<Finding> findings;      // of these rules, elsewhere
  std::vector<Place> places;          // best first; without those among the findings
  std::size_t left_out = 0;           // places beyond the limit
  std::size_t fixed = 0;              // places that look like the fixed one
  std::size_t unreachable = 0;        // places that AMD never compiles or runs
  std::size_t too_common = 0;         // shapes that are too unspecific to search for
  std::vector<std::string> not_read;  // files of the patch that have no shapes: build files, text
  std::vector<FileNote> notes;
  Statistics statistics;
};

Result<Found> find_like(const Request& request);

std::string text_output(const Found& found, bool colour);
std::string json_output(const Found& found);

}  // namespace hipwright::lint::like
