// SPDX-License-Identifier: MIT
// The names that a Python file imports, and their uses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/python/file.h"

namespace hipwright::port {

// One name of an import statement: `import MODULE as NAME`, `from MODULE import WORD as NAME`.
struct ImportedName {
  std::string module;  // "flash_attn.bert_padding"
  std::string word;    // empty for the module itself
  std::string name;    // as it is called in this file
};
std::vector<ImportedName> imported_names(const syntax::python::File& file,
                                         syntax::python::StatementIndex statement);
// Attributes that are asked of a name: x in `name.x`.
std::vector<syntax::python::TokenIndex> members_of(const syntax::python::File& file,
                                                   std::string_view name);

// The token that begins at an offset; kNoToken if there is none.
syntax::python::TokenIndex token_at(const syntax::python::File& file, std::size_t offset);

}  // namespace hipwright::port
