// SPDX-License-Identifier: MIT
// The parts of the source translation, in the order in which they are called.
#pragma once

#include "port/source/context.h"

namespace hipwright::port {

// Names and headers as the project's own rules say; before all others.
void follow_rules(SourceContext& context);
// Textures that are plain memory; before the names.
void load_linear_textures(SourceContext& context);
// Members of cooperative groups; before the names.
void translate_groups(SourceContext& context);
// CUDA's names to HIP's; what HIP lacks is told.
void translate_names(SourceContext& context);
// Calls whose arguments differ; after the names, which it takes over.
void translate_calls(SourceContext& context);
// Operators that HIP's vector types have already.
void settle_vector_operators(SourceContext& context);
// What NVIDIA's compiler accepts and AMD's does not.
void settle_dialect(SourceContext& context);
// Names that macros make.
void tell_pasting(SourceContext& context);
// What names cannot bring over: kernels that start kernels, loops that wait, source in strings.
void tell_hazards(SourceContext& context);
// #include lines; after everything that may need a header.
void translate_headers(SourceContext& context);
// Where a line goes that must be before all others: before the first #include; without one, behind
// the comments and the #pragma once at the top.
std::size_t place_for_include(const syntax::cuda::File& file);

}  // namespace hipwright::port
