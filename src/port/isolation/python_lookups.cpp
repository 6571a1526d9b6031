// SPDX-License-Identifier: MIT
#include "port/isolation/python_lookups.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "port/python/rocm_facts.h"
#include "project/path.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

namespace {

const std::array kGlobs = {Name("glob"), Name("iglob"), Name("rglob")};
const std::array kModules = {Name("iter_modules"), Name("walk_packages")};
const std::array kPackages = {Name("find_packages"), Name("find_namespace_packages")};
const std::array kImporters = {Name("import_module"), Name("__import__")};
const std::array kData = {Name("package_data"), Name("data_files")};
const Name kMain("__name__"), kIncludeFolders("include_dirs"), kRecursive("rglob"), kJoin("join");

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

class Lookups {
 public:
  Lookups(const SourceFile& source, const File& file)
      : source_(source),
        file_(file),
        facts_(file, {}),
        folder_(project::folder_of(source.path())) {}

  std::vector<Lookup> run() {
    const auto statements = file_.statements();
    for (StatementIndex at = 0; at < statements.size(); ++at) {
      const StatementKind kind = statements[at].kind;
      if (kind != StatementKind::kImport && kind != StatementKind::kFromImport) continue;
      if (is_for_amd(at)) continue;
      kind == StatementKind::kImport ? imports(at) : imports_from(at);
    }
    for (const TokenIndex at : file_.occurrences(kMain))
      if (file_.is(at + 1, "==")) add(Lookup::Kind::kScript, std::string(folder_), at);
    calls(kImporters, [&](TokenIndex at) { imports_by_text(at); });
    calls(kGlobs, [&](TokenIndex at) { patterns(at); });
    calls(kModules, [&](TokenIndex at) { all_modules(at); });
    calls(kPackages, [&](TokenIndex at) {
      std::string folder(folder_);
      if (const auto where = file_.keyword_argument(at + 1, "where");
          where && is_text(where->begin))
        folder = joined(folder_, file_.string_value(where->begin));
      add(Lookup::Kind::kPackages, folder, at);
    });
    for (const Name& name : kData)
      for (const TokenIndex at : file_.occurrences(name)) data(at);
    for (const TokenIndex at : file_.occurrences(kIncludeFolders)) include_folders(at);
    return std::move(found_);
  }

 private:
  bool is_text(TokenIndex at) const { return file_.tokens()[at].kind == Kind::kString; }

  bool is_for_amd(StatementIndex statement) const {
    const auto statements = file_.statements();
    if (statement == kNoStatement) return false;
    for (StatementIndex at = statements[statement].parent; at != kNoStatement;
         at = statements[at].parent) {
      const Statement& each = statements[at];
      if ((each.kind == StatementKind::kIf || each.kind == StatementKind::kElif) &&
          facts_.condition({each.tokens.begin + 1, each.tokens.end}) == Truth::kNo)
        return true;
    }
    return false;
  }

  void imports(StatementIndex index) {
    const TokenRange tokens = file_.statements()[index].tokens;
    for (TokenIndex at = tokens.begin + 1; at < tokens.end; ++at)
      if (file_.tokens()[at].kind == Kind::kName &&
          (at == tokens.begin + 1 || file_.is(at - 1, ",")))
        module(file_.compact(file_.dotted(at)), at);
  }

  void imports_from(StatementIndex index) {
    const TokenRange tokens = file_.statements()[index].tokens;
    TokenIndex at = tokens.begin + 1;
    std::size_t dots = 0;
    for (; at < tokens.end && file_.text(at).starts_with('.'); ++at) dots += file_.text(at).size();
    std::string from;
    for (; at < tokens.end && !file_.is(at, "import"); ++at) from += file_.text(at);
    const TokenIndex first = tokens.begin;
    const auto use = [&](std::string name) {
      dots == 0 ? module(std::move(name), first) : relative(dots, std::move(name), first);
    };
    if (!from.empty()) use(from);
    for (++at; at < tokens.end; ++at)
      if (file_.tokens()[at].kind == Kind::kName && !file_.is(at - 1, "as") && !file_.is(at, "as"))
        use((from.empty() ? "" : from + ".") + std::string(file_.text(at)));
  }

  void imports_by_text(TokenIndex at) {
    if (!is_text(at + 2) || is_for_amd(file_.statement_at(at))) return;
    const std::string name = file_.string_value(at + 2);
    const std::size_t dots = std::min(name.find_first_not_of('.'), name.size());
    dots == 0 ? module(name, at) : relative(dots, name.substr(dots), at);
  }

  void module(std::string name, TokenIndex at) { add(Lookup::Kind::kModule, std::move(name), at); }
  // One dot is this folder.
  void relative(std::size_t dots, std::string name, TokenIndex at) {
    std::string_view folder = folder_;
    for (; dots > 1 && !folder.empty(); --dots) folder = project::folder_of(folder);
    std::replace(name.begin(), name.end(), '.', '/');
    add(Lookup::Kind::kModulePath, joined(folder, name), at);
  }

  template <std::size_t kCount, class Use>
  void calls(const std::array<Name, kCount>& names, Use use) {
    for (const Name& name : names)
      for (const TokenIndex at : file_.occurrences(name))
        if (file_.is(at + 1, "(") && !file_.is(at - (at > 0), "def")) use(at);
  }

  // glob.glob("csrc/*.cu"), glob(os.path.join(here, "csrc", "*.cu")), Path(here).rglob("*.cu"),
  // glob(["a/*.cu", "b/*.cu"])
  void patterns(TokenIndex name) {
    const TokenIndex open = name + 1, close = file_.partner(open);
    if (close == kNoToken) return;
    bool is_known = !(name > 1 && file_.is(name - 1, ".") && !file_.is(name - 2, "glob"));
    for (TokenIndex at = open + 1; at < close; ++at) {
      TokenIndex last = at;
      std::string path;
      if (file_.is(at, kJoin) && file_.is(at + 1, "(") && file_.partner(at + 1) != kNoToken) {
        last = file_.partner(at + 1);
        for (TokenIndex part = at + 2; part < last; ++part)
          if (is_text(part)) path += (path.empty() ? "" : "/") + known_part(part, is_known);
      } else if (is_text(at)) {
        path = known_part(at, is_known);
      }
      if (file_.tokens()[at].kind == Kind::kName) is_known &= file_.is(at + 1, "=");
      if (is_pattern(path)) {
        if (file_.is(name, kRecursive)) path = "**/" + path;
        pattern(Lookup::Kind::kGlob, path, !is_known, at);
      }
      at = last;
    }
  }

  // For an f-string: the text after its last field.
  std::string known_part(TokenIndex at, bool& is_known) const {
    std::string text = file_.string_value(at);
    if (const std::size_t field = text.rfind('}'); field != std::string::npos) {
      is_known = false;
      text.erase(0, std::min(text.find_first_not_of('/', field + 1), text.size()));
    }
    return text;
  }

  // pkgutil.iter_modules(__path__): modules next to this file; for another package, those in the
  // folders that strings of this file name ("pkg.plugins").
  void all_modules(TokenIndex name) {
    const std::string below = file_.is(name, kModules[1]) ? "**/*.py" : "*.py";
    const auto arguments = file_.arguments(name + 1);
    const bool is_own =
        !arguments.empty() && arguments[0].size() == 1 && file_.is(arguments[0].begin, "__path__");
    bool is_named = false;
    for (TokenIndex at = 0; !is_own && at < file_.tokens().size(); ++at) {
      if (!is_text(at)) continue;
      std::string text = file_.string_value(at);
      const bool is_dotted =
          text.find('.') != std::string::npos && text.front() != '.' && text.back() != '.' &&
          std::all_of(text.begin(), text.end(),
                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
      if (!is_dotted) continue;
      std::replace(text.begin(), text.end(), '.', '/');
      add(Lookup::Kind::kModules, text + "/" + below, name);
      is_named = true;
    }
    if (!is_named) add(Lookup::Kind::kGlob, joined(folder_, below), name);
  }

  // package_data={"pkg": ["*.h"]}: relative to packages.
  void data(TokenIndex at) {
    if (!file_.is(at + 1, "=") && !file_.is(at + 1, ":")) return;
    const TokenIndex open = at + 2, close = file_.partner(open);
    if (close == kNoToken) return;
    for (TokenIndex each = open + 1; each < close; ++each)
      if (is_text(each) && is_pattern(file_.string_value(each)))
        pattern(Lookup::Kind::kData, file_.string_value(each), true, each);
  }

  void include_folders(TokenIndex at) {
    if (!file_.is(at + 1, "=") || file_.statement_at(at) == kNoStatement) return;
    const TokenRange tokens = file_.statements()[file_.statement_at(at)].tokens;
    const TokenIndex close = file_.partner(at + 2);
    for (TokenIndex each = at + 2; each < (close != kNoToken ? close : tokens.end); ++each)
      if (is_text(each)) add(Lookup::Kind::kIncludeFolder, file_.string_value(each), each);
  }

  void pattern(Lookup::Kind kind, const std::string& text, bool is_anywhere, TokenIndex at) {
    if (is_for_amd(file_.statement_at(at))) return;
    const auto whole = project::join_path(is_anywhere ? "" : folder_, text);
    if (!whole) return;
    add(kind, *whole, at);
    found_.back().is_anywhere = is_anywhere;
  }

  static std::string joined(std::string_view folder, std::string_view path) {
    return project::join_path(folder, path).value_or(std::string(path));
  }

  void add(Lookup::Kind kind, std::string what, TokenIndex at) {
    found_.push_back(
        {.kind = kind, .what = std::move(what), .from = &source_, .offset = file_.span(at).begin});
  }

  const SourceFile& source_;
  const File& file_;
  const PythonFacts facts_;
  const std::string_view folder_;
  std::vector<Lookup> found_;
};

}  // namespace

std::vector<Lookup> python_lookups(const SourceFile& source, const File& file) {
  return Lookups(source, file).run();
}

}  // namespace hipwright::port
