// SPDX-License-Identifier: MIT
#include "port/output/journal.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/file.h"
#include "base/json.h"
#include "port/output/output.h"
#include "port/output/path_text.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 3> kStates = {"writing", "done", "undoing"};
constexpr std::string_view kJournalName = "journal.json";

// The member `name` of an object if it has the type T.
template <class T>
std::optional<T> member(const Json& object, const char* name) {
  if (!object.is_object()) return std::nullopt;
  const auto at = object.find(name);
  if (at == object.end()) return std::nullopt;
  if constexpr (std::is_same_v<T, std::string>) {
    if (!at->is_string()) return std::nullopt;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!at->is_boolean()) return std::nullopt;
  } else {
    if (!at->is_number_integer()) return std::nullopt;
  }
  return at->template get<T>();
}

// Files that hipwright keeps in a folder do not count as changes to it.
class SameTime {
 public:
  explicit SameTime(const fs::path& folder) : folder_(folder) {
    is_known_ = ::lstat(folder.c_str(), &info_) == 0;
  }
  SameTime(const SameTime&) = delete;
  SameTime& operator=(const SameTime&) = delete;
  ~SameTime() {
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, info_.st_mtim};
    if (is_known_) ::utimensat(AT_FDCWD, folder_.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }

 private:
  const fs::path& folder_;
  struct stat info_ {};
  bool is_known_;
};

// The path of an entry; none if it is outside this tree.
std::optional<std::string> path_of(const Json& entry) {
  const auto text = member<std::string>(entry, "path");
  if (!text) return std::nullopt;
  return unescaped_path(*text);
}

}  // namespace

std::string journal_text(const Journal& journal) {
  Json files = Json::array();
  Json folders = Json::array();
  for (const JournalFile& file : journal.files)
    files.push_back({{"path", escaped_path(file.path)},
                     {"after", file.after_hash},
                     {"new", file.is_new},
                     {"removed", file.is_removed}});
  for (const JournalFolder& folder : journal.folders)
    folders.push_back({{"path", escaped_path(folder.path)},
                       {"seconds", folder.seconds},
                       {"nanoseconds", folder.nanoseconds},
                       {"new", folder.is_new}});
  return json_text({{"version", 1},
                    {"state", kStates[static_cast<std::size_t>(journal.state)]},
                    {"files", std::move(files)},
                    {"folders", std::move(folders)}});
}

Result<Journal> parse_journal(std::string_view text, const std::string& origin) {
  const auto broken = [&](std::string why) {
    return fail("cannot read the journal of a port", origin, std::move(why),
                "The originals are next to it, in was/, in the order of its list.");
  };
  HW_TRY(const Json json, parse_json(text, origin));
  if (member<std::int64_t>(json, "version") != 1) return broken("unsupported version");
  const auto state =
      std::find(kStates.begin(), kStates.end(), member<std::string>(json, "state").value_or(""));
  if (state == kStates.end()) return broken("unknown state");
  Journal journal;
  journal.state = static_cast<JournalState>(state - kStates.begin());
  for (const char* list : {"files", "folders"})
    if (!json.contains(list) || !json[list].is_array()) return broken("missing list");
  for (const Json& entry : json["files"]) {
    auto path = path_of(entry);
    auto hash = member<std::string>(entry, "after");
    const auto is_new = member<bool>(entry, "new");
    const auto is_removed = member<bool>(entry, "removed");
    if (!path || path->empty() || !hash || !is_new || !is_removed || (*is_new && *is_removed))
      return broken("an entry is damaged or outside the tree");
    journal.files.push_back({*std::move(path), *std::move(hash), *is_new, *is_removed});
  }
  for (const Json& entry : json["folders"]) {
    auto path = path_of(entry);
    const auto seconds = member<std::int64_t>(entry, "seconds");
    const auto nanoseconds = member<std::int64_t>(entry, "nanoseconds");
    const auto is_new = member<bool>(entry, "new");
    if (!path || !seconds || !nanoseconds || !is_new)
      return broken("an entry is damaged or outside the tree");
    journal.folders.push_back({*std::move(path), *seconds, *nanoseconds, *is_new});
  }
  return journal;
}

Result<Journals> Journals::open(const fs::path& root) {
  std::error_code error;
  const fs::path real = fs::canonical(root, error);
  if (error) return fail("cannot port", root.string(), error.message());
  for (const fs::path& folder : {real / kOwnFolder, real / kOwnFolder / "port"})
    if (fs::exists(fs::symlink_status(folder, error)) &&
        !fs::is_directory(fs::symlink_status(folder, error)))
      return fail("cannot port", folder.string(), "not a directory",
                  "Remove it: hipwright stores originals there.");
  HW_TRY(FolderLock lock, FolderLock::take(real));
  return Journals(real, std::move(lock));
}

fs::path Journals::base() const {
  return root_ / kOwnFolder / "port";
}

Result<std::vector<unsigned>> Journals::numbers() const {
  std::vector<unsigned> found;
  std::error_code error;
  if (!fs::exists(base(), error)) return found;
  for (auto at = fs::directory_iterator(base(), error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    unsigned number = 0;
    const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (failed == std::errc() && end == name.data() + name.size()) found.push_back(number);
  }
  if (error) return fail("cannot read", base().string(), error.message());
  std::sort(found.begin(), found.end());
  return found;
}

Result<std::optional<Journals::Newest>> Journals::newest() const {
  HW_TRY(std::vector<unsigned> all, numbers());
  std::error_code error;
  for (; !all.empty(); all.pop_back()) {
    const fs::path folder = base() / std::to_string(all.back());
    const fs::path file = folder / kJournalName;
    if (!fs::exists(file, error)) continue;
    HW_TRY(const std::string text, read_file(file));
    HW_TRY(Journal journal, parse_journal(text, file.string()));
    return Newest{folder, std::move(journal)};
  }
  return std::nullopt;
}

Result<fs::path> Journals::prepare() const {
  const SameTime same_time(root_);
  HW_TRY(const bool ignored, sweep());
  static_cast<void>(ignored);
  HW_CHECK(make_directories(base()));
  HW_TRY(const std::vector<unsigned> all, numbers());
  const fs::path folder = base() / std::to_string(all.empty() ? 1 : all.back() + 1);
  for (const char* part : {"new", "was"}) HW_CHECK(make_directories(folder / part));
  // Keeps the originals out of commits.
  HW_CHECK(write_file_atomic(folder / ".gitignore", "*\n", 0666, Durability::kProcessDeath));
  return folder;
}

Result<bool> Journals::sweep() const {
  const SameTime same_time(root_);
  HW_TRY(const std::vector<unsigned> all, numbers());
  bool has_any = false;
  std::error_code error;
  for (const unsigned number : all) {
    const fs::path folder = base() / std::to_string(number);
    if (fs::exists(folder / kJournalName, error)) continue;
    fs::remove_all(folder, error);
    if (error) return fail("cannot remove", folder.string(), error.message());
    has_any = true;
  }
  remove_empty_folders();  // also those that an interrupted undo left
  return has_any;
}

Status Journals::remove(const fs::path& folder) const {
  std::error_code error;
  fs::remove(folder / kJournalName, error);
  if (!error) fs::remove_all(folder, error);
  if (error) return fail("cannot remove", folder.string(), error.message());
  HW_TRY(const std::vector<unsigned> left, numbers());
  if (left.empty()) remove_empty_folders();
  return {};
}

// Files of other tools stay.
void Journals::remove_empty_folders() const {
  std::error_code error;
  fs::remove(base(), error);
  fs::remove(root_ / kOwnFolder, error);
}

}  // namespace hipwright::port
