// SPDX-License-Identifier: MIT
#include "trace/read/json_split.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <fmt/format.h>

namespace hipwright::trace {

namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kBatchBytes = 1U << 20;
constexpr std::size_t kLargest = 64U << 20;  // bytes of one value or element
constexpr std::size_t kDeepest = 64;         // levels that are entered

// One bit for each of 64 bytes.
struct Masks {
  std::uint64_t quote = 0, backslash = 0, open = 0, close = 0;
};

// '{' and '[' differ in one bit, which is set in both of '}' and ']', too.
constexpr char kFold = 0x20;

Masks masks_of(const char* bytes) {
  Masks masks;
#ifdef __SSE2__
  for (unsigned part = 0; part < 4; ++part) {
    __m128i chunk;
    std::memcpy(&chunk, bytes + part * 16, 16);
    const auto bits = [&](__m128i values, char wanted) {
      const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(values, _mm_set1_epi8(wanted)));
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask)) << (part * 16);
    };
    const __m128i folded = _mm_or_si128(chunk, _mm_set1_epi8(kFold));
    masks.quote |= bits(chunk, '"');
    masks.backslash |= bits(chunk, '\\');
    masks.open |= bits(folded, '{');
    masks.close |= bits(folded, '}');
  }
#else
  for (unsigned i = 0; i < kBlock; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    const char folded = static_cast<char>(bytes[i] | kFold);
    masks.quote |= bytes[i] == '"' ? bit : 0;
    masks.backslash |= bytes[i] == '\\' ? bit : 0;
    masks.open |= folded == '{' ? bit : 0;
    masks.close |= folded == '}' ? bit : 0;
  }
#endif
  return masks;
}

// The bytes that a backslash makes plain. `escaped` goes from block to block.
std::uint64_t escaped_bytes(std::uint64_t backslash, bool& escaped) {
  std::uint64_t out = escaped ? 1 : 0;
  backslash &= ~out;
  escaped = false;
  while (backslash != 0) {
    const int first = std::countr_zero(backslash);
    if (first == 63) {
      escaped = true;
      break;
    }
    const std::uint64_t next = std::uint64_t{2} << first;
    out |= next;
    backslash &= ~(next | (next >> 1));
  }
  return out;
}

// Bit i: an odd number of bits is set in bits 0 to i.
std::uint64_t running_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

JsonSplitter::JsonSplitter(std::string origin, Decide decide, Deliver deliver, Wants wants)
    : origin_(std::move(origin)),
      decide_(std::move(decide)),
      deliver_(std::move(deliver)),
      wants_(std::move(wants)) {}

std::unexpected<Error> JsonSplitter::invalid(std::string why) const {
  return fail("cannot read the JSON text", fmt::format("{}:{}", origin_, line_), std::move(why));
}

Status JsonSplitter::feed(std::string_view bytes) {
  // Not at every value: many short ones would move the rest as often.
  if (start_ > buffer_.size() / 2) {
    buffer_.erase(0, start_);
    start_ = 0;
  }
  buffer_ += bytes;
  return work(false);
}

Result<bool> JsonSplitter::finish() {
  HW_CHECK(work(true));
  if (mode_ == Mode::kDone) return true;
  if (!had_root_) return invalid("the file is empty");
  // What is complete of a batch is worth reading.
  HW_CHECK(deliver_batch());
  return false;
}

void JsonSplitter::drop(std::size_t count) {
  line_ += static_cast<std::size_t>(std::ranges::count(left().substr(0, count), '\n'));
  start_ += count;
}

bool JsonSplitter::skip_blanks() {
  while (at_ < left().size() && is_blank(left()[at_])) ++at_;
  return at_ < left().size();
}

Status JsonSplitter::work(bool is_last) {
  for (;;) {
    switch (mode_) {
      case Mode::kWalk: {
        HW_TRY(const bool goes_on, walk(is_last));
        if (!goes_on) {
          drop(at_);
          at_ = 0;
          return {};
        }
        break;
      }
      case Mode::kValue:
      case Mode::kBatch:
      case Mode::kSkip: {
        if (value_ends(is_last)) {
          at_ = scan_.at;
          if (mode_ == Mode::kBatch)
            HW_CHECK(deliver_batch());
          else if (mode_ == Mode::kValue)
            HW_CHECK(deliver_({path_, left().substr(0, at_), line_}));
          mode_ = levels_.empty() ? Mode::kDone : Mode::kWalk;
          if (!levels_.empty()) path_.resize(levels_.back().path_length);
          break;
        }
        HW_CHECK(forget_scanned());
        return {};
      }
      case Mode::kDone:
        if (skip_blanks()) return invalid("text after the end of the JSON value");
        drop(left().size());
        at_ = 0;
        return {};
    }
  }
}

// Keeps of the buffer what is still needed: the value or element whose end was not found.
Status JsonSplitter::forget_scanned() {
  if (mode_ == Mode::kBatch && batch_.size() >= kBatchBytes) HW_CHECK(deliver_batch());
  std::size_t done = 0;
  if (mode_ == Mode::kSkip) done = scan_.at;
  if (mode_ == Mode::kBatch) done = scan_.depth == 0 ? scan_.at : scan_.element;
  if (left().size() - done > kLargest)
    return invalid(fmt::format("a value of `{}` is longer than {} MiB", path_, kLargest >> 20));
  drop(done);
  scan_.at -= done;
  scan_.element = 0;
  return {};
}

// One token of the objects and arrays that are entered.
Result<bool> JsonSplitter::walk(bool is_last) {
  if (!skip_blanks()) return false;
  const char c = left()[at_];
  if (levels_.empty()) {
    if (static_cast<unsigned char>(c) == 0xEF) {  // byte order mark
      if (left().size() - at_ < 3) return false;
      if (left().substr(at_, 3) != "\xEF\xBB\xBF") return invalid("not JSON");
      at_ += 3;
      return true;
    }
    if (c != '{' && c != '[') return invalid("not a JSON object or array");
    had_root_ = true;
    HW_CHECK(begin_value(c));
    return true;
  }
  Level& level = levels_.back();
  if (c == (level.is_object ? '}' : ']')) {
    ++at_;
    end_container();
    return true;
  }
  if (level.has_value) {
    if (c != ',') return invalid("expected ',' or the end of the object or array");
    if (at_ + 1 == left().size() && !is_last) return false;
    ++at_;
    level.has_value = false;
    return true;
  }
  if (level.is_object) return key();
  path_ += "[]";
  HW_CHECK(begin_value(c));
  return true;
}

// A key, the colon and the first character of its value; nothing is used up until all are there.
Result<bool> JsonSplitter::key() {
  if (left()[at_] != '"') return invalid("expected a key");
  std::size_t end = at_ + 1;
  while (end < left().size() && left()[end] != '"') end += left()[end] == '\\' ? 2 : 1;
  if (end - at_ > (1U << 16)) return invalid("a key is longer than 64 KiB");
  const auto next = [&] {
    do ++end;
    while (end < left().size() && is_blank(left()[end]));
    return end < left().size();
  };
  if (end >= left().size()) return false;
  const std::string_view name = left().substr(at_ + 1, end - at_ - 1);
  if (!next()) return false;
  if (left()[end] != ':') return invalid("expected ':'");
  if (!next()) return false;
  if (!path_.empty()) path_ += '.';
  path_ += name;
  at_ = end;
  HW_CHECK(begin_value(left()[at_]));
  return true;
}

Status JsonSplitter::begin_value(char first) {
  if (!levels_.empty()) levels_.back().has_value = true;
  const bool is_container = first == '{' || first == '[';
  Split split = decide_(path_, first);
  if (split == Split::kBatch && first != '[') split = Split::kSkip;
  if (split == Split::kEnter && !is_container) split = Split::kSkip;
  if (split == Split::kEnter) {
    if (levels_.size() >= kDeepest) return invalid("nested too deeply");
    levels_.push_back({first == '{', false, path_.size()});
    ++at_;
    return {};
  }
  // The value stands at the begin of the buffer while its end is looked for.
  drop(at_);
  at_ = 0;
  scan_ = {};
  is_text_ = first == '"';
  is_scalar_ = !is_container && !is_text_;
  mode_ = split == Split::kBatch   ? Mode::kBatch
          : split == Split::kWhole ? Mode::kValue
                                   : Mode::kSkip;
  if (mode_ == Mode::kBatch) scan_.at = 1;
  return {};
}

void JsonSplitter::end_container() {
  levels_.pop_back();
  if (levels_.empty())
    mode_ = Mode::kDone;
  else
    path_.resize(levels_.back().path_length);
}

// Looks for the end of the value; true: it is at scan_.at.
bool JsonSplitter::value_ends(bool is_last) {
  if (is_scalar_) {
    while (scan_.at < left().size()) {
      const char c = left()[scan_.at];
      if (c == ',' || c == '}' || c == ']' || is_blank(c)) return true;
      ++scan_.at;
    }
    return false;
  }
  while (scan_.at < left().size()) {
    const std::size_t size = std::min(kBlock, left().size() - scan_.at);
    if (size < kBlock && !is_last) return false;
    std::size_t end = 0;
    if (scan_block(size, end)) {
      scan_.at = end;
      return true;
    }
    scan_.at += size;
  }
  return false;
}

bool JsonSplitter::scan_block(std::size_t size, std::size_t& end) {
  char padded[kBlock];
  const char* bytes = left().data() + scan_.at;
  if (size < kBlock) {
    std::memset(padded, ' ', kBlock);
    std::memcpy(padded, bytes, size);
    bytes = padded;
  }
  const Masks masks = masks_of(bytes);
  const std::uint64_t escaped =
      masks.backslash != 0 || scan_.escaped ? escaped_bytes(masks.backslash, scan_.escaped) : 0;
  const std::uint64_t quotes = masks.quote & ~escaped;
  const std::uint64_t inside = running_parity(quotes) ^ (scan_.in_text ? ~std::uint64_t{0} : 0);
  const bool is_batch = mode_ == Mode::kBatch;
  // A value that is a text ends at its second quote.
  if (is_text_) {
    std::uint64_t closing = quotes & ~inside;
    if (closing != 0) {
      end = scan_.at + static_cast<std::size_t>(std::countr_zero(closing)) + 1;
      return true;
    }
  }
  scan_.in_text = (inside >> 63) != 0;
  for (std::uint64_t brackets = (masks.open | masks.close) & ~inside; brackets != 0;
       brackets &= brackets - 1) {
    const int bit = std::countr_zero(brackets);
    const std::size_t place = scan_.at + static_cast<std::size_t>(bit) + 1;
    if ((masks.open >> bit & 1) != 0) {
      if (scan_.depth++ == 0) scan_.element = place - 1;
      continue;
    }
    --scan_.depth;
    if (is_batch && scan_.depth == 0) add_element(place);
    if (scan_.depth == (is_batch ? -1 : 0)) {
      end = place;
      return true;
    }
  }
  return false;
}

void JsonSplitter::add_element(std::size_t end) {
  const std::string_view element = left().substr(scan_.element, end - scan_.element);
  if (!wants_(element)) return;
  if (batch_.empty())
    batch_line_ = line_ + static_cast<std::size_t>(
                              std::count(left().data(), left().data() + scan_.element, '\n'));
  batch_ += batch_.empty() ? '[' : ',';
  batch_ += element;
}

Status JsonSplitter::deliver_batch() {
  if (batch_.empty()) return {};
  batch_ += ']';
  const std::string path = path_ + "[]";
  const Status status = deliver_({path, batch_, batch_line_});
  batch_.clear();
  return status;
}

}  // namespace hipwright::trace
