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
#include "verify/kernel/types.h"

namespace hipwright::verify {

namespace cu = syntax::cuda;

namespace {

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

// T is "float" in rows<float, 4>.
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

// Types that C++ lacks are passed as integers of their size.
bool fits(std::string_view takes, std::string_view spelled, DataType type) {
  const std::string_view gives = short_name(type);
  if (takes == gives) return true;
  if (spelled == "char") return gives == "u8" || gives.starts_with("f8");
  if (gives.starts_with("f8")) return takes == "u8" || takes == "i8";
  if (gives == "f16" || gives == "bf16") return takes == "u16" || takes == "i16";
  return false;
}

std::string given_text(const Argument& argument) {
  if (argument.is_struct())
    return fmt::format("'{}' is a struct of {} fields", argument.name, argument.fields.size());
  return fmt::format("'{}' is {} of {}", argument.name, argument.is_buffer ? "a buffer" : "a value",
                     short_name(argument.type));
}

// "float* x (real*)": the resolved type, and the spelling.
std::string taken_text(const Parameter& takes, const Meaning& meaning) {
  const auto stars = [](int count) { return std::string(static_cast<std::size_t>(count), '*'); };
  std::string out = meaning.spelled + stars(meaning.pointers);
  if (!takes.name.empty()) out += " " + takes.name;
  if (meaning.spelled != takes.spelled)
    out += fmt::format(" ({}{})", takes.spelled, stars(takes.pointers));
  return out;
}

bool fits_struct(const Meaning& takes, const Argument& gives) {
  if (!gives.is_struct()) return false;
  if (takes.members.empty()) return true;  // unknown: a launch compares the size
  return std::equal(takes.members.begin(), takes.members.end(), gives.fields.begin(),
                    gives.fields.end(), [](const Member& member, const Argument& field) {
                      return fits(member.type, member.type, field.type);
                    });
}

bool fits(const Meaning& takes, const Argument& gives) {
  using Kind = Meaning::Kind;
  // A spec cannot contain device addresses.
  if (takes.pointers > 1) return false;
  if (takes.pointers == 1) {
    if (!gives.is_buffer) return false;
    // Vector types are often used only to load 16 bytes of any type.
    return takes.kind != Kind::kNumber || fits(takes.type, takes.spelled, gives.type);
  }
  switch (takes.kind) {
    case Kind::kNumber:
      return !gives.is_buffer && !gives.is_struct() && fits(takes.type, takes.spelled, gives.type);
    case Kind::kVector:
    case Kind::kStruct:
      return fits_struct(takes, gives);
    default:
      return true;  // an unknown name may be any type
  }
}

std::optional<Mismatch> mismatch_with(const KernelSpec& spec, const Sources& sources,
                                      const Sources::Unit& unit, const cu::Function& function,
                                      const KernelName& kernel, const std::string& place) {
  const std::vector<Parameter> parameters = sources.parameters_of(unit, function);
  const auto types = types_given(*unit.file, function, kernel);
  for (const Parameter& each : parameters) {
    // A macro or pack may stand for any number of parameters.
    const bool is_macro = each.name.empty() && !each.is_pointer() && each.is_plain &&
                          !each.spelled.empty() &&
                          sources.meaning_of(each, types).kind == Meaning::Kind::kUnknown;
    if (is_macro || each.is_pack) return std::nullopt;
  }
  if (parameters.size() != spec.arguments.size())
    return Mismatch{std::nullopt, fmt::format("the spec has {} arguments, but {} takes {}",
                                              spec.arguments.size(), place, parameters.size())};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& takes = parameters[i];
    const Argument& gives = spec.arguments[i];
    const Meaning meaning = sources.meaning_of(takes, types);
    if (!takes.is_plain || fits(meaning, gives)) continue;
    return Mismatch{i, fmt::format("argument {} {}, but {} takes {}{}", i + 1, given_text(gives),
                                   place, taken_text(takes, meaning),
                                   meaning.pointers > 1
                                       ? ": a table of pointers, which a spec cannot fill; test "
                                         "it through a kernel that builds the table"
                                       : "")};
  }
  return std::nullopt;
}

Result<std::optional<Mismatch>> mismatch_with_source(const KernelSpec& spec,
                                                     const std::filesystem::path& source,
                                                     cu::Platform platform) {
  HW_TRY(const Sources sources, Sources::read(source));
  const KernelName kernel = parsed(spec.kernel);
  std::optional<Mismatch> first;
  for (const auto& unit : sources.units()) {
    const cu::File& file = *unit->file;
    const LineIndex lines(unit->text);
    for (const cu::Function& function : file.functions()) {
      if ((function.qualifiers & cu::kGlobal) == 0 || file.text(function.name) != kernel.name ||
          file.compiled(function.name, platform) == syntax::Truth::kNo)
        continue;
      const std::string place =
          fmt::format("{} ({}:{})", kernel.name, unit->path.filename().string(),
                      lines.position(file.span(function.name).begin).line);
      auto mismatch = mismatch_with(spec, sources, *unit, function, kernel, place);
      if (!mismatch) return std::nullopt;  // one matching overload is enough
      if (!first) first = std::move(mismatch);
    }
  }
  return first;
}

// Checks every target in the file.
Result<std::optional<Mismatch>> mismatch_with_code(const KernelSpec& spec) {
  HW_TRY(std::string bytes, read_file(spec.code));
  const std::string name = spec.code.filename().string();
  const auto images = toolchain::find_code_objects(toolchain::Bytes(std::move(bytes)), name);
  if (!images) return std::unexpected(images.error());
  for (const toolchain::DeviceImage& image : *images) {
    if (image.format != toolchain::DeviceImage::Format::kCodeObject) continue;
    const auto code = toolchain::CodeObject::parse(image.bytes, image.origin);
    if (!code) continue;  // reported where it is run
    HW_TRY(const std::string symbol, toolchain::kernel_symbol(image.bytes.view(), spec.kernel));
    const toolchain::Kernel* kernel = code->kernel(symbol);
    HW_ASSERT(kernel != nullptr);
    std::vector<const toolchain::KernelArgument*> takes;
    for (const auto& each : kernel->arguments)
      if (!each.hidden()) takes.push_back(&each);
    const std::string place = fmt::format("{} ({})", spec.kernel, image.origin);
    if (takes.size() != spec.arguments.size())
      return Mismatch{std::nullopt, fmt::format("the spec has {} arguments, but {} takes {}",
                                                spec.arguments.size(), place, takes.size())};
    for (std::size_t i = 0; i < takes.size(); ++i) {
      const Argument& gives = spec.arguments[i];
      const bool is_buffer = takes[i]->value_kind == "global_buffer";
      // The layout of a struct is checked by the launch.
      if (gives.is_struct() && !is_buffer) continue;
      const std::size_t size = gives.is_buffer ? sizeof(void*) : zeros(gives.type, {}).bytes.size();
      if (size == takes[i]->size && (gives.is_buffer || !is_buffer)) continue;
      return Mismatch{
          i, fmt::format(
                 "argument {} {}, but {} takes {}", i + 1, given_text(gives), place,
                 is_buffer ? std::string("a pointer") : fmt::format("{} bytes", takes[i]->size))};
    }
  }
  return std::nullopt;
}

}  // namespace

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
