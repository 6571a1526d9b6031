// SPDX-License-Identifier: MIT
#include "toolchain/compile/precompiled_wrapper.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/system_headers.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kHost = "host";

// About 7 MiB each. Those of the last hours are never removed: a compilation may be reading them.
constexpr std::size_t kMostFiles = 64;
constexpr std::chrono::hours kInUse{6};

template <std::size_t N>
bool is_any(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

template <std::size_t N>
bool begins_with_any(std::string_view word, const std::array<std::string_view, N>& prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](std::string_view each) { return word.starts_with(each); });
}

// With these, clang reads other files, writes about what it reads, or is not understood here.
constexpr std::array<std::string_view, 19> kPrevents = {"-M",
                                                        "-E",
                                                        "-include",
                                                        "-imacros",
                                                        "-iprefix",
                                                        "-iwithprefix",
                                                        "-isysroot",
                                                        "--sysroot",
                                                        "-nostdinc",
                                                        "-Xclang",
                                                        "-Xarch",
                                                        "-save-temps",
                                                        "--save-temps",
                                                        "-fsyntax-only",
                                                        "-###",
                                                        "-fmodule",
                                                        "-target",
                                                        "--target",
                                                        "-B"};

// Of the output and of the linker.
constexpr std::array<std::string_view, 7> kOutputWords = {
    "-c", "-S", "--no-gpu-bundle-output", "-no-hip-rt", "--hip-link", "-shared", "-static"};
constexpr std::array<std::string_view, 12> kOutputPrefixes = {"-l",
                                                              "-L",
                                                              "-Wl,",
                                                              "--rtlib=",
                                                              "-unwindlib=",
                                                              "-fuse-ld=",
                                                              "--offload-jobs=",
                                                              "-rpath",
                                                              "-ffile-prefix-map=",
                                                              "-fdebug-prefix-map=",
                                                              "-fmacro-prefix-map=",
                                                              "-ffile-compilation-dir="};
constexpr std::array<std::string_view, 3> kOutputPairs = {"-o", "-L", "-Xlinker"};

constexpr std::array<std::string_view, 4> kDirectoryOptions = {"-I", "-iquote", "-isystem",
                                                               "-idirafter"};
constexpr std::array<std::string_view, 4> kKeptPairs = {"-D", "-U", "-mllvm", "--param"};

bool is_linked(const fs::path& input) {
  const std::string extension = input.extension().string();
  return extension == ".o" || extension == ".a" || extension == ".so" || extension == ".obj";
}

// Reads the words behind the wrapper's.
class CallReader {
 public:
  explicit CallReader(const DriverPlan& plan) : words_(plan.argv), at_(*plan.wrapper + 2) {
    call_.options.assign(words_.begin(),
                         words_.begin() + static_cast<std::ptrdiff_t>(*plan.wrapper));
  }

  std::optional<WrapperCall> read() {
    while (at_ < words_.size())
      if (!read_word()) return std::nullopt;
    if (!has_source_ || call_.sides.empty()) return std::nullopt;
    if (!device_only_) call_.sides.emplace_back(kHost);
    return std::move(call_);
  }

 private:
  std::string next() { return at_ < words_.size() ? words_[at_++] : ""; }

  bool read_word() {
    const std::string word = next();
    if (word == "-x") {
      language_ = next();
      return language_ == "hip" || language_ == "none";
    }
    if (word == "-" || word.starts_with('@') || begins_with_any(word, kPrevents)) return false;
    if (!word.starts_with('-')) return read_input(word);
    if (is_any(word, kOutputPairs)) {
      next();
    } else if (is_any(word, kDirectoryOptions)) {
      call_.directories.emplace_back(next());
    } else if (begins_with_any(word, kDirectoryOptions)) {
      const auto* option = std::ranges::find_if(
          kDirectoryOptions, [&](std::string_view each) { return word.starts_with(each); });
      call_.directories.emplace_back(word.substr(option->size()));
    } else if (word == "--cuda-device-only") {
      device_only_ = true;
    } else if (word.starts_with("--offload-arch=")) {
      call_.sides.push_back(word.substr(15));
    } else if (is_any(word, kKeptPairs)) {
      call_.options.push_back(word);
      call_.options.push_back(next());
    } else if (!word.starts_with("-o") && !is_any(word, kOutputWords) &&
               !begins_with_any(word, kOutputPrefixes)) {
      call_.options.push_back(word);
    }
    return true;
  }

  bool read_input(const std::string& word) {
    if (is_linked(word)) return true;
    has_source_ = true;
    return language_ == "hip" || fs::path(word).extension() == ".hip";
  }

  const std::vector<std::string>& words_;
  std::size_t at_;
  std::string language_;
  bool has_source_ = false, device_only_ = false;
  WrapperCall call_;
};

// One side of a call, in the directory of its options.
struct Side {
  fs::path precompiled, prerequisites, seen;

  Side(const fs::path& directory, std::string_view name)
      : precompiled(directory / fmt::format("{}.pch", name)),
        prerequisites(directory / fmt::format("{}.files", name)),
        seen(directory / fmt::format("{}.seen", name)) {}
};

// The headers that a precompiled one was made from, each with its identity at that time.
std::vector<fs::path> unchanged_prerequisites(const Side& side) {
  const auto list = read_file(side.prerequisites);
  std::error_code missing;
  if (!list || !fs::is_regular_file(side.precompiled, missing)) return {};
  std::vector<fs::path> files;
  for (std::size_t begin = 0; begin < list->size();) {
    const std::size_t end = std::min(list->find('\n', begin), list->size());
    const std::string_view line = std::string_view(*list).substr(begin, end - begin);
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    files.emplace_back(line.substr(0, tab));
    if (file_identity(files.back()) != line.substr(tab + 1)) return {};
    begin = end + 1;
  }
  return files;
}

Status precompile(const WrapperCall& call, std::string_view name, const Side& side) {
  // Included as it is elsewhere: as a system header. Written once, because the precompiled files of
  // all sides know its time.
  constexpr std::string_view kText = "#include <__clang_hip_runtime_wrapper.h>\n";
  const fs::path source = side.precompiled.parent_path() / "wrapper.h";
  if (read_file(source).value_or("") != kText)
    HW_CHECK(write_file_atomic(source, kText, 0600, Durability::kProcessDeath));
  HW_TRY(const TemporaryDirectory scratch, TemporaryDirectory::create());
  const fs::path made = scratch.path() / "wrapper.pch", rule = scratch.path() / "wrapper.d";
  std::vector<std::string> argv = call.options;
  if (name == kHost)
    argv.insert(argv.end(), {"--cuda-host-only", "--offload-arch=" + call.sides.front()});
  else
    argv.insert(argv.end(), {"--cuda-device-only", fmt::format("--offload-arch={}", name)});
  argv.emplace_back("-fsyntax-only");
  for (const std::string& word :
       {std::string("-emit-pch"), std::string("-o"), made.string(), std::string("-dependency-file"),
        rule.string(), std::string("-MT"), std::string("wrapper"), std::string("-sys-header-deps")})
    argv.insert(argv.end(), {"-Xclang", word});
  argv.insert(argv.end(), {"-x", "hip", source.string()});
  HW_TRY(const Finished finished, run({.argv = std::move(argv)}));
  if (!finished.ok()) return fail("cannot precompile", source.string(), finished.err);

  HW_TRY(const std::string dependencies, read_file(rule));
  std::string list;
  for (const fs::path& file : prerequisites(dependencies))
    list += fmt::format("{}\t{}\n", file.string(), file_identity(file));
  HW_TRY(const std::string content, read_file(made));
  HW_CHECK(write_file_atomic(side.precompiled, content, 0600, Durability::kProcessDeath));
  return write_file_atomic(side.prerequisites, list, 0600, Durability::kProcessDeath);
}

// May a further one be stored? Removes those that nobody has used lately to make room.
bool make_room(const fs::path& home) {
  std::error_code ignored;
  std::size_t files = 0;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& directory : fs::directory_iterator(home, ignored)) {
    std::size_t own = 0;
    for (const auto& entry : fs::directory_iterator(directory.path(), ignored))
      own += entry.path().extension() == ".pch" ? 1 : 0;
    files += own;
  }
  if (files < kMostFiles) return true;
  for (const auto& directory : fs::directory_iterator(home, ignored)) {
    if (now - fs::last_write_time(directory.path(), ignored) < kInUse) continue;
    fs::remove_all(directory.path(), ignored);
    return true;
  }
  return false;
}

// Would one of the call's own directories provide a header that the wrapper includes? Tried with
// each ending of its path, because an #include names it from some directory on.
bool is_shadowed(const WrapperCall& call, const std::set<fs::path>& headers) {
  if (call.directories.empty()) return false;
  std::set<fs::path> names;
  for (const fs::path& header : headers) {
    fs::path name;
    auto part = header.end();
    for (int parts = 0; parts < 3 && part != header.begin(); ++parts) {
      --part;
      name = name.empty() ? *part : *part / name;
      names.insert(name);
    }
  }
  std::error_code ignored;
  return std::ranges::any_of(call.directories, [&](const fs::path& directory) {
    return std::ranges::any_of(
        names, [&](const fs::path& name) { return fs::exists(directory / name, ignored); });
  });
}

fs::path directory_of(const fs::path& home, const WrapperCall& call) {
  Hasher hasher;
  for (const std::string& option : call.options) hasher.field(option);
  hasher.field(file_identity(call.options.front()));
  return home / hasher.finish().hex().substr(0, 16);
}

// The headers in the precompiled wrapper of this side, which is made if need be; none if there is
// no such wrapper.
std::vector<fs::path> prepare(const WrapperCall& call, const fs::path& directory,
                              std::string_view name, Precompile when) {
  const Side side(directory, name);
  if (auto files = unchanged_prerequisites(side); !files.empty()) return files;
  const auto lock = FileLock::acquire(directory / "lock");
  if (!lock) return {};
  if (auto files = unchanged_prerequisites(side); !files.empty()) return files;
  std::error_code ignored;
  if (when == Precompile::kOnSecondUse && !fs::exists(side.seen, ignored)) {
    (void)write_file_atomic(side.seen, "", 0600, Durability::kProcessDeath);
    return {};
  }
  if (!make_room(directory.parent_path()) || !precompile(call, name, side)) return {};
  return unchanged_prerequisites(side);
}

}  // namespace

std::optional<WrapperCall> wrapper_call(const DriverPlan& plan) {
  return plan.wrapper ? CallReader(plan).read() : std::nullopt;
}

void use_precompiled_wrapper(DriverPlan& plan, const Sdk& sdk, Precompile when) {
  const std::optional<WrapperCall> call = wrapper_call(plan);
  if (!call || environment_changes_clang()) return;
  const fs::path home = sdk.prefix.parent_path() / "wrappers";
  const fs::path directory = directory_of(home, *call);
  if (!make_private_directory(home) || !make_private_directory(directory)) return;

  std::set<fs::path> headers;
  bool is_ready = true;
  for (const std::string& side : call->sides) {
    std::vector<fs::path> files = prepare(*call, directory, side, when);
    is_ready = is_ready && !files.empty();
    headers.insert(files.begin(), files.end());
  }
  if (!is_ready || is_shadowed(*call, headers)) return;
  std::error_code ignored;
  fs::last_write_time(directory, fs::file_time_type::clock::now(), ignored);
  // clang picks the file of each side; none that it does not accept is used.
  plan.argv[*plan.wrapper] = "-include-pch";
  plan.argv[*plan.wrapper + 1] = directory.string();
}

}  // namespace hipwright::toolchain
