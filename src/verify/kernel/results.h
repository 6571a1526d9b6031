// SPDX-License-Identifier: MIT
// Results of cells as files: ID.json has the outcome, ID.safetensors the outputs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "verify/kernel/cell.h"

namespace hipwright::verify {

// Equal for equal spec, sources, device, seed and schedule. The compiler does not count, so that
// results of machines with different compilers can be merged.
std::string cell_id(const KernelSpec& spec, const Cell& cell);

Status write_result(const std::filesystem::path& folder, const std::string& id, const Cell& cell,
                    const CellResult& result);
// Empty: there is no such result.
Result<std::optional<CellResult>> read_result(const std::filesystem::path& folder,
                                              const std::string& id);

// The devices that have results for these specs.
Result<std::vector<std::string>> devices_in(const std::vector<std::filesystem::path>& folders,
                                            const std::vector<KernelSpec>& specs);

}  // namespace hipwright::verify
