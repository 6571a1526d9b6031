// SPDX-License-Identifier: MIT
// Modules that changed Python files import: hip_support, which defines is_rocm, and replacements
// for flash_attn and pynvml.
#include <map>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/module_texts.h"
#include "port/python/rocm_facts.h"

namespace hipwright::port::passes {

namespace {

constexpr std::string_view kAttentionModule = "attention_fallback";
constexpr std::string_view kNvmlModule = "nvml_fallback";

// A module that an earlier port added keeps its functions.
std::set<std::string> parts_in(std::string_view module, std::string_view text) {
  std::set<std::string> found;
  for (std::size_t at = text.find("\ndef "); at != std::string_view::npos;
       at = text.find("\ndef ", at + 1)) {
    const std::string_view name = text.substr(at + 5, text.find('(', at) - at - 5);
    if (has_part(module, name)) found.emplace(name);
  }
  return found;
}

void add_module(Ported& ported, std::string_view module, const std::string& folder,
                std::set<std::string> parts) {
  const std::string path = fmt::format("{}{}.py", folder, module);
  const SourceFile* there = ported.tree.find(path);
  if (there == nullptr) {
    ported.added.emplace(path, module_text(module, parts));
    return;
  }
  PortedFile* file = nullptr;
  for (PortedFile& each : ported.files)
    if (each.source == there) file = &each;
  if (file == nullptr) return;
  if (!is_made_by_port(there->text())) {
    file->report(
        "HP101", Severity::kError, {},
        "the port needs a module of this name, but the project already has one; rename it");
    return;
  }
  parts.merge(parts_in(module, there->text()));
  if (std::string text = module_text(module, parts); text != there->text())
    file->change({.edit = {{0, there->text().size()}, std::move(text)}, .code = "HP101"});
}

void apply(TreeContext& context) {
  std::map<std::string, PythonNeeds> by_folder;
  for (std::size_t i = 0; i < context.needs.size(); ++i) {
    const PythonNeeds& each = context.needs[i];
    if (each.support.empty() && each.attention.empty() && each.nvml.empty()) continue;
    by_folder[context.layout.folder_for(*context.ported.files[i].source)].merge(each);
  }
  for (const auto& [folder, need] : by_folder) {
    if (!need.support.empty()) add_module(context.ported, kSupportModule, folder, need.support);
    if (!need.attention.empty())
      add_module(context.ported, kAttentionModule, folder, need.attention);
    if (!need.nvml.empty()) add_module(context.ported, kNvmlModule, folder, need.nvml);
  }
}

}  // namespace

Pass added_modules() {
  return {.codes = {"HP101"}, .tree = apply};
}

}  // namespace hipwright::port::passes
