// SPDX-License-Identifier: MIT
// What can be counted of kernels without noise: their resources in the code object, and what they
// do on the software GPU.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "perf/record/record.h"
#include "toolchain/code_object/inspect.h"

namespace hipwright::perf {

// Registers, spills, LDS, scratch, code size and occupancy of every kernel.
std::vector<KernelCounts> code_counts(const toolchain::Inspection& inspection);
// The same of a file. An error if a code object in it cannot be read.
Result<std::vector<KernelCounts>> file_counts(const std::filesystem::path& file);

// Whether the file is a code object, or a program or library with kernels in it.
bool has_kernels(const std::filesystem::path& file);

// Instructions, bytes and bank conflicts from a report of `hipwright run --report`.
Result<std::vector<KernelCounts>> parse_run_report(std::string_view text,
                                                   const std::string& origin);

// Several translation units may have a kernel of one name: the second becomes "name #2".
void number_namesakes(std::vector<KernelCounts>& kernels);

// Adds the counts of another process of the same program.
void add_counts(std::vector<KernelCounts>& to, const std::vector<KernelCounts>& other);
// Marks what differs between two runs of one program.
void mark_unstable(std::vector<KernelCounts>& first, const std::vector<KernelCounts>& second);

}  // namespace hipwright::perf
