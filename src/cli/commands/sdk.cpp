// SPDX-License-Identifier: MIT
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "cli/command.h"
#include "toolchain/libraries/add.h"
#include "toolchain/libraries/listing.h"
#include "toolchain/library_table.h"
#include "toolchain/sdk.h"

namespace hipwright::cli {

namespace {

using namespace toolchain;

void declare_release(App app, std::string& release) {
  app.add_option("--rocm", release, fmt::format("ROCm release (default: {})", kSdkRelease).c_str())
      .type_name("RELEASE")
      .not_empty();
}

Result<std::filesystem::path> own_prefix() {
  HW_TRY(const Clang clang, find_clang());
  HW_TRY(const auto device_libs, find_device_libs());
  HW_TRY(const Sdk sdk, prepare_sdk(clang, device_libs));
  if (sdk.warning) warn("the SDK is not in the user cache: " + sdk.warning->message());
  HW_CHECK(link_tool(sdk, std::filesystem::read_symlink("/proc/self/exe")));
  return sdk.prefix;
}

Result<std::filesystem::path> chosen_prefix(const std::string& choice) {
  if (choice == "own") return own_prefix();
  if (const auto rocm = find_rocm()) return rocm->prefix;
  if (choice == "auto") return own_prefix();
  return fail("cannot locate ROCm", "--sdk rocm", "ROCm is not installed",
              "Set ROCM_PATH, or use --sdk own.");
}

std::function<int()> declare_path(App path) {
  auto choice = std::make_shared<std::string>("auto");
  auto release = std::make_shared<std::string>();
  path.add_option("--sdk", *choice,
                  "own: hipwright's SDK, even if ROCm is installed; rocm: an installed ROCm")
      .type_name("SDK")
      .one_of({"auto", "own", "rocm"})
      .capture_default_str();
  declare_release(path, *release);
  return [choice, release] {
    if (!release->empty()) {
      if (auto chosen = choose_release(*release); !chosen) return report(chosen.error());
      // An installed ROCm is what it is.
      if (*choice == "auto") *choice = "own";
    }
    const auto prefix = chosen_prefix(*choice);
    if (!prefix) return report(prefix.error());
    print(prefix->string() + "\n");
    return kOk;
  };
}

int run_add(AddRequest request) {
  const auto begin = std::chrono::steady_clock::now();
  request.say = [](const std::string& text) { note(text); };
  const auto added = add_libraries(request);
  if (!added) return report(added.error());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::string text;
  if (added->fresh.empty())
    text = fmt::format("Nothing to add: {} of ROCm {} are there.\n", fmt::join(request.names, ", "),
                       added->now.release);
  else
    text =
        fmt::format("Added {} {} of ROCm {}: {:.0f} MB downloaded, {:.0f} MB on disk, {:.0f} s.\n",
                    added->fresh.size(), added->fresh.size() == 1 ? "package" : "packages",
                    added->now.release, static_cast<double>(added->downloaded_bytes) / 1e6,
                    static_cast<double>(added->bytes) / 1e6, seconds.count());
  print(text);
  print(fmt::format("{}\n", added->prefix.string()));
  return kOk;
}

std::function<int()> declare_add(App add) {
  auto request = std::make_shared<AddRequest>();
  add.add_option("NAME", request->names, "Libraries, for example hipblas rocthrust; or all")
      .type_name("NAME")
      .required()
      .expected(-1);
  declare_release(add, request->release);
  add.add_option("--from", request->from,
                 "An installed ROCm, or a checkout of a header-only library, instead of packages")
      .type_name("DIRECTORY")
      .not_empty();
  add.add_option("--mirror", request->mirror, "Mirror of the distribution")
      .type_name("URL")
      .not_empty()
      .excludes("--from");
  add.add_option("--keyring", request->keyring,
                 "Keys that must have signed the package lists (default: the distribution's)")
      .type_name("FILE")
      .not_empty()
      .excludes("--from");
  return [request] { return run_add(*request); };
}

int run_list(bool as_json) {
  std::vector<AddedLibraries> all;
  for (const AddedPrefix& prefix : added_prefixes()) {
    auto added = read_added(prefix);
    if (!added) return report(added.error());
    all.push_back(*std::move(added));
  }
  if (as_json)
    print(json_text(libraries_json(all)));
  else
    print_text(libraries_text(all, globals().colour_out));
  return kOk;
}

std::function<int()> declare_list(App list) {
  auto as_json = std::make_shared<bool>(false);
  list.add_flag("--json", *as_json, "Print JSON");
  return [as_json] { return run_list(*as_json); };
}

std::function<int()> declare_remove(App remove) {
  auto names = std::make_shared<std::vector<std::string>>();
  auto release = std::make_shared<std::string>();
  remove.add_option("NAME", *names, "Libraries that were added; or all")
      .type_name("NAME")
      .required()
      .expected(-1);
  declare_release(remove, *release);
  return [names, release] {
    const auto left = remove_libraries(*names, *release);
    if (!left) return report(left.error());
    std::vector<std::string> still;
    for (const AddedLibrary& each : left->libraries) still.push_back(each.name);
    print(fmt::format("Removed {}. Left: {}.\n", fmt::join(*names, ", "),
                      still.empty() ? "nothing" : fmt::to_string(fmt::join(still, ", "))));
    return kOk;
  };
}

const Command::Registration kCommand({
    .name = "sdk",
    .summary = "Locate a HIP SDK, creating one on machines without ROCm",
    .define = [](App app) -> std::function<int()> {
      app.require_subcommand();
      struct Part {
        App app;
        std::function<int()> run;
      };
      auto parts = std::make_shared<std::vector<Part>>();
      const auto declare = [&](const char* name, const char* summary, auto declaring) {
        const App part = app.add_subcommand(name, summary);
        parts->push_back({part, declaring(part)});
      };
      declare("path", "Print the directory to use as ROCM_PATH; create the SDK if needed",
              declare_path);
      declare("add", "Add ROCm's libraries: headers, CMake packages and binaries", declare_add);
      declare("list", "List the libraries that were added", declare_list);
      declare("remove", "Remove libraries", declare_remove);
      return [parts] {
        for (const Part& part : *parts)
          if (part.app.parsed()) return part.run();
        return kUsage;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
