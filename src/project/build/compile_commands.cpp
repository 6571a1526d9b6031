// SPDX-License-Identifier: MIT
#include "project/build/compile_commands.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/json.h"
#include "base/words.h"
#include "project/path.h"
#include "project/root.h"

namespace hipwright::project {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDatabaseName = "compile_commands.json";
constexpr int kDeepest = 4;  // nested response files

// The value of an include option: attached, after '=', or the next word.
struct FolderOption {
  std::string_view value;
  std::size_t words = 0;  // 0 if it is another option
};

FolderOption folder_option(std::string_view word, std::string_view next) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "-isystem", "-iquote",          "-idirafter",     "--include-path",
      "-I",       "--system-include", "-system-include"};
  for (const std::string_view name : kNames) {
    if (!word.starts_with(name)) continue;
    std::string_view value = word.substr(name.size());
    if (value.empty()) return {next, 2};
    if (value[0] == '=') value.remove_prefix(1);
    return {value, 1};
  }
  return {};
}

std::string text_of(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> words_of(const Json& entry) {
  std::vector<std::string> words;
  const auto list = entry.find("arguments");
  if (list == entry.end() || !list->is_array()) return shell_words(text_of(entry, "command"));
  for (const Json& each : *list)
    if (each.is_string()) words.push_back(each.get<std::string>());
  return words;
}

class Reader {
 public:
  explicit Reader(const fs::path& root) : root_(fs::absolute(root).lexically_normal()) {
    if (!root_.has_filename()) root_ = root_.parent_path();
    std::error_code failed;
    real_root_ = fs::weakly_canonical(root_, failed);
  }

  void read(const Json& entry) {
    if (!entry.is_object()) return;
    directory_ = root_ / text_of(entry, "directory");
    const std::string file = text_of(entry, "file");
    const std::string path = in_tree(directory_ / file);
    if (file.empty() || path.empty() || path == "." || path.starts_with("..")) return;
    const auto [unit, is_new] = out_.try_emplace(path);
    if (!is_new) return;
    const std::vector<std::string> words = words_of(entry);
    set_compiler(words, unit->second);
    unit->second.flags.rules.push_back({.target = {}, .sources = {path}, .options = words});
    BuildFlags& flags = unit->second.flags;
    OptionReader options({}, flags);
    read_options(words, options, flags, 0);
  }

  CompileCommands take() { return std::move(out_); }

 private:
  // Relative to the root; "../x" is outside.
  std::string in_tree(const fs::path& path) const {
    const fs::path normal = path.lexically_normal();
    const std::string way = normal.lexically_relative(root_).generic_string();
    if (!way.starts_with("..")) return way;
    const std::string real = normal.lexically_relative(real_root_).generic_string();
    return real.starts_with("..") ? way : real;
  }

  void read_options(const std::vector<std::string>& words, OptionReader& options, BuildFlags& flags,
                    int depth) {
    for (std::size_t i = 0; i < words.size();) {
      const std::string_view word = words[i];
      const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
      if (const FolderOption folder = folder_option(word, next); folder.words != 0) {
        add_folder(folder.value, flags);
        i += folder.words;
      } else if (is_any(word, {"--options-file", "-optf"})) {
        read_response_file(next, options, flags, depth);
        i += 2;
      } else if (word.starts_with('@') || word.starts_with("--options-file=")) {
        read_response_file(word.substr(word.starts_with('@') ? 1 : word.find('=') + 1), options,
                           flags, depth);
        i += 1;
      } else {
        i += options.option(word, next);
      }
    }
  }

  // CMake passes include folders to nvcc this way.
  void read_response_file(std::string_view file, OptionReader& options, BuildFlags& flags,
                          int depth) {
    if (file.empty() || depth >= kDeepest) return;
    if (const auto text = read_file(directory_ / file))
      read_options(shell_words(*text), options, flags, depth + 1);
  }

  void add_folder(std::string_view value, BuildFlags& flags) const {
    if (value.empty()) return;
    fs::path whole = (directory_ / value).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    const std::string way = in_tree(whole);
    if (!way.starts_with("..")) return flags.add_folder(way == "." ? "" : way);
    std::error_code failed;
    if (fs::exists(whole / "cuda_runtime.h", failed)) return;  // the CUDA toolkit
    const std::string path = whole.generic_string();
    const bool is_of_system = path.starts_with("/usr/") || path.starts_with("/opt/");
    flags.add_folder(is_of_system ? path : way);
  }

  static void set_compiler(const std::vector<std::string>& words, CompileCommand& unit) {
    constexpr std::size_t kLaunchers = 3;  // ccache nvcc …
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view name = name_of(words[i]);
      const bool is_program = i < kLaunchers && !words[i].starts_with('-');
      const bool is_hip = words[i] == "hip" && i > 0 && words[i - 1] == "-x";
      const bool is_cuda = words[i] == "cuda" && i > 0 && words[i - 1] == "-x";
      unit.is_for_amd |= is_hip || words[i] == "-xhip" ||
                         words[i].starts_with("--offload-arch=gfx") ||
                         (is_program && is_any(name, {"hipcc", "amdclang", "amdclang++"}));
      unit.is_for_nvidia |= is_cuda || words[i] == "-xcuda" ||
                            words[i].starts_with("--cuda-gpu-arch=sm_") ||
                            (is_program && is_any(name, {"nvcc", "nvc++"}));
    }
  }

  fs::path root_, real_root_;
  fs::path directory_;  // the working directory of the current entry
  CompileCommands out_;
};

}  // namespace

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_open = false;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      is_open = false;
      continue;
    }
    if (!is_open) words.emplace_back();
    is_open = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      words.back() += text[++at];
    } else {
      words.back() += c;
    }
  }
  return words;
}

Result<CompileCommands> parse_compile_commands(std::string_view text, const std::string& origin,
                                               const fs::path& root) {
  HW_TRY(const Json database, parse_json(text, origin));
  if (!database.is_array())
    return fail("cannot read the compile commands", origin, "the file is not a JSON array");
  Reader reader(root);
  for (const Json& entry : database) reader.read(entry);
  return reader.take();
}

Result<CompileCommands> load_compile_commands(const fs::path& file, const fs::path& root) {
  HW_TRY(const std::string text, read_file(file));
  return parse_compile_commands(text, file.string(), root);
}

void add_compile_commands(const CompileCommands& commands, const FileSet& tree, BuiltFiles& lists,
                          MacroWords& words) {
  for (const auto& [path, command] : commands) {
    for (const auto& [name, value] : command.flags.macros)
      words.insert(syntax::cuda::macro_key(name));
    if (!tree.has(path)) continue;
    if (command.is_for_amd) lists[path].amd = Truth::kYes;
    // A build for NVIDIA does not list what AMD compiles.
    if (const auto listed = lists.find(path); command.is_for_nvidia && listed != lists.end())
      listed->second.nvidia = Truth::kYes;
  }
}

fs::path find_compile_commands(const fs::path& root) {
  if (root.empty()) return {};  // a tree in memory
  std::error_code failed;
  const fs::path first = fs::absolute(root).lexically_normal();
  const fs::path top = find_upward(first, ".git");
  for (fs::path folder = first;; folder = folder.parent_path()) {
    for (const fs::path& file : {folder / kDatabaseName, folder / "build" / kDatabaseName})
      if (fs::is_regular_file(file, failed)) return file;
    if (top.empty() || folder == top || !folder.has_relative_path()) return {};
  }
}

}  // namespace hipwright::project
