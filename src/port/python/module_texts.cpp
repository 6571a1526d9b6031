// SPDX-License-Identifier: MIT
#include "port/python/module_texts.h"

#include <algorithm>
#include <array>

#include "base/embedded.h"
#include "base/error.h"

namespace hipwright {
extern const EmbeddedFile port_python_modules[];
extern const unsigned port_python_modules_count;
}  // namespace hipwright

namespace hipwright::port {

namespace {

// "rocm_fp8_max.py" requires "_is_fnuz.py".
struct Dependence {
  std::string_view part, on;
};
constexpr std::array kDependences = std::to_array<Dependence>({
    {"rocm_fp8_dtype", "_is_fnuz"},
    {"rocm_fp8_max", "_is_fnuz"},
    {"flash_attn_qkvpacked_func", "flash_attn_func"},
    {"flash_attn_kvpacked_func", "flash_attn_func"},
});

const EmbeddedFile* find_part(std::string_view module, std::string_view part) {
  const std::string path = std::string(module) + "/" + std::string(part) + ".py";
  for (unsigned i = 0; i < port_python_modules_count; ++i)
    if (port_python_modules[i].path == path) return &port_python_modules[i];
  return nullptr;
}

}  // namespace

bool has_part(std::string_view module, std::string_view part) {
  return find_part(module, part) != nullptr;
}

std::string module_text(std::string_view module, const std::set<std::string>& parts) {
  const EmbeddedFile* head = find_part(module, "0_head");
  HW_ASSERT(head != nullptr);
  std::set<std::string> all = parts;
  for (const Dependence& each : kDependences)
    if (all.contains(std::string(each.part))) all.emplace(each.on);
  std::string text(head->content());
  for (const std::string& part : all)
    if (const EmbeddedFile* found = find_part(module, part)) text += found->content();
  return text;
}

}  // namespace hipwright::port
