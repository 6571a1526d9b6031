// SPDX-License-Identifier: MIT
// setup.py of an extension. PyTorch's own build translates the sources of a CUDAExtension and calls
// hipcc, but passes on the options and libraries written for nvcc: this pass translates those.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "port/build/flags.h"
#include "port/build/option_lists.h"
#include "port/pass.h"
#include "port/python/context.h"
#include "port/source/paths.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kExtension("CUDAExtension");
const Name kHome("CUDA_HOME");

// Its author already considered ROCm.
bool knows_rocm(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {
      "IS_HIP_EXTENSION", "version.hip", "ROCM_HOME", "is_rocm", "IS_ROCM", "USE_ROCM", "hipify"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// PyTorch adds the runtime itself.
std::vector<std::string> libraries_for_rocm(const std::vector<std::string>& names) {
  std::vector<std::string> now;
  for (const std::string& name : names) {
    const auto flag = translate_flag("-l" + name, "");
    const std::string other = !flag ? name : flag->now.empty() ? "" : flag->now.substr(2);
    if (!other.empty() && other != "amdhip64") now.push_back(other);
  }
  return now;
}

class Setup {
 public:
  explicit Setup(PythonContext& context) : context_(context), file_(context.file) {}

  void run() {
    if (!file_.has(kExtension) || knows_rocm(file_.text())) return;
    find_options();
    for (const TokenIndex at : file_.occurrences(kExtension)) {
      if (!file_.is(at + 1, "(") || context_.is_settled(at)) continue;
      if (const auto value = file_.keyword_argument(at + 1, "extra_compile_args"))
        translate_options(*value);
      if (const auto value = file_.keyword_argument(at + 1, "extra_link_args"))
        translate_options(*value);
      if (const auto value = file_.keyword_argument(at + 1, "libraries")) libraries(*value);
    }
    for (const TokenIndex at : file_.occurrences(kHome)) toolkit(at);
    ask_nvcc();
    computed_targets();
    if (needs_function_) define_function();
  }

 private:
  const Why kOptions{"HP406", "hipcc's options differ from nvcc's"};

  // The nvcc options that the file mentions: the function translates only these.
  void find_options() {
    const auto tokens = file_.tokens();
    for (TokenIndex at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind != Kind::kString) continue;
      const std::string word = file_.string_value(at);
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const auto flag = translate_flag(word, "");
      if (!flag || word.find('{') < equals) continue;
      if (word == "-Xcompiler" && file_.is(at + 1, ",")) host_option(at + 2);
      if (flag->takes_next && flag->now.empty() && !name.starts_with("-X")) {
        with_value_.insert(name);
      } else if (flag->now.empty() && equals != std::string::npos &&
                 translate_flag(name, "").value_or(FlagChange{}).takes_next) {
        with_value_.insert(name);
      } else if (name == "-Xptxas" || name == "-Xcudafe" || name == "-Xnvlink") {
        with_value_.insert(name);
      } else {
        others_[word] = split(flag->now);
      }
    }
  }

  // Of mathematics: the function meets it as a word of its own.
  void host_option(TokenIndex at) {
    if (file_.tokens()[at].kind != Kind::kString) return;
    const std::string word = file_.string_value(at);
    if (const auto flag = translate_flag("-Xcompiler", word); flag && flag->now != word)
      others_[word] = split(flag->now);
  }

  void translate_options(TokenRange value) {
    if (others_.empty() && with_value_.empty()) return;
    if (file_.is(value.begin, "{") && file_.partner(value.begin) == value.end - 1) {
      for (const TokenRange& item : file_.arguments(value.begin)) {
        const bool is_nvccs = item.size() > 2 && file_.is(item.begin + 1, ":") &&
                              file_.tokens()[item.begin].kind == Kind::kString &&
                              file_.string_value(item.begin) == "nvcc";
        if (is_nvccs) gate_options({item.begin + 2, item.end});
      }
      return;
    }
    gate_options(value);
  }

  void gate_options(TokenRange value) {
    if (const auto list = list_of(file_, value)) {
      const auto now = for_hipcc(*list);
      if (now != *list && !context_.gate_value(value, list_text(now), kOptions))
        report_options(value);
      return;
    }
    if (context_.gate_value(value, fmt::format("for_hipcc({})", file_.text(value)), kOptions))
      needs_function_ = true;
    else
      report_options(value);
  }

  void report_options(TokenRange value) {
    context_.report("HP406", Severity::kWarning, file_.span(value),
                    "PyTorch passes nvcc's options to hipcc, whose options differ");
  }

  void libraries(TokenRange value) {
    const auto list = list_of(file_, value);
    if (!list) return;
    const auto now = libraries_for_rocm(*list);
    if (now == *list) return;
    if (!context_.gate_value(value, list_text(now), {"HP408", "ROCm's libraries have other names"}))
      context_.report("HP408", Severity::kWarning, file_.span(value),
                      "ROCm lacks NVIDIA's libraries");
  }

  // Tests for a toolkit. ROCm has one, but not CUDA's.
  void toolkit(TokenIndex at) {
    const StatementIndex index = file_.statement_at(at);
    if (index == kNoStatement || context_.is_settled(at)) return;
    const Statement& statement = file_.statements()[index];
    if (statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport)
      return;
    TokenRange asked = {file_.dotted(at).begin, at + 1};
    bool is_true = true;
    if (file_.is(at + 1, "is") && file_.is(at + 2, "None")) {
      asked.end = at + 3;
      is_true = false;
    } else if (file_.is(at + 1, "is") && file_.is(at + 2, "not") && file_.is(at + 3, "None")) {
      asked.end = at + 4;
    } else if (asked.begin > 0 && file_.is(asked.begin - 1, "not")) {
      --asked.begin;
      is_true = false;
    }
    if (is_condition(asked) &&
        context_.gate_truth(asked, is_true, {"HP407", "the ROCm toolkit differs from CUDA's"}))
      return;
    context_.report("HP407", Severity::kWarning, file_.span(at),
                    "CUDA_HOME is None on ROCm; ROCm's directory is ROCM_HOME");
  }

  bool is_condition(TokenRange asked) const {
    constexpr std::array<std::string_view, 5> kBefore = {"if", "elif", "and", "or", "assert"};
    constexpr std::array<std::string_view, 4> kAfter = {":", "and", "or", ","};
    const bool before = asked.begin > 0 && is_any(file_.text(asked.begin - 1), kBefore);
    const bool after =
        file_.tokens()[asked.end].kind == Kind::kNewline || is_any(file_.text(asked.end), kAfter);
    return before && after;
  }

  void ask_nvcc() {
    const auto tokens = file_.tokens();
    for (TokenIndex at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind != Kind::kString || context_.is_settled(at)) continue;
      const std::string value = file_.string_value(at);
      const bool is_called =
          value.ends_with("bin/nvcc") || value.starts_with("nvcc ") ||
          value.find("bin/nvcc ") != std::string::npos ||
          (value == "nvcc" && at > 0 && file_.is(at - 1, "[") && file_.is(at + 1, ","));
      if (is_called)
        context_.report("HP407", Severity::kWarning, file_.span(at), "there is no nvcc on ROCm");
    }
  }

  void computed_targets() {
    for (const TokenIndex at :
         computed_gpus(file_, {0, static_cast<TokenIndex>(file_.tokens().size())}))
      if (!context_.is_settled(at))
        context_.report("HP406", Severity::kNote, file_.span(at),
                        "on ROCm a gfx name given here becomes --offload-arch; without one PyTorch "
                        "compiles for PYTORCH_ROCM_ARCH, or the GPU that it finds");
  }

  void define_function() {
    StatementIndex first = kNoStatement;
    bool is_behind_torch = false;
    for (const StatementIndex each : file_.children(kNoStatement)) {
      const Statement& statement = file_.statements()[each];
      const bool is_import =
          statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport;
      if (is_import && statement.tokens.size() > 1 && file_.is(statement.tokens.begin + 1, "torch"))
        is_behind_torch = true;
      if (is_import || !is_behind_torch) continue;
      first = each;
      break;
    }
    if (first == kNoStatement) return;
    std::string others, values;
    for (const auto& [word, now] : others_)
      others += fmt::format("            {}: {},\n", in_quotes(word), list_text(now));
    for (const std::string& name : with_value_)
      values += (values.empty() ? "" : ", ") + in_quotes(name);
    std::string text = fmt::format(
        R"(if {}:

    def for_hipcc(words):
        """nvcc options translated for hipcc, to which PyTorch passes them unchanged."""
        if isinstance(words, dict):
            return {{**words, "nvcc": for_hipcc(words.get("nvcc", []))}}
        others = {{
{}        }}
        dropped = [{}]  # with their values
        now, is_value = [], False
        for word in words:
            name, _, value = word.partition("=")
            if is_value or name in dropped:
                gpu = word if is_value else value
                now += ["--offload-arch=" + gpu] if gpu.startswith("gfx") else []
                is_value = not is_value and name == word
            else:
                now += others.get(word, [word])
        return now

)",
        context_.gate(), others, values);
    const std::string_view line_break = line_break_of(file_.text());
    std::string out;
    for (const char c : text) out += c == '\n' ? std::string(line_break) : std::string(1, c);
    context_.put_before(first, {std::move(out)}, kOptions);
  }

  PythonContext& context_;
  const File& file_;
  std::map<std::string, std::vector<std::string>> others_;
  std::set<std::string> with_value_;
  bool needs_function_ = false;
};

void apply(PythonContext& context) {
  Setup(context).run();
}

}  // namespace

Pass setup_script() {
  return {.codes = {"HP406", "HP407", "HP408"}, .setup = apply};
}

}  // namespace hipwright::port::passes
