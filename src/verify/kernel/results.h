// SPDX-License-Identifier: MIT
// The results of cells, as files: ID.json says how it went, ID.safetensors holds the outputs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "verify/kernel/cell.h"

namespace hipwright::verify {

// The same for the same spec, sources, device, seed and schedule; another compiler makes others.
std::string cell_id(const KernelSpec& spec, const Cell& cell);

Status write_result(const std::filesystem::path& folder, const std::string& id, const Cell& cell,
                    const CellResult& result);
// Nothing: there is no such result.
Result<std::optional<CellResult>> read_result(const std::filesystem::path& folder,
                                              const std::string& id);

}  // namespace hipwright::verify
