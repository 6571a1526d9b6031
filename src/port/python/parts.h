// SPDX-License-Identifier: MIT
// The Python phases: each looks at one file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rule.h"
#include "port/python/context.h"

namespace hipwright::port {

void gate_devices(PythonContext& context);      // phase 1: questions about CUDA, fp8 types
void gate_attention(PythonContext& context);    // phase 5: flash_attn
void gate_nvml(PythonContext& context);         // pynvml
void gate_imports(PythonContext& context);      // other modules that exist for NVIDIA only
void gate_settings(PythonContext& context);     // allocator, TF32
void gate_compilation(PythonContext& context);  // phase 6: torch.compile, Inductor
void gate_recording(PythonContext& context);    // phase 7: graphs
void tell_texts(PythonContext& context);        // kernels, modules and commands in strings
void gate_setup(PythonContext& context);        // phase 4: an extension's setup.py
void gate_run_time_extensions(PythonContext& context);
bool is_build_script(std::string_view path);

// What a rule of the linter says about the file. It says less about tests, which are ported like
// everything else where what they test is not the very number or type.
enum class Tests { kAreCode, kAreTests };
std::vector<lint::Reported> findings(const PythonContext& context, std::string_view rule,
                                     Tests tests = Tests::kAreCode);
// The token that begins at a place; kNoToken: none does.
syntax::python::TokenIndex token_at(const syntax::python::File& file, std::size_t offset);

// One name of an import statement: `import MODULE as NAME`, `from MODULE import WORD as NAME`.
struct ImportedName {
  std::string module;  // "flash_attn.bert_padding"
  std::string word;    // empty: the module itself
  std::string name;    // as it is called in this file
};
std::vector<ImportedName> imported_names(const syntax::python::File& file,
                                         syntax::python::StatementIndex statement);
// Attributes that are asked of a name: x in `name.x`.
std::vector<syntax::python::TokenIndex> members_of(const syntax::python::File& file,
                                                   std::string_view name);

// Is there a part of this name in the module that is added ("attention_fallback")?
bool has_part(std::string_view module, std::string_view part);
// The text of an added module with the parts that are needed.
std::string module_text(std::string_view module, const std::set<std::string>& parts);

}  // namespace hipwright::port
