// SPDX-License-Identifier: MIT
// .npy files: what is accepted has the bytes that its shape needs, and is the same tensor when it
// is written and read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data_type.h"
#include "verify/golden/golden.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  for (const char* name : {"x.npy", "x@bf16.npy", "x@f8e4m3.npy"}) {
    const auto values = verify::read_npy(file, name);
    if (!values) {
      HW_ASSERT(!values.error().message().empty());
      continue;
    }
    const auto bytes = runtime::count_bytes(values->type, values->shape);
    HW_ASSERT(bytes && *bytes == values->bytes.size() && *bytes <= size);
    const auto again =
        verify::read_npy(verify::npy_of(*values), verify::capture_file_name("x", values->type));
    HW_ASSERT(again && again->type == values->type);
    HW_ASSERT(again->shape == values->shape && again->bytes == values->bytes);
  }
  return 0;
}
