// SPDX-License-Identifier: MIT
// Makefiles: replaces nvcc by hipcc, with its options, libraries and folders. When both are kept,
// `make USE_ROCM=1` builds for AMD.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arch/processors.h"
#include "base/words.h"
#include "port/build/flags.h"
#include "port/build/make_words.h"
#include "port/build/tools.h"
#include "port/pass.h"
#include "port/ported_file.h"
#include "port/source/paths.h"
#include "syntax/build/make_lines.h"

namespace hipwright::port::passes {

namespace build = syntax::build;
using build::MakeLine;
using build::MakeWord;

namespace {

constexpr std::string_view kRocm = "$(or $(ROCM_PATH),/opt/rocm)";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// Programs whose options look like nvcc's and mean something else: `cmake -G Ninja`.
bool is_other_program(std::string_view word) {
  constexpr std::array<std::string_view, 17> kPrograms = {
      "cmake", "ctest", "make", "$(MAKE)", "ninja", "docker", "git", "rm",  "cp",
      "mv",    "cd",    "echo", "mkdir",   "which", "printf", "ar",  "test"};
  return std::find(kPrograms.begin(), kPrograms.end(), word) != kPrograms.end() ||
         word.starts_with("python") || word.starts_with("pip") || word.starts_with("./") ||
         word.starts_with("$(LAUNCHER") || word.starts_with("${MAKE}");
}

// A makefile that already builds for AMD gets no second way.
bool is_for_amd(std::string_view text) {
  return text.find("USE_ROCM") != std::string_view::npos ||
         text.find("hipcc") != std::string_view::npos;
}

// …/bin/nvcc, "nvcc", @nvcc, CC=nvcc: the part that names the compiler; empty if none does.
Span nvcc_in(const MakeWord& word) {
  Span span = word.span;
  std::string_view text = word.text;
  const auto skip = [&](std::size_t count) {
    span.begin += count;
    text.remove_prefix(count);
  };
  skip(std::min(text.find_first_not_of("@-+"), text.size()));
  // CC=nvcc, also without blanks.
  if (const std::size_t equals = text.rfind('='); equals != std::string_view::npos)
    skip(equals + 1);
  std::string_view name = text;
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  const bool is_pattern = name.find('%') != std::string_view::npos;  // %/bin/nvcc
  return !is_pattern && (name == "nvcc" || name.ends_with("/nvcc")) ? span : Span{};
}

// /usr/local/cuda-12.4/include, /opt/nvidia/hpc_sdk/Linux_x86_64/23.9/cuda/include: usual places of
// the toolkit. A project's own folders are not absolute.
bool has_cuda_folder(std::string_view path) {
  constexpr std::string_view kFolder = "/cuda";
  for (std::size_t at = path.find(kFolder); at != std::string_view::npos;
       at = path.find(kFolder, at + 1)) {
    std::string_view rest = path.substr(at + kFolder.size());
    if (rest.starts_with('-')) rest.remove_prefix(1);
    if (rest.empty() || rest[0] == '/' || (rest[0] >= '0' && rest[0] <= '9')) return true;
  }
  return false;
}

class Makefile {
 public:
  Makefile(PortedFile& file, Mode mode)
      : file_(file),
        text_(file.source->text()),
        mode_(mode),
        lines_(build::read_make_lines(text_)) {}

  void translate() {
    if (!has_any(text_, {"nvcc", "cuda", "CUDA", "nvidia", "nvprof", "nsys"})) return;
    if (is_for_amd(text_)) return;
    for (const MakeLine& line : lines_) look_at(line);
    std::vector<MakeLine> changed;
    for (const MakeLine& line : lines_)
      if (translate_line(line)) changed.push_back(line);
    if (links_device_code_ && !has_compiler_)
      report(
          Severity::kWarning, first_device_link_,
          "separate compilation of device code: link the program with hipcc -fgpu-rdc --hip-link, "
          "too",
          "Another file names the compiler.");
    if (mode_ == Mode::kDual && !changed.empty()) gate(changed);
  }

 private:
  // Facts of the whole file, before anything is translated.
  void look_at(const MakeLine& line) {
    const std::string_view variable = variable_of(text_, line);
    const std::string_view all = text_.substr(line.span.begin, line.span.size());
    if (!variable.empty()) assigned_.insert(variable);
    if (!variable.empty() && variable.find("CUDA") != std::string_view::npos &&
        !has_any(all, {"/cuda", "/opt", "/usr", "$"}))
      own_.insert(variable);
    for (const MakeRun& run : runs_of(text_, line))
      for (std::size_t i = 0; i < run.words.size(); ++i) {
        if (!is_other_program(run.program) &&
            asks_for_device_link(run.words[i].text, next_of(run, i)) &&
            !std::exchange(links_device_code_, true))
          first_device_link_ = run.words[i].span;
        if (const auto asked = target_variable(run.words[i].text, next_of(run, i)))
          target_variables_.insert(asked->name);
        has_compiler_ |= nvcc_in(run.words[i]).size() != 0;
      }
  }

  // -arch=$(ARCH), -arch ${ARCH}: the variable names what is compiled for, also on make's command
  // line.
  struct TargetVariable {
    std::string_view name, reference;
    bool takes_next;
  };
  static std::optional<TargetVariable> target_variable(std::string_view word,
                                                       std::string_view next) {
    const std::size_t equals = word.find('=');
    const std::string_view option = word.substr(0, equals);
    if (option != "-arch" && option != "--gpu-architecture" && option != "-gpu-architecture" &&
        option != "--arch")
      return std::nullopt;
    const bool takes_next = equals == std::string_view::npos;
    const std::string_view value = takes_next ? next : word.substr(equals + 1);
    const bool is_variable = value.size() > 3 && value[0] == '$' &&
                             ((value[1] == '(' && value.find(')') == value.size() - 1) ||
                              (value[1] == '{' && value.find('}') == value.size() - 1)) &&
                             value.find_first_of(" ,:") == std::string_view::npos;
    if (!is_variable) return std::nullopt;
    return TargetVariable{value.substr(2, value.size() - 3), value, takes_next};
  }

  // Where the file sets such a variable to an NVIDIA target, an AMD target becomes the default.
  // Where it does not, the option is there for who sets it.
  std::string target_option(const TargetVariable& asked) const {
    const std::string option = fmt::format("--offload-arch={}", asked.reference);
    const bool has_default = assigned_.contains(asked.name);
    return has_default ? option : fmt::format("$(if {},{})", asked.reference, option);
  }

  // ARCH ?= sm_60, ARCH=sm_60
  bool set_target(const MakeWord& word, std::string_view variable) {
    const std::size_t begin = word.text.rfind('=') + 1;  // 0: none
    const std::string_view value = word.text.substr(begin);
    const bool is_nvidias = value.starts_with("sm_") || value.starts_with("compute_") ||
                            value == "all" || value == "all-major";
    if (!is_nvidias || !target_variables_.contains(variable)) return false;
    add({word.span.begin + begin, word.span.end}, std::string(arch::kDefaultTarget), "HP401",
        fmt::format("{}: the target, which `make {}=…` changes", value, variable));
    return true;
  }

  static std::string_view next_of(const MakeRun& run, std::size_t i) {
    return i + 1 < run.words.size() ? run.words[i + 1].text : std::string_view();
  }

  bool translate_line(const MakeLine& line) {
    const bool is_condition = line.kind == MakeLine::Kind::kIf ||
                              line.kind == MakeLine::Kind::kElse ||
                              line.kind == MakeLine::Kind::kEndif;
    const std::size_t before = file_.changes.list().size();
    for (const MakeRun& run : runs_of(text_, line)) {
      if (is_condition || run.is_in_shell)
        asks_toolkit(run);
      else
        translate_run(run, owner(run, line), variable_of(text_, line));
    }
    return file_.changes.list().size() != before;
  }

  // Which program do the options of this line belong to?
  FlagOf owner(const MakeRun& run, const MakeLine& line) const {
    if (line.kind == MakeLine::Kind::kRecipe || line.kind == MakeLine::Kind::kDefine)
      return run.program.empty() || is_compiler(run.program) ? FlagOf::kNvcc : FlagOf::kAnyones;
    const std::string_view variable = variable_of(text_, line);
    const bool is_compilers =
        has_any(variable, {"NVCC", "CUDA", "FLAGS", "flags", "OPT", "ARCH", "GENCODE", "LIB", "LD",
                           "CC", "CXX", "SM", "LINK", "GPU"});
    return is_compilers ? FlagOf::kNvcc : FlagOf::kAnyones;
  }

  static bool is_compiler(std::string_view program) {
    const bool is_variable = program.starts_with("$(") || program.starts_with("${");
    return program.ends_with("nvcc") || program.ends_with("nvcc\"") ||
           (is_variable &&
            has_any(program, {"CC", "CXX", "LD", "LINK", "CUDA", "COMPILER", "EXEC"}));
  }

  void translate_run(const MakeRun& run, FlagOf of, std::string_view variable) {
    if (run.words.empty() || has_any(run.words[0].text, {"$(error", "$(warning", "$(info"})) return;
    if (const std::string advice = advice_on_tool(run.program); !advice.empty())
      report(Severity::kWarning, run.words[0].span,
             fmt::format("{} is NVIDIA's", run.program.substr(run.program.rfind('/') + 1)), advice);
    if (is_other_program(run.program)) {
      if (has_any(run.program, {"make", "MAKE"})) make_arguments(run);
      return;
    }
    for (std::size_t i = 0; i < run.words.size(); ++i) {
      const MakeWord& word = run.words[i];
      const std::string_view next = next_of(run, i);
      if (set_target(word, variable)) continue;
      if (const auto asked = target_variable(word.text, next)) {
        const bool takes_next = asked->takes_next && i + 1 < run.words.size();
        change(word, takes_next ? run.words[i + 1] : word,
               {target_option(*asked), "the target that the variable names", takes_next});
        if (takes_next) ++i;
      } else if (const auto flag = translate_flag(word.text, next, of)) {
        const bool takes_next = flag->takes_next && i + 1 < run.words.size();
        change(word, takes_next ? run.words[i + 1] : word, alone(*flag));
        if (takes_next) ++i;
      } else if (const std::string_view advice = advice_on_flag(word.text);
                 !advice.empty() && (of == FlagOf::kNvcc || word.text.starts_with("-l"))) {
        report(Severity::kError, word.span, fmt::format("HIP compilers have no {}", word.text),
               std::string(advice));
      } else if (const auto folder = folder_of_cuda(word.text, next)) {
        const bool takes_next = folder->takes_next && i + 1 < run.words.size();
        change(word, takes_next ? run.words[i + 1] : word, *folder);
        if (takes_next) ++i;
      } else if (has_any(word.text, {"/opt/nvidia/", "$(NVHPC", "${NVHPC"})) {
        report(Severity::kWarning, word.span,
               fmt::format("{} is part of the NVIDIA HPC SDK", word.text),
               "Name the directory of the same library on AMD machines.");
      } else {
        compiler(word);
      }
    }
  }

  // A file that is loaded on its own is linked on its own.
  FlagChange alone(FlagChange flag) const {
    if (links_device_code_ && flag.now == "--genco") flag.now += " -fno-gpu-rdc";
    return flag;
  }

  // make CC=nvcc ARCH=-arch=sm_80
  void make_arguments(const MakeRun& run) {
    for (const MakeWord& word : run.words) {
      const std::size_t value = word.text.find('=') + 1;
      if (value == 0) continue;
      const Span span = {word.span.begin + value, word.span.end};
      if (nvcc_in(word).size() != 0)
        add(nvcc_in(word), "hipcc", "HP402", "HIP's compiler");
      else if (set_target(word, word.text.substr(0, value - 1)))
        continue;
      else if (const auto flag = translate_flag(word.text.substr(value), {}))
        add(span, flag->now.find(' ') == std::string::npos ? flag->now : '"' + flag->now + '"',
            "HP401", fmt::format("{}: {}", word.text, flag->reason));
    }
  }

  // $(shell nvcc --version), ifneq ($(shell which nvcc),): the results come from a machine with
  // CUDA.
  void asks_toolkit(const MakeRun& run) {
    for (const MakeWord& word : run.words) {
      const bool is_asked =
          nvcc_in(word).size() != 0 || word.text == "$(NVCC)" || !advice_on_tool(word.text).empty();
      if (!is_asked || file_.changes.touches(word.span)) continue;
      report(Severity::kWarning, word.span,
             fmt::format("calls {}, which AMD machines lack", word.text),
             "Call hipcc or hipconfig, or remove the call.");
      return;
    }
  }

  // -I$(CUDA_HOME)/include: hipcc knows its own folders, a host compiler needs the option.
  std::optional<FlagChange> folder_of_cuda(std::string_view word, std::string_view next) const {
    const bool is_rpath = word.starts_with("-Wl,-rpath");
    const bool is_alone = word == "-I" || word == "-L" || word == "-isystem";
    const bool is_header = word.starts_with("-I") || word == "-isystem";
    if (!is_header && !word.starts_with("-L") && !is_rpath) return std::nullopt;
    std::string_view path = is_alone ? next : word.substr(2);
    if (is_rpath) path = word.substr(word.find_last_of(",=") + 1);
    if (path.starts_with('"') || path.starts_with('\'')) path.remove_prefix(1);
    if (!is_of_toolkit(path)) return std::nullopt;
    // Samples' helpers, CUPTI: ROCm has no such folder.
    if (has_any(path, {"/common/", "/samples", "/extras", "SDK"}))
      return FlagChange{"", "a CUDA directory that ROCm lacks", is_alone};
    return FlagChange{is_header  ? fmt::format("-I{}/include -D__HIP_PLATFORM_AMD__", kRocm)
                      : is_rpath ? fmt::format("-Wl,-rpath,{}/lib", kRocm)
                                 : fmt::format("-L{}/lib", kRocm),
                      "ROCm's directory", is_alone};
  }

  bool is_of_toolkit(std::string_view path) const {
    if (path.starts_with('/')) return has_cuda_folder(path);
    if (!path.starts_with("$(") && !path.starts_with("${")) return false;
    const std::string_view name = path.substr(2, path.find_first_of(")}") - 2);
    return name.starts_with("CUDA") && !own_.contains(name);
  }

  void change(const MakeWord& first, const MakeWord& last, const FlagChange& flag) {
    Span span = {first.span.begin, last.span.end};
    // Removing a word also removes the blanks before it, so that no line ends with blanks.
    while (flag.now.empty() && span.begin > 0 && is_blank(text_[span.begin - 1]) &&
           span.begin > 1 && text_[span.begin - 2] != '\n')
      --span.begin;
    add(span, flag.now, "HP401", fmt::format("{}: {}", first.text, flag.reason));
  }

  void compiler(const MakeWord& word) {
    const std::string_view now = links_device_code_ ? "hipcc -fgpu-rdc" : "hipcc";
    Span span = nvcc_in(word);
    if (word.text.starts_with("$(shell") && word.text.ends_with(')') &&
        has_any(word.text, {"which nvcc", "command -v nvcc", "where nvcc"}))
      span = word.span;
    if (span.size() == 0) return;
    add(span, std::string(now), "HP402",
        links_device_code_ ? "the HIP compiler, with separate compilation of device code"
                           : "HIP's compiler");
  }

  void add(Span span, std::string now, CodeId code, std::string reason) {
    file_.change({.edit = {span, std::move(now)}, .code = code, .reason = std::move(reason)});
  }

  void report(Severity severity, Span span, std::string message, std::string why) {
    file_.report("HP409", severity, span, std::move(message), std::move(why));
  }

  // Consecutive lines of a kind share one condition. It may be between the lines of a
  // recipe.
  void gate(const std::vector<MakeLine>& changed) {
    const std::string next(line_break_of(text_));
    Changes gated;
    for (std::size_t i = 0; i < changed.size();) {
      const MakeLine& first = changed[i++];
      Span span = first.span;
      while (i < changed.size() && changed[i].kind == first.kind &&
             changed[i].span.begin == span.end + next.size())
        span.end = changed[i++].span.end;
      gated.add({.edit = {span, fmt::format("ifeq ($(USE_ROCM),1){0}{1}{0}else{0}{2}{0}endif", next,
                                            file_.changes.text_of(text_, span),
                                            text_.substr(span.begin, span.size()))},
                 .code = "HP404",
                 .reason = "make USE_ROCM=1 builds for AMD"});
    }
    file_.note("HP404");
    file_.ungated = std::exchange(file_.changes, std::move(gated));
  }

  PortedFile& file_;
  std::string_view text_;
  Mode mode_;
  std::vector<MakeLine> lines_;
  std::set<std::string_view> own_;               // variables that name folders of the project
  std::set<std::string_view> assigned_;          // all variables that it sets
  std::set<std::string_view> target_variables_;  // those of -arch=$(ARCH)
  bool links_device_code_ = false;
  bool has_compiler_ = false;
  Span first_device_link_;
};

void apply(TextContext& context) {
  Makefile(context.file, context.options.mode).translate();
}

}  // namespace

Pass makefile() {
  return {
      .codes = {"HP401", "HP402", "HP404", "HP409"}, .text = apply, .language = Language::kMake};
}

}  // namespace hipwright::port::passes
