// SPDX-License-Identifier: MIT
#include "lint/like/reach.h"

#include <algorithm>

#include "project/read_source.h"
#include "project/walk.h"

namespace hipwright::lint::like {

namespace {

template <class File>
std::uint32_t token_at(const File& file, std::size_t offset) {
  const auto tokens = file.tokens();
  const auto after = std::partition_point(tokens.begin(), tokens.end(),
                                          [&](const auto& token) { return token.begin < offset; });
  return static_cast<std::uint32_t>(after - tokens.begin());
}

}  // namespace

std::vector<syntax::Truth> on_amd_by_conditions(std::string_view text, project::Language language,
                                                const std::vector<std::size_t>& offsets) {
  std::vector<syntax::Truth> truths;
  if (offsets.empty()) return truths;
  if (language == project::Language::kPython) {
    const syntax::python::File file(text);
    for (const std::size_t offset : offsets)
      truths.push_back(file.token_runs_on_rocm(token_at(file, offset)));
  } else {
    const syntax::cuda::File file(text);
    for (const std::size_t offset : offsets)
      truths.push_back(file.compiled(token_at(file, offset), syntax::cuda::Platform::kAmd));
  }
  return truths;
}

syntax::Truth BuiltFacts::on_amd(std::string_view project_path) {
  if (!project_) read();
  return project_->built(project_path, syntax::cuda::Platform::kAmd);
}

void BuiltFacts::read() {
  const std::filesystem::path root = options_.root.empty() ? "." : options_.root;
  const std::filesystem::path folder = options_.project.empty() ? root : options_.project;
  project::WalkRequest request{.root = folder, .use_gitignore = options_.use_gitignore};
  request.wants = project::is_of_project;
  project::FileSet tree;
  tree.read = [&](const std::string& path) -> std::optional<std::string> {
    project::ReadText read = project::read_source(folder / path, {});
    if (!read.why_not.empty()) return std::nullopt;
    return std::move(read.text.bytes);
  };
  std::vector<project::IncludingFile> including;
  if (auto walked = project::walk(request)) {
    tree.paths = std::move(walked->files);
    std::erase_if(tree.paths,
                  [](const std::string& path) { return !project::is_of_project(path); });
    for (const std::string& path : tree.paths) {
      if (project::language_of(path) != project::Language::kCuda) continue;
      if (const auto text = tree.read(path))
        including.push_back(project::including_file(path, syntax::cuda::File(*text)));
    }
  }
  project_.emplace(including, project::read_build_lists(tree));
}

}  // namespace hipwright::lint::like
