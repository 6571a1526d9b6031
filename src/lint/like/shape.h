// SPDX-License-Identifier: MIT
// A shape: the tokens of a bug, each with what may stand in its place elsewhere and how much it
// says.
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
  bool is_free = false;              // a variable: any other may stand here
  bool is_changed = false;           // the fix took it away (before) or brought it (after)
  bool is_joint = false;             // the fix put something in front of it
  float near = 1;                    // to what the fix changed; 1: as near as can be
  float weight = 0;                  // set by weigh()
  std::uint32_t word = 0;            // set by weigh(): the key's number
  std::uint32_t same_as = 0;         // the first element with this name
  std::vector<std::uint32_t> parts;  // of a name: its words ("lane", "id"), as hashes; sorted
};

struct Shape {
  Language language = Language::kNone;
  std::string path;        // from the project's folder
  std::uint32_t line = 1;  // in the text before
  std::vector<Element> before, after;
  bool is_fix = false;               // there is an `after`; an empty one: the fix only took away
  float trust = 1;                   // less for what was replaced as a whole
  float total = 0, after_total = 0;  // sums of weights

  // Names of the lines around: places among the same ones come first.
  struct Nearby {
    std::string key;
    std::uint32_t word = 0;
    float weight = 0;
  };
  std::vector<Nearby> nearby;
};

// The hashes of a name's words, sorted: "laneId" and "lane_id" have the same.
std::vector<std::uint32_t> name_parts(std::string_view name);

// The statements of some lines. Where the lines are part of a longer statement, what is not on
// them counts less.
std::vector<Shape> shapes_of_lines(const Stream& stream, Language language, Lines lines);

// What a fix changed: one shape per statement, and one for statements that changed together.
std::vector<Shape> shapes_of_change(const ChangedText& change, Language language);

// Which files of a tree, of how many, have a word.
struct Frequencies {
  std::size_t files = 0;
  std::function<std::size_t(std::string_view key)> of;
};

// Sets weights and numbers; numbers go from 1 on and are the same for equal keys of all shapes.
void weigh(std::vector<Shape>& shapes, const Frequencies& frequencies,
           const std::function<std::uint32_t(std::string_view key)>& number);

// "unsigned $mask = __ballot($p)": what is free is marked.
std::string pattern_text(const Shape& shape);
// Text of the elements, as it may be read.
std::string plain_text(const std::vector<Element>& elements);

}  // namespace hipwright::lint::like
