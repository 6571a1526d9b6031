// SPDX-License-Identifier: MIT
// A first spec from the kernel's own text: types and names are known, sizes are guessed.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/file.h"
#include "syntax/cuda/file.h"
#include "verify/kernel/spec.h"

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
    {"int16_t", "i16"},
    {"unsigned short", "u16"},
    {"uint16_t", "u16"},
    {"int", "i32"},
    {"int32_t", "i32"},
    {"unsigned", "u32"},
    {"unsigned int", "u32"},
    {"uint32_t", "u32"},
    {"uint", "u32"},
    {"long", "i64"},
    {"long long", "i64"},
    {"int64_t", "i64"},
    {"unsigned long", "u64"},
    {"unsigned long long", "u64"},
    {"uint64_t", "u64"},
    {"size_t", "u64"},
});

struct Parameter {
  std::string name, spelled;  // "float", without const, *, __restrict__
  bool is_pointer = false, is_const = false;
};

Parameter parameter_of(const cu::File& file, cu::TokenRange range) {
  Parameter out;
  std::vector<std::string> words;
  for (cu::TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view text = file.text(at);
    if (text == "=") break;
    if (text == "*" || text == "[")
      out.is_pointer = true;
    else if (text == "const")
      out.is_const = true;
    else if (file.tokens()[at].kind == cu::Kind::kName && text != "__restrict__" &&
             text != "__restrict" && text != "restrict" && text != "volatile" && text != "std")
      words.emplace_back(text);
  }
  if (words.empty()) return out;
  if (words.size() > 1) {
    out.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) out.spelled += (out.spelled.empty() ? "" : " ") + word;
  return out;
}

std::string_view type_of(const std::string& spelled) {
  for (const Known& each : kKnown)
    if (each.spelled == spelled) return each.type;
  return {};
}

bool is_integer(std::string_view type) {
  return type.starts_with('i') || type.starts_with('u');
}

std::string argument_of(const Parameter& parameter, bool is_template_type) {
  std::string_view type = type_of(parameter.spelled);
  std::string guess;
  if (type.empty()) {
    type = "f32";
    guess = is_template_type
                ? fmt::format("  # {} is taken as float", parameter.spelled)
                : fmt::format("  # {} is not known: taken as float", parameter.spelled);
  }
  if (!parameter.is_pointer && is_integer(type))
    return fmt::format("  {{ name = \"{}\", type = \"{}\", value = \"n\" }},{}\n", parameter.name,
                       type, guess.empty() ? "  # guessed" : guess);
  if (!parameter.is_pointer)
    return fmt::format("  {{ name = \"{}\", type = \"{}\", value = 1 }},{}\n", parameter.name, type,
                       guess.empty() ? "  # guessed" : guess);
  const std::string_view fill = is_integer(type) ? "integers(0, 100)" : "uniform(-1, 1)";
  const std::string rest =
      parameter.is_const
          ? fmt::format("fill = \"{}\"", fill)
          : fmt::format("fill = \"{}\", output = true, operation = \"elementwise\"", fill);
  return fmt::format("  {{ name = \"{}\", type = \"{}\", shape = [\"n\"], {} }},{}\n",
                     parameter.name, type, rest, guess);
}

std::string spec_of(const cu::File& file, const cu::Function& function, const std::string& source) {
  const std::string name(file.text(function.name));
  std::string out = fmt::format("[{}]\nsource = \"{}\"\n", name, source);
  std::vector<std::string_view> types;  // template <class T>
  std::string arguments;
  const cu::TokenRange parameters = function.template_parameters;
  for (cu::TokenIndex at = parameters.begin; at < parameters.end; ++at) {
    const std::string_view word = file.text(at);
    const bool is_type = word == "typename" || word == "class";
    if (is_type && at + 1 < parameters.end) types.push_back(file.text(at + 1));
    if (is_type || word == "int" || word == "unsigned" || word == "bool" || word == "size_t")
      arguments += fmt::format("{}{}", arguments.empty() ? "" : ", ", is_type ? "float" : "1");
  }
  if (!arguments.empty()) out += fmt::format("kernel = \"{}<{}>\"  # guessed\n", name, arguments);
  out +=
      "sizes = { n = 1000 }  # guessed\nblock = [256]\ngrid = [\"(n + 255) / 256\"]  # guessed\n";
  out += "arguments = [\n";
  const auto ranges = function.parameters.empty() || function.parameters.begin == 0
                          ? std::vector<cu::TokenRange>()
                          : file.arguments(function.parameters.begin - 1);
  std::size_t nth = 0;
  for (const cu::TokenRange range : ranges) {
    Parameter parameter = parameter_of(file, range);
    ++nth;
    if (parameter.spelled.empty()) continue;
    if (parameter.name.empty()) parameter.name = fmt::format("argument{}", nth);
    out += argument_of(parameter,
                       std::find(types.begin(), types.end(), parameter.spelled) != types.end());
  }
  return out + "]\n";
}

}  // namespace

Result<std::string> initial_specs(const std::filesystem::path& source) {
  HW_TRY(const std::string text, read_file(source));
  const cu::File file(text);
  std::string out = fmt::format(
      "# What the kernels of {} are tested with. Made by hipwright verify --init; guesses say "
      "so.\n",
      source.filename().string());
  std::vector<std::string_view> seen;
  for (const cu::Function& function : file.functions()) {
    if ((function.qualifiers & cu::kGlobal) == 0 || function.body.empty()) continue;
    const std::string_view name = file.text(function.name);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    out += "\n" + spec_of(file, function, source.filename().string());
  }
  if (seen.empty())
    return fail("cannot make a spec", source.string(), "it has no __global__ function with a body");
  return out;
}

}  // namespace hipwright::verify
