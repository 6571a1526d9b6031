// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/python/install_page.h"

namespace hipwright::port {

namespace {

// Modules whose package has another name.
struct Renamed {
  std::string_view module, package;
};
constexpr std::array kRenamed = std::to_array<Renamed>({
    {"PIL", "pillow"},
    {"cv2", "opencv-python-headless"},
    {"yaml", "pyyaml"},
    {"sklearn", "scikit-learn"},
    {"skimage", "scikit-image"},
    {"dateutil", "python-dateutil"},
    {"bs4", "beautifulsoup4"},
    {"dotenv", "python-dotenv"},
    {"google", "protobuf"},
    {"hydra", "hydra-core"},
});

bool is_for_nvidia(std::string_view module) {
  static constexpr std::array<std::string_view, 10> kModules = {
      "flash_attn", "flash_attn_interface", "pynvml", "xformers",   "tensorrt",
      "cupy",       "transformer_engine",   "nvtx",   "flashinfer", "torch_tensorrt"};
  return std::find(kModules.begin(), kModules.end(), module) != kModules.end() ||
         module.starts_with("jax") || module == "flax" || module == "triton";
}

// Where Python has to look for the project's packages: "src".
std::string import_folder(const Ported& ported) {
  const bool has_src =
      std::any_of(ported.files.begin(), ported.files.end(), [](const PortedFile& file) {
        return file.source->python() != nullptr && file.source->path().starts_with("src/");
      });
  return has_src ? "src" : ".";
}

std::string why_not(const std::vector<Trouble>& troubles) {
  if (troubles.empty()) return {};
  std::string out =
      "## Why not `pip install -e .`\n\nTo satisfy these requirements, pip would silently replace "
      "the ROCm build with CUDA builds:\n\n| where | requirement | why |\n| --- | --- | "
      "--- |\n";
  for (const Trouble& each : troubles) {
    const Requirement& one = each.requirement;
    // Without lines: those of a port are others, and porting it again must change nothing.
    out += fmt::format("| {} | `{}` | {} |\n", one.source->path(), one.text, each.verdict.why);
  }
  return out + "\n";
}

std::string package_hints(const PythonLayout& layout) {
  std::string hints;
  for (const Renamed& each : kRenamed)
    if (layout.foreign().contains(each.module))
      hints +=
          fmt::format("{}`{}` is in `{}`", hints.empty() ? "" : ", ", each.module, each.package);
  return hints.empty() ? "" : fmt::format("\nPackages with different names: {}.\n", hints);
}

}  // namespace

std::string install_page(const Ported& ported, const PythonLayout& layout,
                         const std::vector<Trouble>& troubles, bool refuses_pythons,
                         bool has_requirements) {
  const std::string folder = import_folder(ported);
  std::string modules;
  for (const std::string& module : layout.foreign())
    if (!is_for_nvidia(module) && module != "torch")
      modules += (modules.empty() ? "" : " ") + module;
  std::string page = fmt::format(
      "{}: how to install this project next to ROCm's PyTorch. -->\n"
      "# On AMD GPUs\n\n"
      "Start with an environment that has ROCm's PyTorch, such as AMD's images. Nothing below "
      "replaces it:\n\n"
      "```sh\npython3 -c 'import torch; print(torch.version.hip, "
      "torch.cuda.is_available())'\n```\n\n"
      "prints a HIP version and True. If it prints None, PyTorch is not a ROCm build.\n\n"
      "## 1. Try the project before installing anything\n\n"
      "```sh\nexport PYTHONPATH=$PWD{}\n```\n\n"
      "or, in a script of a neighbouring directory:\n\n"
      "```python\nimport pathlib, sys\n"
      "sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]{}))\n```\n\n"
      "## 2. Find the missing modules\n\n"
      "```sh\npython3 - <<'END'\nimport importlib.util, sys\n"
      "for name in \"{}\".split():\n"
      "    if name not in sys.stdlib_module_names and importlib.util.find_spec(name) is None:\n"
      "        print(name)\nEND\n```\n{}\n"
      "## 3. Install only those\n\n"
      "One by one, without their dependencies:\n\n"
      "```sh\npip install --no-deps NAME\n```\n\n",
      kPageMark, folder == "." ? "" : "/" + folder,
      folder == "." ? "" : fmt::format(" / \"{}\"", folder), modules, package_hints(layout));
  if (has_requirements)
    page +=
        "or all requirements of the project, without the NVIDIA-only ones:\n\n"
        "```sh\npip install --no-deps -r requirements-rocm.txt\n```\n\n";
  page += fmt::format(
      "If the project itself must be installed:\n\n"
      "```sh\npip install --no-deps --no-build-isolation{} -e .\n```\n\n"
      "{}Then run the first command again to check that torch is still ROCm's.\n\n",
      refuses_pythons ? " --ignore-requires-python" : "",
      refuses_pythons ? "The project requires Python versions that a ROCm image may not have. "
                        "`--ignore-requires-python` installs it anyway.\n\n"
                      : "");
  page += why_not(troubles);
  if (layout.imports("flash_attn"))
    page +=
        "## Attention\n\nflash_attn's functions come from `attention_fallback.py` on ROCm. It uses "
        "the first available of aiter, ROCm's flash_attn, torch's SDPA and plain tensor "
        "operations, and reports its choice once.\n\n";
  if (layout.imports("jax"))
    page +=
        "## JAX\n\nThe project uses PyTorch and JAX. Use its PyTorch part on ROCm; JAX need not be "
        "installed.\n\n";
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace hipwright::port
