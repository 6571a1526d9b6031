// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/isolation/isolation.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

constexpr const char* kCMake =
    "cmake_minimum_required(VERSION 3.21)\n"
    "project(app LANGUAGES CXX CUDA)\n"
    "set(CMAKE_CUDA_ARCHITECTURES 80)\n"
    "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -Xcompiler -Wall --use_fast_math\")\n"
    "find_package(CUDAToolkit REQUIRED)\n"
    "add_executable(app main.cpp kernel.cu)\n"
    "target_link_libraries(app PRIVATE CUDA::cudart CUDA::cublas)\n"
    "set_target_properties(app PROPERTIES CUDA_STANDARD 17 CUDA_ARCHITECTURES \"80;90\")\n"
    "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)\n";

TEST(CMake, SpeaksHip) {
  EXPECT_EQ(to_hip(kCMake, "CMakeLists.txt"),
            "cmake_minimum_required(VERSION 3.21)\n"
            "project(app LANGUAGES CXX HIP)\n"
            "# not for AMD GPUs: set(CMAKE_CUDA_ARCHITECTURES 80)\n"
            "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} -Wall -fgpu-flush-denormals-to-zero "
            "-fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals\")\n"
            "find_package(hip REQUIRED)\n"
            "add_executable(app main.cpp kernel.cu)\n"
            "set_source_files_properties(kernel.cu PROPERTIES LANGUAGE HIP)\n"
            "find_package(hipblas REQUIRED)\n"
            "target_link_libraries(app PRIVATE hip::host roc::hipblas)\n"
            "set_target_properties(app PROPERTIES HIP_STANDARD 17)\n"
            "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-gline-tables-only>)\n");
}

TEST(CMake, KeepsTheCommentsOfCommandsThatItWritesAnew) {
  EXPECT_EQ(to_hip("if(ON)\n"
                   "  target_link_libraries(app PRIVATE # of the toolkit\n"
                   "    #[[ in\n    brackets ]] CUDA::cudart\n"
                   "    other \"a # b\") # behind\n"
                   "  set(CMAKE_CUDA_ARCHITECTURES\n    80 # A100\n    90)\n"
                   "endif()\n",
                   "CMakeLists.txt"),
            "if(ON)\n"
            "  # of the toolkit\n"
            "  #[[ in\n    brackets ]]\n"
            "  find_package(hip REQUIRED)\n"
            "  target_link_libraries(app PRIVATE hip::host other \"a # b\") # behind\n"
            "  # not for AMD GPUs: set(CMAKE_CUDA_ARCHITECTURES\n"
            "#     80 # A100\n"
            "#     90)\n"
            "endif()\n");
}

TEST(CMake, StopsForOtherCompilersAreErrors) {
  const auto said = [](const std::string& lines) {
    return port_files(
               {{"CMakeLists.txt", "project(p CUDA)\nset(CMAKE_BUILD_TYPE Release)\n" + lines}},
               {.mode = Mode::kDual})
        .said();
  };
  const std::string stop = "message(FATAL_ERROR \"use nvcc\")\n";
  EXPECT_EQ(said("if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL \"NVIDIA\")\n" + stop + "endif()\n"),
            "HP409:4");
  EXPECT_EQ(said("if(CMAKE_CUDA_COMPILER_ID STREQUAL NVIDIA)\nelse()\nif(X)\n" + stop +
                 "endif()\nendif()\n"),
            "HP409:6");
  EXPECT_EQ(said("if(CMAKE_CUDA_COMPILER_ID STREQUAL NVIDIA)\n" + stop + "endif()\n"), "");
  EXPECT_EQ(said("if(NOT X)\n" + stop + "endif()\n"), "");
}

TEST(CMake, SaysThatNothingIsOptimisedWithoutABuildType) {
  const auto said = [](const std::string& text) {
    std::string codes;
    for (const Diagnostic& each :
         port_files({{"CMakeLists.txt", text}}, {.mode = Mode::kHip}).diagnostics)
      codes += each.code;
    return codes;
  };
  EXPECT_EQ(said("project(app LANGUAGES CXX CUDA)\n"), "HP411");
  EXPECT_EQ(said("set(CMAKE_BUILD_TYPE Release)\nproject(app LANGUAGES CUDA)\n"), "");
  EXPECT_EQ(said("project(app LANGUAGES CXX)\n"), "");
}

TEST(CMake, OfTheOldPackageGetsTheLanguageAndACommandLine) {
  EXPECT_EQ(
      to_hip("find_package(CUDA REQUIRED)\n"
             "set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-O2;-gencode=arch=compute_80,code=sm_80)\n"
             "list(APPEND CUDA_NVCC_FLAGS -lineinfo -O3)\n"
             "cuda_add_executable(a ${name}.cu)\n",
             "CMakeLists.txt"),
      "enable_language(HIP)\nfind_package(hip REQUIRED)\n"
      "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} -O2\")\n"
      "string(APPEND CMAKE_HIP_FLAGS \" -gline-tables-only -O3\")\n"
      "add_executable(a ${name}.cu)\n"
      "set_source_files_properties(${name}.cu PROPERTIES LANGUAGE HIP)\n");
}

TEST(CMake, HasCommandsForThoseOfFindCuda) {
  EXPECT_EQ(
      to_hip("cuda_select_nvcc_arch_flags(ARCH Auto)\n"
             "cuda_include_directories(inc)\n"
             "CUDA_ADD_LIBRARY(k STATIC k.cu OPTIONS -DN=2 -Xcompiler -fPIC RELEASE -lineinfo)\n"
             "cuda_compile(OBJ o.cu STATIC)\n"
             "cuda_add_cublas_to_target(k)\n"
             "set(CUDA_SEPARABLE_COMPILATION ON)\n"
             "include_directories(${CUDA_INCLUDE_DIRS})\n"
             "target_link_libraries(k ${CUDA_cufft_LIBRARY} -lcurand)\n",
             "CMakeLists.txt"),
      "set(ARCH \"\")\n"
      "include_directories(inc)\n"
      "add_library(k STATIC k.cu)\n"
      "set_source_files_properties(k.cu PROPERTIES LANGUAGE HIP)\n"
      "target_compile_options(k PRIVATE \"$<$<COMPILE_LANGUAGE:HIP>:-DN=2;-fPIC>\" "
      "\"$<$<AND:$<COMPILE_LANGUAGE:HIP>,$<CONFIG:Release>>:-gline-tables-only>\")\n"
      "add_library(OBJ_objects OBJECT o.cu)\n"
      "set_source_files_properties(o.cu PROPERTIES LANGUAGE HIP)\n"
      "set(OBJ $<TARGET_OBJECTS:OBJ_objects>)\n"
      "find_package(hipblas REQUIRED)\ntarget_link_libraries(k roc::hipblas)\n"
      "add_compile_options(\"$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>\")\n"
      "add_link_options(\"$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>\")\n"
      "find_package(hip REQUIRED)\ninclude_directories(${hip_INCLUDE_DIRS})\n"
      "add_compile_definitions(__HIP_PLATFORM_AMD__=1)\n"
      "find_package(hipfft REQUIRED)\n"
      "target_link_libraries(k hip::hipfft -lhiprand)\n");
}

TEST(CMake, TranslatesOptionsWhereverTheyStand) {
  const auto now = [](const std::string& line) {
    const std::string out = to_hip("project(a CUDA)\n" + line + "\n", "CMakeLists.txt");
    return out.substr(out.find('\n') + 1, out.size() - out.find('\n') - 2);
  };
  const std::string fast =
      "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt "
      "-fgpu-approx-transcendentals";
  EXPECT_EQ(now("target_compile_options(a PRIVATE -Xptxas -v --use_fast_math)"),
            "target_compile_options(a PRIVATE "
            "-fgpu-flush-denormals-to-zero;-fno-hip-fp32-correctly-rounded-divide-sqrt;-fgpu-"
            "approx-transcendentals)");
  EXPECT_EQ(now("target_compile_options(a PRIVATE \"-Xptxas\" \"-v\" \"-Wall\")"),
            "target_compile_options(a PRIVATE \"-Wall\")");
  EXPECT_EQ(
      now("target_compile_options(a PRIVATE \"$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xptxas -v>\")"),
      "target_compile_options(a PRIVATE \"$<$<COMPILE_LANGUAGE:HIP>:>\")");
  EXPECT_EQ(now("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CXX,CUDA>:-G -Xptxas -v>)"),
            "target_compile_options(a PRIVATE \"$<$<COMPILE_LANGUAGE:CXX,HIP>:-ggdb;-O0>\")");
  EXPECT_EQ(now("add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)"),
            "add_compile_options(\"$<$<COMPILE_LANGUAGE:HIP>:-Wall;-Wextra>\")");
  EXPECT_EQ(now("set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_DEBUG} "
                "-Xcompiler \\\"-Wall -Wextra\\\" -G\")"),
            "set(CMAKE_HIP_FLAGS \"${CMAKE_HIP_FLAGS} ${CMAKE_HIP_FLAGS_DEBUG} -Wall -Wextra -ggdb "
            "-O0\")");
  // One option that becomes several is one argument of a command line.
  const std::string debug = "-ggdb -O0";
  EXPECT_EQ(now("set(CMAKE_CUDA_FLAGS -G)"), "set(CMAKE_HIP_FLAGS \"" + debug + "\")");
  EXPECT_EQ(now("string(APPEND CMAKE_CUDA_FLAGS -G)"),
            "string(APPEND CMAKE_HIP_FLAGS \"" + debug + "\")");
  EXPECT_EQ(now("set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS -use_fast_math)"),
            "set_source_files_properties(a.cu PROPERTIES COMPILE_FLAGS \"" + fast + "\")");
  // A variable's value is separated as its uses need it.
  EXPECT_EQ(now("set(FAST \"-use_fast_math\")\nset(CMAKE_CUDA_FLAGS \"-O2 ${FAST}\")"),
            "set(FAST \"" + fast + "\")\nset(CMAKE_HIP_FLAGS \"-O2 ${FAST}\")");
  EXPECT_EQ(now("set(NVCC_FLAGS -G)\ntarget_compile_options(a PRIVATE ${NVCC_FLAGS})"),
            "set(NVCC_FLAGS -ggdb;-O0)\ntarget_compile_options(a PRIVATE ${NVCC_FLAGS})");
  // A variable names the target.
  EXPECT_EQ(now("set(ARCH sm_60)\nset(CMAKE_CUDA_FLAGS \"-O2 -arch=${ARCH}\")"),
            "set(ARCH gfx942)\nset(CMAKE_HIP_FLAGS \"-O2 --offload-arch=${ARCH}\")");
  EXPECT_EQ(now("set(ARCH sm_60 CACHE STRING \"\")\nlist(APPEND CUDA_NVCC_FLAGS -arch=${ARCH})"),
            "set(ARCH gfx942 CACHE STRING \"\")\n"
            "string(APPEND CMAKE_HIP_FLAGS \" --offload-arch=${ARCH}\")");
  EXPECT_EQ(now("set(OTHER sm_60)"), "set(OTHER sm_60)");
  // nvcc optimises without being asked.
  EXPECT_EQ(now("set(CMAKE_CUDA_FLAGS_RELEASE \"-lineinfo\")"),
            "set(CMAKE_HIP_FLAGS_RELEASE \"-gline-tables-only -O3\")");
  EXPECT_EQ(now("set(CUDA_NVCC_FLAGS_RELEASE -lineinfo)"),
            "string(APPEND CMAKE_HIP_FLAGS_RELEASE \" -gline-tables-only\")");
  EXPECT_EQ(now("set(CMAKE_CXX_FLAGS \"-G -t 4\")"), "set(CMAKE_CXX_FLAGS \"-G -t 4\")");
  EXPECT_EQ(now("set(MY_CUDA_ARCHITECTURES 80)"), "set(MY_CUDA_ARCHITECTURES 80)");
  EXPECT_EQ(now("set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)"),
            "# not for AMD GPUs: set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)");
  EXPECT_EQ(
      now("add_custom_command(OUTPUT a.fatbin COMMAND ${CMAKE_CUDA_COMPILER} -fatbin -gencode "
          "arch=compute_80,code=sm_80 a.cu)"),
      "find_package(hip REQUIRED)\nadd_custom_command(OUTPUT a.fatbin COMMAND "
      "${hip_HIPCC_EXECUTABLE} --genco "
      "\"--offload-arch=$<JOIN:${CMAKE_HIP_ARCHITECTURES},$<COMMA>>\" a.cu)");
}

TEST(CMake, GivesPropertiesToHip) {
  EXPECT_EQ(
      to_hip("set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)\n"
             "set_property(SOURCE b.cpp PROPERTY LANGUAGE CUDA)\n"
             "set_property(TARGET t PROPERTY CUDA_ARCHITECTURES 80)\n"
             "set_target_properties(t u PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17\n"
             "  CUDA_RESOLVE_DEVICE_SYMBOLS ON CUDA_ARCHITECTURES \"80;90\")\n"
             "set_target_properties(v PROPERTIES CUDA_SEPARABLE_COMPILATION OFF)\n",
             "CMakeLists.txt"),
      "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)\n"
      "set_property(SOURCE b.cpp PROPERTY LANGUAGE HIP)\n"
      "# not for AMD GPUs: set_property(TARGET t PROPERTY CUDA_ARCHITECTURES 80)\n"
      "set_target_properties(t u PROPERTIES HIP_STANDARD 17)\n"
      "target_compile_options(t PRIVATE \"$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>\")\n"
      "target_link_options(t PUBLIC \"$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>\")\n"
      "target_compile_options(u PRIVATE \"$<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>\")\n"
      "target_link_options(u PUBLIC \"$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>\")\n"
      "# not for AMD GPUs: set_target_properties(v PROPERTIES CUDA_SEPARABLE_COMPILATION OFF)\n");
}

constexpr const char* kConditions =
    "find_package(CUDA QUIET)\n"
    "if(CUDA_FOUND)\n"
    "  if(X)\n"
    "  elseif(CUDA_VERSION VERSION_LESS 9.0)\n"
    "    message(FATAL_ERROR old)\n"
    "  endif()\n"
    "endif()\n";

TEST(CMake, AnswersConditions) {
  EXPECT_EQ(to_hip(kConditions, "CMakeLists.txt"),
            "include(CheckLanguage)\ncheck_language(HIP)\nif(CMAKE_HIP_COMPILER)\n"
            "  enable_language(HIP)\n  find_package(hip QUIET)\nendif()\n"
            "if(hip_FOUND)\n"
            "  if(X)\n"
            "  elseif(11.8 VERSION_LESS 9.0)\n"
            "    message(FATAL_ERROR old)\n"
            "  endif()\n"
            "endif()\n");
  const std::string both = port_files({{"CMakeLists.txt", kConditions}}, {.mode = Mode::kDual})
                               .files.at("CMakeLists.txt");
  EXPECT_NE(both.find("if(USE_ROCM)\n  set(CUDA_FOUND ${hip_FOUND})\nendif()\nif(CUDA_FOUND)\n"
                      "  if(USE_ROCM)\n    set(CUDA_VERSION 11.8)\n  endif()\n  if(X)\n"
                      "  elseif(CUDA_VERSION VERSION_LESS 9.0)\n"),
            std::string::npos)
      << both;
  EXPECT_TRUE(compare_for_nvidia("CMakeLists.txt", kConditions, both).empty());
  // A version of the project's own is its own.
  const std::string own = "set(CUDA_VERSION 12)\nif(CUDA_VERSION GREATER 11)\nendif()\n";
  EXPECT_EQ(to_hip(own, "CMakeLists.txt"), own);
}

TEST(CMake, FollowsListsOfLibrariesAndFolders) {
  const std::string text =
      "find_package(CUDAToolkit REQUIRED)\n"
      "set(LIBS CUDA::cublas own)\n"
      "own_target(a LIBRARIES CUDA::cuda_driver)\n"
      "foreach(folder ${CUDAToolkit_INCLUDE_DIRS})\n"
      "endforeach()\n"
      "if(DEFINED CUDAToolkit_VERSION)\n"
      "  list(APPEND FLAGS -Xptxas=-v)\n"
      "endif()\n";
  EXPECT_EQ(to_hip(text, "CMakeLists.txt"),
            "find_package(hip REQUIRED)\n"
            "find_package(hipblas REQUIRED)\nset(LIBS roc::hipblas own)\n"
            "own_target(a LIBRARIES hip::host)\n"
            "foreach(folder ${hip_INCLUDE_DIRS})\n"
            "endforeach()\n"
            "if(DEFINED CMAKE_HIP_COMPILER)\n"
            "  # not for AMD GPUs: list(APPEND FLAGS -Xptxas=-v)\n"
            "endif()\n");
  const std::string both =
      port_files({{"CMakeLists.txt", text}}, {.mode = Mode::kDual}).files.at("CMakeLists.txt");
  EXPECT_NE(both.find("if(USE_ROCM)\n  set(CUDAToolkit_INCLUDE_DIRS ${hip_INCLUDE_DIRS})\nendif()\n"
                      "foreach("),
            std::string::npos)
      << both;
  EXPECT_TRUE(compare_for_nvidia("CMakeLists.txt", text, both).empty());
}

TEST(CMake, OfProjectsThatBuildForAmdStays) {
  const std::map<std::string, std::string> files = {
      {"CMakeLists.txt", "project(a)\nif(WITH_HIP)\n  add_subdirectory(hip)\nendif()\n"},
      {"cuda/CMakeLists.txt", "enable_language(CUDA)\nadd_library(k k.cu)\n"},
  };
  for (const Mode mode : {Mode::kHip, Mode::kDual})
    EXPECT_EQ(port_files(files, {.mode = mode}).files, files);
  // Not because of a port: what is new in one is ported.
  std::map<std::string, std::string> again = {
      {"CMakeLists.txt", "project(a CUDA)\nif(CUDA_FOUND)\nendif()\n"}};
  for (const Mode mode : {Mode::kHip, Mode::kDual}) {
    std::map<std::string, std::string> ported = port_files(again, {.mode = mode}).files;
    ported.emplace("k/CMakeLists.txt", "enable_language(CUDA)\n");
    EXPECT_NE(port_files(ported, {.mode = mode}).files.at("k/CMakeLists.txt").find("HIP"),
              std::string::npos);
  }
}

TEST(CMake, SaysWhatIsLeft) {
  const std::string text =
      "cuda_compile_ptx(P a.cu)\n"
      "target_link_libraries(a CUDA::nppc CUDA::cudart)\n"
      "find_program(NVCC nvcc)\n"
      "install(FILES ${CUDA_TOOLKIT_ROOT_DIR}/lib64/x.so DESTINATION .)\n"
      "message(STATUS ${CUDA_TOOLKIT_ROOT_DIR})\n"
      "set_target_properties(m PROPERTIES CUDA_PTX_COMPILATION ON)\n"
      "execute_process(COMMAND nvidia-smi)\n";
  for (const Mode mode : {Mode::kHip, Mode::kDual})
    EXPECT_EQ(port_files({{"CMakeLists.txt", text}}, {.mode = mode}).said(),
              "HP409:1 HP409:2 HP409:3 HP409:4 HP409:6 HP409:7");
}

TEST(CMake, KeepsBothUnderASwitch) {
  const std::string once =
      port_files({{"CMakeLists.txt", kCMake}}, {.mode = Mode::kDual}).files.at("CMakeLists.txt");
  EXPECT_NE(once.find("option(USE_ROCM \"Build for AMD GPUs\" OFF)\n"), std::string::npos);
  EXPECT_NE(once.find("if(USE_ROCM)\n  project(app LANGUAGES CXX HIP)\nelse()\n"
                      "  project(app LANGUAGES CXX CUDA)\nendif()\n"),
            std::string::npos)
      << once;
  EXPECT_NE(once.find("if(NOT USE_ROCM)\n  set(CMAKE_CUDA_ARCHITECTURES 80)\nendif()\n"),
            std::string::npos);
  EXPECT_EQ(
      port_files({{"CMakeLists.txt", once}}, {.mode = Mode::kDual}).files.at("CMakeLists.txt"),
      once);
}

}  // namespace
}  // namespace hipwright::port
