// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/json.h"
#include "runtime/data_type.h"
#include "runtime/safetensors.h"

namespace hipwright::runtime {

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference implementation's limit
constexpr std::string_view kMetadata = "__metadata__";

// Handles the parser's events. No tree is built: a tree hides duplicate names, and a hostile header
// could make it deep.
class HeaderReader : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderReader(SafetensorsHeader& header) : header_(header) {}

  const std::string& problem() const { return problem_; }

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a boolean"); }
  bool number_float(double, const std::string&) override {
    return refuse("a floating-point number");
  }
  bool number_integer(std::int64_t) override { return refuse("a negative number"); }
  bool binary(Json::binary_t&) override { return refuse("bytes"); }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ == Place::kShape) {
      if (!std::in_range<std::int64_t>(value)) return complain("dimension too large");
      tensor_.shape.push_back(static_cast<std::int64_t>(value));
      return true;
    }
    if (place_ != Place::kOffsets) return refuse("a number");
    if (offsets_ < 2) (offsets_ == 0 ? tensor_.begin : tensor_.end) = value;
    ++offsets_;
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::kTexts) {
      header_.metadata.emplace(key_, value);
      return true;
    }
    if (place_ != Place::kTensor || key_ != "dtype") return refuse("a string");
    const auto type = parse_data_type(value);
    if (!type) return complain(fmt::format("unknown dtype '{}'", printable(value)));
    tensor_.type = *type;
    return true;
  }

  bool key(std::string& name) override {
    if (place_ == Place::kTop) {
      if (!names_.insert(name).second)
        return complain(fmt::format("duplicate name '{}'", printable(name)));
      tensor_ = {.name = name};
      keys_.clear();
    } else if (!keys_.insert(name).second) {
      return complain(fmt::format("duplicate name '{}'", printable(name)));
    }
    key_ = name;
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::kOutside) {
      place_ = Place::kTop;
      return true;
    }
    if (place_ != Place::kTop) return refuse("an object");
    place_ = key_ == kMetadata ? Place::kTexts : Place::kTensor;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kTensor) {
      for (const char* needed : {"dtype", "shape", "data_offsets"})
        if (!keys_.contains(needed)) return complain(fmt::format("missing {}", needed));
      header_.tensors.push_back(std::move(tensor_));
    }
    place_ = place_ == Place::kTop ? Place::kOutside : Place::kTop;
    tensor_ = {};
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::kTensor && key_ == "shape") {
      place_ = Place::kShape;
    } else if (place_ == Place::kTensor && key_ == "data_offsets") {
      place_ = Place::kOffsets;
      offsets_ = 0;
    } else {
      return refuse("a list");
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::kOffsets && offsets_ != 2)
      return complain(fmt::format("data_offsets has {} numbers instead of 2", offsets_));
    place_ = Place::kTensor;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception&) override {
    problem_ = fmt::format("the header is not valid JSON at byte {}",
                           kLengthBytes + (byte == 0 ? 0 : byte - 1));
    return false;
  }

  static std::string printable(std::string_view text) {
    constexpr std::size_t kLongest = 100;
    std::string out(text.substr(0, kLongest));
    for (char& letter : out)
      if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) letter = '?';
    return text.size() > kLongest ? out + "…" : out;
  }

 private:
  enum class Place { kOutside, kTop, kTexts, kTensor, kShape, kOffsets };

  bool complain(const std::string& what) {
    const bool in_tensor = place_ != Place::kOutside && place_ != Place::kTop;
    problem_ = in_tensor && place_ != Place::kTexts
                   ? fmt::format("tensor '{}': {}", printable(tensor_.name), what)
                   : what;
    return false;
  }

  bool refuse(const std::string& what) {
    if (place_ == Place::kOutside) return complain(fmt::format("the header is {}", what));
    if (place_ == Place::kTexts)
      return complain(fmt::format("{} '{}' is {}, not a string", kMetadata, printable(key_), what));
    return complain(fmt::format("unexpected type of '{1}': {0}", what, printable(key_)));
  }

  SafetensorsHeader& header_;
  Place place_ = Place::kOutside;
  std::set<std::string, std::less<>> names_, keys_;
  std::string key_;
  StoredTensor tensor_;
  std::size_t offsets_ = 0;
  std::string problem_;
};

// What is wrong with the places of the tensors, which are sorted; empty when they cover `size`
// bytes one after the other.
std::string check_places(const SafetensorsHeader& header, std::uint64_t size) {
  std::uint64_t expected = 0;
  const StoredTensor* before = nullptr;
  for (const StoredTensor& tensor : header.tensors) {
    const auto wrong = [&](std::string_view why) {
      return fmt::format("tensor '{}' at offset {}: {}", HeaderReader::printable(tensor.name),
                         tensor.begin, why);
    };
    if (tensor.end < tensor.begin) return wrong(fmt::format("it ends at {}", tensor.end));
    if (tensor.begin < expected)
      return wrong(fmt::format("it overlaps '{}'", HeaderReader::printable(before->name)));
    if (tensor.begin > expected)
      return wrong(fmt::format("gap of {} bytes before it", tensor.begin - expected));
    const auto bytes = count_bytes(tensor.type, tensor.shape);
    if (!bytes) return wrong(bytes.error().message());
    if (tensor.end - tensor.begin != *bytes)
      return wrong(fmt::format("it has {} bytes, but {} {} needs {}", tensor.end - tensor.begin,
                               to_string(tensor.type), shape_text(tensor.shape), *bytes));
    expected = tensor.end;
    before = &tensor;
  }
  if (expected > size)
    return fmt::format("truncated file: the tensors need {} bytes, but there are {}", expected,
                       size);
  if (expected < size) return fmt::format("{} unused bytes after the last tensor", size - expected);
  return {};
}

}  // namespace

Result<SafetensorsHeader> read_safetensors_header(std::string_view file,
                                                  const std::string& origin) {
  const auto invalid = [&](std::string why) {
    return fail("cannot read the tensors of", origin, std::move(why),
                "The file must be a complete safetensors file.");
  };
  std::uint64_t length = 0;
  if (file.size() < kLengthBytes) return invalid("shorter than 8 bytes");
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > kLongestHeader)
    return invalid(fmt::format("the header has {} bytes; the limit is {}", length, kLongestHeader));
  if (length > file.size() - kLengthBytes)
    return invalid(fmt::format("the header has {} bytes, but the file has only {}", length,
                               file.size() - kLengthBytes));
  const std::string_view text = file.substr(kLengthBytes, length);
  if (!text.starts_with('{')) return invalid("the header does not start with {");

  SafetensorsHeader header{.data_begin = kLengthBytes + length};
  HeaderReader reader(header);
  if (!Json::sax_parse(text.begin(), text.end(), &reader)) return invalid(reader.problem());
  std::ranges::sort(header.tensors, {}, [](const StoredTensor& tensor) {
    return std::tuple(tensor.begin, tensor.end, std::string_view(tensor.name));
  });
  if (std::string why = check_places(header, file.size() - header.data_begin); !why.empty())
    return invalid(std::move(why));
  return header;
}

}  // namespace hipwright::runtime
