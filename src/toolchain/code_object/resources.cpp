// SPDX-License-Identifier: MIT
#include "toolchain/code_object/resources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/table.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::toolchain {

namespace {

bool shares_register_file(const arch::Target& target) {
  return target.info && target.info->resources.value.unified_agprs;
}

std::optional<Occupancy> occupancy_of(const Kernel& kernel, std::uint32_t lds_bytes,
                                      const arch::Target& target) {
  OccupancyInput input{.vgprs = std::max(kernel.vgprs, kernel.agprs),
                       .reserved_vgprs = kernel.descriptor.allocated_vgprs,
                       .sgprs = kernel.sgprs,
                       .lds_bytes = lds_bytes,
                       .wave_size = kernel.wave_size,
                       .max_workgroup_size = kernel.max_workgroup_size,
                       .wgp_mode = kernel.descriptor.wgp_mode};
  if (const auto& required = kernel.required_workgroup_size) {
    const std::uint64_t plane = std::uint64_t{(*required)[0]} * (*required)[1];
    if (plane <= kernel.max_workgroup_size && plane * (*required)[2] <= kernel.max_workgroup_size)
      input.min_workgroup_size = input.max_workgroup_size =
          static_cast<unsigned>(plane * (*required)[2]);
  }
  if (!target.info) return std::nullopt;
  std::optional<Occupancy> lowest;
  for (const arch::ArchInfo* member : arch::members(target)) {
    if (!member->supports_wave(kernel.wave_size)) return std::nullopt;
    Occupancy occupancy = compute_occupancy(input, *member);
    if (!lowest || occupancy.waves_per_simd < lowest->waves_per_simd) lowest = std::move(occupancy);
  }
  return lowest;
}

std::string joined_limits(const Occupancy& occupancy) {
  std::string text;
  for (const OccupancyLimit limit : occupancy.limits)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_string(limit));
  return text.empty() ? "-" : text;
}

// For a terminal: at most `width` bytes, cut between characters, without control characters.
std::string shortened(std::string name, std::size_t width) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  if (name.size() <= width) return name;
  std::size_t end = width > 3 ? width - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

}  // namespace

std::vector<KernelResources> kernel_resources(const CodeObject& object, std::uint32_t dynamic_lds) {
  std::vector<KernelResources> all;
  all.reserve(object.kernels().size());
  for (const Kernel& kernel : object.kernels()) {
    const std::uint32_t lds_bytes = kernel.lds_bytes + dynamic_lds;
    KernelResources one{.name = demangle(kernel.name),
                        .mangled = kernel.name,
                        .target = object.target().id(),
                        .vgprs = kernel.vgprs,
                        .agprs = kernel.agprs,
                        .sgprs = kernel.sgprs,
                        .vgpr_spills = kernel.vgpr_spills,
                        .sgpr_spills = kernel.sgpr_spills,
                        .lds_bytes = lds_bytes,
                        .scratch_bytes = kernel.scratch_bytes,
                        .dynamic_stack = kernel.uses_dynamic_stack,
                        .wave_size = kernel.wave_size,
                        .max_workgroup_size = kernel.max_workgroup_size,
                        .code_bytes = kernel.code_size,
                        .occupancy = occupancy_of(kernel, lds_bytes, object.target())};
    if (shares_register_file(object.target())) one.vgprs -= std::min(one.agprs, one.vgprs);
    all.push_back(std::move(one));
  }
  return all;
}

std::string resources_table(std::span<const KernelResources> kernels, bool colour,
                            std::size_t name_width) {
  Table table({"kernel", ">VGPRs", ">AGPRs", ">SGPRs", ">spills", ">LDS", ">scratch", ">wave",
               ">workgroup", ">occupancy", "limited by"});
  for (const KernelResources& kernel : kernels) {
    table.add({shortened(kernel.name, name_width), std::to_string(kernel.vgprs),
               std::to_string(kernel.agprs), std::to_string(kernel.sgprs),
               std::to_string(kernel.vgpr_spills + kernel.sgpr_spills),
               std::to_string(kernel.lds_bytes),
               fmt::format("{}{}", kernel.scratch_bytes, kernel.dynamic_stack ? "+" : ""),
               std::to_string(kernel.wave_size), std::to_string(kernel.max_workgroup_size),
               kernel.occupancy ? fmt::format("{}/{}", kernel.occupancy->waves_per_simd,
                                              kernel.occupancy->max_waves_per_simd)
                                : "?",
               kernel.occupancy ? joined_limits(*kernel.occupancy) : "unknown target"});
  }
  return table.text(colour);
}

Json resources_json(std::span<const KernelResources> kernels) {
  Json list = Json::array();
  for (const KernelResources& kernel : kernels) {
    Json one = {{"name", kernel.name},
                {"mangled", kernel.mangled},
                {"target", kernel.target},
                {"vgprs", kernel.vgprs},
                {"agprs", kernel.agprs},
                {"sgprs", kernel.sgprs},
                {"vgpr_spills", kernel.vgpr_spills},
                {"sgpr_spills", kernel.sgpr_spills},
                {"lds_bytes", kernel.lds_bytes},
                {"scratch_bytes", kernel.scratch_bytes},
                {"dynamic_stack", kernel.dynamic_stack},
                {"wave_size", kernel.wave_size},
                {"max_workgroup_size", kernel.max_workgroup_size},
                {"code_bytes", nullptr},
                {"occupancy", nullptr}};
    if (kernel.code_bytes) one["code_bytes"] = *kernel.code_bytes;
    if (const auto& occupancy = kernel.occupancy) {
      Json limits = Json::array();
      for (const OccupancyLimit limit : occupancy->limits) limits.push_back(to_string(limit));
      one["occupancy"] = {{"waves_per_simd", occupancy->waves_per_simd},
                          {"max_waves_per_simd", occupancy->max_waves_per_simd},
                          {"by_vgprs", occupancy->by_vgprs},
                          {"by_sgprs", occupancy->by_sgprs},
                          {"by_lds", occupancy->by_lds},
                          {"by_workgroup", occupancy->by_workgroup},
                          {"limits", std::move(limits)}};
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace hipwright::toolchain
