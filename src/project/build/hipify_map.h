// SPDX-License-Identifier: MIT
// The names that a project has hipify replace by its own: hipify_custom_map.json and files named
// like it, which hipify_torch reads.
#pragma once

#include <string_view>

#include "project/build/build_graph.h"

namespace hipwright::project {

bool is_hipify_map(std::string_view path);

// The CUDA names that the map replaces count as defined by the project, in every file. A text that
// is no JSON object replaces nothing: hipify reports it.
void add_mapped_names(std::string_view map, std::vector<IncludingFile>& files);

}  // namespace hipwright::project
