// SPDX-License-Identifier: MIT
// Shell scripts, Dockerfiles, conda environments, CI configurations: never changed. What needs an
// NVIDIA machine is reported, with a replacement.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "port/build/flags.h"
#include "port/build/tools.h"
#include "port/pass.h"
#include "port/ported_file.h"
#include "port/python/requirement.h"

namespace hipwright::port::passes {

namespace {

// Texts that require an NVIDIA machine, anywhere in a line.
struct Sign {
  std::string_view text, what, advice;
};

constexpr std::string_view kImage =
    "Use a ROCm image: rocm/dev-ubuntu-24.04 to compile, rocm/pytorch with PyTorch.";
constexpr std::string_view kGpus =
    "Pass AMD GPUs as devices: --device /dev/kfd --device /dev/dri --group-add render.";
constexpr std::string_view kConda =
    "Remove it: ROCm comes from the system, and ROCm's PyTorch from pip.";

constexpr std::array kSigns = std::to_array<Sign>({
    {"nvidia/cuda:", "a CUDA image", kImage},
    {"nvcr.io/nvidia/", "an NVIDIA image", kImage},
    {"pytorch/pytorch:", "an image with PyTorch for CUDA", kImage},
    {"--gpus ", "docker's option for NVIDIA GPUs", kGpus},
    {"--gpus=", "docker's option for NVIDIA GPUs", kGpus},
    {"--runtime=nvidia", "docker's option for NVIDIA GPUs", kGpus},
    {"runtime: nvidia", "docker's option for NVIDIA GPUs", kGpus},
    {"driver: nvidia", "docker's option for NVIDIA GPUs", kGpus},
    {"nvidia.com/gpu", "Kubernetes' resource for NVIDIA GPUs", "Use amd.com/gpu."},
    {"pytorch-cuda", "an NVIDIA package", kConda},
    {"cudatoolkit", "an NVIDIA package", kConda},
    {"cuda-toolkit", "installs the CUDA toolkit",
     "Install ROCm: the package rocm-hip-sdk, or an image that contains it."},
    {"cuda-nvcc", "installs the CUDA compiler", "Install the package hipcc."},
    {"libcudnn", "installs cuDNN", "Install MIOpen: miopen-hip-dev."},
    {"whl/cu1", "installs PyTorch for CUDA", "Use the index that ends in whl/rocmN.N."},
    {"TORCH_CUDA_ARCH_LIST", "NVIDIA architectures",
     "PyTorch uses PYTORCH_ROCM_ARCH, or the GPU that it finds."},
    {"CMAKE_CUDA_ARCHITECTURES", "NVIDIA architectures",
     "CMake uses CMAKE_HIP_ARCHITECTURES, or the GPU that it finds."},
    {"CMAKE_CUDA_COMPILER", "passes the CUDA compiler to CMake",
     "CMake uses CMAKE_HIP_COMPILER, or finds the compiler in ROCM_PATH."},
});

constexpr std::string_view kOwnTorch =
    "ROCm images bring PyTorch: remove it, or use the index that ends in whl/rocmN.N.";
constexpr std::string_view kProject =
    "Its requirements can replace ROCm's PyTorch: pip install --no-deps --no-build-isolation";

// FROM …: the image of a Dockerfile, also through an argument (ARG BASE=…).
bool names_cuda_image(std::string_view line) {
  const bool is_image = line.starts_with("FROM ") || line.starts_with("ARG ") ||
                        line.starts_with("image:") || line.starts_with("container:");
  return is_image && (line.find("cuda") != std::string_view::npos ||
                      line.find("cudnn") != std::string_view::npos);
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Its author already considered ROCm.
bool knows_rocm(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("rocm") != std::string::npos || lower.find("hipcc") != std::string::npos;
}

class Script {
 public:
  explicit Script(PortedFile& file) : file_(file), text_(file.source->text()) {}

  void run() {
    if (knows_rocm(text_)) return;
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = end_of_line(begin);
      look_at({begin, end});
      begin = end + 1;
    }
    for (auto& [what, found] : found_) {
      if (found.lines > 1) found.message += fmt::format(", in {} lines", found.lines);
      file_.report("HP410", Severity::kWarning, found.span, std::move(found.message),
                   std::move(found.advice));
    }
  }

 private:
  struct Found {
    Span span;
    std::string message, advice;
    std::size_t lines = 0;
  };

  // A backslash before the break continues it.
  std::size_t end_of_line(std::size_t at) const {
    for (;; ++at) {
      at = text_.find('\n', at);
      if (at == std::string_view::npos) return text_.size();
      const std::size_t last = at > 0 && text_[at - 1] == '\r' ? at - 1 : at;
      if (last == 0 || text_[last - 1] != '\\') return at;
    }
  }

  void look_at(Span line) {
    const std::string_view text = text_.substr(line.begin, line.size());
    const std::size_t first = text.find_first_not_of(" \t-");
    if (first == std::string_view::npos || text[first] == '#') return;
    for (const Sign& sign : kSigns)
      if (const std::size_t at = text.find(sign.text); at != std::string_view::npos)
        say(sign.what, {line.begin + at, line.begin + at + sign.text.size()},
            fmt::format("{}: {}", sign.what, word_at(text, at)), std::string(sign.advice));
    if (names_cuda_image(text.substr(first)) &&
        !is_said("a CUDA image", "an NVIDIA image", "an image with PyTorch for CUDA"))
      say("a CUDA image", {line.begin + first, line.end},
          fmt::format("a CUDA image: {}", text.substr(first)), std::string(kImage));
    commands(line);
    installs(line);
  }

  template <class... Text>
  bool is_said(const Text&... what) const {
    return (found_.contains(what) || ...);
  }

  // pip install torch==2.4.0 -e .[dev]
  void installs(Span line) {
    const std::string_view text = text_.substr(line.begin, line.size());
    const std::size_t install = text.find("pip install ");
    const bool is_pip3 = install == std::string_view::npos;
    const std::size_t begin = is_pip3 ? text.find("pip3 install ") : install;
    if (begin == std::string_view::npos) return;
    const std::vector<std::string> words = words_of({line.begin + begin, line.end});
    const auto has = [&](std::string_view word) {
      return std::ranges::find(words, word) != words.end();
    };
    const Span place = {line.begin + begin, line.begin + begin + (is_pip3 ? 12 : 11)};
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::string& word = words[i];
      const bool is_quoted = word.size() > 2 && (word[0] == '"' || word[0] == '\'');
      const std::string bare = is_quoted ? word.substr(1, word.size() - 2) : word;
      const bool is_folder = bare == "." || bare == "./" || bare.starts_with(".[");
      if (is_folder && !has("--no-deps"))
        say("the project", place, fmt::format("installs the project's requirements: {}", bare),
            fmt::format("{} {}{}", kProject, words[i - 1] == "-e" ? "-e " : "", bare));
      if (bare.empty() || bare[0] == '-' || is_folder) continue;
      const Verdict verdict = judge(bare);
      if (verdict.harm == Harm::kForNvidia)
        say(bare, place, fmt::format("installs {}", bare), verdict.why);
      else if (verdict.harm == Harm::kPin)
        say("PyTorch", place, fmt::format("installs {}", bare), std::string(kOwnTorch));
    }
  }

  static std::string_view word_at(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && std::string_view(" \t\"'").find(text[begin - 1]) == std::string_view::npos)
      --begin;
    return text.substr(begin, std::min(text.find_first_of(" \t\r\n\"'", at), text.size()) - begin);
  }

  // Words that are programs: where a command begins.
  void commands(Span line) {
    for (std::size_t at = line.begin; at < line.end;) {
      std::size_t end = at;
      while (end < line.end && (is_name(text_[end]) || text_[end] == '/' || text_[end] == '.'))
        ++end;
      if (end == at) {
        ++at;
        continue;
      }
      const std::string_view word = text_.substr(at, end - at);
      const std::string_view name = word.substr(word.rfind('/') + 1);
      const Span span = {at, end};
      at = end;
      if (!begins_command(line.begin, span.begin)) continue;
      if (name == "nvcc") {
        compiler({span.begin, line.end});
      } else if (const std::string advice = advice_on_tool(name); !advice.empty()) {
        say(name, span, fmt::format("{} is NVIDIA's", name), advice);
      }
    }
  }

  // At the start, or after a separator, an assignment, or a word that calls another program.
  bool begins_command(std::size_t line, std::size_t at) const {
    std::size_t end = at;
    while (end > line && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    if (end == line) return true;
    if (std::string_view(";&|(`{!").find(text_[end - 1]) != std::string_view::npos) return true;
    if (end == at) return false;  // part of a longer word
    std::size_t begin = end;
    while (begin > line && std::string_view(" \t").find(text_[begin - 1]) == std::string_view::npos)
      --begin;
    const std::string_view before = text_.substr(begin, end - begin);
    constexpr std::array<std::string_view, 12> kCallers = {
        "RUN", "CMD", "then", "do", "else", "time", "sudo", "exec", "srun", "-", "run:", "if"};
    return std::find(kCallers.begin(), kCallers.end(), before) != kCallers.end() ||
           before.find('=') != std::string_view::npos;
  }

  // The same call with hipcc: the replacement.
  void compiler(Span call) {
    std::string now = "hipcc";
    const std::vector<std::string> words = words_of(call);
    bool links_device_code = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string next = i + 1 < words.size() ? words[i + 1] : "";
      links_device_code |= asks_for_device_link(words[i], next);
      const auto flag = translate_flag(words[i], next);
      if (!flag || !flag->now.empty()) now += ' ' + (flag ? flag->now : words[i]);
      if (flag && flag->takes_next) ++i;
    }
    if (links_device_code && now.find("-fgpu-rdc") == std::string::npos) now += " -fgpu-rdc";
    file_.report("HP410", Severity::kWarning, {call.begin, call.begin + 4}, "calls nvcc",
                 fmt::format("For AMD's GPUs: {}", now));
  }

  // Up to the end of the command.
  std::vector<std::string> words_of(Span call) const {
    std::vector<std::string> words;
    char quote = 0;
    std::string word;
    const auto end_word = [&] {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    };
    for (std::size_t at = call.begin; at < call.end; ++at) {
      const char c = text_[at];
      if (quote == 0 && c == '\\' && at + 1 < call.end &&
          (text_[at + 1] == '\n' || text_[at + 1] == '\r'))
        continue;
      if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
        end_word();
        continue;
      }
      if (quote == 0 && std::string_view(";&|)`").find(c) != std::string_view::npos &&
          word.find('(') == std::string::npos)
        break;
      if (quote == 0 && (c == '"' || c == '\''))
        quote = c;
      else if (c == quote)
        quote = 0;
      word += c;
    }
    end_word();
    return words;
  }

  void say(std::string_view what, Span span, std::string message, std::string advice) {
    auto [at, is_new] = found_.try_emplace(std::string(what));
    if (is_new) at->second = {span, std::move(message), std::move(advice), 0};
    ++at->second.lines;
  }

  PortedFile& file_;
  std::string_view text_;
  std::map<std::string, Found> found_;  // once for each kind
};

void apply(TextContext& context) {
  Script(context.file).run();
}

}  // namespace

Pass scripts() {
  return {.codes = {"HP410"}, .text = apply, .language = Language::kShell};
}

}  // namespace hipwright::port::passes
