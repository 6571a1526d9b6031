// SPDX-License-Identifier: MIT
#include "port/build/makefile.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "port/build/flags.h"
#include "port/source/paths.h"
#include "syntax/build/make_lines.h"

namespace hipwright::port {

namespace build = syntax::build;
using build::MakeLine;
using build::MakeWord;

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// …/bin/nvcc or nvcc, as the last part of a word.
bool names_nvcc(std::string_view word) {
  return word == "nvcc" || word.ends_with("/nvcc");
}

// Programs whose options look like nvcc's and mean something else: `cmake -G Ninja`.
bool is_other_program(std::string_view word) {
  while (!word.empty() && (word[0] == '@' || word[0] == '-' || word[0] == '+'))
    word.remove_prefix(1);
  constexpr std::array<std::string_view, 16> kPrograms = {
      "cmake", "ctest", "make", "$(MAKE)", "ninja", "docker", "git", "rm",
      "cp",    "mv",    "cd",   "mkdir",   "echo",  "printf", "ar",  "python"};
  return std::find(kPrograms.begin(), kPrograms.end(), word) != kPrograms.end() ||
         word.starts_with("python") || word.starts_with("pip");
}

// Who has a way of building for AMD already is not given a second one.
bool is_for_amd(std::string_view text) {
  return text.find("USE_ROCM") != std::string_view::npos ||
         text.find("hipcc") != std::string_view::npos;
}

class Makefile {
 public:
  Makefile(PortedFile& file, Mode mode) : file_(file), text_(file.source->text()), mode_(mode) {}

  void translate() {
    if (text_.find("nvcc") == std::string_view::npos &&
        text_.find("cuda") == std::string_view::npos &&
        text_.find("CUDA") == std::string_view::npos)
      return;
    if (is_for_amd(text_)) return;
    std::vector<MakeLine> changed;
    for (const MakeLine& line : build::read_make_lines(text_))
      if (translate_line(line)) changed.push_back(line);
    if (mode_ == Mode::kDual && !changed.empty()) gate(changed);
  }

 private:
  bool translate_line(const MakeLine& line) {
    const bool is_condition = line.kind == MakeLine::Kind::kIf ||
                              line.kind == MakeLine::Kind::kElse ||
                              line.kind == MakeLine::Kind::kEndif;
    const std::vector<MakeWord> words = build::words_of(text_, line);
    if (is_condition || words.empty()) return false;
    if (line.kind == MakeLine::Kind::kRecipe && is_other_program(words[0].text)) return false;
    const std::size_t before = file_.changes.list().size();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const MakeWord& word = words[i];
      // What follows is for people.
      if (word.text.starts_with('#') && line.kind != MakeLine::Kind::kDefine) break;
      const std::string_view next = i + 1 < words.size() ? words[i + 1].text : std::string_view();
      if (const auto flag = translate_flag(word.text, next)) {
        const bool takes_next = flag->takes_next && i + 1 < words.size();
        change(word, takes_next ? words[i + 1] : word, *flag);
        if (takes_next) ++i;
      } else if (const auto folder = folder_of_cuda(word.text)) {
        change(word, word, *folder);
      } else {
        compiler(word);
      }
    }
    return file_.changes.list().size() != before;
  }

  // -I$(CUDA_HOME)/include: hipcc knows its own folders, a host compiler has to be told.
  static std::optional<FlagChange> folder_of_cuda(std::string_view word) {
    const bool is_header = word.starts_with("-I");
    if (!is_header && !word.starts_with("-L")) return std::nullopt;
    constexpr std::array<std::string_view, 6> kRoots = {
        "$(CUDA_", "${CUDA_", "$(CUDA)", "$(CUDADIR)", "/usr/local/cuda", "$(CUDATOOLKIT"};
    const std::string_view path = word.substr(2);
    if (std::none_of(kRoots.begin(), kRoots.end(),
                     [&](std::string_view root) { return path.starts_with(root); }))
      return std::nullopt;
    constexpr std::string_view kRocm = "$(or $(ROCM_PATH),/opt/rocm)";
    return FlagChange{is_header ? fmt::format("-I{}/include -D__HIP_PLATFORM_AMD__", kRocm)
                                : fmt::format("-L{}/lib", kRocm),
                      "ROCm's folder"};
  }

  void change(const MakeWord& first, const MakeWord& last, const FlagChange& flag) {
    Span span = {first.span.begin, last.span.end};
    // A dropped word takes the blanks before it along, so that none are left at the end of lines.
    while (flag.now.empty() && span.begin > 0 && is_blank(text_[span.begin - 1]) &&
           span.begin > 1 && text_[span.begin - 2] != '\n')
      --span.begin;
    add(span, flag.now, "HP401", fmt::format("{}: {}", first.text, flag.reason));
  }

  void compiler(const MakeWord& word) {
    // CC=nvcc, also without blanks.
    const std::size_t equals = word.text.rfind('=');
    const std::size_t from = equals == std::string_view::npos ? 0 : equals + 1;
    if (!names_nvcc(word.text.substr(from))) return;
    add({word.span.begin + from, word.span.end}, "hipcc", "HP402", "HIP's compiler");
  }

  void add(Span span, std::string now, std::string_view code, std::string reason) {
    file_.changes.add({.edit = {span, std::move(now)},
                       .phase = Phase::kBuild,
                       .code = code,
                       .reason = std::move(reason)});
  }

  // Lines of a kind that follow each other share one condition. It may stand between the lines of a
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
                 .phase = Phase::kBuild,
                 .code = "HP404",
                 .reason = "make USE_ROCM=1 builds for AMD"});
    }
    file_.ungated = std::exchange(file_.changes, std::move(gated));
  }

  PortedFile& file_;
  std::string_view text_;
  Mode mode_;
};

}  // namespace

void translate_makefile(PortedFile& file, Mode mode) {
  Makefile(file, mode).translate();
}

}  // namespace hipwright::port
