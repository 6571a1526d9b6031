// SPDX-License-Identifier: MIT
#include "port/verify/build_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "syntax/build/built.h"
#include "syntax/build/cmake_commands.h"
#include "syntax/build/make_lines.h"

namespace hipwright::port {

namespace build = syntax::build;

namespace {

class Reader {
 public:
  explicit Reader(const SourceFile& file)
      : text_(file.text()), folder_(build::folder_of(file.path())) {
    if (file.language() == Language::kMake) read_make();
    if (file.language() == Language::kCMake) read_cmake();
    if (file.python() != nullptr) read_strings(*file.python());
  }

  BuildWords take() { return std::move(out_); }

 private:
  // --- any compiler's options ---

  // The option and where its value ends: -I dir, -Idir. How many words were read.
  std::size_t option(std::string_view word, std::string_view next) {
    while (!word.empty() && (word[0] == '"' || word[0] == '\'')) word.remove_prefix(1);
    if (word.size() < 2 || word[0] != '-') return 1;
    if (is_any(word,
               {"-dc", "--device-c", "-rdc=true", "--relocatable-device-code=true", "-fgpu-rdc"}))
      out_.links_device_code = true;
    if (word.starts_with("-std=")) {
      standard(word.substr(word.find_last_not_of("0123456789") + 1));
      return 1;
    }
    const char kind = word[1];
    if (kind != 'D' && kind != 'I') return 1;
    const bool is_joined = word.size() > 2;
    const std::string_view value = is_joined ? word.substr(2) : next;
    if (kind == 'D')
      macro(value);
    else
      folder(value);
    return is_joined ? 1 : 2;
  }

  void macro(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool is_name =
        !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '_';
        });
    if (!is_name || text.find('$') != std::string_view::npos) return;
    std::string value(equals == std::string_view::npos ? "" : text.substr(equals));
    std::erase_if(value, [](char c) { return c == '\\' || c == '"' || c == '\''; });
    // A text: its quotes are for whoever reads the build file first.
    if (text.find('"') != std::string_view::npos && value.size() > 1)
      value = "=\"" + value.substr(1) + "\"";
    out_.macros.emplace(name, std::move(value));
  }

  void folder(std::string_view path) {
    if (path.empty() || path.find('$') != std::string_view::npos) return;
    if (path[0] == '/') return;  // of another machine
    const std::string joined =
        build::join_path(folder_, path)
            .value_or((std::filesystem::path(folder_) / path).lexically_normal().generic_string());
    if (std::find(out_.folders.begin(), out_.folders.end(), joined) == out_.folders.end())
      out_.folders.push_back(joined);
  }

  void standard(std::string_view digits) {
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (number >= 11 && number <= 26) out_.standard = std::max(out_.standard, number);
  }

  // --- make ---

  void read_make() {
    int conditions = 0;
    for (const build::MakeLine& line : build::read_make_lines(text_)) {
      using Kind = build::MakeLine::Kind;
      if (line.kind == Kind::kIf) ++conditions;
      if (line.kind == Kind::kEndif) --conditions;
      if (line.kind != Kind::kRecipe && line.kind != Kind::kOther) continue;
      const auto words = build::words_of(text_, line);
      if (conditions > 0) continue;
      if (words.size() > 2 && words[1].text.ends_with("="))
        values_.emplace(words[0].text, words[2].text);
      for (std::size_t i = 0; i < words.size();) {
        const std::string word = expanded(words[i].text);
        const std::string next = i + 1 < words.size() ? expanded(words[i + 1].text) : "";
        i += option(word, next);
      }
    }
  }

  // $(NAME) where the makefile gives it one word.
  std::string expanded(std::string_view word) const {
    std::string out(word);
    for (int round = 0; round < 4; ++round) {
      const std::size_t begin = out.find_first_of('$');
      if (begin == std::string::npos || begin + 1 >= out.size()) break;
      const char open = out[begin + 1];
      const std::size_t end = out.find(open == '{' ? '}' : ')', begin);
      if ((open != '(' && open != '{') || end == std::string::npos) break;
      const std::string name = out.substr(begin + 2, end - begin - 2);
      if (name == "CURDIR") {
        out.replace(begin, end + 1 - begin, ".");
        continue;
      }
      const auto value = values_.find(name);
      if (value == values_.end()) break;
      out.replace(begin, end + 1 - begin, value->second);
    }
    return out;
  }

  // --- CMake ---

  void read_cmake() {
    int conditions = 0;
    for (const build::CMakeCommand& command : build::read_cmake(text_).list) {
      const std::string& name = command.name;
      if (name == "if" || name == "function" || name == "macro") ++conditions;
      if (name == "endif" || name == "endfunction" || name == "endmacro") --conditions;
      if (conditions > 0) continue;
      const bool is_of_target = name.starts_with("target_");
      for (std::size_t i = is_of_target ? 1 : 0; i < command.arguments.size(); ++i) {
        const std::string word = in_folder(command.text(i));
        if (is_keyword(word)) continue;
        if (name.ends_with("include_directories"))
          folder(word);
        else if (name.ends_with("compile_definitions"))
          macro(word.starts_with("-D") ? std::string_view(word).substr(2) : word);
        else if (name == "add_definitions" || name.ends_with("compile_options"))
          option(word, "");
        else if (word.ends_with("_STANDARD") &&
                 (word.find("CUDA") != std::string::npos || word.find("CXX") != std::string::npos))
          standard(command.text(i + 1));
        else if (word.ends_with("_SEPARABLE_COMPILATION") && command.text(i + 1) == "ON")
          out_.links_device_code = true;
      }
    }
  }

  static bool is_keyword(std::string_view word) {
    return word == "PUBLIC" || word == "PRIVATE" || word == "INTERFACE" || word == "SYSTEM" ||
           word == "BEFORE" || word == "AFTER";
  }

  static std::string in_folder(std::string_view text) {
    std::string out(text);
    for (const std::string_view variable : {"${CMAKE_CURRENT_SOURCE_DIR}", "${PROJECT_SOURCE_DIR}",
                                            "${CMAKE_SOURCE_DIR}", "${CMAKE_CURRENT_LIST_DIR}"})
      if (out.starts_with(variable)) out.replace(0, variable.size(), ".");
    return out;
  }

  // --- setup.py ---

  void read_strings(const syntax::python::File& file) {
    for (syntax::python::TokenIndex at = 0; at < file.tokens().size(); ++at)
      if (file.tokens()[at].kind == syntax::python::Kind::kString) {
        const std::string word = file.string_value(at);
        if (word.find('{') == std::string::npos) option(word, "");
      }
  }

  std::string_view text_, folder_;
  std::map<std::string, std::string, std::less<>> values_;  // of make's variables
  BuildWords out_;
};

// The folders that the project's #include lines are written from: where a build file would say -I.
std::set<std::string> include_folders(const Tree& tree) {
  std::set<std::string> folders = {""};
  for (const auto& file : tree.files) {
    if (file->cuda() == nullptr) continue;
    for (const syntax::cuda::Include& include : file->cuda()->includes()) {
      const std::string_view name = include.path.substr(include.path.rfind('/') + 1);
      const auto [begin, end] = tree.by_name.equal_range(name);
      for (auto at = begin; at != end; ++at) {
        const std::string& path = at->second->path();
        if (path.size() > include.path.size() && path.ends_with(include.path) &&
            path[path.size() - include.path.size() - 1] == '/')
          folders.insert(path.substr(0, path.size() - include.path.size() - 1));
      }
    }
  }
  return folders;
}

}  // namespace

BuildWords build_words_of(const SourceFile& file) {
  return Reader(file).take();
}

UnitWords::UnitWords(const Tree& tree) {
  for (const auto& file : tree.files) {
    const std::string& path = file->path();
    const bool is_setup = path == "setup.py" || path.ends_with("/setup.py");
    if (file->language() != Language::kMake && file->language() != Language::kCMake && !is_setup)
      continue;
    by_folder_[std::string(build::folder_of(path))].push_back(build_words_of(*file));
  }
}

BuildWords UnitWords::of(std::string_view path) const {
  BuildWords all;
  for (std::string_view folder = build::folder_of(path);; folder = build::folder_of(folder)) {
    if (const auto here = by_folder_.find(folder); here != by_folder_.end())
      for (const BuildWords& words : here->second) {
        all.macros.insert(words.macros.begin(), words.macros.end());
        all.folders.insert(all.folders.end(), words.folders.begin(), words.folders.end());
        all.standard = std::max(all.standard, words.standard);
        all.links_device_code |= words.links_device_code;
      }
    if (folder.empty()) return all;
  }
}

CompilerWords::CompilerWords(const Tree& tree, std::filesystem::path root)
    : build_(tree), root_(std::move(root)), original_(std::filesystem::absolute(tree.root)) {
  for (const std::string& each : include_folders(tree))
    folders_.push_back("-I" + (root_ / each).string());
}

std::vector<std::string> CompilerWords::of(const std::string& path) const {
  const BuildWords own = build_.of(path);
  std::vector<std::string> words;
  if (!path.ends_with(".c")) words.push_back(fmt::format("-std=c++{}", std::max(own.standard, 17)));
  if (own.links_device_code) words.emplace_back("-fgpu-rdc");
  for (const std::string& folder : own.folders) {
    const std::filesystem::path& root = folder.starts_with("..") ? original_ : root_;
    words.push_back("-I" + (root / folder).lexically_normal().string());
  }
  for (const auto& [macro, value] : own.macros) words.push_back("-D" + macro + value);
  words.insert(words.end(), folders_.begin(), folders_.end());
  // "../common/timer.h", which is not part of the tree.
  words.push_back("-iquote" + (original_ / build::folder_of(path)).lexically_normal().string());
  return words;
}

}  // namespace hipwright::port
