// SPDX-License-Identifier: MIT
#include "port/output/merge.h"

#include <set>

#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/process.h"
#include "port/output/folder_lock.h"
#include "port/output/output.h"
#include "port/output/path_text.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStateName = "state.json";

fs::path own(const fs::path& tree) {
  return tree / kOwnFolder / "port";
}

// Empty if there is no regular file: links are not touched.
std::optional<std::string> bytes_at(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return std::nullopt;
  auto bytes = read_file(path);
  if (!bytes) return std::nullopt;
  return *std::move(bytes);
}

// Identifies the content of a path: the digest of a file or the target of a link; empty if missing.
std::string content_at(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return {};
  if (fs::is_symlink(status)) return "-> " + escaped_path(fs::read_symlink(path, error).string());
  const auto bytes = bytes_at(path);
  return bytes ? hash128(*bytes).hex() : "?";
}
bool is_digest(std::string_view content) {
  return !content.starts_with("->") && content != "?";
}

struct Text {
  std::string text;
  bool has_conflicts = false;
};

// Without git: both versions in full, with conflict markers.
Text marked(const std::string& ours, const std::string& theirs) {
  const auto ended = [](const std::string& text) {
    return text.empty() || text.ends_with('\n') ? text : text + "\n";
  };
  return {"<<<<<<< yours\n" + ended(ours) + "=======\n" + ended(theirs) + ">>>>>>> port\n", true};
}

// Empty if these are not texts.
Result<std::optional<Text>> merged_text(const std::string& ours, const std::string& base,
                                        const std::string& theirs) {
  for (const std::string* each : {&ours, &base, &theirs})
    if (each->find('\0') != std::string::npos) return std::nullopt;
  if (!find_program("git")) return marked(ours, theirs);
  HW_TRY(const TemporaryDirectory folder, TemporaryDirectory::create());
  HW_CHECK(write_file_atomic(folder.path() / "ours", ours));
  HW_CHECK(write_file_atomic(folder.path() / "base", base));
  HW_CHECK(write_file_atomic(folder.path() / "theirs", theirs));
  HW_TRY(Finished done, run({.argv = {"git", "merge-file", "-p", "-q", "-L", "yours", "-L",
                                      "last port", "-L", "port", "ours", "base", "theirs"},
                             .directory = folder.path()}));
  if (done.signal != 0 || done.exit_code > 127)
    return fail("cannot merge", "", "git merge-file: " + done.err);
  return Text{std::move(done.out), done.exit_code != 0};
}

// What the port wrote at `path`. Not under a name that a build could take for a source: build files
// collect those in all folders.
fs::path kept_at(const fs::path& base, const std::string& path) {
  return base / hash128(path).hex();
}

class Merge {
 public:
  Merge(fs::path fresh, fs::path folder) : fresh_(std::move(fresh)), folder_(std::move(folder)) {}

  Result<Merged> all() {
    HW_TRY(const FolderLock lock, FolderLock::take(folder_));
    HW_TRY(const PortState last, read(folder_));
    HW_TRY(const PortState now, read(fresh_));
    base_ = own(folder_) / last.base();
    std::set<std::string> paths;
    for (const auto& [path, digest] : last.files) paths.insert(path);
    for (const auto& [path, digest] : now.files) paths.insert(path);
    for (const std::string& path : paths) {
      const auto before = last.files.find(path);
      const auto after = now.files.find(path);
      HW_CHECK(one(path, before == last.files.end() ? "" : before->second,
                   after == now.files.end() ? "" : after->second));
    }
    HW_CHECK(take_state(last, now));
    return std::move(result_);
  }

 private:
  static Result<PortState> read(const fs::path& tree) {
    const fs::path file = own(tree) / kStateName;
    HW_TRY(const std::string text, read_file(file));
    return parse_state(text, file.string());
  }

  // `base`, `theirs`: as content_at() says it.
  Status one(const std::string& path, const std::string& base, const std::string& theirs) {
    const fs::path target = folder_ / path;
    const std::string ours = content_at(target);
    if (ours == theirs) return {};
    if (theirs == base) {
      ++result_.kept;
      return {};
    }
    if (ours == base) return theirs.empty() ? remove(target) : take(path);
    if (ours.empty()) return conflict(path, "removed by you, changed by the port");
    if (theirs.empty()) return conflict(path, "changed by you, removed from the sources");
    if (!is_digest(ours) || !is_digest(theirs))
      return conflict(path, "changed by you and by the port, and one of the two is not a file");
    return both(path);
  }

  Status both(const std::string& path) {
    const std::string base = bytes_at(kept_at(base_, path)).value_or("");
    HW_TRY(const std::string ours, read_file(folder_ / path));
    HW_TRY(const std::string theirs, read_file(fresh_ / path));
    HW_TRY(const std::optional<Text> text, merged_text(ours, base, theirs));
    if (!text) {
      const std::string beside = path + ".port";
      HW_CHECK(write_file_atomic(folder_ / beside, theirs));
      return conflict(path,
                      "changed by you and by the port, and not text: the new version is " + beside);
    }
    HW_CHECK(write_file_atomic(folder_ / path, text->text));
    ++result_.merged;
    return text->has_conflicts
               ? conflict(path, "the same lines changed on both sides; conflicts are marked")
               : Status();
  }

  // The file of the new port itself, with its mode and times.
  Status take(const std::string& path) {
    const fs::path target = folder_ / path;
    HW_CHECK(make_directories(target.parent_path()));
    std::error_code error;
    fs::rename(fresh_ / path, target, error);
    if (error) return fail("cannot write", target.string(), error.message());
    ++result_.updated;
    return {};
  }

  Status remove(const fs::path& target) {
    std::error_code error;
    fs::remove(target, error);
    if (error) return fail("cannot remove", target.string(), error.message());
    ++result_.removed;
    for (fs::path at = target.parent_path(); at != folder_ && fs::remove(at, error) && !error;)
      at = at.parent_path();  // folders that are empty now
    return {};
  }

  Status conflict(const std::string& path, std::string what) {
    result_.conflicts.push_back({path, std::move(what)});
    return {};
  }

  // Writes the state last: until then the old base exists and the merge can be repeated.
  Status take_state(const PortState& last, const PortState& now) const {
    std::error_code error;
    const fs::path base = own(folder_) / now.base();
    if (!fs::exists(base, error)) fs::rename(own(fresh_) / now.base(), base, error);
    if (!error) fs::rename(own(fresh_) / kStateName, own(folder_) / kStateName, error);
    if (error) return fail("cannot write", own(folder_).string(), error.message());
    if (last.base() != now.base()) fs::remove_all(own(folder_) / last.base(), error);
    return {};
  }

  const fs::path fresh_, folder_;
  fs::path base_;  // what the last port wrote
  Merged result_;
};

}  // namespace

std::string PortState::base() const {
  std::string all;
  for (const auto& [path, content] : files) all += path + '\0' + content + '\0';
  return "base-" + hash128(all).hex();
}

std::string state_text(const PortState& state) {
  Json files = Json::object();
  for (const auto& [path, digest] : state.files) files[escaped_path(path)] = digest;
  return json_text({{"version", 1}, {"files", std::move(files)}});
}

Result<PortState> parse_state(std::string_view text, const std::string& origin) {
  const auto broken = [&](std::string why) {
    return fail("cannot read what the last port wrote", origin, std::move(why),
                "Port into a new directory.");
  };
  HW_TRY(const Json json, parse_json(text, origin));
  if (!json.is_object() || !json.contains("version") || json["version"] != 1)
    return broken("unsupported version");
  if (!json.contains("files") || !json["files"].is_object()) return broken("no files listed");
  PortState state;
  for (const auto& [key, digest] : json["files"].items()) {
    auto path = unescaped_path(key);
    if (!path || path->empty() || !digest.is_string() || digest.get<std::string>().empty())
      return broken("an entry is damaged or outside the tree");
    state.files[*std::move(path)] = digest.get<std::string>();
  }
  return state;
}

Status write_state(const Ported& ported, const fs::path& tree) {
  PortState state;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(tree, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == kOwnFolder) at.disable_recursion_pending();
    const bool is_folder = at->is_directory(error) && !at->is_symlink(error);
    if (!is_folder)
      state.files[at->path().lexically_relative(tree).generic_string()] = content_at(at->path());
  }
  if (error) return fail("cannot read", tree.string(), error.message());
  const fs::path base = own(tree) / state.base();
  HW_CHECK(make_directories(base));
  const auto keep = [&](const std::string& path) -> Status {
    HW_TRY(const std::string bytes, read_file(tree / path));
    return write_file_atomic(kept_at(base, path), bytes, 0666, Durability::kProcessDeath);
  };
  for (const PortedFile& file : ported.files) HW_CHECK(keep(file.path_after()));
  for (const auto& [path, content] : ported.added)
    if (ported.tree.find(path) == nullptr) HW_CHECK(keep(path));
  return write_file_atomic(own(tree) / kStateName, state_text(state));
}

bool has_state(const fs::path& tree) {
  std::error_code error;
  return fs::is_regular_file(own(tree) / kStateName, error);
}

Result<Merged> merge_into(const fs::path& fresh, const fs::path& folder) {
  return Merge(fresh, folder).all();
}

}  // namespace hipwright::port
