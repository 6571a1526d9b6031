// SPDX-License-Identifier: MIT
#include "graph/onnx/tensor.h"

#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "graph/onnx/onnx.h"
#include "graph/onnx/schema.h"
#include "graph/onnx/wire.h"

namespace hipwright::graph::onnx {

namespace fs = std::filesystem;

namespace {

Result<std::uint64_t> number_of(const std::map<std::string, std::string>& entries,
                                const std::string& key, std::uint64_t otherwise) {
  const auto found = entries.find(key);
  if (found == entries.end()) return otherwise;
  std::uint64_t value = 0;
  const char* end = found->second.data() + found->second.size();
  const auto [stop, code] = std::from_chars(found->second.data(), end, value);
  if (code != std::errc{} || stop != end)
    return fail("cannot read external data", key, fmt::format("'{}' is no size", found->second));
  return value;
}

// Below the directory, also after links are followed.
Result<fs::path> resolved(const fs::path& directory, const std::string& location) {
  const auto rejected = [&](std::string_view why) {
    return fail("cannot read external data", location, std::string(why),
                "External data must lie below the directory of the model.");
  };
  const fs::path relative(location);
  if (location.empty() || location.contains('\0')) return rejected("no file is named");
  if (relative.is_absolute()) return rejected("the path is absolute");
  for (const fs::path& part : relative)
    if (part == "..") return rejected("the path leaves the directory of the model");
  std::error_code code;
  const fs::path root = fs::canonical(directory, code);
  if (code) return rejected(code.message());
  const fs::path file = fs::canonical(root / relative, code);
  if (code) return rejected(code.message());
  if (!is_in_directory(file, root)) return rejected("a link leaves the directory of the model");
  return file;
}

}  // namespace

Result<std::string> ExternalData::read(const std::map<std::string, std::string>& entries,
                                       std::uint64_t size) {
  const auto found = entries.find("location");
  if (found == entries.end()) return fail("cannot read external data", "", "no location is given");
  if (directory_.empty())
    return fail("cannot read external data", found->second, "the model is not in a directory",
                "Read the model from its file.");
  auto file = files_.find(found->second);
  if (file == files_.end()) {
    HW_TRY(const fs::path path, resolved(directory_, found->second));
    HW_TRY(MappedFile mapped, MappedFile::open(path));
    file = files_.emplace(found->second, std::move(mapped)).first;
  }
  HW_TRY(const std::uint64_t offset, number_of(entries, "offset", 0));
  HW_TRY(const std::uint64_t length, number_of(entries, "length", size));
  const std::string_view bytes = file->second.bytes();
  if (length != size || offset > bytes.size() || length > bytes.size() - offset)
    return fail("cannot read external data", found->second,
                fmt::format("{} bytes at {} are wanted, the tensor has {}, the file {}", length,
                            offset, size, bytes.size()));
  return std::string(bytes.substr(offset, length));
}

namespace {

struct TensorFields {
  std::string name;
  std::vector<std::int64_t> dims, int32s, int64s, uint64s;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::optional<std::string_view> raw;
  std::map<std::string, std::string> external;
  std::int64_t type = 0, location = 0;
};

Status add_entry(std::string_view message, std::map<std::string, std::string>& out) {
  MessageReader reader(message);
  std::string key, value;
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number == entry::kKey) key = field.bytes;
    if (field.number == entry::kValue) value = field.bytes;
  }
  out[key] = value;
  return {};
}

Result<TensorFields> fields_of(std::string_view message) {
  TensorFields out;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    switch (field.number) {
      case tensor_field::kDims:
        HW_CHECK(append_varints(field, out.dims));
        break;
      case tensor_field::kDataType:
        out.type = static_cast<std::int64_t>(field.bits);
        break;
      case tensor_field::kFloatData:
        HW_CHECK(append_floats(field, out.floats));
        break;
      case tensor_field::kInt32Data:
        HW_CHECK(append_varints(field, out.int32s));
        break;
      case tensor_field::kInt64Data:
        HW_CHECK(append_varints(field, out.int64s));
        break;
      case tensor_field::kName:
        out.name = field.bytes;
        break;
      case tensor_field::kRawData:
        out.raw = field.bytes;
        break;
      case tensor_field::kDoubleData:
        HW_CHECK(append_doubles(field, out.doubles));
        break;
      case tensor_field::kUint64Data:
        HW_CHECK(append_varints(field, out.uint64s));
        break;
      case tensor_field::kExternalData:
        HW_CHECK(add_entry(field.bytes, out.external));
        break;
      case tensor_field::kDataLocation:
        out.location = static_cast<std::int64_t>(field.bits);
        break;
      default:
        break;
    }
  }
  return out;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// The low `size` bytes of each number; of floats narrower than 32 bits, int32_data has the bits.
std::string low_bytes(const std::vector<std::int64_t>& values, std::size_t size) {
  std::string out(values.size() * size, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(out.data() + i * size, &values[i], size);
  return out;
}

std::string typed_bytes(const TensorFields& fields, ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return bytes_of(fields.floats);
    case ElementType::kF64:
      return bytes_of(fields.doubles);
    case ElementType::kI64:
      return bytes_of(fields.int64s);
    case ElementType::kU64:
    case ElementType::kU32:
      return low_bytes(fields.uint64s, size_of(type));
    default:
      return low_bytes(fields.int32s, size_of(type));
  }
}

}  // namespace

Result<NamedTensor> read_tensor(std::string_view message, ExternalData& external) {
  HW_TRY(TensorFields fields, fields_of(message));
  const auto invalid = [&](std::string why) {
    return fail("invalid tensor", fields.name, std::move(why));
  };
  const auto type = static_cast<ElementType>(fields.type);
  if (fields.type <= 0 || fields.type > 255 || size_of(type) == 0)
    return invalid(type == ElementType::kString
                       ? "strings are unsupported"
                       : fmt::format("element type {} is unsupported", fields.type));
  const auto count = count_elements(fields.dims);
  if (!count) return invalid(count.error().message());
  const std::uint64_t size = static_cast<std::uint64_t>(*count) * size_of(type);
  std::string bytes;
  if (fields.location == 1) {
    auto read = external.read(fields.external, size);
    if (!read) return invalid(read.error().message());
    bytes = *std::move(read);
  } else {
    bytes = fields.raw ? std::string(*fields.raw) : typed_bytes(fields, type);
  }
  if (bytes.size() != size)
    return invalid(fmt::format("{}{} needs {} bytes, but there are {}", to_string(type),
                               dims_text(fields.dims), size, bytes.size()));
  if (type == ElementType::kBool)
    for (char& each : bytes) each = each != 0 ? 1 : 0;
  return NamedTensor{std::move(fields.name),
                     raw_tensor(type, std::move(fields.dims), std::move(bytes))};
}

Result<Tensor> parse_tensor(std::string_view bytes, const std::string& origin) {
  ExternalData none{{}};
  auto read = read_tensor(bytes, none);
  if (!read) return fail("cannot read the tensor", origin, read.error().message());
  return std::move(read->tensor);
}

}  // namespace hipwright::graph::onnx
