// SPDX-License-Identifier: MIT
// Golden files: what is accepted can be written and read again as the same, and compared with
// itself. The digest would keep out nearly everything, so each input is also tried with the right
// one.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/safetensors.h"
#include "verify/golden/golden.h"

using namespace hipwright;

namespace {

void look_at(std::string_view file) {
  const auto golden = verify::parse_golden(file, "fuzz");
  if (!golden) return;
  const auto bytes = verify::golden_bytes(*golden, "fuzz");
  HW_ASSERT(bytes);
  const auto again = verify::parse_golden(*bytes, "fuzz");
  HW_ASSERT(again && again->provenance == golden->provenance);
  for (const auto& [name, stored] : golden->tensors) {
    const auto found = again->tensors.find(name);
    HW_ASSERT(found != again->tensors.end() && found->second.shape == stored.shape);
    HW_ASSERT(found->second.indices == stored.indices);
    HW_ASSERT(stored.indices.empty() || stored.indices.size() == stored.values.count());
    HW_ASSERT(verify::compare(stored.values, found->second.values, {}).passes);
  }
}

// The same tensors and texts with a digest that fits.
std::string mended(std::string_view file) {
  const auto header = runtime::read_safetensors_header(file, "fuzz");
  if (!header) return {};
  verify::Golden golden;
  for (const auto& [key, value] : header->metadata) {
    if (key == "device") golden.provenance.device = value;
    if (key == "command") golden.provenance.command = value;
  }
  for (const runtime::StoredTensor& tensor : header->tensors) {
    verify::Values values{
        tensor.type, tensor.shape,
        std::string(file.substr(header->data_begin + tensor.begin, tensor.end - tensor.begin))};
    golden.tensors.emplace(tensor.name, verify::sampled(values, 1 + file.size() % 8));
  }
  const auto bytes = verify::golden_bytes(golden, "fuzz");
  return bytes ? *bytes : std::string();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  look_at(file);
  if (const std::string fitting = mended(file); !fitting.empty()) {
    HW_ASSERT(verify::parse_golden(fitting, "fuzz"));
    look_at(fitting);
  }
  return 0;
}
