// SPDX-License-Identifier: MIT
// A golden file is a safetensors file whose metadata has a version, the provenance, the shape of
// each tensor of which only a sample is stored, and a digest of everything.
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "base/json.h"
#include "runtime/data_type.h"
#include "runtime/safetensors.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace {

using runtime::SafetensorsHeader;
using runtime::StoredTensor;

constexpr const char *kVersionKey = "hipwright.golden", *kVersion = "1", *kDigestKey = "digest";
constexpr std::string_view kShapeKey = "shape of ";  // and the name of the tensor

// The fields of the provenance and their keys.
struct Field {
  const char* key;
  std::string Provenance::*text;
};
constexpr Field kFields[] = {
    {"device", &Provenance::device},     {"driver", &Provenance::driver},
    {"compiler", &Provenance::compiler}, {"source_hash", &Provenance::source_hash},
    {"command", &Provenance::command},   {"made", &Provenance::made}};

std::string digest_of(const Golden& golden) {
  Hasher hasher;
  for (const Field& field : kFields) hasher.field(golden.provenance.*field.text);
  hasher.field(std::to_string(golden.provenance.seed));
  for (const auto& [name, stored] : golden.tensors)
    hasher.field(name)
        .field(to_string(stored.values.type))
        .field(runtime::shape_text(stored.shape))
        .field(stored.values.bytes);
  return hasher.finish().hex();
}

std::optional<Shape> parse_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  Shape shape;
  const char *at = text.data() + 1, *end = text.data() + text.size() - 1;
  while (at != end) {
    std::int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    shape.push_back(size);
    at = next;
    if (at == end) break;
    if (end - at < 3 || at[0] != ',' || at[1] != ' ') return std::nullopt;
    at += 2;
  }
  return shape;
}

std::string text_of(const SafetensorsHeader& header, const std::string& key) {
  const auto found = header.metadata.find(key);
  return found == header.metadata.end() ? std::string() : found->second;
}

// Why the sample is invalid; empty: it is valid.
std::string fit_sample(const SafetensorsHeader& header, const std::string& name,
                       StoredValues& stored) {
  const auto found = header.metadata.find(std::string(kShapeKey) + name);
  if (found == header.metadata.end()) return {};
  const auto shape = parse_shape(found->second);
  if (!shape) return fmt::format("cannot parse the shape of '{}'", name);
  const auto count = runtime::count_elements(*shape);
  const std::size_t there = stored.values.count();
  if (!count || !std::in_range<std::int64_t>(*count) || *count <= there || there == 0 ||
      stored.values.shape.size() != 1)
    return fmt::format("'{}' claims to be a sample of {}, which does not fit its {} elements", name,
                       runtime::shape_text(*shape), there);
  stored.shape = *shape;
  stored.indices = sample_indices(*count, there);
  return {};
}

}  // namespace

Result<std::string> golden_bytes(const Golden& golden, const std::string& origin) {
  SafetensorsHeader header;
  header.metadata = {{kVersionKey, kVersion},
                     {kDigestKey, digest_of(golden)},
                     {"seed", std::to_string(golden.provenance.seed)}};
  for (const Field& field : kFields) header.metadata[field.key] = golden.provenance.*field.text;
  for (const auto& [name, stored] : golden.tensors) {
    header.tensors.push_back(
        {.name = name, .type = stored.values.type, .shape = stored.values.shape});
    if (stored.indices.empty()) continue;
    const auto count = runtime::count_elements(stored.shape);
    if (!count || stored.indices != sample_indices(*count, stored.values.count()))
      return fail("cannot write the golden results to", origin,
                  fmt::format("'{}' was not sampled by sampled()", name),
                  "Create it with sampled().");
    header.metadata[std::string(kShapeKey) + name] = runtime::shape_text(stored.shape);
  }
  HW_TRY(std::string bytes, runtime::make_safetensors_header(header, origin));
  for (const StoredTensor& tensor : header.tensors) {
    const Values& values = golden.tensors.at(tensor.name).values;
    if (values.bytes.size() != tensor.end - tensor.begin)
      return fail("cannot write the golden results to", origin,
                  fmt::format("'{}' has {} bytes, but {} {} takes {}", tensor.name,
                              values.bytes.size(), short_name(values.type),
                              runtime::shape_text(values.shape), tensor.end - tensor.begin));
    bytes += values.bytes;
  }
  return bytes;
}

Result<Golden> parse_golden(std::string_view bytes, const std::string& origin) {
  constexpr const char* kAgain =
      "Restore it (git checkout, copy), or recreate it with `hipwright verify golden pack`.";
  const auto invalid = [&](std::string why, std::string fix) {
    return fail("cannot read the golden results of", origin, std::move(why), std::move(fix));
  };
  const auto header = runtime::read_safetensors_header(bytes, origin);
  if (!header) return invalid(header.error().why, kAgain);
  const std::string version = text_of(*header, kVersionKey);
  if (version.empty())
    return invalid("it has tensors but no provenance",
                   "Create golden files with `hipwright verify golden pack`.");
  if (version != kVersion)
    return invalid(
        fmt::format("it has version '{}', but this hipwright reads version {}", version, kVersion),
        "Use a newer hipwright, or recreate the file.");
  Golden golden;
  for (const Field& field : kFields) golden.provenance.*field.text = text_of(*header, field.key);
  const std::string seed = text_of(*header, "seed");
  const auto [end, error] =
      std::from_chars(seed.data(), seed.data() + seed.size(), golden.provenance.seed);
  if (error != std::errc{} || end != seed.data() + seed.size())
    return invalid("its seed is not a number", kAgain);
  for (const StoredTensor& tensor : header->tensors) {
    StoredValues stored{
        {tensor.type, tensor.shape,
         std::string(bytes.substr(header->data_begin + tensor.begin, tensor.end - tensor.begin))},
        tensor.shape,
        {}};
    if (std::string why = fit_sample(*header, tensor.name, stored); !why.empty())
      return invalid(std::move(why), kAgain);
    golden.tensors.emplace(tensor.name, std::move(stored));
  }
  if (text_of(*header, kDigestKey) != digest_of(golden))
    return invalid("it is damaged or was edited: its digest does not match its content", kAgain);
  return golden;
}

}  // namespace hipwright::verify
