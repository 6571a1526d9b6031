// SPDX-License-Identifier: MIT
// Cuts a JSON text of any size into pieces that a parser can hold: the elements of long arrays in
// batches, other values whole. What it keeps in memory does not grow with the text.
//
// It only finds where values begin and end. Whether a piece is valid JSON is for its parser to say.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::trace {

enum class Split {
  kEnter,  // an object or array: ask again for what is in it
  kBatch,  // an array: deliver its elements in batches
  kWhole,  // deliver it in one piece
  kSkip,
};

struct JsonPiece {
  // Keys with dots between them, `[]` for the elements of an array: "a.b[].c". Of a batch, the path
  // of the array and `[]`.
  std::string_view path;
  std::string_view text;  // a value; of a batch "[…]"
  std::size_t line = 1;   // where it begins
};

class JsonSplitter {
 public:
  // `first` is the first character of the value.
  using Decide = std::function<Split(std::string_view path, char first)>;
  using Deliver = std::function<Status(const JsonPiece&)>;
  // Of the elements of a batch, which are objects or arrays: those that need no parsing are left
  // out.
  using Wants = std::function<bool(std::string_view element)>;

  JsonSplitter(std::string origin, Decide decide, Deliver deliver, Wants wants);

  Status feed(std::string_view bytes);
  // The end of the text. True: the text was complete. False: it ends in the middle, and complete
  // elements of the last batch were delivered.
  Result<bool> finish();
  std::size_t line() const { return line_; }

 private:
  enum class Mode { kWalk, kValue, kBatch, kSkip, kDone };
  struct Level {
    bool is_object;
    bool has_value;           // something was read in it
    std::size_t path_length;  // of the path of the object or array itself
  };
  // Where the search for the end of a value is.
  struct Scan {
    std::size_t at = 0;
    int depth = 0;
    bool in_text = false;
    bool escaped = false;
    std::size_t element = 0;  // where the element of the batch begins that was opened last
  };

  Status work(bool is_last);
  Result<bool> walk(bool is_last);  // false: needs more bytes
  Result<bool> key();
  Status begin_value(char first);
  void end_container();
  bool value_ends(bool is_last);
  bool scan_block(std::size_t size, std::size_t& end);
  void add_element(std::size_t end);
  Status deliver_batch();
  Status forget_scanned();
  // What was fed and is still needed; positions are in it.
  std::string_view left() const { return std::string_view(buffer_).substr(start_); }
  void drop(std::size_t count);
  bool skip_blanks();
  std::unexpected<Error> invalid(std::string why) const;

  const std::string origin_;
  const Decide decide_;
  const Deliver deliver_;
  const Wants wants_;
  Mode mode_ = Mode::kWalk;
  std::string buffer_, path_, batch_;
  std::size_t start_ = 0;  // in buffer_, of left()
  std::size_t at_ = 0;     // walked up to here
  std::size_t line_ = 1, batch_line_ = 1;
  std::vector<Level> levels_;
  Scan scan_;
  bool is_text_ = false;    // it ends at its second quote
  bool is_scalar_ = false;  // the value ends at a comma, bracket or blank
  bool had_root_ = false;
};

}  // namespace hipwright::trace
