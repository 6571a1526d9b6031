// SPDX-License-Identifier: MIT
// Any bytes as a code object: everything a loader or a report would ask of it.
#include <cstddef>
#include <cstdint>

#include "base/json.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/resources.h"

using namespace hipwright::toolchain;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto object =
      CodeObject::parse(std::string(reinterpret_cast<const char*>(data), size), "input");
  if (!object) {
    HW_ASSERT(!object.error().why.empty());
    return 0;
  }
  for (const Kernel& kernel : object->kernels()) {
    HW_ASSERT(object->kernel(kernel.name));
    if (kernel.code_size) HW_ASSERT(object->segment_at(kernel.entry_address, *kernel.code_size));
  }
  for (const Variable& variable : object->variables())
    HW_ASSERT(variable.address + variable.size <= object->memory_size());
  for (const Relocation& relocation : object->relocations())
    HW_ASSERT(relocation.address < object->memory_size());
  for (const ElfSection& section : object->elf().sections()) object->elf().content(section);
  const auto kernels = kernel_resources(*object);
  resources_table(kernels, false);
  hipwright::json_text(resources_json(kernels));
  return 0;
}
