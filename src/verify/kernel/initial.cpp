// SPDX-License-Identifier: MIT
// A first spec from the kernel's own text: types and names are known, sizes are guessed.
#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "syntax/cuda/file.h"
#include "verify/kernel/signature.h"

namespace hipwright::verify {

namespace cu = syntax::cuda;

namespace {

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
  std::size_t nth = 0;
  for (Parameter& parameter : parameters_of(file, function)) {
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
