// SPDX-License-Identifier: MIT
#include "port/source/own_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include "port/api/api.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

constexpr std::array<std::string_view, 14> kPrefixes = {
    "cuda",  "cublasLt", "cublas", "cufft", "curand", "cusparse", "cusolver",
    "cudnn", "nccl",     "nvml",   "nvrtc", "nvtx",   "cutensor", "nvjpeg"};
constexpr std::array<std::string_view, 9> kCapitalPrefixes = {
    "CUDA_", "CUBLAS_", "CUFFT_", "CURAND_", "CUSPARSE_", "CUSOLVER_", "CUDNN_", "NVML_", "NVRTC_"};

constexpr std::array<std::string_view, 7> kDefining = {"struct", "class",   "enum",     "union",
                                                       "using",  "typedef", "namespace"};

const syntax::Name kUsing("using");

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// cuMemFoo: the driver's functions are named after what they work on.
bool is_driver_function(std::string_view name) {
  constexpr std::array<std::string_view, 18> kSubjects = {
      "Ctx",  "Device", "Event",  "Func",   "GL",        "Graph",  "Ipc",     "Kernel", "Launch",
      "Link", "Mem",    "Module", "Stream", "Occupancy", "Tensor", "Library", "TexRef", "Green"};
  if (!name.starts_with("cu")) return false;
  return std::ranges::any_of(kSubjects, [&](std::string_view subject) {
    const std::string_view rest = name.substr(2);
    return rest.size() > subject.size() && rest.starts_with(subject) &&
           is_upper(rest[subject.size()]);
  });
}

// Does a pass look for it? Those of no table are registered.
bool matters(const cu::File& file, cu::TokenIndex name) {
  const std::string_view text = file.text(name);
  return file.tokens()[name].id != 0 || looks_like_cuda(text) || looks_like_cuda_value(text) ||
         api::find(text) != nullptr;
}

bool is_any_of(const cu::File& file, cu::TokenIndex at, std::initializer_list<const char*> all) {
  return std::ranges::any_of(all, [&](const char* each) { return file.is(at, each); });
}

// The name that the definition of a type, or of a namespace's second name, introduces, when a token
// begins one.
cu::TokenIndex name_defined_at(const cu::File& file, cu::TokenIndex at) {
  const auto next_is = [&](cu::TokenIndex token, const char* punctuator) {
    return token < file.tokens().size() && file.is(token, punctuator);
  };
  const std::string_view word = file.text(at);
  if (word == "struct" || word == "class" || word == "enum" || word == "union") {
    const bool is_scoped = file.text(at + 1) == "class" || file.text(at + 1) == "struct";
    const cu::TokenIndex name = at + (is_scoped ? 2 : 1);
    return next_is(name + 1, "{") || next_is(name + 1, ":") ? name : cu::kNoToken;
  }
  if (word == "using" || word == "namespace") return next_is(at + 2, "=") ? at + 1 : cu::kNoToken;
  if (word != "typedef") return cu::kNoToken;
  cu::TokenIndex end = at;
  while (end + 1 < file.tokens().size() && !file.is(end, ";")) {
    const bool is_body = file.is(end, "{") && file.partner(end) != cu::kNoToken;
    end = is_body ? file.partner(end) : end + 1;
  }
  return end > at && file.tokens()[end - 1].kind == cu::Kind::kName ? end - 1 : cu::kNoToken;
}

bool is_in_braces(const cu::File& file, cu::TokenIndex at) {
  const cu::TokenIndex around = file.enclosing(at);
  return around != cu::kNoToken && file.is(around, "{");
}

// enum A { name, other = 3 }
bool is_enumerator(const cu::File& file, cu::TokenIndex at) {
  if (!is_any_of(file, at - 1, {"{", ","}) || !is_any_of(file, at + 1, {",", "=", "}"}) ||
      !is_in_braces(file, at))
    return false;
  const cu::TokenIndex open = file.enclosing(at);
  for (cu::TokenIndex back = 1; back <= 5 && back <= open; ++back)
    if (file.text(open - back) == "enum") return true;
  return false;
}

// type name; type* name = 3; type a, name[4]
bool is_variable(const cu::File& file, cu::TokenIndex at) {
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"case", "co_return", "co_yield", "const", "constexpr", "delete", "else", "extern", "goto",
       "inline", "mutable", "new", "return", "static", "throw", "typedef", "volatile"});
  const auto is_behind_name = [&](cu::TokenIndex token) {
    return token > 0 && file.tokens()[token - 1].kind == cu::Kind::kName &&
           std::ranges::find(kOthers, file.text(token - 1)) == kOthers.end();
  };
  if (!is_any_of(file, at + 1, {";", "=", "[", ",", "{", ")"})) return false;
  if (is_behind_name(at)) return true;
  // A * B may be a product.
  if (looks_like_cuda_value(file.text(at))) return false;
  return is_any_of(file, at - 1, {">", ","}) ||
         (is_any_of(file, at - 1, {"*", "&"}) &&
          (is_behind_name(at - 1) || (at > 1 && file.is(at - 2, ">"))));
}

// A data member, or a value of an enumeration in a class or of `enum class`. Of names that no table
// has: any variable or value.
bool is_declared_at(const cu::File& file, cu::TokenIndex at) {
  if (at == 0 || at + 1 >= file.tokens().size()) return false;
  const bool is_value =
      is_any_of(file, at - 1, {"{", ","}) && is_any_of(file, at + 1, {",", "=", "}"});
  if ((!is_value && !is_variable(file, at)) || !matters(file, at)) return false;
  const std::string_view name = file.text(at);
  if (api::find(name) == nullptr)
    return (looks_like_cuda(name) || looks_like_cuda_value(name)) &&
           (is_enumerator(file, at) || (is_variable(file, at) && !file.is(at - 1, ",")));
  return is_in_braces(file, at) && file.function_at(at) == nullptr && scope_at(file, at).is_class;
}

// `using namespace a::b;`, `using a::name;`
bool uses_scope(const cu::File& file, std::string_view path, std::string_view name) {
  const std::string_view last = path.substr(path.rfind(':') + 1);  // npos + 1 is 0
  for (const cu::TokenIndex at : file.occurrences(kUsing)) {
    cu::TokenIndex end = at + 1;
    const bool is_whole = file.text(end) == "namespace";
    if (is_whole) ++end;
    while (end < file.tokens().size() && !file.is(end, ";") && !file.is(end, "=") && end < at + 16)
      ++end;
    if (end >= file.tokens().size() || !file.is(end, ";")) continue;
    if (is_whole ? file.text(end - 1) == last : file.text(end - 1) == name) return true;
  }
  return false;
}

}  // namespace

bool looks_like_cuda(std::string_view name) {
  const auto has = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix);
  };
  if (name.size() < 4) return false;
  if (is_driver_function(name)) return true;
  if (name[0] == 'c' || name[0] == 'n')
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
      return has(prefix) && (is_upper(name[prefix.size()]));
    });
  return (name[0] == 'C' || name[0] == 'N') &&
         std::any_of(kCapitalPrefixes.begin(), kCapitalPrefixes.end(), has);
}

bool looks_like_cuda_value(std::string_view name) {
  constexpr auto kLibraries = std::to_array<std::string_view>(
      {"CUBLASLT_", "CUBLAS_", "CUDART_", "CUDA_ERROR_", "CUDNN_", "CUFFT_", "CURAND_", "CUSOLVER_",
       "CUSPARSE_", "CU_", "NVML_", "NVRTC_"});
  return std::ranges::any_of(kLibraries,
                             [&](std::string_view each) { return name.starts_with(each); }) &&
         std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
}

void OwnNames::collect(const SourceFile& source, Names& names) {
  const cu::File& file = *source.cuda();
  const auto add = [&](cu::TokenIndex name, bool is_macro) {
    if (name == cu::kNoToken || !matters(file, name)) return;
    std::vector<Place>& places = names[file.text(name)];
    Scope scope = is_macro ? Scope() : scope_at(file, name);
    const auto is_it = [&](const Place& place) { return place.scope == scope; };
    if (std::ranges::none_of(places, is_it)) places.push_back({.scope = std::move(scope)});
  };
  for (const cu::Macro& macro : file.macros()) add(macro.name, true);
  for (const cu::Function& function : file.functions())
    // Some projects redeclare CUDA functions; names that CUDA lacks are the project's.
    if (!function.body.empty() || api::find(file.text(function.name)) == nullptr)
      add(function.name, false);
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at + 3 < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const std::string_view word = file.text(at);
    if (std::ranges::find(kDefining, word) != kDefining.end())
      add(name_defined_at(file, at), false);
    else if (is_declared_at(file, at))
      add(at, false);
  }
}

OwnNames::OwnNames(const Tree& tree) : graph_(tree) {
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    pasting_.read(*file->cuda());
    Names names;
    collect(*file, names);
    if (names.empty()) continue;
    if (!file->is_header() && !graph_.is_included(*file)) {
      local_.emplace(file.get(), std::move(names));
      continue;
    }
    read_with_.push_back(graph_.read_with(*file));
    for (auto& [name, places] : names)
      for (Place& place : places)
        shared_[name].push_back({std::move(place.scope), &read_with_.back()});
  }
  pasting_.finish();
}

bool OwnNames::has(std::string_view name, const SourceFile& file, cu::TokenIndex at) const {
  const auto is_seen = [&](const Names& names) {
    const auto found = names.find(name);
    return found != names.end() && sees(found->second, name, file, at);
  };
  if (is_seen(shared_)) return true;
  const auto local = local_.find(&file);
  return local != local_.end() && is_seen(local->second);
}

bool OwnNames::sees(const std::vector<Place>& places, std::string_view name,
                    const SourceFile& source, cu::TokenIndex at) const {
  const cu::File& file = *source.cuda();
  const std::size_t here_in_tree = graph_.place_of(source);
  // ::cudaMalloc is the global one in every scope.
  const bool is_global = at > 0 && file.is(at - 1, "::") && !has_qualifier(file, at);
  std::optional<Scope> here;
  return std::ranges::any_of(places, [&](const Place& place) {
    if (place.read_with != nullptr && !(*place.read_with)[here_in_tree]) return false;
    const Scope& scope = place.scope;
    if (scope.path.empty() || is_global) return scope.path.empty();
    if (!here) here = scope_at(file, at);
    if (here->path == scope.path || here->path.starts_with(scope.path + "::")) return true;
    // The rest of the path may be an enclosing namespace that this file does not show.
    if (here->path.ends_with("::" + scope.path) || scope.path.ends_with("::" + here->path))
      return !here->path.empty();
    if (scope.is_class) return here->is_class && here->has_bases;  // it may be inherited
    return uses_scope(file, scope.path, name);
  });
}

}  // namespace hipwright::port
