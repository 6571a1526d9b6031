// SPDX-License-Identifier: MIT
#include "verify/kernel/resources.h"

#include <fmt/format.h>

#include "toolchain/code_object/code_object.h"

namespace hipwright::verify {

namespace {

std::uint64_t at(const Resources& resources, std::string_view name) {
  const auto found = resources.find(name);
  return found == resources.end() ? 0 : found->second;
}

}  // namespace

Resources resources_of(const toolchain::KernelResources& kernel) {
  return {{"vgprs", kernel.vgprs},
          {"agprs", kernel.agprs},
          {"sgprs", kernel.sgprs},
          {"lds", kernel.lds_bytes},
          {"scratch", kernel.scratch_bytes},
          {"spills", std::uint64_t{kernel.vgpr_spills} + kernel.sgpr_spills}};
}

std::optional<Resources> resources_of(std::string_view code_object, const std::string& symbol) {
  const auto code =
      toolchain::CodeObject::parse(toolchain::Bytes(std::string(code_object)), "the kernel");
  if (!code) return std::nullopt;
  for (const toolchain::KernelResources& kernel : toolchain::kernel_resources(*code))
    if (kernel.mangled == symbol) return resources_of(kernel);
  return std::nullopt;
}

std::string to_string(const Resources& resources) {
  const std::uint64_t agprs = at(resources, "agprs");
  return fmt::format(
      "{} VGPRs, {}{} SGPRs, {} bytes of LDS, {} bytes of scratch, {} registers spilled",
      at(resources, "vgprs"), agprs == 0 ? "" : fmt::format("{} AGPRs, ", agprs),
      at(resources, "sgprs"), at(resources, "lds"), at(resources, "scratch"),
      at(resources, "spills"));
}

std::string warning_of(const Resources& resources) {
  if (at(resources, "spills") != 0)
    return fmt::format("warning: {} registers spilled to memory", at(resources, "spills"));
  if (at(resources, "scratch") != 0)
    return fmt::format("warning: each lane uses {} bytes of scratch memory",
                       at(resources, "scratch"));
  return {};
}

std::string excess(const Resources& resources, const Limits& limits) {
  std::string out;
  for (const auto& [name, most] : limits)
    if (at(resources, name) > most)
      out += fmt::format("{}{} {} exceeds the spec's limit of {}", out.empty() ? "" : "; ",
                         at(resources, name), name, most);
  return out;
}

}  // namespace hipwright::verify
