// SPDX-License-Identifier: MIT
#include "port/isolation/added.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/source.h"
#include "port/isolation/view.h"
#include "project/build/cmake.h"
#include "project/glob.h"
#include "project/path.h"

namespace hipwright::port {

namespace {

// Files that tools read because of their names.
constexpr std::array<std::string_view, 9> kReadByName = {
    "conftest.py", "sitecustomize.py", "usercustomize.py", "setup.py",   "setup.cfg",
    "tox.ini",     "pytest.ini",       "pyproject.toml",   "MANIFEST.in"};
// In the order in which make looks for them.
constexpr std::array<std::string_view, 3> kMakefiles = {"GNUmakefile", "makefile", "Makefile"};

// Modules imported by Python itself or by what nearly every program loads.
constexpr std::string_view kWellKnown =
    " abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath "
    "cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib "
    "contextvars copy copyreg cProfile csv ctypes curses dataclasses datetime dbm decimal difflib "
    "dis distutils doctest email encodings enum errno faulthandler fcntl filecmp fileinput fnmatch "
    "fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip "
    "hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress itertools json "
    "keyword linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder "
    "multiprocessing netrc numbers opcode operator optparse os pathlib pdb pickle pickletools "
    "pkgutil platform plistlib posix posixpath pprint profile pstats pty pwd py_compile pyclbr "
    "pydoc queue quopri random re readline reprlib resource runpy sched secrets select selectors "
    "shelve shlex shutil signal site smtplib socket socketserver sqlite3 sre_compile "
    "sre_constants sre_parse ssl stat statistics string stringprep struct subprocess symtable sys "
    "sysconfig syslog tarfile tempfile termios textwrap threading time timeit token tokenize "
    "tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib uuid venv "
    "warnings weakref webbrowser xml xmlrpc zipapp zipfile zipimport zlib zoneinfo "
    "numpy packaging setuptools six torch triton typing_extensions ";

// "a/b.py", "a/b/__init__.py", "a/b.cpython-312-x.so": "a/b".
std::optional<std::string> module_path(std::string_view path) {
  const std::string_view name = project::name_of(path);
  const std::string_view folder = project::folder_prefix(path);
  if (name == "__init__.py")
    return folder.empty() ? std::nullopt
                          : std::optional(std::string(folder.substr(0, folder.size() - 1)));
  for (const std::string_view end : {".py", ".so", ".pyd", ".pyc"})
    if (name.ends_with(end))
      return std::string(folder) + std::string(name.substr(0, name.find('.')));
  return std::nullopt;
}

class AddedFiles {
 public:
  explicit AddedFiles(const AddedCheck& check) : before_(check.before), added_(check.added) {
    for (const Lookup& each : check.lookups) by_kind_[each.kind].push_back(&each);
    for (const std::string& path : before_)
      for (std::string_view at = project::folder_of(path);; at = project::folder_of(at)) {
        if (!folders_.emplace(at).second || at.empty()) break;
      }
  }

  std::vector<IsolationLeak> run() {
    for (const auto& [path, text] : added_) {
      path_ = path;
      const std::size_t had = leaks_.size();
      by_name();
      modules();
      includes();
      if (leaks_.size() == had) patterns(text);
      packages();
      cmake_modules();
    }
    return std::move(leaks_);
  }

 private:
  const std::vector<const Lookup*>& of(Lookup::Kind kind) { return by_kind_[kind]; }

  void leak(std::string what, const Lookup* asked = nullptr) {
    if (!leaks_.empty() && leaks_.back().path == path_) return;  // one reason is enough
    IsolationLeak found{.path = path_, .what = std::move(what)};
    if (asked != nullptr) {
      found.asked_by = asked->from->path();
      found.asked_line = LineIndex(asked->from->text()).position(asked->offset).line;
      found.what += fmt::format(" ({}:{})", found.asked_by, found.asked_line);
    }
    leaks_.push_back(std::move(found));
  }

  // --- names that tools know ---

  void by_name() {
    const std::string_view name = project::name_of(path_);
    const std::string_view folder = project::folder_of(path_);
    if (std::ranges::find(kReadByName, name) != kReadByName.end() && folders_.contains(folder))
      leak("a new file of this name is read automatically");
    const auto rank = std::ranges::find(kMakefiles, name);
    for (auto at = rank; at != kMakefiles.end(); ++at)
      if (at != rank && before_.contains(in(folder, *at)))
        leak(fmt::format("make reads it instead of {}", *at));
    if (name == "__init__.py" && has_modules(folder)) leak("it turns a directory into a package");
  }

  static std::string in(std::string_view folder, std::string_view name) {
    return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
  }
  // Directly inside.
  bool has_modules(std::string_view folder) const {
    const std::string prefix = folder.empty() ? "" : std::string(folder) + "/";
    for (auto at = before_.lower_bound(prefix); at != before_.end() && at->starts_with(prefix);
         ++at)
      if (at->ends_with(".py") && at->find('/', prefix.size()) == std::string::npos) return true;
    return false;
  }

  // --- modules of Python ---

  bool is_package(std::string_view folder) const {
    const std::string init = in(folder, "__init__.py");
    return before_.contains(init) || added_.contains(init);
  }

  // Where Python looks for modules by plain name: folders that are not packages, and those
  // of scripts.
  bool is_searched(std::string_view folder) {
    if (!is_package(folder)) return true;
    return std::ranges::any_of(of(Lookup::Kind::kScript),
                               [&](const Lookup* each) { return each->what == folder; });
  }

  void modules() {
    const auto module = module_path(path_);
    if (!module) return;
    shadows_own(*module);
    for (const Lookup* each : of(Lookup::Kind::kModulePath))
      if (each->what == *module && !is_there(*module))
        leak("unchanged code imports a module of this name", each);
    std::string dotted = *module;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    const std::string_view last = project::name_of(*module);
    const bool is_top = is_searched(project::folder_of(*module));
    for (const Lookup* each : of(Lookup::Kind::kModule)) {
      const bool is_plain = each->what.find('.') == std::string::npos;
      const bool fits =
          dotted == each->what ||
          (dotted.ends_with(each->what) && dotted[dotted.size() - each->what.size() - 1] == '.');
      if (fits && (!is_plain || is_top))
        leak(fmt::format("`import {}` in unchanged code finds it", each->what), each);
    }
    if (is_top && kWellKnown.find(fmt::format(" {} ", last)) != std::string_view::npos)
      leak(fmt::format("it shadows Python's module {}", last));
  }

  // Was it found before, in another form?
  bool is_there(const std::string& module) const {
    return before_.contains(module + ".py") || before_.contains(module + "/__init__.py");
  }

  // A package takes precedence over a module, a compiled module over a source, a module over a
  // folder that is not a package.
  void shadows_own(const std::string& module) {
    const bool is_source = path_.ends_with(".py") && !path_.ends_with("/__init__.py");
    if (!is_source && before_.contains(module + ".py"))
      leak(fmt::format("Python finds it instead of {}.py", module));
    if (is_source && folders_.contains(module) && !before_.contains(module + "/__init__.py") &&
        has_modules(module))
      leak(fmt::format("Python finds it instead of the directory {}", module));
  }

  // --- headers ---

  void includes() {
    for (const Lookup* each : of(Lookup::Kind::kInclude)) {
      if (project::name_of(each->what) != project::name_of(path_)) continue;
      const auto beside = project::join_path(project::folder_of(each->from->path()), each->what);
      if (!each->is_system && beside == path_)
        return leak(fmt::format("#include \"{}\" in unchanged code finds it", each->what), each);
      if (!each->is_system && beside && before_.contains(*beside))
        continue;  // takes precedence over all
      if (!project::ends_with_path(path_, each->what)) continue;
      std::string_view folder = path_;
      folder.remove_suffix(std::min(each->what.size() + 1, folder.size()));
      if (is_include_folder(folder))
        return leak(fmt::format("#include of {} in unchanged code may find it", each->what), each);
    }
  }

  // The root, folders that a build names, and folders through which another file is found.
  bool is_include_folder(std::string_view folder) {
    if (folder.empty()) return true;
    for (const Lookup* each : of(Lookup::Kind::kIncludeFolder)) {
      const auto whole = project::join_path(project::folder_of(each->from->path()), each->what);
      if (whole == folder || (!each->what.empty() && project::ends_with_path(folder, each->what)))
        return true;
    }
    return std::ranges::any_of(of(Lookup::Kind::kInclude), [&](const Lookup* each) {
      const auto beside = project::join_path(project::folder_of(each->from->path()), each->what);
      if (!each->is_system && beside && before_.contains(*beside)) return false;
      return before_.contains(in(folder, each->what));
    });
  }

  // --- patterns ---

  void patterns(const std::string& text) {
    std::optional<bool> is_empty;
    for (const Lookup::Kind kind :
         {Lookup::Kind::kGlob, Lookup::Kind::kModules, Lookup::Kind::kData})
      for (const Lookup* each : of(kind)) {
        if (kind == Lookup::Kind::kData && !is_in_package()) continue;
        if (!is_caught(*each)) continue;
        if (!is_empty) is_empty = is_empty_for_nvidia(text);
        if (*is_empty) return;
        leak(kind == Lookup::Kind::kData
                 ? fmt::format("the pattern {} adds it to the NVIDIA package", each->what)
                 : fmt::format("the pattern {} finds it", each->what),
             each);
      }
  }

  bool is_in_package() const {
    for (std::string_view at = project::folder_of(path_); !at.empty(); at = project::folder_of(at))
      if (is_package(at)) return true;
    return false;
  }

  bool is_caught(const Lookup& lookup) const {
    if (!lookup.is_anywhere && lookup.kind != Lookup::Kind::kModules)
      return fits(path_, lookup.what);
    // Below the file that looks; the exact place is unknown.
    std::string_view folder = project::folder_of(lookup.from->path());
    if (lookup.kind == Lookup::Kind::kModules) folder = {};
    if (!folder.empty() && !path_.starts_with(std::string(folder) + "/")) return false;
    for (std::string_view rest = path_;;) {
      if (fits(rest, lookup.what)) return true;
      const std::size_t slash = rest.find('/');
      if (slash == std::string_view::npos) return false;
      rest.remove_prefix(slash + 1);
    }
  }

  static bool fits(std::string_view path, std::string_view pattern) {
    return project::glob_matches(pattern, path);
  }

  // Except for the include guard.
  bool is_empty_for_nvidia(const std::string& text) const {
    if (language_of(path_) != Language::kCuda) return false;
    const auto seen = nvidia_view_of_cuda(text);
    const bool is_guarded = seen.size() >= 3 && seen[0].text == "#" && seen[1].text == "pragma" &&
                            seen[2].text == "once";
    return seen.size() == (is_guarded ? 3U : 0U);
  }

  // --- what is collected ---

  void packages() {
    if (project::name_of(path_) != "__init__.py") return;
    const std::string_view folder = project::folder_of(path_);
    for (const Lookup* each : of(Lookup::Kind::kPackages))
      if (!folder.empty() && project::folder_of(folder) == each->what)
        leak(fmt::format("the NVIDIA build installs {} as a separate package",
                         project::name_of(folder)),
             each);
  }

  void cmake_modules() {
    if (!path_.ends_with(".cmake")) return;
    for (const Lookup* each : of(Lookup::Kind::kCMakeModule))
      if (project::name_of(path_) == each->what)
        leak("CMake may find it instead of the intended module", each);
  }

  const std::set<std::string>& before_;
  const std::map<std::string, std::string>& added_;
  std::map<Lookup::Kind, std::vector<const Lookup*>> by_kind_;
  std::set<std::string, std::less<>> folders_;  // of `before`; the root is ""
  std::string path_;
  std::vector<IsolationLeak> leaks_;
};

}  // namespace

std::vector<IsolationLeak> check_added(const AddedCheck& check) {
  return AddedFiles(check).run();
}

}  // namespace hipwright::port
