// SPDX-License-Identifier: MIT
// HIPRTC over hipwright's own compiler: clang and the SDK.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "base/file.h"
#include "soft/hip/registry.h"
#include "soft/hip/runtime.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/name_expression.h"

namespace hipwright::soft::hip {

namespace {

namespace fs = std::filesystem;
using toolchain::CodeObject;

struct RtcProgram {
  std::mutex mutex;
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name as included, text
  std::vector<std::string> expressions;
  std::map<std::string, std::string> lowered;
  std::string log, code;
  bool compiled = false;
};

Registry<RtcProgram, hiprtcProgram>& programs() {
  static auto* const registry = new Registry<RtcProgram, hiprtcProgram>;
  return *registry;
}

template <class Body>
hiprtcResult rtc(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    notify({.kind = EventKind::kLimit, .text = error.what()});
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

hiprtcResult no_linking(const char* what) {
  static_cast<void>(not_implemented(what));
  return HIPRTC_ERROR_LINKING;
}

std::string with_expressions(const RtcProgram& program) {
  std::string source = program.source;
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    source += toolchain::naming_line(program.expressions[i], i);
  return source;
}

void find_lowered(RtcProgram& program, const CodeObject& object) {
  for (std::size_t i = 0; i < program.expressions.size(); ++i)
    if (std::string symbol = toolchain::named_symbol(object, i); !symbol.empty())
      program.lowered[program.expressions[i]] = std::move(symbol);
}

struct RtcOptions {
  std::string architecture;
  std::vector<std::string> flags;
};

Result<RtcOptions> read_options(int count, const char** options) {
  RtcOptions read;
  for (int i = 0; i < count; ++i) {
    const std::string word = options[i] ? options[i] : "";
    const auto value_of = [&](std::string_view name) -> std::optional<std::string> {
      if (word.starts_with(std::string(name) + "=")) return word.substr(name.size() + 1);
      if (word == name && i + 1 < count && options[i + 1]) return options[++i];
      return std::nullopt;
    };
    if (auto value = value_of("--gpu-architecture"))
      read.architecture = *value;
    else if (auto offload = value_of("--offload-arch"))
      read.architecture = *offload;
    else if (word == "-fgpu-rdc" || word == "--fgpu-rdc")
      return fail("cannot compile with", word, "linking bitcode at run time is not supported");
    else if (!word.empty())
      read.flags.push_back(word);
  }
  if (read.architecture.empty())
    if (const Runtime* runtime = any_runtime()) read.architecture = runtime->target().id();
  return read;
}

Result<std::string> compile(RtcProgram& program, const RtcOptions& options) {
  HW_TRY(const auto compiler, toolchain::make_clang_compiler());
  HW_TRY(const TemporaryDirectory folder, TemporaryDirectory::create());
  for (const auto& [name, text] : program.headers) {
    const fs::path file = folder.path() / fs::path(name).relative_path();
    HW_CHECK(make_directories(file.parent_path()));
    HW_CHECK(write_file_atomic(file, text, 0666, Durability::kProcessDeath));
  }
  HW_TRY(const toolchain::CompileOutput output,
         compiler->compile({.source = with_expressions(program),
                            .file_name = program.name.empty() ? "hiprtc.hip" : program.name,
                            .architecture = options.architecture,
                            .flags = options.flags,
                            .include_dirs = {folder.path()}}));
  program.log = output.log;
  return output.code_object;
}

hiprtcResult give_text(const std::string& text, char* out) {
  if (!out) return HIPRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, text.data(), text.size());
  return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS:
      return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY:
      return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT:
      return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM:
      return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION:
      return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION:
      return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE:
      return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
      return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
      return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case HIPRTC_ERROR_INTERNAL_ERROR:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
    case HIPRTC_ERROR_LINKING:
      return "HIPRTC_ERROR_LINKING";
  }
  return "Invalid HIPRTC error code";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
  if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
  *major = HIP_VERSION_MAJOR;
  *minor = HIP_VERSION_MINOR;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* out, const char* source, const char* name,
                                 int count, const char** headers, const char** include_names) {
  return rtc([&] {
    if (!out || !source || count < 0 || (count > 0 && (!headers || !include_names)))
      return HIPRTC_ERROR_INVALID_INPUT;
    auto program = std::make_shared<RtcProgram>();
    program->source = source;
    if (name) program->name = name;
    for (int i = 0; i < count; ++i) program->headers.emplace_back(include_names[i], headers[i]);
    *out = programs().add(std::move(program));
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
  return rtc([&] {
    if (!program || !programs().remove(*program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    *program = nullptr;
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram handle, const char* expression) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression) return HIPRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program->mutex);
    if (program->compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->expressions.emplace_back(expression);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram handle, int count, const char** options) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program->mutex);
    const auto read = read_options(count, options);
    if (!read) {
      program->log = read.error().message() + "\n";
      return HIPRTC_ERROR_INVALID_OPTION;
    }
    auto code = compile(*program, *read);
    if (!code) {
      program->log = code.error().why + "\n";
      return HIPRTC_ERROR_COMPILATION;
    }
    program->code = *std::move(code);
    program->compiled = true;
    const auto object = CodeObject::parse(toolchain::Bytes(program->code), program->name);
    if (!object) {
      program->log = object.error().message() + "\n";
      return HIPRTC_ERROR_INTERNAL_ERROR;
    }
    find_lowered(*program, *object);
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram handle, const char* expression, const char** out) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !out) return HIPRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(program->mutex);
    if (!program->compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program->lowered.find(expression);
    if (found == program->lowered.end()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *out = found->second.c_str();
    return HIPRTC_SUCCESS;
  });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram handle, size_t* size) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!size) return HIPRTC_ERROR_INVALID_INPUT;
    *size = program->log.empty() ? 0 : program->log.size() + 1;
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram handle, char* log) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (program->log.empty()) return HIPRTC_SUCCESS;
    const hiprtcResult result = give_text(program->log, log);
    if (result == HIPRTC_SUCCESS) log[program->log.size()] = '\0';
    return result;
  });
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram handle, size_t* size) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program || !program->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!size) return HIPRTC_ERROR_INVALID_INPUT;
    *size = program->code.size();
    return HIPRTC_SUCCESS;
  });
}
hiprtcResult hiprtcGetCode(hiprtcProgram handle, char* code) {
  return rtc([&] {
    const auto program = programs().find(handle);
    if (!program || !program->compiled) return HIPRTC_ERROR_INVALID_PROGRAM;
    return give_text(program->code, code);
  });
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram, char*) {
  return no_linking("hiprtcGetBitcode");
}
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram, size_t*) {
  return no_linking("hiprtcGetBitcodeSize");
}
hiprtcResult hiprtcLinkCreate(unsigned, hipJitOption*, void**, hiprtcLinkState*) {
  return no_linking("hiprtcLinkCreate");
}
hiprtcResult hiprtcLinkAddFile(hiprtcLinkState, hipJitInputType, const char*, unsigned,
                               hipJitOption*, void**) {
  return no_linking("hiprtcLinkAddFile");
}
hiprtcResult hiprtcLinkAddData(hiprtcLinkState, hipJitInputType, void*, size_t, const char*,
                               unsigned, hipJitOption*, void**) {
  return no_linking("hiprtcLinkAddData");
}
hiprtcResult hiprtcLinkComplete(hiprtcLinkState, void**, size_t*) {
  return no_linking("hiprtcLinkComplete");
}
hiprtcResult hiprtcLinkDestroy(hiprtcLinkState) {
  return no_linking("hiprtcLinkDestroy");
}

}  // extern "C"

}  // namespace hipwright::soft::hip
