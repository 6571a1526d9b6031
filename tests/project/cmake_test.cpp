// SPDX-License-Identifier: MIT
#include "project/build/cmake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "project/build/cmake_values.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::project {

namespace {

using testing::ElementsAre;

char letter(Truth truth) {
  return truth == Truth::kYes ? 'y' : truth == Truth::kNo ? 'n' : '?';
}

FileSet tree_of(std::map<std::string, std::string> files) {
  FileSet tree;
  for (const auto& [path, text] : files) tree.paths.push_back(path);
  tree.read = [files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return tree;
}

// "a.cu:yn b.cu:ny": each source with the answer for AMD and for NVIDIA.
std::string built(const FileSet& tree) {
  std::string all;
  for (const auto& [path, each] : read_cmake_sources(tree)) {
    if (!all.empty()) all += ' ';
    all += path + ':' + letter(each.amd) + letter(each.nvidia);
  }
  return all;
}

std::string built(const std::string& lists) {
  return built(tree_of({{"CMakeLists.txt", lists},
                        {"a.cu", ""},
                        {"b.cu", ""},
                        {"c.cpp", ""},
                        {"k/d.cu", ""},
                        {"k/e.cu", ""},
                        {"k/deep/f.cu", ""}}));
}

TEST(CMake, ConditionsAreEvaluatedForAPlatform) {
  struct {
    const char* condition;
    const char* answers;
  } const cases[] = {
      {"USE_ROCM", "yn"},
      {"NOT USE_ROCM", "ny"},
      {"GGML_HIP OR GGML_CUDA", "yy"},
      {"GGML_HIP AND GGML_CUDA", "nn"},
      {"VLLM_GPU_LANG STREQUAL \"CUDA\"", "ny"},
      {"HIP_PLATFORM STREQUAL \"amd\"", "yn"},
      {"HIP_PLATFORM STREQUAL \"nvcc\"", "nn"},
      {"VLLM_GPU_LANG STREQUAL HIP", "yn"},
      {"\"${VLLM_GPU_LANG}\" STREQUAL \"CUDA\"", "ny"},
      {"VLLM_GPU_LANG STREQUAL \"CUDA\" OR VLLM_GPU_LANG STREQUAL \"HIP\"", "yy"},
      {"VLLM_GPU_LANG MATCHES \"HIP|CUDA\"", "yy"},
      {"VLLM_GPU_LANG MATCHES \"^H.*\"", "??"},
      {"(NOT HIP_FOUND) AND CUDA_FOUND", "ny"},
      {"SOMETHING", "??"},
      {"NOT SOMETHING AND USE_ROCM", "?n"},
      {"SOMETHING STREQUAL \"x\" AND NOT USE_ROCM", "n?"},
      {"DEFINED SOMETHING", "??"},
      {"CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER 12", "??"},
      {"TRUE", "yy"},
      {"OFF", "nn"},
      {"0", "nn"},
      {"${UNKNOWN}", "??"},
      {"EXISTS /x AND USE_ROCM", "?n"},
      {"", "??"},
      {"NOT", "??"},
      {"(USE_ROCM", "yn"},
  };
  for (const auto& each : cases) {
    const std::string text = std::string("if(") + each.condition + ")";
    const auto commands = syntax::build::read_cmake(text);
    std::string answers;
    for (const Platform platform : {Platform::kAmd, Platform::kNvidia})
      answers +=
          letter(evaluate_cmake_condition(commands.list.at(0).arguments, CMakeVariables(platform)));
    EXPECT_EQ(answers, each.answers) << each.condition;
  }
}

TEST(CMake, SourcesAreFollowedThroughVariables) {
  struct {
    const char* text;
    const char* expected;
  } const cases[] = {
      {"add_library(t a.cu)", "a.cu:yy"},
      {"if(USE_ROCM)\nadd_library(t a.cu)\nelse()\nadd_library(t b.cu)\nendif()",
       "a.cu:yn b.cu:ny"},
      {"set(S a.cu)\nif(VLLM_GPU_LANG STREQUAL \"CUDA\")\nlist(APPEND S b.cu)\nendif()\n"
       "my_target(t SOURCES ${S})",
       "a.cu:yy b.cu:ny"},
      {"if(NOT HIP_FOUND AND CUDA_FOUND)\nset(L \"CUDA\")\nelseif(HIP_FOUND)\nset(L \"HIP\")\n"
       "endif()\nif(L STREQUAL \"HIP\")\nadd_library(t a.cu)\nendif()",
       "a.cu:yn"},
      {"if(USE_CUDA)\nset(S a.cu)\nset_flags(SRCS \"${S}\")\nlist(APPEND T \"${S}\")\nendif()\n"
       "add_library(t ${T} b.cu)",
       "a.cu:ny b.cu:yy"},
      {"if(X)\nadd_library(t a.cu)\nendif()", "a.cu:??"},
      {"if(X AND NOT USE_ROCM)\nadd_library(t a.cu)\nendif()", "a.cu:n?"},
      {"set(S a.cu)", "a.cu:??"},
      {"if(USE_ROCM)\nset(S a.cu)\nendif()", "a.cu:?n"},
      {"file(GLOB S k/*.cu)\nadd_library(t ${S})", "k/d.cu:yy k/e.cu:yy"},
      {"file(GLOB_RECURSE S k/*.cu)\nadd_library(t ${S})", "k/d.cu:yy k/deep/f.cu:yy k/e.cu:yy"},
      {"file(GLOB S k/*.cu)\nif(USE_ROCM)\nlist(REMOVE_ITEM S k/d.cu)\nendif()\n"
       "add_library(t ${S})",
       "k/d.cu:ny k/e.cu:yy"},
      {"add_library(t ${CMAKE_CURRENT_SOURCE_DIR}/k/d.cu ${UNKNOWN}/a.cu)", "k/d.cu:yy"},
      {"foreach(S IN LISTS NONE)\nendforeach()\nforeach(S a.cu b.cu)\nadd_library(t_${S} ${S})\n"
       "endforeach()",
       "a.cu:yy b.cu:yy"},
      {"if(NOT VLLM_TARGET_DEVICE STREQUAL \"cuda\")\nreturn()\nendif()\nadd_library(t a.cu)",
       "a.cu:ny"},
      {"if(USE_ROCM)\nmessage(FATAL_ERROR \"no\")\nendif()\nadd_library(t a.cu)", "a.cu:ny"},
      {"if(X)\nmessage(FATAL_ERROR \"no\")\nendif()\nadd_library(t a.cu)", "a.cu:yy"},
      {"project(p LANGUAGES CXX CUDA)\nadd_library(t a.cu)", "a.cu:?y"},
      {"project(p LANGUAGES CXX CUDA)\nadd_library(t a.cu)\nif(USE_HIP)\nendif()", "a.cu:ny"},
      {"find_package(hip REQUIRED)\nadd_library(t a.cu)", "a.cu:yn"},
      {"if(USE_CUDA)\nenable_language(CUDA)\nendif()\nadd_library(t a.cu)", "a.cu:yy"},
      {"option(USE_CUDA \"x\" ON)\nset(USE_ROCM OFF CACHE BOOL \"x\")\nif(USE_ROCM)\n"
       "add_library(t a.cu)\nendif()",
       "a.cu:yn"},
      {"function(f)\nadd_library(t a.cu)\nendfunction()\nadd_library(t b.cu)", "b.cu:yy"},
      {"set(A)\ncompute(A)\nif(A)\nadd_library(t a.cu)\nendif()", "a.cu:??"},
      {"set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)", ""},
      {"target_sources(t PRIVATE a.cu PUBLIC c.cpp)", "a.cu:yy c.cpp:yy"},
      {"set(S a.cu)\nset(S ${S} b.cu)\nadd_library(t ${S})", "a.cu:yy b.cu:yy"},
      {"if(USE_ROCM)\nset(S a.cu)\nelse()\nset(S b.cu)\nendif()\nadd_library(t ${S})",
       "a.cu:yn b.cu:ny"},
      {"if(USE_ROCM)\nelseif(X)\nadd_library(t a.cu)\nelse()\nadd_library(t b.cu)\nendif()",
       "a.cu:n? b.cu:n?"},
  };
  for (const auto& each : cases) EXPECT_EQ(built(each.text), each.expected) << each.text;
}

TEST(CMake, FoldersAndIncludesAreFollowed) {
  EXPECT_EQ(built(tree_of({{"CMakeLists.txt",
                            "if(USE_CUDA)\nadd_subdirectory(cuda)\nendif()\n"
                            "include(cmake/more.cmake)\n"},
                           {"cmake/more.cmake", "if(USE_ROCM)\nadd_library(h h.cu)\nendif()"},
                           {"cuda/CMakeLists.txt", "add_library(k k.cu ../shared.cu)"},
                           {"cuda/k.cu", ""},
                           {"shared.cu", ""},
                           {"h.cu", ""}})),
            "cuda/k.cu:ny h.cu:yn shared.cu:ny");
}

// One backend's sources built by another backend's list, as ggml does.
TEST(CMake, AFileInSeveralListsIsBuiltWhereAnyListIs) {
  EXPECT_EQ(
      built(tree_of({{"cuda/CMakeLists.txt",
                      "find_package(CUDAToolkit)\nif(CUDAToolkit_FOUND)\nenable_language(CUDA)\n"
                      "file(GLOB S \"*.cu\")\nmy_backend(cuda ${S})\nendif()"},
                     {"hip/CMakeLists.txt",
                      "find_package(hip REQUIRED)\nfile(GLOB S \"../cuda/a*.cu\")\n"
                      "my_backend(hip ${S})"},
                     {"cuda/a.cu", ""},
                     {"cuda/b.cu", ""}})),
      "cuda/a.cu:yy cuda/b.cu:ny");
}

TEST(CMake, EndlessFilesAreAbandoned) {
  std::string doubling = "set(A a.cu)\n";
  for (int i = 0; i < 64; ++i) doubling += "set(A ${A} ${A})\n";
  EXPECT_EQ(built(doubling + "add_library(t ${A})"), "a.cu:yy");
  EXPECT_EQ(built(tree_of({{"CMakeLists.txt", "include(a.cmake)\nadd_subdirectory(.)"},
                           {"a.cmake", "include(a.cmake)\nadd_library(t a.cu)"},
                           {"a.cu", ""}})),
            "a.cu:yy");
}

}  // namespace

}  // namespace hipwright::project
