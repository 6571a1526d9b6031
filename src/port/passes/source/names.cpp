// SPDX-License-Identifier: MIT
// CUDA names become their HIP counterparts; those that HIP lacks are reported.
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "port/marks.h"
#include "port/pass.h"
#include "port/source/context.h"
#include "port/style.h"
#include "port/wave/half_wave.h"
#include "project/build/build_graph.h"
#include "syntax/cuda/lane_ops.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

bool is_at(const cu::File& file, cu::TokenIndex token, const char* punctuator) {
  return token < file.tokens().size() && file.is(token, punctuator);
}

// obj.cudaMalloc, ptr->cudaMalloc, mine::cudaMalloc: not CUDA's.
bool belongs_to_another(const cu::File& file, cu::TokenIndex name) {
  if (name == 0) return false;
  if (file.is(name - 1, ".") || file.is(name - 1, "->")) return true;
  return has_qualifier(file, name);  // ::cudaMalloc is CUDA's own
}

bool names_a_namespace(const cu::File& file, cu::TokenIndex name) {
  if (is_at(file, name + 1, "::")) return true;
  if (name == 0) return false;
  if (file.text(name - 1) == "namespace") return !is_at(file, name + 1, "{");  // using namespace x
  // namespace y = x;
  return name >= 3 && file.is(name - 1, "=") && file.text(name - 3) == "namespace";
}

// texture<float, 2> image; is CUDA's template, void* surface is not.
bool is_everyday_word(std::string_view name) {
  return name == "texture" || name == "surface";
}

// #if __CUDA_ARCH__ >= 700, where the value counts; not defined(__CUDA_ARCH__), #ifdef.
bool is_compared(const cu::File& file, cu::TokenIndex at) {
  const auto is_operator = [&](cu::TokenIndex token) {
    return is_at(file, token, "<") || is_at(file, token, ">") || is_at(file, token, "<=") ||
           is_at(file, token, ">=") || is_at(file, token, "==") || is_at(file, token, "!=") ||
           is_at(file, token, "/");
  };
  return at > 0 && (file.tokens()[at].flags & cu::kInDirective) != 0 &&
         (is_operator(at + 1) || is_operator(at - 1));
}

// int arch = __CUDA_ARCH__; also in a macro, but not defined(__CUDA_ARCH__).
bool is_value(const cu::File& file, cu::TokenIndex at) {
  const auto flags = file.tokens()[at].flags & (cu::kInDirective | cu::kInMacroBody);
  if (flags == cu::kInDirective || at == 0) return false;
  return file.text(at - 1) != "defined" && (at == 1 || file.text(at - 2) != "defined");
}

// A condition that also tests HIP macros already covers AMD, by an earlier port or the project.
bool asks_for_hip(const cu::File& file, cu::TokenIndex at) {
  const auto tokens = file.tokens();
  const auto is_in = [&](cu::TokenIndex token) {
    return (tokens[token].flags & (cu::kInDirective | cu::kInMacroBody)) == cu::kInDirective;
  };
  if (!is_in(at)) return false;
  const auto begins = [&](cu::TokenIndex token) {
    return (tokens[token].flags & cu::kFirstOnLine) != 0 && file.is(token, "#");
  };
  while (at > 0 && !begins(at)) --at;
  for (++at; at < tokens.size() && is_in(at) && !begins(at); ++at)
    if (tokens[at].kind == cu::Kind::kName && file.text(at).starts_with("__HIP")) return true;
  return false;
}

const std::array kOfHip = {syntax::Name("__HIPCC__"), syntax::Name("__HIP__"),
                           syntax::Name("__HIP_PLATFORM_AMD__"),
                           syntax::Name("__HIP_DEVICE_COMPILE__")};
const syntax::Name kNamespace("namespace");
const std::array kAssembly = {syntax::Name("asm"), syntax::Name("__asm__"), syntax::Name("__asm")};

// Does the project already support HIP? Its tests for NVIDIA's compiler then mean
// that.
bool knows_hip(const Tree& tree) {
  return std::ranges::any_of(tree.files, [](const auto& source) {
    const cu::File* file = source->cuda();
    return file != nullptr &&
           (std::ranges::any_of(kOfHip, [&](const auto& name) { return file->has(name); }) ||
            std::ranges::any_of(file->includes(), [](const cu::Include& include) {
              return include.path.starts_with("hip/");
            }));
  });
}

// #ifdef __NVCC__ around kernel declarations means any GPU compiler. One
// around inline assembly means NVIDIA's; the #else has an alternative.
bool means_any_gpu_compiler(const SourceContext& context, cu::TokenIndex at) {
  const cu::File& file = context.file;
  return (file.tokens()[at].flags & cu::kInDirective) != 0 &&
         std::ranges::none_of(kAssembly, [&](const auto& name) { return file.has(name); }) &&
         !knows_hip(context.tree);
}

bool is_cuda_version(std::string_view name) {
  return name == "CUDART_VERSION" || name == "CUDA_VERSION";
}

// HIP's functions are those of CUDA 11.8: CUDA 12 changed parameters. Never defines CUDA's macro
// itself, because code tests it to find out whether this is CUDA.
bool give_cuda_version(SourceContext& context, cu::TokenIndex at) {
  const unsigned directive =
      context.file.tokens()[at].flags & (cu::kInDirective | cu::kInMacroBody);
  if (directive != cu::kInDirective) return context.change(context.file.span(at), "11080", "HP211");
  return is_compared(context.file, at) && context.rename(at, "(__HIP__ * 11080)", "HP211");
}

// <cublas.h> has functions without handles under the names that <cublas_v2.h> gives to others.
bool is_legacy_blas(const SourceContext& context, cu::TokenIndex at, const api::Entry& entry) {
  if (entry.library != api::Library::kBlas || entry.kind != api::Kind::kFunction ||
      !is_at(context.file, at + 1, "(") || entry.cuda.ends_with("_v2"))
    return false;
  const auto includes = [&](std::string_view header) {
    return std::ranges::any_of(context.file.includes(),
                               [&](const cu::Include& include) { return include.path == header; });
  };
  return includes("cublas.h") && !includes("cublas_v2.h");
}

// cublasAlloc(…), cublasSetVector(…): these are the same in both.
bool has_no_handle(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {
      "cublasSetVector",      "cublasGetVector",      "cublasSetMatrix",
      "cublasGetMatrix",      "cublasSetVectorAsync", "cublasGetVectorAsync",
      "cublasSetMatrixAsync", "cublasGetMatrixAsync"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Types of atomicAdd and atomicCAS that HIP lacks and compat.h has.
const std::array kNarrowTypes = {syntax::Name("__half"),         syntax::Name("half"),
                                 syntax::Name("__half2"),        syntax::Name("half2"),
                                 syntax::Name("__nv_bfloat16"),  syntax::Name("nv_bfloat16"),
                                 syntax::Name("__nv_bfloat162"), syntax::Name("nv_bfloat162")};
const std::array kShortTypes = {syntax::Name("short"), syntax::Name("ushort"),
                                syntax::Name("uint16_t")};
const std::array kVectorTypes = {syntax::Name("float2"), syntax::Name("float4"),
                                 syntax::Name("make_float2"), syntax::Name("make_float4")};

// The type of an atomic operation may come from a header or a template argument: the types that
// appear in any file compiled together with this one count.
bool has_types_of_atomics(const SourceContext& context, bool adds) {
  const std::vector<bool> read = context.own.graph().read_together(context.source);
  for (std::size_t i = 0; i < context.tree.files.size(); ++i) {
    const cu::File* file = read[i] ? context.tree.files[i]->cuda() : nullptr;
    if (file == nullptr) continue;
    const auto has = [&](const syntax::Name& type) { return file->has(type); };
    if (adds ? std::ranges::any_of(kNarrowTypes, has) || std::ranges::any_of(kVectorTypes, has)
             : std::ranges::any_of(kShortTypes, has))
      return true;
  }
  return false;
}

// Looked up once for a source, at its first atomic operation.
struct AtomicTypes {
  std::optional<bool> of_add, of_cas;
};

bool needs_more_atomics(const SourceContext& context, std::string_view name, AtomicTypes& types) {
  const bool adds = name == "atomicAdd" || name == "atomicAdd_system";
  const bool swaps = name == "atomicCAS" || name == "atomicCAS_system";
  if (!adds && !swaps) return false;
  std::optional<bool>& known = adds ? types.of_add : types.of_cas;
  if (!known) known = has_types_of_atomics(context, adds);
  return *known;
}

// HIP declares __ffsll for 64 bits only, with and without sign, so that an int is ambiguous, and
// these of pairs for bfloat16 only. compat.h has the rest.
bool has_fewer_types(std::string_view name) {
  return name == "__ffsll" || name == "__hmax2" || name == "__hmin2";
}

bool is_caveat_true(const cu::File& file, cu::TokenIndex at, const api::Entry& entry,
                    bool keeps_warps) {
  switch (entry.caveat_holds) {
    case api::CaveatHolds::kAlways:
      break;
    case api::CaveatHolds::kInWholeWaves:
      return !keeps_warps;
    case api::CaveatHolds::kInDeviceCode: {
      const cu::Function* function = file.function_at(at);
      return function != nullptr && function->is_device();
    }
    case api::CaveatHolds::kWithoutPort:
      return false;
  }
  return true;
}

void translate(SourceContext& context, cu::TokenIndex at, const api::Entry& entry, bool keeps_warps,
               AtomicTypes& types) {
  const cu::File& file = context.file;
  const api::HipVersion hip = context.options.hip;
  if (context.changes().touches(file.span(at))) return;  // another pass has replaced it
  if (context.shim().settings.contains(std::string(project::kWarpsOf32)) &&
      cu::lane_op_at(file, at) != nullptr)
    return;  // an overload serves it
  if (entry.kind == api::Kind::kNamespace && !names_a_namespace(file, at)) return;
  if (is_everyday_word(entry.cuda) && !is_at(file, at + 1, "<")) return;
  if (asks_for_hip(file, at)) return;
  if (is_cuda_version(entry.cuda) && give_cuda_version(context, at)) return;
  if (entry.cuda == "__NVCC__" && means_any_gpu_compiler(context, at)) {
    context.rename(at, "__HIPCC__", "HP201", "tests for a GPU compiler");
    return;
  }
  if (!entry.mapped()) {
    // In a condition it is 0 and compiles.
    const bool is_condition = (file.tokens()[at].flags & cu::kInDirective) != 0;
    context.report("HP202", is_condition ? Severity::kWarning : Severity::kError, file.span(at),
                   fmt::format("{} has no HIP counterpart", entry.cuda), std::string(entry.caveat));
    return;
  }
  if (is_legacy_blas(context, at, entry) && !has_no_handle(entry.cuda)) {
    context.report(
        "HP202", Severity::kError, file.span(at),
        fmt::format("{} of <cublas.h> takes no handle and has no HIP counterpart", entry.cuda),
        "Use the interface of <cublas_v2.h>: create a handle, pass it first, and pass "
        "scalars by address.");
    return;
  }
  if (!entry.usable_in(hip)) {
    context.report(
        "HP203", Severity::kError, file.span(at),
        entry.since > hip
            ? fmt::format("{} requires HIP {} or later", entry.hip, api::text_of(entry.since))
            : fmt::format("HIP {} removed {}", api::text_of(entry.until), entry.hip),
        std::string(entry.caveat));
  } else if (!entry.caveat.empty() && is_caveat_true(file, at, entry, keeps_warps)) {
    context.report("HP204", Severity::kNote, file.span(at),
                   fmt::format("{} differs from {}", entry.hip, entry.cuda),
                   std::string(entry.caveat));
  }
  context.needs.compat |= entry.compat && !entry.declared_in(hip);
  context.needs.compat = context.needs.compat || has_fewer_types(entry.cuda) ||
                         needs_more_atomics(context, entry.cuda, types);
  context.needs.runtime |= entry.kind != api::Kind::kMacro;
  if (entry.cuda == "__CUDA_ARCH__" && (is_compared(file, at) || is_value(file, at))) {
    context.rename(at, "(__HIP_DEVICE_COMPILE__ * 700)", "HP210");
    // Conditions are checked for what they empty (HP218).
    if ((file.tokens()[at].flags & cu::kInDirective) == 0)
      context.report("HP210", Severity::kWarning, file.span(at), "this number is 700 on AMD",
                     "Code that chooses by it takes the path for Volta, or none.");
  } else if (entry.hip != entry.cuda)
    context.rename(at, hip_name(context.options, entry), "HP201");
}

// dim3 cudaBlocks(8, 8): a name follows the name of its type.
bool is_declared(const cu::File& file, cu::TokenIndex at) {
  if (at == 0 || file.tokens()[at - 1].kind != cu::Kind::kName) return false;
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"case", "co_await", "co_return", "co_yield", "const", "constexpr", "delete", "do", "else",
       "extern", "inline", "mutable", "new", "return", "static", "throw", "typedef", "volatile"});
  return std::ranges::find(kOthers, file.text(at - 1)) == kOthers.end();
}

// cudaFoo_t foo; (cudaFoo*)foo, vector<cudaFoo_t>: not `struct cudaFoo`, which declares its own.
bool is_type_here(const cu::File& file, cu::TokenIndex at) {
  constexpr auto kKeys = std::to_array<std::string_view>(
      {"class", "enum", "friend", "namespace", "struct", "typename", "union", "using"});
  if (at > 0 && std::ranges::find(kKeys, file.text(at - 1)) != kKeys.end()) return false;
  if (is_at(file, at + 1, "*") && (is_at(file, at + 2, ")") || is_at(file, at + 2, ">")))
    return true;
  return at + 1 < file.tokens().size() && file.tokens()[at + 1].kind == cu::Kind::kName &&
         (file.tokens()[at].flags & cu::kInDirective) == 0;
}

// What a name that no table has looks like; empty: like none of CUDA's.
std::string_view unknown_kind(const cu::File& file, cu::TokenIndex at, std::string_view name) {
  const bool is_call = is_at(file, at + 1, "(");
  if (!is_call && looks_like_cuda_value(name)) {
    const unsigned flags = file.tokens()[at].flags & (cu::kInDirective | cu::kInMacroBody);
    return flags == cu::kInDirective ? "" : "value";
  }
  if (!looks_like_cuda(name) || is_declared(file, at)) return {};
  return is_call ? "function" : is_type_here(file, at) ? "type" : "";
}

constexpr std::string_view kGroups = "cooperative_groups";

// What `cg` stands for in `namespace cg = cooperative_groups;`; empty if it is no alias.
std::string_view alias_in(const cu::File& file, std::string_view name) {
  for (const cu::TokenIndex at : file.occurrences(kNamespace))
    if (is_at(file, at + 2, "=") && file.text(at + 1) == name &&
        file.tokens()[at + 3].kind == cu::Kind::kName && is_at(file, at + 4, ";"))
      return file.text(at + 3);
  return {};
}

// The alias may come from a header.
bool stands_for_groups(const SourceContext& context, std::string_view name) {
  if (name == kGroups) return true;
  if (const std::string_view here = alias_in(context.file, name); !here.empty())
    return here == kGroups;
  const std::vector<bool> read = context.own.graph().read_together(context.source);
  for (std::size_t i = 0; i < context.tree.files.size(); ++i)
    if (read[i] && context.tree.files[i]->cuda() != nullptr &&
        alias_in(*context.tree.files[i]->cuda(), name) == kGroups)
      return true;
  return false;
}

// using namespace cooperative_groups;
bool uses_all_groups(const cu::File& file) {
  return std::ranges::any_of(file.occurrences(kNamespace), [&](cu::TokenIndex at) {
    return at > 0 && file.text(at - 1) == "using" && file.text(at + 1) == kGroups;
  });
}

// What a name is with its namespace: cg::reduce, or reduce after `using namespace`.
const api::Entry* member_entry(const SourceContext& context, cu::TokenIndex at, bool uses_groups) {
  const cu::File& file = context.file;
  if (at >= 2 && file.is(at - 1, "::")) {
    if (file.tokens()[at - 2].kind != cu::Kind::kName) return nullptr;
    const std::string_view space = file.text(at - 2);
    if (has_qualifier(file, at - 2))  // thrust::system::cuda
      return api::find(fmt::format("{}::{}::{}", file.text(at - 4), space, file.text(at)));
    const api::Entry* of_groups = api::find(fmt::format("{}::{}", kGroups, file.text(at)));
    if (of_groups != nullptr && stands_for_groups(context, space)) return of_groups;
    const std::string_view alias = alias_in(file, space);
    return api::find(fmt::format("{}::{}", alias.empty() ? space : alias, file.text(at)));
  }
  if (!uses_groups || (!is_at(file, at + 1, "(") && !is_at(file, at + 1, "<")) ||
      belongs_to_another(file, at) || is_declared(file, at) ||
      context.own.has(file.text(at), context.source, at))
    return nullptr;
  return api::find(fmt::format("{}::{}", kGroups, file.text(at)));
}

// cg::labeled_partition: names of a namespace that HIP has, but without these.
void member_of_groups(SourceContext& context, cu::TokenIndex at, bool uses_groups) {
  const api::Entry* entry = member_entry(context, at, uses_groups);
  if (entry == nullptr || context.is_settled(at)) return;
  if (!entry->mapped())
    context.report("HP202", Severity::kError, context.file.span(at),
                   fmt::format("{} has no HIP counterpart", entry->cuda),
                   std::string(entry->caveat));
  else if (entry->kind == api::Kind::kNamespace && entry->hip != entry->cuda)
    context.rename(at, entry->hip.substr(entry->hip.rfind(':') + 1), "HP201");
  else
    context.needs.compat |= entry->compat && !entry->declared_in(context.options.hip);
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  const bool uses_groups = uses_all_groups(file);
  const bool keeps_warps = keeps_warps_of_32(context);
  AtomicTypes types;
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const bool is_spliced = (tokens[at].flags & cu::kSpliced) != 0;
    const std::string spelling = is_spliced ? file.spelling(at) : std::string();
    const std::string_view name = is_spliced ? std::string_view(spelling) : file.text(at);
    const api::Entry* entry = api::find(name);
    const std::string_view unknown = entry == nullptr ? unknown_kind(file, at, name) : "";
    if (entry == nullptr && unknown.empty()) {
      member_of_groups(context, at, uses_groups);
      continue;
    }
    if (belongs_to_another(file, at) || context.own.has(name, context.source, at) ||
        context.is_settled(at))
      continue;
    if (entry != nullptr)
      translate(context, at, *entry, keeps_warps, types);
    else
      context.report("HP206", Severity::kWarning, file.span(at),
                     fmt::format("{} looks like a CUDA {}, but is unknown", name, unknown),
                     "It is unchanged. A rules file can map it.");
  }
}

}  // namespace

Pass names() {
  return {.codes = {"HP201", "HP202", "HP203", "HP204", "HP206", "HP210", "HP211"},
          .after = {"project_rules", "half_waves", "whole_waves"},
          .before = {"headers"},
          .cuda = apply};
}

}  // namespace hipwright::port::passes
