// SPDX-License-Identifier: MIT
#include "port/rename.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "project/path.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

constexpr CodeId kCode = "HP221";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_of_path(char c) {
  return is_word(c) || std::string_view("-./+~@*?%").find(c) != std::string_view::npos;
}

// What may be renamed in a text: the names of renamed files, and patterns that match them.
struct Where {
  std::string_view folder;    // that names are relative to
  bool has_patterns = false;  // *.cu, %.cu, "\\.cu$"
  bool has_objects = false;   // a.cu.o is named after a.cu
};

class Renames {
 public:
  explicit Renames(const Ported& ported) {
    for (const PortedFile& file : ported.files) {
      if (file.is_left_to_project) continue;
      const std::string& path = file.source->path();
      std::string now = hip_path(path);
      std::error_code error;
      const bool is_taken =
          ported.tree.find(now) != nullptr || fs::exists(ported.tree.root / now, error);
      if (!now.empty() && !is_taken) paths_.emplace(path, std::move(now));
    }
    for (const auto& [path, now] : paths_) names_.emplace(project::name_of(path), path);
  }
  bool empty() const { return paths_.empty(); }
  const std::string* of(const std::string& path) const {
    const auto found = paths_.find(path);
    return found == paths_.end() ? nullptr : &found->second;
  }

  // Does `written`, in a file of `folder`, name a file that is renamed?
  bool names_one(std::string_view written, std::string_view folder) const {
    const fs::path near = (fs::path(folder) / written).lexically_normal();
    if (paths_.contains(near.generic_string())) return true;
    // From wherever a build or an include path begins.
    while (written.starts_with("./") || written.starts_with("../") || written.starts_with('/'))
      written.remove_prefix(written.find('/') + 1);
    const auto [begin, end] = names_.equal_range(project::name_of(written));
    return std::any_of(begin, end, [&](const auto& each) {
      return project::ends_with_path(each.second, written);
    });
  }

  std::vector<TextEdit> in(std::string_view text, const Where& where) const {
    std::vector<TextEdit> edits;
    for (std::size_t at = text.find(".cu"); at != std::string_view::npos;
         at = text.find(".cu", at + 1)) {
      const bool is_header = text.substr(at).starts_with(".cuh");
      const std::size_t end = at + (is_header ? 4 : 3);
      if (!is_end(text, end, where) || !is_named(text, at, end, where)) continue;
      edits.push_back({{at, end}, is_header ? ".hip.h" : ".hip"});
    }
    return edits;
  }

 private:
  // a.cuda and a.cu.cc are different files.
  static bool is_end(std::string_view text, std::size_t end, const Where& where) {
    if (end >= text.size()) return true;
    if (is_word(text[end])) return false;
    return text[end] != '.' || end + 1 >= text.size() || !is_word(text[end + 1]) ||
           where.has_objects;
  }

  bool is_named(std::string_view text, std::size_t dot, std::size_t end, const Where& where) const {
    std::size_t begin = dot;
    while (begin > 0 && is_of_path(text[begin - 1])) --begin;
    const std::string_view stem = text.substr(begin, dot - begin);
    const bool is_behind_variable =
        begin > 0 && std::string_view(")}]").find(text[begin - 1]) != std::string_view::npos;
    const bool is_pattern =
        stem.empty() || stem.ends_with('/') || stem.find_first_of("*?%") != std::string_view::npos;
    if (is_pattern) return where.has_patterns;
    // ${name}_kernel.cu: the value of the variable is unknown here.
    if (is_behind_variable && !stem.starts_with('/')) return where.has_patterns;
    return names_one(text.substr(begin, end - begin), where.folder);
  }

  std::map<std::string, std::string, std::less<>> paths_;
  std::multimap<std::string_view, std::string_view> names_;  // without folders, to paths
};

class RenamesInFile {
 public:
  RenamesInFile(const Renames& renames, PortedFile& file)
      : renames_(renames), file_(file), text_(file.source->text()) {
    const std::string& path = file.source->path();
    where_.folder = project::folder_of(path);
    where_.has_objects = file.source->language() == Language::kMake;
    where_.has_patterns = where_.has_objects || file.source->language() == Language::kCMake ||
                          project::name_of(path) == "setup.py" ||
                          text_.find("cpp_extension") != std::string_view::npos;
  }

  void run() {
    if (file_.source->cuda() != nullptr) return includes();
    if (file_.source->language() == Language::kOther) return;
    if (text_.find(".cu") == std::string_view::npos) return;
    in_changes();
    if (const syntax::python::File* python = file_.source->python()) {
      for (const syntax::python::Token& token : python->tokens())
        if (token.kind == syntax::python::Kind::kString) in({token.begin, token.end});
      return;
    }
    in({0, text_.size()});
  }

 private:
  void includes() {
    const syntax::cuda::File& file = *file_.source->cuda();
    for (const syntax::cuda::Include& include : file.includes()) {
      const std::string now = hip_path(include.path);
      if (now.empty() || !renames_.names_one(include.path, where_.folder)) continue;
      const Span quoted = file.span(include.hash + 2);
      add({{quoted.begin + 1, quoted.end - 1}, now});
    }
  }

  // Written by other phases.
  void in_changes() {
    Changes all;
    for (Change change : file_.changes.list()) {
      auto edited =
          apply_edits(change.edit.replacement, renames_.in(change.edit.replacement, where_));
      if (edited) change.edit.replacement = *std::move(edited);
      all.add(std::move(change));
    }
    file_.changes = std::move(all);
  }

  void in(Span span) {
    for (TextEdit& edit : renames_.in(text_.substr(span.begin, span.size()), where_)) {
      edit.span = {edit.span.begin + span.begin, edit.span.end + span.begin};
      add(std::move(edit));
    }
  }

  void add(TextEdit edit) {
    if (file_.changes.touches(edit.span)) return;
    file_.change({.edit = std::move(edit), .code = kCode});
  }

  const Renames& renames_;
  PortedFile& file_;
  const std::string_view text_;
  Where where_;
};

}  // namespace

std::string hip_path(std::string_view path) {
  if (path.ends_with(".cu")) return std::string(path.substr(0, path.size() - 3)) + ".hip";
  if (path.ends_with(".cuh")) return std::string(path.substr(0, path.size() - 4)) + ".hip.h";
  return {};
}

void rename_to_hip(Ported& ported) {
  const Renames renames(ported);
  if (renames.empty()) return;
  for (PortedFile& file : ported.files) {
    RenamesInFile(renames, file).run();
    if (const std::string* now = renames.of(file.source->path())) file.renamed = *now;
  }
}

}  // namespace hipwright::port
