// SPDX-License-Identifier: MIT
// The pieces of a JSON file, parsed. simdjson.h is large: only the readers of JSON include this.
#pragma once

#include <optional>
#include <string_view>

#include <simdjson.h>

#include "base/error.h"
#include "trace/read/json_split.h"
#include "trace/trace.h"

namespace hipwright::trace {

using simdjson::dom::element;
using simdjson::dom::object;

// Parses pieces, one at a time. A batch with an element that is not valid JSON is parsed element by
// element; those that are invalid are counted and left out.
class PieceParser {
 public:
  // The elements of a batch.
  template <class Visit>
  void batch(const JsonPiece& piece, Visit visit) {
    if (const auto all = parse(piece.text)) {
      simdjson::dom::array elements;
      if (all->get(elements) == simdjson::SUCCESS)
        for (const element each : elements) visit(each);
      return;
    }
    each_alone(piece, [&](std::string_view text, std::size_t line) {
      if (const auto one = parse(text))
        visit(*one);
      else
        count_invalid(line);
    });
  }
  // A whole value; empty if it is invalid, which is counted.
  std::optional<element> whole(const JsonPiece& piece);

  // "3 values are not valid JSON and were left out (the first at line 12: …)", or nothing.
  void note(Trace& trace) const;

 private:
  std::optional<element> parse(std::string_view text);
  void count_invalid(std::size_t line);
  static void each_alone(const JsonPiece& piece,
                         const std::function<void(std::string_view, std::size_t)>& visit);

  simdjson::dom::parser parser_;
  std::string padded_;
  std::string why_;
  std::size_t invalid_ = 0, first_line_ = 0, repaired_ = 0;
  std::string first_why_;
};

std::optional<double> number_of(element value);
std::optional<std::int64_t> integer_of(element value);
std::string_view text_of(element value);  // empty: not a text

// Microseconds as nanoseconds; empty: not a time that a trace can have.
std::optional<Nanoseconds> nanoseconds(double microseconds);

}  // namespace hipwright::trace
