// SPDX-License-Identifier: MIT
#include "port/python/requirement.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/words.h"
#include "project/path.h"
#include "syntax/text_lines.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

struct Known {
  std::string_view begin;  // of the package's name
  bool is_whole;           // it is the name
  std::string_view why;
};

constexpr std::array kForNvidia = std::to_array<Known>({
    {"triton", true, "ROCm's PyTorch includes its own triton"},
    {"xformers", true, "PyPI has only the CUDA build"},
    {"flash-attn", false, "its build needs CUDA; build AMD's sources on ROCm"},
    {"cupy-cuda", false, "this is a CUDA build"},
    {"jax-cuda", false, "this pulls in CUDA libraries"},
    {"onnxruntime-gpu", true, "this is a CUDA build; use onnxruntime-rocm on ROCm"},
    {"faiss-gpu", false, "this is a CUDA build"},
    {"tensorrt", false, "it is NVIDIA-only"},
    {"torch-tensorrt", true, "it is NVIDIA-only"},
    {"transformer-engine", false, "PyPI has only the CUDA build"},
    {"flashinfer", false, "it is NVIDIA-only"},
    {"nvidia-", false, "this package is NVIDIA-only"},
});
// Pure Python, or no library at all.
constexpr std::array<std::string_view, 3> kHarmless = {"nvidia-ml-py", "nvidia-ml-py3",
                                                       "nvidia-smi"};
constexpr std::array<std::string_view, 3> kTorch = {"torch", "torchvision", "torchaudio"};
constexpr std::array<std::string_view, 12> kPlatforms = {
    "cu1", "cuda", "nvidia", "hip", "rocm", "amd", "cpu", "xpu", "npu", "hpu", "tpu", "tensorrt"};

bool is_of_platform(std::string_view name) {
  return std::any_of(kPlatforms.begin(), kPlatforms.end(),
                     [&](std::string_view word) { return contains_word(name, word); });
}

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

void add(std::vector<Requirement>& found, const SourceFile& source, std::size_t begin,
         std::string_view text, Requirement::Use use) {
  const std::string_view inner = trimmed(text);
  if (inner.empty()) return;
  begin += static_cast<std::size_t>(inner.data() - text.data());
  found.push_back({&source, {begin, begin + inner.size()}, std::string(inner), use});
}

void read_lines(std::vector<Requirement>& found, const SourceFile& source) {
  syntax::for_each_line(source.text(), [&](std::string_view line, std::size_t begin) {
    const std::size_t comment = line.starts_with('#') ? 0 : line.find(" #");
    line = line.substr(0, comment);
    if (line.ends_with('\\')) line.remove_suffix(1);
    add(found, source, begin, line, Requirement::Use::kMain);
  });
}

// The quoted strings of a line of TOML.
template <class Visit>
void for_each_text(std::string_view line, Visit visit) {
  for (std::size_t at = line.find_first_of("\"'#"); at != line.npos && line[at] != '#';) {
    const std::size_t end = line.find(line[at], at + 1);
    if (end == line.npos) return;
    visit(line.substr(at + 1, end - at - 1), at + 1);
    at = line.find_first_of("\"'#", end + 1);
  }
}

// `torch = "2.4.0"`, `torch = { version = "2.4.0", source = "x" }`
void read_poetry(std::vector<Requirement>& found, const SourceFile& source, std::string_view line,
                 std::size_t begin) {
  const std::size_t equals = line.find('=');
  const std::string_view name = trimmed(line.substr(0, equals));
  if (equals == line.npos || name.empty() || name == "python" || name.front() == '#') return;
  const std::string_view rest = line.substr(equals + 1);
  const std::size_t quote = rest.find('"');
  std::string text(name);
  if (quote != rest.npos) {
    const std::string_view value = rest.substr(quote + 1, rest.find('"', quote + 1) - quote - 1);
    const bool is_exact = !value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0;
    if (is_exact || value.starts_with("==")) text += (is_exact ? "==" : "") + std::string(value);
  }
  Requirement one{&source, {begin, begin + line.size()}, text, Requirement::Use::kMain};
  found.push_back(std::move(one));
}

void read_toml(std::vector<Requirement>& found, const SourceFile& source) {
  using Use = Requirement::Use;
  std::string section;
  bool is_list = false, is_read = false;
  Use use = Use::kMain;
  syntax::for_each_line(source.text(), [&](std::string_view line, std::size_t begin) {
    const std::string_view inner = trimmed(line);
    if (inner.starts_with('#')) return;
    if (!is_list && inner.starts_with('[')) {
      section = std::string(inner.substr(1, inner.find(']') - 1));
      return;
    }
    if (section == "tool.poetry.dependencies") return read_poetry(found, source, line, begin);
    std::size_t from = 0;
    if (!is_list) {
      const std::size_t equals = line.find('=');
      if (equals == line.npos || !trimmed(line.substr(equals + 1)).starts_with('[')) return;
      const std::string_view key = trimmed(line.substr(0, equals));
      const bool is_extra =
          section == "project.optional-dependencies" || section == "dependency-groups";
      const bool is_build = section == "build-system" && key == "requires";
      is_read = (section == "project" && key == "dependencies") || is_build ||
                (is_extra && !is_of_platform(key));
      use = is_extra ? Use::kExtra : is_build ? Use::kBuild : Use::kMain;
      is_list = true;
      from = equals + 1;
    }
    if (is_read)
      for_each_text(line.substr(from), [&](std::string_view text, std::size_t at) {
        add(found, source, begin + from + at, text, use);
      });
    // "jax[cuda12]" has brackets of its own.
    std::string outside(line.substr(from));
    for_each_text(line.substr(from), [&](std::string_view text, std::size_t at) {
      std::fill_n(outside.begin() + static_cast<std::ptrdiff_t>(at), text.size(), ' ');
    });
    if (outside.find(']') != std::string::npos) is_list = false;
  });
}

void read_config(std::vector<Requirement>& found, const SourceFile& source) {
  bool is_list = false;
  syntax::for_each_line(source.text(), [&](std::string_view line, std::size_t begin) {
    const bool is_inside = line.starts_with(' ') || line.starts_with('\t');
    if (is_list && is_inside) {
      if (!trimmed(line).starts_with('#')) add(found, source, begin, line, Requirement::Use::kMain);
      return;
    }
    is_list = line.starts_with("install_requires");
  });
}

// install_requires=["torch==2.4.0"], requirements = ["torch==2.4.0"], extras_require={"x": [...]}
void read_setup(std::vector<Requirement>& found, const SourceFile& source) {
  const File& file = *source.python();
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString) continue;
    const TokenIndex list = file.enclosing(at);
    if (list == kNoToken || list < 2 || !file.is(list, "[")) continue;
    TokenIndex name = list - 2;
    bool is_extra = false;
    if (file.is(list - 1, ":")) {
      const TokenIndex groups = file.enclosing(list);
      if (groups == kNoToken || groups < 2 || is_of_platform(file.text(list - 2))) continue;
      name = groups - 2;
      is_extra = true;
    }
    if (!file.is(name + 1, "=") || !contains_word(file.text(name), "require")) continue;
    const std::string_view raw = file.text(at);
    if (raw.size() < 3 || (raw.front() != '"' && raw.front() != '\'') || raw[1] == raw[0]) continue;
    add(found, source, file.span(at).begin + 1, raw.substr(1, raw.size() - 2),
        is_extra ? Requirement::Use::kExtra : Requirement::Use::kMain);
  }
}

}  // namespace

std::string package_name(std::string_view requirement) {
  std::string name;
  for (const char c : trimmed(requirement)) {
    const bool is_part =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    if (!is_part) break;
    name += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

Verdict judge(std::string_view requirement) {
  if (requirement.starts_with("-")) {
    const bool is_index = has(requirement, "index-url") || has(requirement, "find-links") ||
                          requirement.starts_with("-i ") || requirement.starts_with("-f ");
    if (is_index && has(requirement, "/whl/") && has(requirement, "/cu1"))
      return {Harm::kForNvidia, "this index serves CUDA builds"};
    return {};
  }
  if (has(requirement, "sys_platform") && has(requirement, "darwin")) return {};
  const std::string name = package_name(requirement);
  if (name.empty() || std::find(kHarmless.begin(), kHarmless.end(), name) != kHarmless.end())
    return {};
  if ((name == "jax" || name == "jaxlib") && has(requirement, "cuda"))
    return {Harm::kForNvidia, "this pulls in CUDA libraries"};
  for (const Known& each : kForNvidia)
    if (each.is_whole ? name == each.begin : name.starts_with(each.begin))
      return {Harm::kForNvidia, std::string(each.why)};
  if (has(requirement, "rocm")) return {};
  const bool is_torch = std::find(kTorch.begin(), kTorch.end(), name) != kTorch.end();
  const std::string_view version = requirement.substr(0, requirement.find(';'));
  const bool is_pinned =
      has(version, "==") || has(version, "~=") || has(version, "<") || has(version, "@");
  if (has(version, "+cu1") || has(version, "+pt") || (is_torch && is_pinned))
    return {Harm::kPin,
            fmt::format("pip replaces ROCm's {} with the CUDA build to satisfy this", name)};
  return {};
}

std::vector<Requirement> requirements_of(const SourceFile& source) {
  std::vector<Requirement> found;
  const std::string_view name = project::name_of(source.path());
  switch (source.language()) {
    case Language::kRequirements:
      if (!is_of_platform(name)) read_lines(found, source);
      break;
    case Language::kProject:
      if (name == "setup.cfg")
        read_config(found, source);
      else
        read_toml(found, source);
      break;
    case Language::kPython:
      if (name == "setup.py") read_setup(found, source);
      break;
    default:
      break;
  }
  return found;
}

}  // namespace hipwright::port
