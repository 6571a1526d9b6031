// SPDX-License-Identifier: MIT
// A shape: the tokens of a bug, each with what may replace it elsewhere and with a weight.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/like/change.h"
#include "lint/like/stream.h"

namespace hipwright::lint::like {

struct Element {
  std::string text;
  std::string key;  // key_of(text)
  Kind kind = Kind::kPunct;
  bool is_free = false;              // a variable: any other matches
  bool is_changed = false;           // removed (before) or added (after) by the fix
  bool is_joint = false;             // the fix inserted something before it
  float near = 1;                    // nearness to the change, at most 1
  float weight = 0;                  // set by weigh()
  std::uint32_t word = 0;            // set by weigh(): the key's number
  std::uint32_t same_as = 0;         // the first element with this name
  std::vector<std::uint32_t> parts;  // of a name: its words ("lane", "id"), as hashes; sorted
};

struct Shape {
  project::Language language = project::Language::kOther;
  std::string path;        // from the project's folder
  std::uint32_t line = 1;  // in the text before
  std::vector<Element> before, after;
  bool is_fix = false;               // there is an `after`, empty if the fix only removed code
  float trust = 1;                   // lower for statements replaced as a whole
  float total = 0, after_total = 0;  // sums of weights

  // Names in the surrounding lines: places with the same ones rank first.
  struct Nearby {
    std::string key;
    std::uint32_t word = 0;
    float weight = 0;
  };
  std::vector<Nearby> nearby;
};

// The hashes of a name's words, sorted: "laneId" and "lane_id" have the same.
std::vector<std::uint32_t> name_parts(std::string_view name);

// The statements of some lines. Tokens of a statement that lie outside the lines count less.
std::vector<Shape> shapes_of_lines(const Stream& stream, project::Language language, Lines lines);

// The changes of a fix: one shape per statement, and one for statements that changed together.
std::vector<Shape> shapes_of_change(const ChangedText& change, project::Language language);

// The number of files of a tree, and of those that have a word.
struct Frequencies {
  std::size_t files = 0;
  std::function<std::size_t(std::string_view key)> of;
};

// Sets weights and numbers; numbers go from 1 on and are the same for equal keys of all shapes.
void weigh(std::vector<Shape>& shapes, const Frequencies& frequencies,
           const std::function<std::uint32_t(std::string_view key)>& number);

// "unsigned $mask = __ballot($p)": free elements are marked.
std::string pattern_text(const Shape& shape);
// The elements as readable text.
std::string plain_text(const std::vector<Element>& elements);

}  // namespace hipwright::lint::like
