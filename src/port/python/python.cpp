// SPDX-License-Identifier: MIT
#include "port/python/python.h"

#include <fmt/format.h>

#include "port/isolation/python_facts.h"
#include "port/python/parts.h"

namespace hipwright::port {

namespace {

constexpr std::string_view kAttentionModule = "attention_fallback";
constexpr std::string_view kNvmlModule = "nvml_fallback";

// The functions of a module that was added before stay in it.
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
    Diagnostic said;
    said.code = "HP101";
    said.severity = Severity::kError;
    said.path = path;
    said.message = "the port needs a module of this name, and the project has one: rename it";
    file->diagnostics.push_back(std::move(said));
    return;
  }
  parts.merge(parts_in(module, there->text()));
  if (std::string text = module_text(module, parts); text != there->text())
    file->changes.add({.edit = {{0, there->text().size()}, std::move(text)},
                       .phase = Phase::kDetection,
                       .code = "HP101",
                       .reason = {}});
}

}  // namespace

namespace {

PythonNeeds look_once(const Options& options, const Tree& tree, const PythonLayout& layout,
                      PortedFile& file) {
  PythonContext context(options, tree, layout, *file.source, file);
  if (is_build_script(file.source->path())) {
    gate_setup(context);
    context.finish();
    return {};
  }
  gate_devices(context);
  gate_attention(context);
  gate_nvml(context);
  gate_imports(context);
  gate_settings(context);
  gate_compilation(context);
  gate_recording(context);
  gate_run_time_extensions(context);
  tell_texts(context);
  context.finish();
  return std::move(context.needs);
}

}  // namespace

PythonNeeds port_python(const Options& options, const Tree& tree, const PythonLayout& layout,
                        PortedFile& file) {
  const SourceFile& source = *file.source;
  if (is_made_by_port(source.text())) return {};
  PythonNeeds needs = look_once(options, tree, layout, file);
  // A question that is answered otherwise lets ROCm come to code that it never saw before.
  for (int round = 0; round < 3 && !file.changes.empty(); ++round) {
    const SourceFile changed(source.path(), {.bytes = file.after(), .encoding = source.encoding()});
    PortedFile again;
    again.source = &changed;
    PythonNeeds more = look_once(options, tree, layout, again);
    if (again.changes.empty()) break;
    file.changes = file.changes.then(source.text(), again.changes);
    needs.support.merge(more.support);
    needs.attention.merge(more.attention);
    needs.nvml.merge(more.nvml);
  }
  return needs;
}

void add_python_modules(Ported& ported, const PythonLayout& layout,
                        const std::vector<PythonNeeds>& needs) {
  std::map<std::string, PythonNeeds> by_folder;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const PythonNeeds& each = needs[i];
    if (each.support.empty() && each.attention.empty() && each.nvml.empty()) continue;
    PythonNeeds& folder = by_folder[layout.folder_for(*ported.files[i].source)];
    folder.support.insert(each.support.begin(), each.support.end());
    folder.attention.insert(each.attention.begin(), each.attention.end());
    folder.nvml.insert(each.nvml.begin(), each.nvml.end());
  }
  for (const auto& [folder, need] : by_folder) {
    if (!need.support.empty()) add_module(ported, kSupportModule, folder, need.support);
    if (!need.attention.empty()) add_module(ported, kAttentionModule, folder, need.attention);
    if (!need.nvml.empty()) add_module(ported, kNvmlModule, folder, need.nvml);
  }
}

}  // namespace hipwright::port
