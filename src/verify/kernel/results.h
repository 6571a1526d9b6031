// SPDX-License-Identifier: MIT
// The results of cells, as files: ID.json says how it went, ID.safetensors holds the outputs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "verify/kernel/cell.h"

namespace hipwright::verify {

// The same for the same spec, sources, device, seed and schedule, whoever compiled: machines with
// different compilers can be merged.
std::string cell_id(const KernelSpec& spec, const Cell& cell);

Status write_result(const std::filesystem::path& folder, const std::string& id, const Cell& cell,
                    const CellResult& result);
// Nothing: there is no such result.
Result<std::optional<CellResult>> read_result(const std::filesystem::path& folder,
                                              const std::string& id);

// The devices that results of these specs are of.
Result<std::vector<std::string>> devices_in(const std::vector<std::filesystem::path>& folders,
                                            const std::vector<KernelSpec>& specs);

}  // namespace hipwright::verify
