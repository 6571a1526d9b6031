// SPDX-License-Identifier: MIT
#include "verify/kernel/signature.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "base/source.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/find.h"
#include "toolchain/compile/kernel_symbol.h"

namespace hipwright::verify {

namespace cu = syntax::cuda;

namespace {

struct Known {
  std::string_view spelled, type;
};
constexpr std::array kKnown = std::to_array<Known>({
    {"float", "f32"},
    {"double", "f64"},
    {"half", "f16"},
    {"__half", "f16"},
    {"_Float16", "f16"},
    {"__nv_bfloat16", "bf16"},
    {"__hip_bfloat16", "bf16"},
    {"hip_bfloat16", "bf16"},
    {"bool", "bool"},
    {"char", "i8"},
    {"signed char", "i8"},
    {"int8_t", "i8"},
    {"unsigned char", "u8"},
    {"uint8_t", "u8"},
    {"uchar", "u8"},
    {"short", "i16"},
    {"short int", "i16"},
    {"int16_t", "i16"},
    {"unsigned short", "u16"},
    {"unsigned short int", "u16"},
    {"uint16_t", "u16"},
    {"ushort", "u16"},
    {"int", "i32"},
    {"signed", "i32"},
    {"signed int", "i32"},
    {"int32_t", "i32"},
    {"unsigned", "u32"},
    {"unsigned int", "u32"},
    {"uint32_t", "u32"},
    {"uint", "u32"},
    {"long", "i64"},
    {"long int", "i64"},
    {"long long", "i64"},
    {"long long int", "i64"},
    {"int64_t", "i64"},
    {"ptrdiff_t", "i64"},
    {"unsigned long", "u64"},
    {"unsigned long int", "u64"},
    {"unsigned long long", "u64"},
    {"unsigned long long int", "u64"},
    {"uint64_t", "u64"},
    {"ulong", "u64"},
    {"size_t", "u64"},
});

Parameter parameter_of(const cu::File& file, cu::TokenRange range) {
  Parameter out;
  std::vector<std::string> words;
  for (cu::TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view text = file.text(at);
    if (text == "=") break;
    if (text == "*" || text == "[") {
      out.is_plain &= !out.is_pointer;
      out.is_pointer = true;
    } else if (text == "const") {
      out.is_const = true;
    } else if (file.tokens()[at].kind == cu::Kind::kName) {
      if (text != "__restrict__" && text != "__restrict" && text != "restrict" &&
          text != "volatile" && text != "std" && text != "struct")
        words.emplace_back(text);
    } else if (text == "<" || text == "(" || text == "&" || text == "..." || text == "#") {
      out.is_plain = false;
    }
  }
  if (words.empty()) return out;
  // "unsigned" alone is a type without a name, as is "size_t"; "unsigned n" has both.
  const bool is_named = words.size() > 1 && type_of(words.back()).empty();
  if (is_named) {
    out.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) out.spelled += (out.spelled.empty() ? "" : " ") + word;
  return out;
}

// "rows" and "float", "4" of "ns::rows<float, 4>".
struct KernelName {
  std::string name;
  std::vector<std::string> arguments;
};

KernelName parsed(std::string_view kernel) {
  KernelName out;
  const std::size_t open = kernel.find('<');
  const std::string_view path = kernel.substr(0, open);
  const std::size_t colon = path.rfind(':');
  out.name = path.substr(colon == std::string_view::npos ? 0 : colon + 1);
  if (open == std::string_view::npos || !kernel.ends_with('>')) return out;
  int depth = 0;
  std::string argument;
  for (const char c : kernel.substr(open + 1, kernel.size() - open - 2)) {
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c == ',' && depth == 0)
      out.arguments.push_back(std::exchange(argument, {}));
    else if (c != ' ' || !argument.empty())
      argument += c;
  }
  out.arguments.push_back(std::move(argument));
  for (std::string& each : out.arguments) each.erase(each.find_last_not_of(' ') + 1);
  return out;
}

// "T" stands for "float" in rows<float, 4>.
std::map<std::string_view, std::string> types_given(const cu::File& file,
                                                    const cu::Function& function,
                                                    const KernelName& kernel) {
  std::map<std::string_view, std::string> types;
  std::size_t nth = 0;
  int depth = 0;
  const cu::TokenRange range = function.template_parameters;
  for (cu::TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view word = file.text(at);
    depth += (word == "<" || word == "(") - (word == ">" || word == ")");
    if (depth != 0) continue;
    if (word == ",") ++nth;
    if ((word == "class" || word == "typename") && at + 1 < range.end &&
        nth < kernel.arguments.size())
      types.emplace(file.text(at + 1), kernel.arguments[nth]);
  }
  return types;
}

// Formats that C++ has no type for travel as integers of their size.
bool fits(std::string_view takes, std::string_view spelled, DataType type) {
  const std::string_view gives = short_name(type);
  if (takes == gives) return true;
  if (spelled == "char") return gives == "u8" || gives.starts_with("f8");
  if (gives.starts_with("f8")) return takes == "u8" || takes == "i8";
  if (gives == "f16" || gives == "bf16") return takes == "u16" || takes == "i16";
  return false;
}

std::string given_text(const Argument& argument) {
  return fmt::format("'{}' is {} of {}", argument.name, argument.is_buffer ? "a buffer" : "a value",
                     short_name(argument.type));
}

std::optional<Mismatch> mismatch_with(const KernelSpec& spec, const cu::File& file,
                                      const cu::Function& function, const KernelName& kernel,
                                      const std::string& place) {
  const std::vector<Parameter> parameters = parameters_of(file, function);
  const auto types = types_given(file, function, kernel);
  for (const Parameter& each : parameters) {
    // What may stand for several parameters, or for none.
    const bool is_macro = each.name.empty() && !each.is_pointer && type_of(each.spelled).empty() &&
                          !types.contains(each.spelled);
    if (is_macro || !each.is_plain) return std::nullopt;
  }
  if (parameters.size() != spec.arguments.size())
    return Mismatch{std::nullopt, fmt::format("the spec has {} arguments, and {} takes {}",
                                              spec.arguments.size(), place, parameters.size())};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& takes = parameters[i];
    const Argument& gives = spec.arguments[i];
    const auto given = types.find(takes.spelled);
    const std::string& spelled = given == types.end() ? takes.spelled : given->second;
    const std::string_view type = type_of(spelled);
    // A name that is not known may be that of a pointer.
    const bool is_other_kind =
        takes.is_pointer ? !gives.is_buffer : gives.is_buffer && !type.empty();
    if (!is_other_kind && (type.empty() || fits(type, spelled, gives.type))) continue;
    return Mismatch{i, fmt::format("argument {} {}, and {} takes {}{}{}{} there", i + 1,
                                   given_text(gives), place, spelled, takes.is_pointer ? "*" : "",
                                   takes.name.empty() ? "" : " ", takes.name)};
  }
  return std::nullopt;
}

Result<std::optional<Mismatch>> mismatch_with_source(const KernelSpec& spec,
                                                     const std::filesystem::path& source,
                                                     cu::Platform platform) {
  HW_TRY(const std::string text, read_file(source));
  const cu::File file(text);
  const LineIndex lines(text);
  const KernelName kernel = parsed(spec.kernel);
  std::optional<Mismatch> first;
  for (const cu::Function& function : file.functions()) {
    if ((function.qualifiers & cu::kGlobal) == 0 || file.text(function.name) != kernel.name ||
        file.compiled(function.name, platform) == syntax::Truth::kNo)
      continue;
    const std::string place = fmt::format("{} ({}:{})", kernel.name, source.filename().string(),
                                          lines.position(file.span(function.name).begin).line);
    auto mismatch = mismatch_with(spec, file, function, kernel, place);
    if (!mismatch) return std::nullopt;  // of overloads, one that fits is enough
    if (!first) first = std::move(mismatch);
  }
  return first;
}

// Of every target in the file: they were compiled from one source, but may be several.
Result<std::optional<Mismatch>> mismatch_with_code(const KernelSpec& spec) {
  HW_TRY(std::string bytes, read_file(spec.code));
  const std::string name = spec.code.filename().string();
  const auto images = toolchain::find_code_objects(toolchain::Bytes(std::move(bytes)), name);
  if (!images) return std::unexpected(images.error());
  for (const toolchain::DeviceImage& image : *images) {
    if (image.format != toolchain::DeviceImage::Format::kCodeObject) continue;
    const auto code = toolchain::CodeObject::parse(image.bytes, image.origin);
    if (!code) continue;  // that is told where it is to run
    HW_TRY(const std::string symbol, toolchain::kernel_symbol(image.bytes.view(), spec.kernel));
    const toolchain::Kernel* kernel = code->kernel(symbol);
    HW_ASSERT(kernel != nullptr);
    std::vector<const toolchain::KernelArgument*> takes;
    for (const auto& each : kernel->arguments)
      if (!each.hidden()) takes.push_back(&each);
    const std::string place = fmt::format("{} ({})", spec.kernel, image.origin);
    if (takes.size() != spec.arguments.size())
      return Mismatch{std::nullopt, fmt::format("the spec has {} arguments, and {} takes {}",
                                                spec.arguments.size(), place, takes.size())};
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const Argument& gives = spec.arguments[i];
      const bool is_buffer = takes[i]->value_kind == "global_buffer";
      const std::size_t size = gives.is_buffer ? sizeof(void*) : zeros(gives.type, {}).bytes.size();
      if (size == takes[i]->size && (gives.is_buffer || !is_buffer)) continue;
      return Mismatch{
          i, fmt::format(
                 "argument {} {}, and {} takes {} there", i + 1, given_text(gives), place,
                 is_buffer ? std::string("a pointer") : fmt::format("{} bytes", takes[i]->size))};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view type_of(std::string_view spelled) {
  for (const Known& each : kKnown)
    if (each.spelled == spelled) return each.type;
  return {};
}

std::vector<Parameter> parameters_of(const cu::File& file, const cu::Function& function) {
  std::vector<Parameter> out;
  if (function.parameters.empty() || function.parameters.begin == 0) return out;
  for (const cu::TokenRange range : file.arguments(function.parameters.begin - 1)) {
    Parameter parameter = parameter_of(file, range);
    // k(void)
    if (parameter.spelled == "void" && !parameter.is_pointer) continue;
    out.push_back(std::move(parameter));
  }
  return out;
}

Result<std::optional<Mismatch>> signature_mismatch(const KernelSpec& spec) {
  if (!spec.code.empty()) {
    HW_TRY(auto found, mismatch_with_code(spec));
    if (found) return found;
  }
  if (!spec.source.empty()) {
    HW_TRY(auto found, mismatch_with_source(spec, spec.source, cu::Platform::kAmd));
    if (found) return found;
  }
  if (spec.cuda.empty()) return std::nullopt;
  return mismatch_with_source(spec, spec.cuda, cu::Platform::kNvidia);
}

}  // namespace hipwright::verify
