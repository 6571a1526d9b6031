// SPDX-License-Identifier: MIT
#include "verify/kernel/reference.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/dynamic_library.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWhat = "cannot run the reference";

std::string_view c_type(DataType type) {
  switch (type) {
    case DataType::kBool:
      return "bool";
    case DataType::kU8:
    case DataType::kF8E4M3:
    case DataType::kF8E5M2:
      return "std::uint8_t";
    case DataType::kI8:
      return "std::int8_t";
    case DataType::kI16:
      return "std::int16_t";
    case DataType::kU16:
    case DataType::kF16:
    case DataType::kBF16:
      return "std::uint16_t";
    case DataType::kI32:
      return "std::int32_t";
    case DataType::kU32:
      return "std::uint32_t";
    case DataType::kF32:
      return "float";
    case DataType::kI64:
      return "std::int64_t";
    case DataType::kU64:
      return "std::uint64_t";
    case DataType::kF64:
      return "double";
  }
  return "void";
}

// Calls "saxpy<float>" by its name; the compiler checks the signature.
std::string program_of(const KernelSpec& spec) {
  std::string calls;
  std::size_t i = 0;
  for (const Argument& each : spec.arguments) {
    calls += i == 0 ? "" : ", ";
    calls += each.is_struct() ? fmt::format("HipwrightStruct{{arguments[{}]}}", i)
                              : fmt::format("{}static_cast<{}*>(arguments[{}])",
                                            each.is_buffer ? "" : "*", c_type(each.type), i);
    ++i;
  }
  return fmt::format(
      "#include <cstdint>\n#include <cstring>\n#include \"{}\"\n"
      // Converts to the struct that the function takes.
      "struct HipwrightStruct {{ void* at; template <class T> operator T() const {{ T value; "
      "std::memcpy(&value, at, sizeof value); return value; }} }};\n"
      "extern \"C\" void hipwright_reference(void** arguments) {{\n  {}({});\n}}\n",
      spec.reference.string(), spec.kernel, calls);
}

Result<std::string> host_compiler() {
  for (const char* each : {"c++", "g++", "clang++", "clang++-22"})
    if (find_program(each)) return std::string(each);
  return fail(kWhat, "", "no C++ compiler found", "apt-get install g++");
}

}  // namespace

Status run_reference(const KernelSpec& spec, std::map<std::string, Values>& values,
                     std::string& compiler) {
  HW_TRY(const std::string program, host_compiler());
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  const fs::path source = scratch.path() / "reference.cpp",
                 library = scratch.path() / "reference.so";
  HW_CHECK(write_file_atomic(source, program_of(spec)));
  HW_TRY(const Finished compiled,
         run({.argv = {program, "-std=c++20", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o",
                       library.string(), source.string()},
              .timeout = std::chrono::minutes(5)}));
  if (!compiled.ok())
    return fail(
        kWhat, spec.reference.string(),
        fmt::format("{} cannot compile it:\n{}", program, compiled.err),
        fmt::format("Define a function {} that takes the kernel's arguments.", spec.kernel));
  HW_TRY(const Finished version, run({.argv = {program, "--version"}}));
  compiler = version.out.substr(0, version.out.find('\n'));
  HW_TRY(const auto opened, toolchain::DynamicLibrary::open(library));
  auto* const function = opened.function<void (*)(void**)>("hipwright_reference");
  HW_ASSERT(function != nullptr);
  std::vector<void*> arguments;
  for (const Argument& each : spec.arguments)
    arguments.push_back(values.at(each.name).bytes.data());
  function(arguments.data());
  return {};
}

}  // namespace hipwright::verify
