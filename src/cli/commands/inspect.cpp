// SPDX-License-Identifier: MIT
#include "toolchain/code_object/inspect.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "base/stop.h"
#include "cli/command.h"
#include "toolchain/code_object/triton_cache.h"
#include "toolchain/python.h"

namespace hipwright::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;
  bool flags = false;
  bool json = false;
};

// What was found in a file or directory.
struct Shown {
  std::string text;
  Json json;
  int code = kOk;
};

Result<Shown> show_file(const std::string& file) {
  HW_TRY(const toolchain::Inspection inspection, toolchain::inspect_file(file));
  Shown shown{.text = toolchain::inspection_text(inspection, globals().colour_out),
              .json = toolchain::inspection_json(inspection)};
  for (const toolchain::InspectedImage& inspected : inspection.images)
    if (inspected.error) shown.code = report(*inspected.error);
  return shown;
}

// The kernels in a directory, compiled again with other options.
Result<toolchain::TritonCache> variants_of(const std::string& directory) {
  constexpr const char* kWhat = "cannot compile Triton's kernels again";
  HW_TRY(const std::string python, toolchain::python_with(kWhat, {"hipwright", "triton"}));
  HW_TRY(const TemporaryDirectory out, TemporaryDirectory::create());
  stop_on_interrupt();
  HW_TRY(const Finished finished,
         run({.argv = {python, "-m", "hipwright.triton.flags", directory, out.path().string()}}));
  if (!finished.ok()) return fail(kWhat, directory, finished.err);
  return toolchain::read_triton_cache(out.path());
}

Result<Shown> show_directory(const std::string& directory, bool flags) {
  HW_TRY(toolchain::TritonCache cache, toolchain::read_triton_cache(directory));
  Shown shown{.text = directory + "\n"};
  shown.text += toolchain::triton_table(cache.kernels, globals().colour_out);
  if (flags) {
    HW_TRY(toolchain::TritonCache variants, variants_of(directory));
    shown.text += toolchain::triton_changes(cache.kernels, variants.kernels);
    std::ranges::move(variants.kernels, std::back_inserter(cache.kernels));
    std::ranges::move(variants.errors, std::back_inserter(cache.errors));
  }
  shown.json = toolchain::triton_json(directory, cache.kernels);
  for (const Error& error : cache.errors) shown.code = report(error);
  return shown;
}

int inspect(const Options& options) {
  int code = kOk;
  Json list = Json::array();
  bool first = true;
  for (const std::string& file : options.files) {
    std::error_code ignored;
    const auto shown =
        fs::is_directory(file, ignored) ? show_directory(file, options.flags) : show_file(file);
    if (!shown) {
      code = report(shown.error());
      list.push_back({{"file", file}, {"error", json_of(shown.error())}});
      continue;
    }
    code = std::max(code, shown->code);
    list.push_back(shown->json);
    if (!options.json) print((first ? "" : "\n") + shown->text);
    first = false;
  }
  if (options.json) print(json_text({{"files", std::move(list)}}));
  return code;
}

const Command::Registration registration({
    .name = "inspect",
    .summary = "Show the kernels in an executable, library or code object",
    .define =
        [](App app) {
          auto options = std::make_shared<Options>();
          app.add_option("FILE", options->files,
                         "Executables, libraries, code objects, bundles, or Triton's cache")
              .required()
              .type_name("FILE");
          app.add_flag("--flags", options->flags,
                       "Compile the kernels of Triton's cache again, to show what other options of "
                       "its AMD backend would change");
          app.add_flag("--json", options->json, "Print JSON");
          return [options] { return inspect(*options); };
        },
});

}  // namespace

}  // namespace hipwright::cli
