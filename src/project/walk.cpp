// SPDX-License-Identifier: MIT
#include "project/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/file.h"
#include "project/ignore.h"
#include "project/root.h"

namespace hipwright::project {

namespace {

namespace fs = std::filesystem;

// The .gitignore of one folder and those above it, the nearest first.
struct IgnoreScope {
  IgnorePatterns patterns;
  std::string folder;  // with a final '/', as paths of the walk begin; "" for the root
  const IgnoreScope* outer = nullptr;

  bool ignores(std::string_view path, bool is_folder) const {
    for (const IgnoreScope* scope = this; scope != nullptr; scope = scope->outer) {
      if (!path.starts_with(scope->folder)) continue;
      const auto decided = scope->patterns.decides(path.substr(scope->folder.size()), is_folder);
      if (decided) return *decided;
    }
    return false;
  }
};

struct Entry {
  std::string name;
  unsigned char type;
};

class Walker {
 public:
  explicit Walker(const WalkRequest& request) : request_(request) {}

  Status start(const fs::path& given) {
    const fs::path path = request_.root == "." ? given : request_.root / given;
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
      return fail("cannot read", path.string(), errno_text(errno));
    // An unreadable path that the user names is an error, not a note.
    if (::access(path.c_str(), S_ISDIR(info.st_mode) ? R_OK | X_OK : R_OK) != 0)
      return fail("cannot read", path.string(), errno_text(errno));
    fs::path shown = fs::absolute(path).lexically_normal().lexically_relative(
        fs::absolute(request_.root).lexically_normal());
    if (shown.empty()) shown = path.lexically_normal();
    std::string name = shown.generic_string();
    if (name.ends_with('/')) name.pop_back();
    // The walk never enters an excluded folder, but the user may name a file in one.
    for (std::size_t slash = name.find('/', 1); slash != std::string::npos;
         slash = name.find('/', slash + 1))
      if (excludes(std::string_view(name).substr(0, slash), true)) return {};
    if (S_ISDIR(info.st_mode)) {
      if (name != "." && excludes(name, true)) return {};
      start_folder(path, name == "." ? "" : name + "/");
      return {};
    }
    if (!S_ISREG(info.st_mode))
      return fail("cannot read", path.string(), "neither a file nor a directory");
    if (!excludes(name, false)) result.files.push_back(name);
    return {};
  }

  WalkResult result;

 private:
  // Git's patterns from the top of the repository down to the folder, then the walk itself.
  void start_folder(const fs::path& folder, const std::string& shown) {
    std::vector<std::unique_ptr<IgnoreScope>> scopes;
    const IgnoreScope* outer = nullptr;
    base_.clear();
    if (request_.use_gitignore) {
      const fs::path absolute = fs::absolute(folder).lexically_normal();
      const fs::path top = find_upward(absolute, ".git");
      // Patterns see the whole path from the repository's top, as git's do.
      if (!top.empty()) {
        base_ = absolute.lexically_relative(top).generic_string();
        base_ = base_ == "." ? "" : base_ + (base_.ends_with('/') ? "" : "/");
        std::vector<fs::path> above;
        for (fs::path each = absolute; each != top && each.has_relative_path();) {
          each = each.parent_path();
          above.push_back(each);
        }
        std::reverse(above.begin(), above.end());
        add_scope(scopes, outer, top / ".git/info/exclude", "");
        for (const fs::path& each : above) {
          std::string prefix = each.lexically_relative(top).generic_string();
          add_scope(scopes, outer, each / ".gitignore", prefix == "." ? "" : prefix + "/");
        }
      }
    }
    shown_ = shown;
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    visit(descriptor, "", outer);
  }

  void add_scope(std::vector<std::unique_ptr<IgnoreScope>>& scopes, const IgnoreScope*& outer,
                 const fs::path& file, std::string folder) {
    struct stat info {};
    if (::lstat(file.c_str(), &info) != 0) return;
    const auto lines = read_file(file, kMostSettingsBytes, Links::kReject);
    if (!lines) return skip_ignore_file(file.string(), lines.error(), S_ISLNK(info.st_mode));
    scopes.push_back(std::make_unique<IgnoreScope>(
        IgnoreScope{IgnorePatterns(*lines), std::move(folder), outer}));
    outer = scopes.back().get();
  }

  // `folder`: relative to where the walk began, with a final '/'. Takes the descriptor.
  void visit(int descriptor, const std::string& folder, const IgnoreScope* outer) {
    DIR* stream = descriptor < 0 ? nullptr : ::fdopendir(descriptor);
    if (stream == nullptr) {
      const int reason = errno;
      if (descriptor >= 0) ::close(descriptor);
      // Removed since: no longer part of the tree.
      return skip(folder, "cannot be opened: " + errno_text(reason), reason != ENOENT);
    }
    std::vector<Entry> entries;
    bool has_gitignore = false;
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(stream);
      if (entry == nullptr && errno != 0)
        skip(folder, "cannot be listed: " + errno_text(errno), true);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name == ".git") continue;
      has_gitignore |= name == ".gitignore";
      entries.push_back({std::string(name), type_of(descriptor, *entry)});
    }
    IgnoreScope own{{}, base_ + folder, outer};
    if (has_gitignore && request_.use_gitignore) {
      if (const auto lines = read_file_at(descriptor, ".gitignore", kMostSettingsBytes))
        own.patterns = IgnorePatterns(*lines);
      else
        skip_ignore_file(shown_ + folder + ".gitignore", lines.error(),
                         is_link(descriptor, ".gitignore"));
      outer = &own;
    }
    for (const Entry& entry : entries) visit_entry(descriptor, folder, entry, outer);
    ::closedir(stream);
  }

  void visit_entry(int descriptor, const std::string& folder, const Entry& entry,
                   const IgnoreScope* scope) {
    const std::string path = folder + entry.name;
    const std::string shown = shown_ + path;
    const bool is_folder = entry.type == DT_DIR;
    const bool leads_to_folder =
        is_folder || (entry.type == DT_LNK && is_folder_at(descriptor, entry));
    if (!leads_to_folder && !request_.wants(shown)) return;
    if (excludes(shown, is_folder)) return;
    if (scope != nullptr && scope->ignores(base_ + path, is_folder)) return;
    if (entry.type == DT_LNK) return skip(path, "symbolic link: not followed");
    if (entry.type == DT_REG) result.files.push_back(shown);
    if (entry.type == DT_UNKNOWN) return skip(path, "its type cannot be read", true);
    if (!is_folder) return;
    // O_NOFOLLOW: it may have become a link since.
    visit(::openat(descriptor, entry.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
          path + "/", scope);
  }

  bool excludes(std::string_view path, bool is_folder) const {
    return request_.excludes && request_.excludes(path, is_folder);
  }

  static bool is_folder_at(int descriptor, const Entry& entry) {
    struct stat info {};
    return ::fstatat(descriptor, entry.name.c_str(), &info, 0) == 0 && S_ISDIR(info.st_mode);
  }

  static unsigned char type_of(int descriptor, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat info {};
    if (::fstatat(descriptor, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return DT_UNKNOWN;
    return IFTODT(info.st_mode);
  }

  static bool is_link(int descriptor, const char* name) {
    struct stat info {};
    return ::fstatat(descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
  }

  // Git does not follow a link of this name either.
  void skip_ignore_file(std::string path, const Error& error, bool is_link) {
    result.skipped.push_back(is_link ? NotWalked{std::move(path), "symbolic link: not followed"}
                                     : NotWalked{std::move(path), error.why, true});
  }

  void skip(const std::string& path, std::string why, bool is_error = false) {
    result.skipped.push_back({shown_ + path, std::move(why), is_error});
  }

  const WalkRequest& request_;
  std::string shown_;  // how reported paths begin
  std::string base_;   // from the repository's top to where the walk began
};

}  // namespace

Result<WalkResult> walk(const WalkRequest& request) {
  Walker walker(request);
  if (request.paths.empty()) {
    HW_CHECK(walker.start("."));
  }
  for (const fs::path& path : request.paths) HW_CHECK(walker.start(path));
  WalkResult result = std::move(walker.result);
  std::sort(result.files.begin(), result.files.end());
  result.files.erase(std::unique(result.files.begin(), result.files.end()), result.files.end());
  std::sort(result.skipped.begin(), result.skipped.end(),
            [](const NotWalked& a, const NotWalked& b) { return a.path < b.path; });
  return result;
}

}  // namespace hipwright::project
