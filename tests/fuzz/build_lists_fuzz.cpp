// SPDX-License-Identifier: MIT
// Any bytes as CMake file, setup.py and source of a tree: answers about files of the tree alone.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "project/build/build_graph.h"
#include "syntax/build/cmake_commands.h"

using namespace hipwright;
using namespace hipwright::syntax;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t end = 0;
  for (const build::CMakeCommand& command : build::read_cmake(text).list) {
    HW_ASSERT(command.span.begin >= end && command.span.end <= size && !command.name.empty());
    for (const build::CMakeArgument& argument : command.arguments)
      HW_ASSERT(argument.span.begin < argument.span.end && argument.span.end <= size);
    end = command.span.end;
  }

  project::FileSet tree;
  tree.paths = {"CMakeLists.txt",   "a.cmake", "a.cu",    "b.cu",
                "d/CMakeLists.txt", "d/c.cu",  "d/c.cuh", "setup.py"};
  tree.read = [&](const std::string&) { return text; };
  const project::BuiltFiles lists = project::read_build_lists(tree);
  for (const auto& [path, built] : lists) HW_ASSERT(tree.has(path));

  const cuda::File file(text);
  std::vector<project::IncludingFile> sources;
  for (const char* path : {"a.cu", "b.cu", "d/c.cu", "d/c.cuh"})
    sources.push_back(project::including_file(path, file));
  const project::BuildGraph graph(sources, lists);
  for (const std::string& path : tree.paths)
    HW_ASSERT(graph.built(path, project::Platform::kAmd) <= Truth::kYes);
  return 0;
}
