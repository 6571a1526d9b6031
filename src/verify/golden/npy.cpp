// SPDX-License-Identifier: MIT
// The .npy format: a magic number, a version, a header that is a Python dictionary, the elements.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/data_type.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLongestHeader = 65535;

struct NumpyType {
  DataType type;
  std::string_view code;  // without the byte order
};
constexpr NumpyType kNumpyTypes[] = {
    {DataType::kBool, "b1"}, {DataType::kU8, "u1"},  {DataType::kI8, "i1"},
    {DataType::kI16, "i2"},  {DataType::kU16, "u2"}, {DataType::kF16, "f2"},
    {DataType::kI32, "i4"},  {DataType::kU32, "u4"}, {DataType::kF32, "f4"},
    {DataType::kI64, "i8"},  {DataType::kU64, "u8"}, {DataType::kF64, "f8"}};

struct NamedType {
  DataType type;
  std::string_view suffix;
};
constexpr NamedType kNamedTypes[] = {{DataType::kBF16, "@bf16.npy"},
                                     {DataType::kF8E4M3, "@f8e4m3.npy"},
                                     {DataType::kF8E5M2, "@f8e5m2.npy"}};

std::optional<DataType> type_in_name(std::string_view origin) {
  for (const NamedType& named : kNamedTypes)
    if (origin.ends_with(named.suffix)) return named.type;
  return std::nullopt;
}

struct Header {
  std::string descr;
  bool has_fields = false;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;
};

// The dictionary: strings, True and False, tuples of integers; all that numpy writes for tensors.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  std::optional<Header> parse() {
    Header header;
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      const auto key = string();
      if (!key || !take(':')) return std::nullopt;
      if (!value(*key, header)) return std::nullopt;
      if (!take(',') && peek() != '}') return std::nullopt;
    }
    return peek() == '\0' ? std::optional(std::move(header)) : std::nullopt;
  }

 private:
  bool value(const std::string& key, Header& header) {
    if (key == "descr") {
      if (peek() == '[') {  // fields of a structure; the rest does not matter
        header.has_fields = true;
        return skip_list();
      }
      const auto text = string();
      if (text) header.descr = *text;
      return text.has_value();
    }
    if (key == "fortran_order") {
      header.fortran_order = word("True")    ? std::optional(true)
                             : word("False") ? std::optional(false)
                                             : std::nullopt;
      return header.fortran_order.has_value();
    }
    return key == "shape" && tuple(header);
  }

  bool tuple(Header& header) {
    if (!take('(')) return false;
    Shape shape;
    while (!take(')')) {
      static_cast<void>(peek());
      std::int64_t number = 0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (error != std::errc{} || number < 0) return false;
      at_ = static_cast<std::size_t>(end - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers this way
      shape.push_back(number);
      if (!take(',') && peek() != ')') return false;
    }
    header.shape = std::move(shape);
    return true;
  }

  bool skip_list() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && --depth == 0) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string content(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return content;
  }

  bool word(std::string_view wanted) {
    static_cast<void>(peek());
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  bool take(char wanted) {
    if (peek() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct ElementType {
  DataType type;
  bool swaps;  // stored big-endian
};

Result<ElementType> element_type(const Header& header, const std::string& origin) {
  const auto refuse = [&](std::string why, std::string fix) {
    return fail("cannot read the tensor of", origin, std::move(why), std::move(fix));
  };
  if (header.has_fields || header.descr.size() < 3)
    return refuse("its elements are not single numbers", "Save each field as an array of its own.");
  const char order = header.descr[0];
  const std::string_view code = std::string_view(header.descr).substr(1);
  const bool swaps = order == '>';
  if (std::string_view("<>|=").find(order) == std::string_view::npos)
    return refuse(fmt::format("unknown numpy type '{}'", header.descr), {});
  if (const auto named = type_in_name(origin)) {
    const std::string size = std::to_string(size_of(*named));
    if (code == "u" + size || code == "V" + size || code == "i" + size)
      return ElementType{*named, swaps};
  }
  for (const NumpyType& known : kNumpyTypes)
    if (code == known.code) return ElementType{known.type, swaps};
  const bool is_void = code == "V1" || code == "V2";
  const bool is_complex = code.starts_with('c');
  return refuse(fmt::format("unsupported numpy type '{}'", header.descr),
                is_void ? "Name the type of its bits: save it as NAME@bf16.npy, NAME@f8e4m3.npy or "
                          "NAME@f8e5m2.npy."
                : is_complex
                    ? "Save the real and the imaginary part, or view it as pairs of floats."
                    : "Convert it with astype() to a type of 8 to 64 bits.");
}

void swap_bytes(std::string& bytes, std::size_t size) {
  for (std::size_t begin = 0; begin + size <= bytes.size(); begin += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                 bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
}

// Converts column-major to row-major.
std::string row_major(std::string_view bytes, const Shape& shape, std::size_t size) {
  std::string out(bytes.size(), '\0');
  std::vector<std::size_t> index(shape.size()), strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(shape[axis]);
  }
  std::size_t from = 0;
  for (std::size_t to = 0; to < bytes.size() / size; ++to) {
    std::memcpy(out.data() + to * size, bytes.data() + from * size, size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
      from -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  return out;
}

}  // namespace

Result<Values> read_npy(std::string_view bytes, const std::string& origin) {
  const auto invalid = [&](std::string why, std::string fix = "Write it again.") {
    return fail("cannot read the tensor of", origin, std::move(why), std::move(fix));
  };
  if (!bytes.starts_with(kMagic))
    return invalid("it is not in numpy's .npy format",
                   "Write it with numpy.save or hipwright/golden.h.");
  if (bytes.size() < 10) return invalid("the header is truncated");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return invalid(fmt::format("unknown format version {}", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (bytes.size() < begin) return invalid("the header is truncated");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  if (length > bytes.size() - begin) return invalid("the header is truncated");

  const auto header = HeaderParser(bytes.substr(begin, length)).parse();
  if (!header || !header->shape || !header->fortran_order ||
      (header->descr.empty() && !header->has_fields))
    return invalid("its header lacks descr, fortran_order or shape");
  HW_TRY(const ElementType element, element_type(*header, origin));
  const std::string_view data = bytes.substr(begin + length);
  const auto needed = runtime::count_bytes(element.type, *header->shape);
  if (!needed) return invalid(needed.error().message());
  if (data.size() < *needed)
    return invalid(fmt::format("truncated: {} {} takes {} bytes, found {}",
                               short_name(element.type), runtime::shape_text(*header->shape),
                               *needed, data.size()));
  if (data.size() > *needed)
    return invalid(fmt::format("{} trailing bytes after the last element", data.size() - *needed));

  Values values{element.type, *header->shape, {}};
  const std::size_t size = size_of(element.type);
  values.bytes = *header->fortran_order ? row_major(data, values.shape, size) : std::string(data);
  if (element.swaps) swap_bytes(values.bytes, size);
  return values;
}

std::string npy_of(const Values& values) {
  const auto known = std::ranges::find(kNumpyTypes, values.type, &NumpyType::type);
  const std::size_t size = size_of(values.type);
  const std::string code =
      known != std::end(kNumpyTypes) ? std::string(known->code) : fmt::format("u{}", size);
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   size == 1 ? '|' : '<', code, fmt::join(values.shape, ", "),
                                   values.shape.size() == 1 ? "," : "");
  const bool is_long = header.size() + kAlignment > kLongestHeader;
  const std::size_t fixed = kMagic.size() + 2 + (is_long ? 4 : 2);
  header.append(kAlignment - 1 - (fixed + header.size()) % kAlignment, ' ');
  header += '\n';
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string out(kMagic);
  out += is_long ? '\2' : '\1';
  out += '\0';
  out.append(reinterpret_cast<const char*>(&length), is_long ? 4 : 2);
  return out + header + values.bytes;
}

std::string capture_file_name(const std::string& name, DataType type) {
  std::string out;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                          (letter == '.' && !out.empty());
    out += is_plain ? std::string(1, letter)
                    : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  const auto named = std::ranges::find(kNamedTypes, type, &NamedType::type);
  return out + std::string(named != std::end(kNamedTypes) ? named->suffix : ".npy");
}

}  // namespace hipwright::verify
