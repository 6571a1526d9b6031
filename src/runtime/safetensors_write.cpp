// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/json.h"
#include "runtime/data_type.h"
#include "runtime/safetensors.h"

namespace hipwright::runtime {

namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // readers reject more
constexpr std::string_view kMetadata = "__metadata__";

// Larger types first keeps every tensor aligned. Within a size the order is the one that the
// reference implementation writes, so that files can be compared.
constexpr std::array kOrder = {DataType::kU64, DataType::kI64, DataType::kF64,    DataType::kF32,
                               DataType::kU32, DataType::kI32, DataType::kBF16,   DataType::kF16,
                               DataType::kU16, DataType::kI16, DataType::kF8E4M3, DataType::kF8E5M2,
                               DataType::kI8,  DataType::kU8,  DataType::kBool};

std::ptrdiff_t rank(DataType type) {
  return std::ranges::find(kOrder, type) - kOrder.begin();
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

}  // namespace

Result<std::string> make_safetensors_header(SafetensorsHeader& header, const std::string& origin) {
  const auto invalid = [&](std::string why, std::string fix = {}) {
    return fail("cannot write the tensors to", origin, std::move(why), std::move(fix));
  };
  std::ranges::sort(header.tensors, {}, [](const StoredTensor& tensor) {
    return std::pair(rank(tensor.type), std::string_view(tensor.name));
  });
  std::string text = "{";
  const auto add = [&](std::string_view name, const Json& value) {
    text += fmt::format("{}{}:{}", text.size() == 1 ? "" : ",", Json(name).dump(), value.dump());
  };
  if (!header.metadata.empty()) {
    for (const auto& [key, value] : header.metadata)
      if (!is_utf8(key) || !is_utf8(value)) return invalid("metadata is not UTF-8");
    add(kMetadata, header.metadata);
  }
  std::set<std::string_view> names;
  std::uint64_t place = 0;
  for (StoredTensor& tensor : header.tensors) {
    if (tensor.name == kMetadata)
      return invalid(fmt::format("reserved tensor name {}", kMetadata), "Rename the tensor.");
    if (!is_utf8(tensor.name)) return invalid("tensor name is not UTF-8");
    if (!names.insert(tensor.name).second)
      return invalid(fmt::format("duplicate tensor name '{}'", tensor.name));
    const auto bytes = count_bytes(tensor.type, tensor.shape);
    if (!bytes)
      return invalid(fmt::format("tensor '{}': {}", tensor.name, bytes.error().message()));
    tensor.begin = place;
    if (__builtin_add_overflow(place, *bytes, &place))
      return invalid("the total size of the tensors exceeds 64 bits");
    tensor.end = place;
    add(tensor.name, {{"dtype", to_string(tensor.type)},
                      {"shape", tensor.shape},
                      {"data_offsets", {tensor.begin, tensor.end}}});
  }
  text += '}';
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  if (text.size() > kLongestHeader)
    return invalid(
        fmt::format("the header has {} bytes; the limit is {}", text.size(), kLongestHeader),
        "Write several files.");
  const std::uint64_t length = text.size();
  header.data_begin = sizeof length + length;
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

}  // namespace hipwright::runtime
