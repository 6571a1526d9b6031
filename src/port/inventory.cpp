// SPDX-License-Identifier: MIT
#include "port/inventory.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/words.h"
#include "port/cutlass.h"
#include "project/path.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
namespace py = syntax::python;

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

bool is_lane_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> kMasks = {
      "__activemask", "__ballot",  "__any",    "__all",          "__shfl",
      "__syncwarp",   "WARP_SIZE", "warpSize", "tiled_partition"};
  return (name.starts_with("__") && name.ends_with("_sync")) || name.starts_with("__shfl") ||
         is_any(name, kMasks);
}

class CudaInventory {
 public:
  CudaInventory(const SourceFile& source, ProjectInventory& out)
      : source_(source), file_(*source.cuda()), lines_(source.text()), out_(out) {}

  void take() {
    const std::string& path = source_.path();
    out_.cuda_sources += path.ends_with(".cu") || path.ends_with(".cuh");
    for (const cu::Function& function : file_.functions()) {
      if (function.body.empty()) continue;
      const bool is_kernel = (function.qualifiers & cu::kGlobal) != 0;
      if (is_kernel) ++out_.kernels[path];
      out_.kernel_count += is_kernel;
      out_.device_functions += !is_kernel && function.is_device();
    }
    for (const cu::Include& include : file_.includes()) take_include(include);
    for (cu::TokenIndex at = 0; at < file_.tokens().size(); ++at) take_token(at);
    for (const api::Library each : seen_) ++out_.libraries[each].files;
  }

 private:
  Place place(cu::TokenIndex token) const {
    return {source_.path(), lines_.position(file_.span(token).begin).line};
  }

  void take_include(const cu::Include& include) {
    const api::Entry* entry = api::find_header(include.path);
    if (entry == nullptr) return;
    ++out_.libraries[entry->library].headers[std::string(include.path)];
    seen_.insert(entry->library);
  }

  void take_token(cu::TokenIndex at) {
    const cu::Token& token = file_.tokens()[at];
    if (token.kind == cu::Kind::kPunct) {
      out_.launches += file_.is(at, "<<<");
      return;
    }
    if (token.kind != cu::Kind::kName) return;
    const std::string_view name = file_.text(at);
    if ((name == "cutlass" || name == "cute") && is_outermost(at)) return take_cutlass(at);
    if (name == "asm" || name == "__asm__" || name == "__asm") {
      // Register names of other compilers and empty barriers need no port.
      if (file_.function_at(at) != nullptr && file_.function_at(at)->is_device())
        out_.inline_ptx.push_back(place(at));
      return;
    }
    if (is_lane_name(name)) out_.lane_masks.push_back(place(at));
    const bool is_member = at > 0 && (file_.is(at - 1, ".") || file_.is(at - 1, "->"));
    const api::Entry* entry = is_member ? nullptr : api::find(name);
    // A name that C++ also has is not a use of CUDA.
    if (entry == nullptr || entry->unchanged()) return;
    LibraryUse& use = out_.libraries[entry->library];
    ++use.names;
    use.no_counterpart += !entry->mapped();
    seen_.insert(entry->library);
  }

  // cutlass in cutlass::x, not in mine::cutlass::x, and not in `namespace cutlass::mine {`.
  bool is_outermost(cu::TokenIndex at) const {
    if (at > 0 && file_.text(at - 1) == "namespace") return false;
    return at + 1 < file_.tokens().size() && file_.is(at + 1, "::") &&
           !(at > 1 && file_.is(at - 1, "::") && file_.tokens()[at - 2].kind == cu::Kind::kName);
  }

  void take_cutlass(cu::TokenIndex at) {
    std::string name(file_.text(at));
    for (cu::TokenIndex next = at + 1; next + 1 < file_.tokens().size() && file_.is(next, "::") &&
                                       file_.tokens()[next + 1].kind == cu::Kind::kName;
         next += 2)
      name += "::" + std::string(file_.text(next + 1));
    std::string counterpart(composable_kernel_counterpart(name));
    out_.cutlass.push_back({std::move(name), std::move(counterpart), place(at)});
  }

  const SourceFile& source_;
  const cu::File& file_;
  const LineIndex lines_;
  ProjectInventory& out_;
  std::set<api::Library> seen_;
};

class PythonInventory {
 public:
  PythonInventory(const SourceFile& source, ProjectInventory& out)
      : source_(source), file_(*source.python()), lines_(source.text()), out_(out) {}

  void take() {
    for (const py::Statement& statement : file_.statements())
      if (statement.kind == py::StatementKind::kImport ||
          statement.kind == py::StatementKind::kFromImport)
        take_import(statement.tokens);
    for (py::TokenIndex at = 0; at < file_.tokens().size(); ++at) take_token(at);
  }

 private:
  Place place(py::TokenIndex token) const {
    return {source_.path(), lines_.position(file_.span(token).begin).line};
  }
  void add(PythonUse use, py::TokenIndex at) {
    std::vector<Place>& places = out_.python[use];
    const Place here = place(at);
    if (places.empty() || !(places.back() == here)) places.push_back(here);
  }

  // The first part of each module name: after import, from, and the commas of an import.
  void take_import(py::TokenRange range) {
    const bool is_from = file_.is(range.begin, "from");
    for (py::TokenIndex at = range.begin + 1; at < range.end; ++at) {
      const bool begins = at == range.begin + 1 || (!is_from && file_.is(at - 1, ","));
      if (begins) take_module(file_.text(at), at);
      if (is_from) return;
    }
  }

  void take_module(std::string_view name, py::TokenIndex at) {
    constexpr std::array<std::string_view, 8> kNvidiaOnly = {
        "tensorrt", "torch_tensorrt", "transformer_engine", "cupy", "cuda",
        "nvidia",   "pycuda",         "tensorrt_llm"};
    if (name == "torch") return add(PythonUse::kTorch, at);
    if (name == "flash_attn" || name == "flash_attn_interface" || name == "flashinfer")
      return add(PythonUse::kFlashAttention, at);
    if (name == "xformers") return add(PythonUse::kXformers, at);
    if (name == "pynvml" || name == "nvidia_smi" || name == "py3nvml")
      return add(PythonUse::kNvml, at);
    if (name == "jax" || name == "jaxlib" || name == "flax") return add(PythonUse::kJax, at);
    if (name == "triton") return add(PythonUse::kTriton, at);
    if (is_any(name, kNvidiaOnly)) add(PythonUse::kOtherNvidia, at);
  }

  void take_token(py::TokenIndex at) {
    const std::string_view text = file_.text(at);
    if (text.find("PYTORCH_CUDA_ALLOC_CONF") != std::string_view::npos)
      return add(PythonUse::kAllocator, at);
    const auto behind = [&](std::string_view wanted) {
      return at >= 2 && file_.is(at - 1, ".") && file_.text(at - 2) == wanted;
    };
    const bool is_called = at + 1 < file_.tokens().size() && file_.is(at + 1, "(");
    if (text == "compile" && behind("torch")) return add(PythonUse::kCompile, at);
    if (text == "CUDAGraph" || text == "make_graphed_callables" ||
        (text == "graph" && behind("cuda")))
      return add(PythonUse::kGraphs, at);
    if (text == "CUDAExtension" && is_called) out_.extensions.push_back(place(at));
    if ((text == "load_inline" || (text == "load" && behind("cpp_extension"))) && is_called)
      out_.run_time_extensions.push_back(place(at));
  }

  const SourceFile& source_;
  const py::File& file_;
  const LineIndex lines_;
  ProjectInventory& out_;
};

// Names that projects use to distinguish AMD from NVIDIA.
bool knows_rocm(const SourceFile& source) {
  const auto has_any = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return source.text().find(word) != std::string_view::npos;
    });
  };
  switch (source.language()) {
    case Language::kCuda:
      return has_any({"USE_ROCM", "USE_HIP", "__HIP_PLATFORM_", "__HIPCC__", "hip/hip_runtime.h"});
    case Language::kPython:
      return has_any({"version.hip", "is_rocm", "is_hip", "IS_HIP_EXTENSION"});
    case Language::kCMake:
    case Language::kMake:
      return has_any({"USE_ROCM", "USE_HIP", "hipcc", "find_package(hip", "find_package(HIP",
                      "enable_language(HIP"});
    default:
      return false;
  }
}

void add_up(ProjectInventory& all, ProjectInventory& one) {
  all.kernels.merge(one.kernels);
  all.kernel_count += one.kernel_count;
  all.launches += one.launches;
  all.device_functions += one.device_functions;
  all.cuda_sources += one.cuda_sources;
  for (auto& [library, use] : one.libraries) {
    LibraryUse& sum = all.libraries[library];
    sum.names += use.names;
    sum.no_counterpart += use.no_counterpart;
    sum.files += use.files;
    for (const auto& [header, count] : use.headers) sum.headers[header] += count;
  }
  for (auto& [use, places] : one.python) append(all.python[use], places);
  append(all.extensions, one.extensions);
  append(all.run_time_extensions, one.run_time_extensions);
  append(all.cutlass, one.cutlass);
  append(all.inline_ptx, one.inline_ptx);
  append(all.lane_masks, one.lane_masks);
}

std::string_view build_system_of(std::string_view path) {
  const std::string_view name = project::name_of(path);
  if (name == "setup.py") return "setup.py";
  if (name == "pyproject.toml" || name == "setup.cfg") return "Python project";
  if (name == "meson.build") return "Meson";
  if (name == "BUILD" || name == "BUILD.bazel" || name == "WORKSPACE" || name == "MODULE.bazel")
    return "Bazel";
  switch (language_of(path)) {
    case Language::kCMake:
      return name == "CMakeLists.txt" ? "CMake" : "";
    case Language::kMake:
      return "make";
    default:
      return "";
  }
}

void find_build_systems(const Tree& tree, ProjectInventory& out) {
  for (const auto& file : tree.files)
    if (const auto system = build_system_of(file->path()); !system.empty())
      out.build_systems[std::string(system)].push_back(file->path());
}

}  // namespace

std::string_view to_string(PythonUse use) {
  constexpr std::array<std::string_view, 10> kNames = {"PyTorch",
                                                       "flash attention",
                                                       "xformers",
                                                       "pynvml",
                                                       "torch.compile",
                                                       "CUDA graphs",
                                                       "JAX",
                                                       "Triton",
                                                       "PYTORCH_CUDA_ALLOC_CONF",
                                                       "NVIDIA-only packages"};
  return kNames[static_cast<std::size_t>(use)];
}

ProjectInventory inventory_of(const Tree& tree, ThreadPool& pool) {
  std::vector<ProjectInventory> each(tree.files.size());
  pool.parallel_for(each.size(), [&](std::size_t i) {
    const SourceFile& source = *tree.files[i];
    if (source.cuda() != nullptr) CudaInventory(source, each[i]).take();
    if (source.python() != nullptr) PythonInventory(source, each[i]).take();
  });
  ProjectInventory all;
  for (std::size_t i = 0; i < each.size(); ++i) {
    LanguageCount& count = all.languages[tree.files[i]->language()];
    ++count.files;
    const std::string_view text = tree.files[i]->text();
    count.lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    add_up(all, each[i]);
    if (knows_rocm(*tree.files[i])) ++all.knows_rocm[tree.files[i]->language()];
  }
  find_build_systems(tree, all);
  return all;
}

}  // namespace hipwright::port
