// SPDX-License-Identifier: MIT
#include "port/source/amd_support.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/api/api.h"
#include "port/marks.h"
#include "port/options.h"
#include "project/file_facts.h"
#include "project/language.h"
#include "syntax/cuda/directives.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/platform_macros.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::Platform;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Truth;

namespace {

const syntax::Name kNamespace("namespace"), kWarpSize("warpSize"), kAsm("asm"), kAsmInC("__asm__");

// A macro that only AMD's builds define, or that only they know.
bool is_amd_macro(std::string_view name) {
  if (name.starts_with("__HIP")) return true;
  const auto on = [&](Platform platform) {
    return cu::platform_macro(name, platform, cu::Side::kEither).defined;
  };
  return on(Platform::kNvidia) == Truth::kNo && on(Platform::kAmd) != Truth::kNo;
}

bool is_of_port(std::string_view condition) {
  return condition.find(kGate) != std::string_view::npos;
}

// The expression of the #if, #ifdef, #elif that a # begins; empty if it is another line.
TokenRange condition_at(const cu::File& file, TokenIndex hash) {
  static constexpr std::array<std::string_view, 4> kWords = {"if", "ifdef", "ifndef", "elif"};
  if ((file.tokens()[hash].flags & cu::kFirstOnLine) == 0 || !file.is(hash, "#")) return {};
  if (std::ranges::find(kWords, file.text(hash + 1)) == kWords.end()) return {};
  return {hash + 2, cu::directive_end(file, hash)};
}

// Finds a name that tests for AMD in a condition. Returns kNoToken if it has no such name.
TokenIndex question_for_amd(const cu::File& file) {
  const auto tokens = file.tokens();
  for (TokenIndex hash = 0; hash + 2 < tokens.size(); ++hash) {
    if (tokens[hash].kind != cu::Kind::kPunct) continue;
    const TokenRange condition = condition_at(file, hash);
    if (condition.empty() || is_of_port(file.text(condition))) continue;
    for (TokenIndex at = condition.begin; at < condition.end; ++at)
      if (tokens[at].kind == cu::Kind::kName && is_amd_macro(file.text(at))) return at;
  }
  return cu::kNoToken;
}

bool is_of_rocm(std::string_view header) {
  static constexpr auto kFolders = std::to_array<std::string_view>(
      {"hip/", "hipblas/", "hipblaslt/", "hipcub/", "hipfft/", "hiprand/", "hipsolver/",
       "hipsparse/", "rocblas/", "rocprim/", "rocrand/", "rocwmma/", "rccl/", "miopen/", "ck/",
       "ck_tile/"});
  return std::ranges::any_of(kFolders,
                             [&](std::string_view folder) { return header.starts_with(folder); });
}

// A ROCm #include that is active when compiling for AMD.
const cu::Include* rocm_include(const cu::File& file) {
  for (const cu::Include& include : file.includes())
    if (is_of_rocm(include.path) && file.compiled(include.hash, Platform::kAmd) != Truth::kNo)
      return &include;
  return nullptr;
}

bool is_ported_before(const cu::File& file) {
  return std::ranges::any_of(file.includes(), [](const cu::Include& include) {
    return include.path.ends_with(kNamesName) || include.path.ends_with(kCompatName) ||
           include.path.ends_with(kPtxName);
  });
}

// A CUDA name that is certainly active when compiling for AMD, and unknown there.
bool is_unknown_to_amd(const SourceFile& source, const OwnNames& own, TokenIndex at) {
  const cu::File& file = *source.cuda();
  const cu::Token& token = file.tokens()[at];
  if (token.kind != cu::Kind::kName || (token.flags & cu::kInDirective) != 0) return false;
  const std::string_view name = file.text(at);
  const api::Entry* entry = api::find(name);
  if (entry == nullptr || entry->hip == entry->cuda || entry->kind == api::Kind::kNamespace ||
      entry->kind == api::Kind::kMacro)
    return false;
  if (at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->") || has_qualifier(file, at)))
    return false;
  return file.compiled(at, Platform::kAmd) == Truth::kYes && !own.has(name, source, at);
}

// A lane mask of 32 bits, which HIP's functions reject.
bool is_mask_of_cuda(const SourceFile& source, const OwnNames& own, TokenIndex at) {
  const cu::File& file = *source.cuda();
  const cu::LaneOp* op = cu::lane_op_at(file, at);
  if (op == nullptr || op->mask < 0 || !file.is(at + 1, "(")) return false;
  const auto arguments = file.arguments(at + 1);
  if (arguments.size() <= static_cast<std::size_t>(op->mask)) return false;
  const auto mask = cu::constant(file, arguments[static_cast<std::size_t>(op->mask)]);
  return mask && mask->bits == 32 && file.compiled(at, Platform::kAmd) == Truth::kYes &&
         !own.has(file.text(at), source, at);
}

// PTX or such a mask, for both platforms: no translation of names makes AMD's compilers take it.
bool cannot_be_amds(const SourceFile& source, const OwnNames& own) {
  const cu::File& file = *source.cuda();
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (is_mask_of_cuda(source, own, at) && file.compiled(at, Platform::kNvidia) == Truth::kYes)
      return true;
    const cu::Function* const function =
        file.is(at, kAsm) || file.is(at, kAsmInC) ? file.function_at(at) : nullptr;
    if (function != nullptr && function->is_device() &&
        file.compiled(at, Platform::kAmd) == Truth::kYes &&
        file.compiled(at, Platform::kNvidia) == Truth::kYes)
      return true;
  }
  return false;
}

// nvcc includes the runtime's header before every source; AMD's compilers do not.
bool lacks_runtime(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  const auto is_read = [&](const cu::Include& include) {
    return file.compiled(include.hash, Platform::kAmd) != Truth::kNo;
  };
  return source.path().ends_with(".cu") && std::ranges::none_of(file.includes(), is_read);
}

bool has_unknown_to_amd(const SourceFile& source, const OwnNames& own, const Tree& tree) {
  const cu::File& file = *source.cuda();
  if (lacks_runtime(source)) return true;
  for (const cu::Include& include : file.includes())
    if (api::find_header(include.path) != nullptr &&
        file.compiled(include.hash, Platform::kAmd) == Truth::kYes &&
        !means_own_header(tree, include.path, source, include.is_system))
      return true;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (is_unknown_to_amd(source, own, at) || is_mask_of_cuda(source, own, at)) return true;
  return false;
}

// Would a port look at it?
bool uses_cuda_api(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  if (project::is_device_source(source.path()) || source.path().ends_with(".cuh")) return true;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != cu::Kind::kName) continue;
    const api::Entry* entry = api::find(file.text(at));
    if (entry != nullptr && entry->hip != entry->cuda) return true;
  }
  return false;
}

// Counts lanes, or looks at those of other threads.
bool is_of_lanes(const cu::File& file, TokenIndex at) {
  if (file.tokens()[at].kind != cu::Kind::kName) return false;
  return file.is(at, kWarpSize) || cu::lane_op_at(file, at) != nullptr ||
         cu::is_warp_size_name(file.text(at));
}

// The name that is given a number here: #define WAVE 64, constexpr int wave = 64; kNoToken: none.
TokenIndex name_of_number(const cu::File& file, TokenIndex number) {
  if (number < 2) return cu::kNoToken;
  if (file.is(number - 1, "=") || file.is(number - 1, "{") || file.is(number - 1, "("))
    return cu::is_name(file, number - 2) ? number - 2 : cu::kNoToken;
  return cu::is_name(file, number - 1) && file.text(number - 2) == "define" ? number - 1
                                                                            : cu::kNoToken;
}

// A number of lanes under any name: 64 here, and 32 elsewhere in the file.
bool is_lanes_of_wave(const cu::File& file, TokenIndex at) {
  const auto is_number = [&](TokenIndex number, std::uint64_t value) {
    if (number >= file.tokens().size() || file.tokens()[number].kind != cu::Kind::kNumber)
      return false;
    const auto literal = cu::literal(file, number);
    return literal && literal->value == value;
  };
  if (!is_number(at, 64)) return false;
  const TokenIndex name = name_of_number(file, at);
  if (name == cu::kNoToken) return false;
  return std::ranges::any_of(cu::places_of(file, file.text(name)), [&](TokenIndex other) {
    return (is_number(other + 1, 32) && name_of_number(file, other + 1) == other) ||
           (is_number(other + 2, 32) && name_of_number(file, other + 2) == other);
  });
}

// Code that other functions cannot see.
bool is_in_kernel(const cu::File& file, TokenIndex at) {
  const cu::Function* function = file.function_at(at);
  return function != nullptr && (function->qualifiers & cu::kGlobal) != 0;
}

// The first place in code that AMD compiles; in AMD's own branches only, unless the whole file is.
TokenIndex lanes_for_amd(const cu::File& file, bool is_whole, bool in_kernels) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    const bool is_of_wave = !is_whole && is_lanes_of_wave(file, at);
    if ((!is_of_wave && !is_of_lanes(file, at)) || file.compiled(at, Platform::kAmd) == Truth::kNo)
      continue;
    if (!in_kernels && is_in_kernel(file, at)) continue;
    if (is_whole) return at;
    if (file.compiled(at, Platform::kNvidia) == Truth::kNo &&
        ask_for_amd(file.conditions(at), AskedBy::kProject))
      return at;
  }
  return cu::kNoToken;
}

std::string line_of(const SourceFile& source, TokenIndex token) {
  const Span span = source.cuda()->span(token);
  return fmt::format("{}", LineIndex(source.text()).position(span.begin).line);
}

}  // namespace

bool ask_for_amd(const std::vector<std::string>& conditions, AskedBy by) {
  return std::ranges::any_of(conditions, [by](const std::string& condition) {
    if (is_of_port(condition)) return by == AskedBy::kAnyone;
    const cu::File file(condition);
    const auto tokens = file.tokens();
    for (TokenIndex at = 0; at < tokens.size(); ++at)
      if (tokens[at].kind == cu::Kind::kName && is_amd_macro(file.text(at))) return true;
    return false;
  });
}

struct AmdSupport::Facts {
  // Certain: the path names AMD, or the build compiles it for both platforms, so something gives
  // CUDA's names a meaning.
  // Own: it is written for HIP, and nothing needs to be translated.
  // Asks: one of its conditions tests for AMD, and nothing else is known.
  enum class Evidence { kNone, kOwn, kAsks, kSome, kCertain } evidence = Evidence::kNone;
  std::string why;
  bool has_unknown = false;
  bool is_ported = false;
  bool uses_cuda = false;
};

AmdSupport::Facts AmdSupport::facts_of(const SourceFile& source) const {
  using Evidence = Facts::Evidence;
  const cu::File& file = *source.cuda();
  Facts facts{.is_ported = is_ported_before(file)};
  if (facts.is_ported) return facts;
  const auto is = [&](Evidence evidence, std::string why) {
    facts.evidence = evidence;
    facts.why = std::move(why);
  };
  const project::BuiltFor built = builds_.built(source.path());
  const bool names_amd = project::facts_of_path(source.path()).is_rocm_specific;
  if (built.amd != Truth::kNo) {
    const bool is_shared = built.amd == Truth::kYes && built.nvidia == Truth::kYes;
    is(is_shared || names_amd ? Evidence::kCertain : Evidence::kSome, "the build lists it");
  } else if (names_amd) {
    is(Evidence::kCertain, "its path names AMD");
  } else if (builds_.compile_beside(source.path())) {
    is(Evidence::kSome, "the build lists the sources beside it");
  } else if (builds_.may_extend_pytorch(source.path())) {
    is(Evidence::kSome, "setup.py builds extensions for AMD");
  } else if (const TokenIndex at = question_for_amd(file); at != cu::kNoToken) {
    is(Evidence::kAsks, fmt::format("it tests {} on line {}", file.text(at), line_of(source, at)));
  } else if (const cu::Include* include = rocm_include(file)) {
    is(Evidence::kOwn, fmt::format("it includes <{}>", include->path));
  }
  return facts;
}

AmdSupport::AmdSupport(const Tree& tree, const OwnNames& own, ThreadPool& pool)
    : tree_(tree),
      builds_(tree),
      graph_(own.graph()),
      why_(tree.files.size()),
      is_compiled_(tree.files.size()),
      uses_cuda_(tree.files.size()),
      beside_(tree.files.size()) {
  std::vector<Facts> facts(tree.files.size());
  const auto for_each = [&](const auto& body) {
    pool.parallel_for(facts.size(), [&](std::size_t i) {
      if (tree.files[i]->cuda() != nullptr) body(*tree.files[i], facts[i]);
    });
  };
  for_each([&](const SourceFile& source, Facts& into) { into = facts_of(source); });
  const bool has_evidence = std::ranges::any_of(
      facts, [](const Facts& each) { return each.evidence != Facts::Evidence::kNone; });
  if (!has_evidence) return;
  for_each([&](const SourceFile& source, Facts& into) {
    into.has_unknown = !into.is_ported && has_unknown_to_amd(source, own, tree);
    into.uses_cuda = uses_cuda_api(source);
  });
  find_compiled(facts, own);
  find_excluded();
  find_lanes();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    uses_cuda_[i] = facts[i].uses_cuda;
    if (facts[i].evidence != Facts::Evidence::kNone || is_compiled_[i])
      find_definitions(*tree.files[i]);
  }
}

void AmdSupport::find_compiled(const std::vector<Facts>& facts, const OwnNames& own) {
  using Evidence = Facts::Evidence;
  const IncludeGraph::Edges includes = graph_.on_amd();
  // What includes a file that AMD's compiler cannot read cannot be read, either.
  std::vector<bool> unreadable(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) unreadable[i] = facts[i].has_unknown;
  IncludeGraph::reach(IncludeGraph::reversed(includes), unreadable);
  std::vector<std::size_t> open;
  const auto add = [&](std::size_t file, std::string_view why) {
    why_[file] = fmt::format("AMD builds already compile it: {}", why);
    is_compiled_[file] = true;
    open.push_back(file);
  };
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Evidence evidence = facts[i].evidence;
    const bool is_translated =
        builds_.translate_names() &&
        (evidence == Evidence::kSome ||
         (evidence == Evidence::kAsks && !cannot_be_amds(*tree_.files[i], own)));
    const bool is_readable = evidence == Evidence::kCertain || !unreadable[i] || is_translated;
    if (facts[i].evidence != Evidence::kNone && is_readable) add(i, facts[i].why);
  }
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (const std::uint32_t to : includes[from])
      if (!is_compiled_[to] && !facts[to].is_ported)
        add(to, fmt::format("{} includes it", tree_.files[from]->path()));
  }
}

void AmdSupport::find_excluded() {
  std::vector<bool> is_excluded(why_.size());
  for (std::size_t i = 0; i < why_.size(); ++i) {
    if (tree_.files[i]->cuda() == nullptr || !why_[i].empty()) continue;
    const std::string& path = tree_.files[i]->path();
    const project::FileFacts facts = project::facts_of_path(path);
    if (facts.built_on_amd == Truth::kNo) {
      why_[i] = "its path names another vendor's GPUs";
    } else if (facts.names_nvidia_target && builds_.has(path)) {
      why_[i] = "its path names an NVIDIA GPU, and AMD builds leave it out";
      is_excluded[i] = true;
    }
  }
  while (exclude_headers(is_excluded)) {
  }
}

// Headers whose every #include is in a branch that the project's own conditions exclude for AMD, or
// in such a header.
bool AmdSupport::exclude_headers(std::vector<bool>& is_excluded) {
  const auto is_excluding = [&](std::uint32_t from, std::size_t i) {
    const cu::File& file = *tree_.files[from]->cuda();
    const TokenIndex hash = graph_.line(from, i);
    return is_excluded[from] || (file.compiled(hash, Platform::kAmd) == Truth::kNo &&
                                 ask_for_amd(file.conditions(hash), AskedBy::kProject));
  };
  std::vector<std::uint32_t> excluding(why_.size(), ~0U);  // the file that does
  std::vector<bool> is_read(why_.size());
  for (std::uint32_t from = 0; from < why_.size(); ++from)
    for (std::size_t i = 0; i < graph_.includes()[from].size(); ++i) {
      const std::uint32_t to = graph_.includes()[from][i];
      if (is_excluding(from, i))
        excluding[to] = from;
      else
        is_read[to] = true;
    }
  bool has_more = false;
  for (std::size_t to = 0; to < why_.size(); ++to) {
    if (excluding[to] == ~0U || is_read[to] || !why_[to].empty() || !tree_.files[to]->is_header())
      continue;
    why_[to] = fmt::format("{} includes it for NVIDIA only", tree_.files[excluding[to]]->path());
    has_more = is_excluded[to] = true;
  }
  return has_more;
}

void AmdSupport::find_lanes() {
  std::vector<Lanes> shared(why_.size());
  for (std::size_t i = 0; i < why_.size(); ++i) {
    const cu::File* file = tree_.files[i]->cuda();
    if (file == nullptr) continue;
    const TokenIndex any = lanes_for_amd(*file, is_compiled_[i], true);
    if (any == cu::kNoToken) continue;
    if (anywhere_.file == nullptr) anywhere_ = {tree_.files[i].get(), file->span(any)};
    const TokenIndex at = lanes_for_amd(*file, is_compiled_[i], false);
    if (at != cu::kNoToken) shared[i] = {tree_.files[i].get(), file->span(at)};
  }
  if (anywhere_.file == nullptr) return;
  for (std::size_t i = 0; i < why_.size(); ++i) {
    if (tree_.files[i]->cuda() == nullptr || !why_[i].empty()) continue;
    const std::vector<bool> together = graph_.read_together(*tree_.files[i]);
    for (std::size_t other = 0; other < why_.size() && beside_[i].file == nullptr; ++other)
      if (together[other]) beside_[i] = shared[other];
  }
}

// #define cudaMalloc hipMalloc, namespace cub = hipcub;
void AmdSupport::find_definitions(const SourceFile& source) {
  const cu::File& file = *source.cuda();
  const auto add = [&](TokenIndex name) {
    if (file.compiled(name, Platform::kAmd) != Truth::kNo && api::find(file.text(name)) != nullptr)
      defined_.insert(file.text(name));
  };
  for (const cu::Macro& macro : file.macros()) add(macro.name);
  for (const TokenIndex at : file.occurrences(kNamespace))
    if (at + 2 < file.tokens().size() && file.is(at + 2, "=")) add(at + 1);
}

const std::string& AmdSupport::why_unchanged(const SourceFile& file) const {
  return why_[graph_.place_of(file)];
}

bool AmdSupport::uses_cuda(const SourceFile& file) const {
  return uses_cuda_[graph_.place_of(file)];
}

const AmdSupport::Lanes* AmdSupport::lanes_beside(const SourceFile& file) const {
  const Lanes& lanes = beside_[graph_.place_of(file)];
  return lanes.file == nullptr ? nullptr : &lanes;
}

const AmdSupport::Lanes* AmdSupport::lanes_anywhere() const {
  return anywhere_.file == nullptr ? nullptr : &anywhere_;
}

}  // namespace hipwright::port
