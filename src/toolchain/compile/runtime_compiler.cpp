// SPDX-License-Identifier: MIT
// HIPRTC and NVRTC: two libraries, one API under two prefixes.
#include <fmt/format.h>

#include "toolchain/compile/compile.h"
#include "toolchain/dynamic_library.h"
#include "toolchain/probe.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

using Program = void*;

struct Api {
  int (*version)(int*, int*);
  const char* (*error_string)(int);
  int (*create)(Program*, const char* source, const char* name, int, const char* const*,
                const char* const*);
  int (*compile)(Program, int, const char* const*);
  int (*destroy)(Program*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*code_size)(Program, std::size_t*);
  int (*code)(Program, char*);
};

struct Dialect {
  const char* name;
  std::string prefix;  // of the functions
  const char* code;    // the word for machine code in its function names
  const char* architecture_flag;
  const char* install;
};

Result<Api> bind(const DynamicLibrary& library, const Dialect& dialect) {
  Api api{};
  std::string lacking;
  const auto load = [&]<class F>(F& function, const std::string& suffix) {
    function = library.function<F>((dialect.prefix + suffix).c_str());
    if (function == nullptr) lacking = dialect.prefix + suffix;
  };
  load(api.version, "Version");
  load(api.error_string, "GetErrorString");
  load(api.create, "CreateProgram");
  load(api.compile, "CompileProgram");
  load(api.destroy, "DestroyProgram");
  load(api.log_size, "GetProgramLogSize");
  load(api.log, "GetProgramLog");
  load(api.code_size, std::string("Get") + dialect.code + "Size");
  load(api.code, std::string("Get") + dialect.code);
  if (!lacking.empty())
    return fail("cannot use the library", library.path().string(), "missing function " + lacking,
                dialect.install);
  return api;
}

// The compiler's own headers, which it does not find by itself.
std::vector<fs::path> cuda_headers(const fs::path& library) {
  std::vector<fs::path> roots = {library.parent_path().parent_path()};
  if (const auto nvcc = find_nvcc()) roots.push_back(nvcc->parent_path().parent_path());
  std::error_code error;
  for (const fs::path& root : roots) {
    const fs::path folder = root / "include";
    if (!fs::exists(folder / "cuda_fp16.h", error)) continue;
    // CUDA 13 keeps libcu++, CUB and Thrust apart.
    if (fs::exists(folder / "cccl", error)) return {folder, folder / "cccl"};
    return {folder};
  }
  return {};
}

class RuntimeCompiler final : public KernelCompiler {
 public:
  RuntimeCompiler(DynamicLibrary library, Api api, const Dialect& dialect)
      : library_(std::move(library)), api_(api), dialect_(dialect) {
    if (dialect_.prefix == "nvrtc") own_headers_ = cuda_headers(library_.path());
  }

  std::string identity() const override {
    int major = 0, minor = 0;
    api_.version(&major, &minor);
    return fmt::format("{} {}.{} {}", dialect_.name, major, minor, file_identity(library_.path()));
  }

  Result<CompileOutput> compile(const CompileRequest& request) const override {
    Program program = nullptr;
    if (const int code = api_.create(&program, request.source.c_str(), request.file_name.c_str(), 0,
                                     nullptr, nullptr);
        code != 0)
      return fail("cannot compile", request.file_name, api_.error_string(code));
    const auto destroy = [this](Program* owned) { api_.destroy(owned); };
    const std::unique_ptr<Program, decltype(destroy)> guard(&program, destroy);

    std::vector<std::string> words = {dialect_.architecture_flag + request.architecture};
    for (const auto& folder : request.include_dirs) words.push_back("-I" + folder.string());
    words.insert(words.end(), request.flags.begin(), request.flags.end());
    for (const fs::path& folder : own_headers_) words.push_back("-I" + folder.string());
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    const int compiled = api_.compile(program, static_cast<int>(pointers.size()), pointers.data());

    CompileOutput output;
    output.log = text(program, api_.log_size, api_.log);
    if (compiled != 0)
      return fail("cannot compile", request.file_name,
                  output.log.empty() ? api_.error_string(compiled) : output.log);
    std::size_t size = 0;
    if (api_.code_size(program, &size) != 0 || size == 0)
      return fail(
          "cannot compile", request.file_name,
          fmt::format("{} produced no machine code for {}", dialect_.name, request.architecture),
          "Use a real architecture (sm_90, gfx942), not a virtual one.");
    output.code_object.resize(size);
    if (const int code = api_.code(program, output.code_object.data()); code != 0)
      return fail("cannot fetch the code object of", request.file_name, api_.error_string(code));
    const IncludeFlags flags = include_flags(request.flags);
    std::vector<std::filesystem::path> folders = request.include_dirs;
    folders.insert(folders.end(), flags.folders.begin(), flags.folders.end());
    IncludeScan scan = scan_includes(request.source, folders, flags.files);
    output.includes = std::move(scan.files);
    output.includes_known = scan.complete();
    return output;
  }

 private:
  // Logs come with a terminating zero, and are often just that or a lone newline.
  static std::string text(Program program, int (*size_of)(Program, std::size_t*),
                          int (*get)(Program, char*)) {
    std::size_t size = 0;
    if (size_of(program, &size) != 0 || size == 0) return {};
    std::string buffer(size, '\0');
    if (get(program, buffer.data()) != 0) return {};
    buffer.erase(buffer.find_last_not_of(std::string("\0\n\r ", 4)) + 1);
    return buffer;
  }

  DynamicLibrary library_;
  Api api_;
  Dialect dialect_;
  std::vector<fs::path> own_headers_;
};

Result<std::unique_ptr<KernelCompiler>> make(const std::vector<std::string>& names,
                                             const Dialect& dialect) {
  auto library = DynamicLibrary::open_any(names);
  if (!library) {
    Error error = library.error();
    error.fix = dialect.install;
    return std::unexpected(error);
  }
  HW_TRY(const Api api, bind(*library, dialect));
  return std::make_unique<RuntimeCompiler>(std::move(*library), api, dialect);
}

}  // namespace

Result<std::unique_ptr<KernelCompiler>> make_hiprtc_compiler() {
  return make(hiprtc_library_names(), {"HIPRTC", "hiprtc", "Code", "--offload-arch=",
                                       "Install ROCm, or set HIPWRIGHT_HIPRTC to the library."});
}

Result<std::unique_ptr<KernelCompiler>> make_nvrtc_compiler() {
  return make(nvrtc_library_names(),
              {"NVRTC", "nvrtc", "CUBIN", "--gpu-architecture=",
               "Install NVIDIA's CUDA toolkit, or set HIPWRIGHT_NVRTC to the library."});
}

}  // namespace hipwright::toolchain
