// SPDX-License-Identifier: MIT
#include "port/isolation/lookups.h"

#include <set>

#include "port/isolation/python_lookups.h"
#include "port/isolation/view.h"
#include "project/path.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::port {

namespace build = syntax::build;
namespace cu = syntax::cuda;

namespace {

const syntax::Name kHasInclude("__has_include"), kHasIncludeNext("__has_include_next");

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

class OfCuda {
 public:
  explicit OfCuda(const SourceFile& source) : source_(source), file_(*source.cuda()) {}

  std::vector<Lookup> run() {
    for (const cu::Include& include : file_.includes())
      if (file_.compiled(include.hash, cu::Platform::kNvidia) != syntax::Truth::kNo)
        add(std::string(include.path), include.is_system, include.hash);
    for (const syntax::Name& name : {kHasInclude, kHasIncludeNext})
      for (const cu::TokenIndex at : file_.occurrences(name)) ask(at);
    return std::move(found_);
  }

 private:
  // __has_include("x.h"), __has_include(<a/x.h>)
  void ask(cu::TokenIndex at) {
    const auto tokens = file_.tokens();
    if (at + 2 >= tokens.size() || !file_.is(at + 1, "(")) return;
    if (tokens[at + 2].kind == cu::Kind::kString) {
      std::string_view path = file_.text(at + 2);
      const bool is_system = path.starts_with('<');
      if (path.size() > 2) add(std::string(path.substr(1, path.size() - 2)), is_system, at);
      return;
    }
    std::string path;
    for (cu::TokenIndex part = at + 3; part < tokens.size() && !file_.is(part, ">"); ++part) {
      if ((tokens[part].flags & cu::kInDirective) == 0 || file_.is(part, ")")) return;
      path += file_.text(part);
    }
    if (!path.empty()) add(std::move(path), true, at);
  }

  void add(std::string path, bool is_system, cu::TokenIndex at) {
    found_.push_back({.kind = Lookup::Kind::kInclude,
                      .what = std::move(path),
                      .is_system = is_system,
                      .from = &source_,
                      .offset = file_.span(at).begin});
  }

  const SourceFile& source_;
  const cu::File& file_;
  std::vector<Lookup> found_;
};

class OfBuild {
 public:
  explicit OfBuild(const SourceFile& source)
      : source_(source), folder_(project::folder_of(source.path())) {}

  std::vector<Lookup> cmake() {
    std::set<std::size_t> seen;
    for (const SeenToken& token : nvidia_view_of_cmake(source_.text())) seen.insert(token.offset);
    const build::CMakeCommands commands = build::read_cmake(source_.text());
    for (const build::CMakeCommand& command : commands.list)
      if (seen.contains(command.span.begin)) look_at(command);
    return std::move(found_);
  }

  std::vector<Lookup> make() {
    for (const SeenToken& line : nvidia_view_of_make(source_.text())) {
      wildcards(line);
      finds(line);
      include_options(line);
    }
    return std::move(found_);
  }

  std::vector<Lookup> project() {
    for (const std::string_view word : {"packages.find", "find:", "find_namespace:"})
      if (const std::size_t at = source_.text().find(word); at != std::string_view::npos)
        add(Lookup::Kind::kPackages, std::string(folder_), at);
    return std::move(found_);
  }

 private:
  void look_at(const build::CMakeCommand& command) {
    const auto texts_from = [&](std::size_t first, auto use) {
      for (std::size_t i = first; i < command.arguments.size(); ++i)
        use(std::string(command.text(i)), command.arguments[i].span.begin);
    };
    if (command.name == "file" && command.text(0).starts_with("GLOB")) {
      const bool recursive = command.text(0) == "GLOB_RECURSE";
      texts_from(2, [&](const std::string& text, std::size_t at) {
        if (is_pattern(text)) pattern(text, recursive, at);
      });
    } else if (command.name == "aux_source_directory") {
      pattern(std::string(command.text(0)) + "/*", false, command.span.begin);
    } else if (command.name == "find_package") {
      const std::string name(command.text(0));
      for (const std::string& file : {"Find" + name + ".cmake", name + "Config.cmake"})
        add(Lookup::Kind::kCMakeModule, file, command.span.begin);
    } else if (command.name == "include" && !command.text(0).ends_with(".cmake")) {
      add(Lookup::Kind::kCMakeModule, std::string(command.text(0)) + ".cmake", command.span.begin);
    } else if (command.name.ends_with("include_directories")) {
      texts_from(0, [&](const std::string& text, std::size_t at) {
        add(Lookup::Kind::kIncludeFolder, without_variables(text), at);
      });
    }
  }

  // $(wildcard src/*.cu ../*.cpp)
  void wildcards(const SeenToken& line) {
    constexpr std::string_view kWord = "$(wildcard ";
    for (std::size_t at = line.text.find(kWord); at != std::string::npos;
         at = line.text.find(kWord, at + 1))
      each_word(inside(line.text, at + kWord.size()), [&](const std::string& word) {
        if (is_pattern(word)) pattern(word, false, line.offset);
      });
  }

  // $(shell find . -name '*.cu'): the shell decides where it looks.
  void finds(const SeenToken& line) {
    constexpr std::string_view kWord = "-name ";
    if (line.text.find("find ") == std::string::npos) return;
    for (std::size_t at = line.text.find(kWord); at != std::string::npos;
         at = line.text.find(kWord, at + 1)) {
      std::string word;
      for (const char c : std::string_view(line.text).substr(at + kWord.size())) {
        if (c == ' ' || c == ')') break;
        if (c != '\'' && c != '"' && c != '\\') word += c;
      }
      if (!word.empty()) anywhere(word, true, line.offset);
    }
  }

  void include_options(const SeenToken& line) {
    each_word(line.text, [&](const std::string& word) {
      if (word.starts_with("-I") && word.size() > 2)
        add(Lookup::Kind::kIncludeFolder, without_variables(word.substr(2)), line.offset);
    });
  }

  // Up to the bracket that closes what is open here.
  static std::string_view inside(std::string_view text, std::size_t from) {
    int open = 1;
    for (std::size_t at = from; at < text.size(); ++at) {
      if (text[at] == '(') ++open;
      if (text[at] == ')' && --open == 0) return text.substr(from, at - from);
    }
    return text.substr(from);
  }

  template <class Use>
  static void each_word(std::string_view text, Use use) {
    while (!text.empty()) {
      const std::size_t begin = text.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) return;
      text.remove_prefix(begin);
      const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
      use(std::string(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }

  // Prefixes that CMake and make put before paths in their own folder.
  static std::string without_own_folder(std::string text) {
    for (const std::string_view own : {"${CMAKE_CURRENT_SOURCE_DIR}/", "${CMAKE_CURRENT_LIST_DIR}/",
                                       "$(CURDIR)/", "$(PWD)/", "./"})
      if (text.starts_with(own)) return text.substr(own.size());
    return text;
  }
  // The text after the last variable, or all of it without one.
  static std::string without_variables(const std::string& text) {
    const std::string own = without_own_folder(text);
    const std::size_t end = own.find_last_of("})>");
    if (end == std::string::npos || own.find('$') == std::string::npos) return own;
    return own.substr(std::min(own.find_first_not_of('/', end + 1), own.size()));
  }

  void pattern(const std::string& text, bool recursive, std::size_t at) {
    const std::string own = without_own_folder(text);
    if (own.find('$') != std::string::npos) return anywhere(without_variables(own), recursive, at);
    if (const auto whole = project::join_path(folder_, own)) glob(*whole, recursive, false, at);
  }
  void anywhere(const std::string& text, bool recursive, std::size_t at) {
    if (is_pattern(text)) glob(text, recursive, true, at);
  }
  // Recursive globs look for their last part in all folders below.
  void glob(std::string text, bool recursive, bool is_anywhere, std::size_t at) {
    const std::size_t slash = text.rfind('/');
    if (recursive) text.insert(slash == std::string::npos ? 0 : slash + 1, "**/");
    add(Lookup::Kind::kGlob, std::move(text), at);
    found_.back().is_anywhere = is_anywhere;
  }

  void add(Lookup::Kind kind, std::string what, std::size_t at) {
    found_.push_back({.kind = kind, .what = std::move(what), .from = &source_, .offset = at});
  }

  const SourceFile& source_;
  const std::string_view folder_;
  std::vector<Lookup> found_;
};

}  // namespace

std::vector<Lookup> lookups_of(const SourceFile& file) {
  if (file.cuda() != nullptr) return OfCuda(file).run();
  if (file.python() != nullptr) return python_lookups(file, *file.python());
  switch (file.language()) {
    case Language::kCMake:
      return OfBuild(file).cmake();
    case Language::kMake:
      return OfBuild(file).make();
    case Language::kProject:
      return OfBuild(file).project();
    case Language::kOtherBuild:  // Bazel's files are Python to read, and Meson's near to it
      return python_lookups(file, syntax::python::File(file.text()));
    default:
      return {};
  }
}

std::vector<Lookup> lookups_of(const Tree& tree, ThreadPool& pool) {
  std::vector<std::vector<Lookup>> each(tree.files.size());
  pool.parallel_for(each.size(), [&](std::size_t i) { each[i] = lookups_of(*tree.files[i]); });
  std::vector<Lookup> all;
  for (std::vector<Lookup>& some : each)
    std::move(some.begin(), some.end(), std::back_inserter(all));
  return all;
}

}  // namespace hipwright::port
