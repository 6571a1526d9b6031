// SPDX-License-Identifier: MIT
#include "project/build/build_graph.h"

#include <algorithm>
#include <array>

#include "project/build/cmake.h"
#include "project/build/setup_py.h"
#include "project/path.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/platform_macros.h"
#include "syntax/names.h"
#include "syntax/scan.h"

namespace hipwright::project {

namespace cuda = syntax::cuda;

namespace {

constexpr std::array kPlatforms = {Platform::kAmd, Platform::kNvidia};

class Graph {
 public:
  Graph(std::span<const IncludingFile> files, const BuiltFiles& lists) : files_(files) {
    nodes_.resize(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      by_path_.emplace(files[i].path, i);
      const std::string_view path = files[i].path;
      by_name_[name_of(path)].push_back(i);
    }
    link();
    for (const auto& [path, built] : lists) {
      BuiltFor& beside =
          folders_.try_emplace(folder_of(path), BuiltFor{Truth::kNo, Truth::kNo}).first->second;
      beside = {beside.amd | built.amd, beside.nvidia | built.nvidia};
    }
    for (std::uint32_t i = 0; i < files.size(); ++i) start(i, lists);
  }

  BuiltFiles run() {
    while (!open_.empty()) {
      const std::uint32_t from = open_.back();
      open_.pop_back();
      for (const Edge& edge : nodes_[from].edges) pass(from, edge);
    }
    BuiltFiles all;
    for (std::uint32_t i = 0; i < files_.size(); ++i) all.emplace(files_[i].path, built(i));
    return all;
  }

  // After run().
  std::map<std::string, OwnDefinitions, std::less<>> own_definitions() const {
    std::vector<OwnDefinitions> own(files_.size());
    std::vector<std::vector<std::uint32_t>> includers(files_.size()), included(files_.size());
    for (std::uint32_t from = 0; from < files_.size(); ++from) {
      for (const Edge& edge : nodes_[from].edges) {
        if (edge.built.amd == Truth::kNo) continue;
        includers[edge.to].push_back(from);
        included[from].push_back(edge.to);
      }
      if (built(from).amd != Truth::kNo) own[from] = defined_in(files_[from]);
    }
    spread(own, includers);
    spread(own, included);
    std::map<std::string, OwnDefinitions, std::less<>> all;
    for (std::uint32_t i = 0; i < files_.size(); ++i)
      if (!is_empty(own[i])) all.emplace(files_[i].path, std::move(own[i]));
    return all;
  }

  cuda::MacroKnowledge macros(const MacroWords& words) const {
    std::unordered_map<cuda::MacroKey, BuiltFor> defined;
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      for (const IncludingFile::Definition& each : files_[i].definitions) {
        if (each.kind == IncludingFile::Definition::Kind::kFunction) continue;
        BuiltFor& most =
            defined.try_emplace(each.name, BuiltFor{Truth::kNo, Truth::kNo}).first->second;
        for (const Platform platform : kPlatforms)
          most.on(platform) = most.on(platform) | (each.built.on(platform) & built(i).on(platform));
      }
    }
    cuda::MacroKnowledge known;
    for (const auto& [name, most] : defined) {
      if (words.contains(name)) continue;
      if (most.amd == Truth::kNo) known.undefined_on_amd.insert(name);
      if (most.nvidia == Truth::kNo) known.undefined_on_nvidia.insert(name);
    }
    return known;
  }

 private:
  struct Edge {
    std::uint32_t to = 0;
    BuiltFor built;
  };
  struct Node {
    std::vector<Edge> edges;
    bool is_included = false;
    bool is_reached = false;
    BuiltFor built{Truth::kNo, Truth::kNo};
  };

  BuiltFor built(std::uint32_t index) const {
    return nodes_[index].is_reached ? nodes_[index].built : BuiltFor{};
  }

  static OwnDefinitions defined_in(const IncludingFile& file) {
    using Kind = IncludingFile::Definition::Kind;
    OwnDefinitions own;
    for (const IncludingFile::Definition& each : file.definitions) {
      if (each.built.amd == Truth::kNo) continue;
      if (each.is_platforms) own.redefined.push_back(each.name);
      if (each.is_per_target) own.per_target.push_back(each.name);
      if (each.is_size_call) own.size_calls.push_back(each.name);
      if (each.is_fixed_size) own.fixed_sizes.push_back(each.name);
      if (each.is_setting) own.macros.push_back(each.name);
      if (!each.is_looked_for || each.kind == Kind::kMacro) continue;
      (each.kind == Kind::kFunction ? own.functions : own.macros).push_back(each.name);
    }
    for (auto* names : {&own.macros, &own.functions, &own.redefined, &own.per_target,
                        &own.size_calls, &own.fixed_sizes}) {
      std::ranges::sort(*names);
      names->erase(std::ranges::unique(*names).begin(), names->end());
    }
    return own;
  }

  static bool is_empty(const OwnDefinitions& own) {
    return own.macros.empty() && own.functions.empty() && own.redefined.empty() &&
           own.per_target.empty() && own.size_calls.empty() && own.fixed_sizes.empty();
  }

  static bool add(std::vector<cuda::MacroKey>& to, const std::vector<cuda::MacroKey>& from) {
    if (std::ranges::includes(to, from)) return false;
    std::vector<cuda::MacroKey> both;
    std::ranges::set_union(to, from, std::back_inserter(both));
    to = std::move(both);
    return true;
  }

  // Gives every file the names of the files that reach it.
  static void spread(std::vector<OwnDefinitions>& own,
                     const std::vector<std::vector<std::uint32_t>>& ways) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < own.size(); ++i)
      if (!is_empty(own[i])) open.push_back(i);
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      for (const std::uint32_t to : ways[from]) {
        if (to == from) continue;
        const bool macros = add(own[to].macros, own[from].macros);
        const bool functions = add(own[to].functions, own[from].functions);
        const bool redefined = add(own[to].redefined, own[from].redefined);
        const bool per_target = add(own[to].per_target, own[from].per_target);
        const bool size_calls = add(own[to].size_calls, own[from].size_calls);
        const bool fixed_sizes = add(own[to].fixed_sizes, own[from].fixed_sizes);
        if (macros || functions || redefined || per_target || size_calls || fixed_sizes)
          open.push_back(to);
      }
    }
  }

  void link() {
    for (std::uint32_t from = 0; from < files_.size(); ++from) {
      for (const IncludingFile::Edge& include : files_[from].includes) {
        const std::vector<std::uint32_t> found = targets(files_[from].path, include.path);
        for (const std::uint32_t to : found) {
          if (to == from) continue;
          // One of several: maybe.
          const bool is_meant = found.size() == 1 || is_public(to, include.path);
          const Truth most = is_meant ? Truth::kYes : Truth::kMaybe;
          nodes_[from].edges.push_back(
              {to, {include.built.amd & most, include.built.nvidia & most}});
          nodes_[to].is_included = true;
        }
      }
    }
  }

  // In a folder of the include path.
  bool is_public(std::uint32_t index, std::string_view written) const {
    std::string_view folder = files_[index].path;
    folder.remove_suffix(std::min(folder.size(), written.size()));
    return folder.ends_with("include/");
  }

  std::vector<std::uint32_t> targets(std::string_view from, std::string_view written) const {
    if (const auto beside = join_path(folder_of(from), written)) {
      if (const auto found = by_path_.find(*beside); found != by_path_.end())
        return {found->second};
    }
    // <a/b.h> in some folder of the compiler's command line.
    std::string_view tail = written;
    while (tail.starts_with("../") || tail.starts_with("./"))
      tail.remove_prefix(tail.find('/') + 1);
    const auto same_name = by_name_.find(name_of(tail));
    if (same_name == by_name_.end()) return {};
    std::vector<std::uint32_t> found;
    for (const std::uint32_t each : same_name->second)
      if (ends_with_path(files_[each].path, tail)) found.push_back(each);
    return found;
  }

  // Sources are roots: compiled as the build says, or maybe. A header without an includer is for
  // generated or external sources: it is treated like the sources of its folder.
  void start(std::uint32_t index, const BuiltFiles& lists) {
    Node& node = nodes_[index];
    const auto listed = lists.find(files_[index].path);
    const bool is_source = is_compiled_source(files_[index].path);
    if (is_source && listed != lists.end()) {
      node.built = listed->second;
    } else if (!node.is_included) {
      const auto beside = folders_.find(folder_of(files_[index].path));
      if (!is_source && beside != folders_.end())
        node.built = {beside->second.amd & Truth::kMaybe, beside->second.nvidia & Truth::kMaybe};
      else
        node.built = {};
    } else {
      return;
    }
    node.is_reached = true;
    open_.push_back(index);
  }

  void pass(std::uint32_t from, const Edge& edge) {
    Node& to = nodes_[edge.to];
    bool changed = !to.is_reached;
    to.is_reached = true;
    for (const Platform platform : kPlatforms) {
      const Truth way = nodes_[from].built.on(platform) & edge.built.on(platform);
      if (way <= to.built.on(platform)) continue;
      to.built.on(platform) = way;
      changed = true;
    }
    if (changed) open_.push_back(edge.to);
  }

  std::span<const IncludingFile> files_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, std::uint32_t> by_path_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;
  std::unordered_map<std::string_view, BuiltFor> folders_;  // what is compiled in each
  std::vector<std::uint32_t> open_;
};

}  // namespace

BuiltFiles read_build_lists(const FileSet& tree) {
  BuiltFiles all = read_cmake_sources(tree);
  for (const auto& [path, built] : read_setup_py(tree).sources) {
    BuiltFor& entry = all.try_emplace(path, BuiltFor{Truth::kNo, Truth::kNo}).first->second;
    entry = {entry.amd | built.amd, entry.nvidia | built.nvidia};
  }
  return all;
}

void add_macro_words(std::string_view text, MacroWords& words) {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    if (!syntax::is_word_byte(*at)) {
      ++at;
      continue;
    }
    const char* const stop = syntax::word_end(at, end);
    std::string_view word(at, static_cast<std::size_t>(stop - at));
    words.insert(cuda::macro_key(word));
    // -DNAME
    if (word.starts_with('D') && at > text.data() && at[-1] == '-')
      words.insert(cuda::macro_key(word.substr(1)));
    at = stop;
  }
}

namespace {

using Definition = IncludingFile::Definition;

bool is_cuda_name(std::string_view name) {
  return name.starts_with("__") || name.starts_with("cuda");
}

// Is this CUDA name the name of a function that is defined or declared here?
bool is_declared(const cuda::File& file, cuda::TokenIndex at) {
  if (at == 0 || !file.is(at + 1, "(") || !is_cuda_name(file.text(at))) return false;
  const cuda::Token& before = file.tokens()[at - 1];
  if ((file.tokens()[at].flags & cuda::kInDirective) != 0) return false;
  const std::string_view word = file.text(at - 1);
  const bool follows_type =
      before.kind == cuda::Kind::kName
          ? word != "return" && word != "else" && word != "do" && word != "case"
          : word == "*" || word == "&" || word == ">";
  if (!follows_type) return false;
  const cuda::Function* function = file.function_at(at);
  return function != nullptr && function->name == at;
}

// Prefixes of macros that AMD's compiler defines for device code.
constexpr std::array<std::string_view, 4> kOfDevice = {"__GFX", "__gfx", "__AMDGCN_WAVEFRONT_SIZE",
                                                       "__HIP_DEVICE_COMPILE__"};

bool speaks_of_device(std::string_view text) {
  return std::ranges::any_of(
      kOfDevice, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

const syntax::Name kConstexpr("constexpr");

bool depends_on_device(const cuda::File& file, cuda::TokenIndex name) {
  bool depends = false;
  for (const std::string& condition : file.conditions(name)) {
    // The host has its own branch.
    if (condition.find("!defined(__HIP_DEVICE_COMPILE__)") != std::string::npos) return false;
    depends |= speaks_of_device(condition);
  }
  return depends;
}

// #define LANES 64 under #if __GFX9__, and macros that expand to a number of the GPU.
bool is_per_target(const cuda::File& file, const cuda::Macro& macro) {
  if (macro.is_function || macro.body.end != macro.body.begin + 1) return false;
  const std::string_view value = file.text(macro.body.begin);
  if (value == "warpSize" || value.starts_with("__AMDGCN_WAVEFRONT_SIZE")) return true;
  return file.tokens()[macro.body.begin].kind == cuda::Kind::kNumber &&
         depends_on_device(file, macro.name);
}

// #define WARP_SIZE at::cuda::warp_size(): no constant in host code.
bool is_size_call(const cuda::File& file, const cuda::Macro& macro) {
  const cuda::TokenRange body = macro.body;
  if (macro.is_function || body.end < body.begin + 3 || !file.is(body.end - 1, ")") ||
      !file.is(body.end - 2, "(") || file.tokens()[body.end - 3].kind != cuda::Kind::kName)
    return false;
  for (cuda::TokenIndex at = body.begin; at < body.end - 2; ++at)
    if (file.tokens()[at].kind != cuda::Kind::kName && !file.is(at, "::")) return false;
  return cuda::is_warp_size_name(file.text(macro.name)) &&
         cuda::is_warp_size_name(file.text(body.end - 3));
}

// #define WARP_SIZE 64, or the number behind the '=' of a constant, under no macro of a target.
bool is_fixed_size(const cuda::File& file, cuda::TokenIndex name, cuda::TokenIndex value) {
  return file.text(value) == "64" && cuda::is_warp_size_name(file.text(name)) &&
         !depends_on_device(file, name);
}

// static constexpr int kWarpSize = 64; outside functions: the places of the names.
std::vector<cuda::TokenIndex> constant_sizes(const cuda::File& file) {
  std::vector<cuda::TokenIndex> found;
  for (const cuda::TokenIndex word : file.occurrences(kConstexpr)) {
    if (file.function_at(word) != nullptr) continue;
    cuda::TokenIndex at = word + 1;
    while (at + 3 < file.tokens().size() && file.tokens()[at].kind == cuda::Kind::kName) ++at;
    if (!file.is(at, "=") || !file.is(at + 2, ";") ||
        file.tokens()[at + 1].kind != cuda::Kind::kNumber)
      continue;
    if (cuda::is_warp_size_name(file.text(at - 1))) found.push_back(at - 1);
  }
  return found;
}

std::vector<Definition> definitions(const cuda::File& file) {
  std::vector<Definition> all;
  const bool may_depend =
      speaks_of_device(file.text()) || syntax::has_bytes(file.text(), "warpSize");
  const auto add = [&](cuda::TokenIndex at, Definition::Kind kind) {
    const std::string_view name = file.text(at);
    Definition made{.name = cuda::macro_key(name), .kind = kind};
    made.is_looked_for = is_cuda_name(name) && file.tokens()[at].id != 0;
    made.is_setting = name == kWarpsOf32;
    made.is_platforms =
        cuda::platform_macro(name, Platform::kAmd, cuda::Side::kEither).defined == Truth::kNo;
    made.built = {file.compiled(at, Platform::kAmd), file.compiled(at, Platform::kNvidia)};
    all.push_back(made);
  };
  for (const cuda::Macro& macro : file.macros()) {
    add(macro.name,
        macro.is_function ? Definition::Kind::kMacroWithArguments : Definition::Kind::kMacro);
    all.back().is_per_target = may_depend && is_per_target(file, macro);
    all.back().is_size_call = is_size_call(file, macro);
    all.back().is_fixed_size = !macro.is_function && macro.body.end == macro.body.begin + 1 &&
                               is_fixed_size(file, macro.name, macro.body.begin);
  }
  for (const cuda::TokenIndex at : constant_sizes(file)) {
    const bool is_per_target = may_depend && depends_on_device(file, at);
    const bool is_fixed = is_fixed_size(file, at, at + 2);
    if (!is_per_target && !is_fixed) continue;
    add(at, Definition::Kind::kMacro);
    all.back().is_per_target = is_per_target;
    all.back().is_fixed_size = is_fixed;
  }
  for (const cuda::TokenIndex at : file.named())
    if (is_declared(file, at)) add(at, Definition::Kind::kFunction);
  return all;
}

}  // namespace

IncludingFile including_file(std::string path, const cuda::File& file) {
  IncludingFile made{std::move(path), {}, definitions(file)};
  for (const cuda::Include& include : file.includes()) {
    made.includes.push_back({std::string(include.path),
                             {file.compiled(include.hash, Platform::kAmd),
                              file.compiled(include.hash, Platform::kNvidia)}});
  }
  return made;
}

bool OwnDefinitions::has_macro(std::string_view name) const {
  return std::ranges::binary_search(macros, cuda::macro_key(name));
}

bool OwnDefinitions::has_per_target(std::string_view name) const {
  return std::ranges::binary_search(per_target, cuda::macro_key(name));
}

bool OwnDefinitions::has_size_call(std::string_view name) const {
  return std::ranges::binary_search(size_calls, cuda::macro_key(name));
}

bool OwnDefinitions::has_fixed_size(std::string_view name) const {
  return std::ranges::binary_search(fixed_sizes, cuda::macro_key(name));
}

bool OwnDefinitions::has_function(std::string_view name) const {
  return std::ranges::binary_search(functions, cuda::macro_key(name));
}

BuildGraph::BuildGraph(std::span<const IncludingFile> files, const BuiltFiles& lists,
                       const MacroWords& words) {
  Graph graph(files, lists);
  built_ = graph.run();
  own_ = graph.own_definitions();
  macros_ = graph.macros(words);
  has_amd_list_ = std::ranges::any_of(lists, [](const auto& each) {
    return each.second.amd != Truth::kNo &&
           (each.first.ends_with(".cu") || each.first.ends_with(".hip"));
  });
  for (const auto& [path, built] : lists) built_.try_emplace(path, built);
}

Truth BuildGraph::built(std::string_view path, Platform platform) const {
  const auto found = built_.find(path);
  return found == built_.end() ? Truth::kMaybe : found->second.on(platform);
}

const OwnDefinitions& BuildGraph::own_definitions(std::string_view path) const {
  static const OwnDefinitions kNone;
  const auto found = own_.find(path);
  return found == own_.end() ? kNone : found->second;
}

}  // namespace hipwright::project
