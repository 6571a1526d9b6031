// SPDX-License-Identifier: MIT
#include "project/build/build_graph.h"

#include <gtest/gtest.h>

#include "project/build/setup_py.h"

namespace hipwright::project {

namespace {

namespace cuda = syntax::cuda;

char letter(Truth truth) {
  return truth == Truth::kYes ? 'y' : truth == Truth::kNo ? 'n' : '?';
}

using Files = std::map<std::string, std::string>;

FileSet tree_of(const Files& files) {
  FileSet tree;
  for (const auto& [path, text] : files) tree.paths.push_back(path);
  tree.read = [&files](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return tree;
}

BuildGraph project_of(const Files& files) {
  std::vector<IncludingFile> sources;
  MacroWords words;
  for (const auto& [path, text] : files) {
    if (path.ends_with(".txt") || path.ends_with(".py")) {
      add_macro_words(text, words);
      continue;
    }
    const cuda::File file(text);
    sources.push_back(including_file(path, file));
  }
  return BuildGraph(sources, read_build_lists(tree_of(files)), words);
}

std::string on(const BuildGraph& project, std::string_view path) {
  return {letter(project.built(path, Platform::kAmd)),
          letter(project.built(path, Platform::kNvidia))};
}

TEST(BuildGraph, HeadersAreBuiltWithTheFilesThatIncludeThem) {
  const Files files = {
      {"CMakeLists.txt",
       "add_library(t both.cu)\nif(USE_CUDA)\ntarget_sources(t PRIVATE cuda.cu)\nelse()\n"
       "target_sources(t PRIVATE hip.cu)\nendif()"},
      {"both.cu",
       "#include \"both.h\"\n#ifdef USE_ROCM\n#include \"amd.h\"\n#else\n"
       "#include \"nvidia.h\"\n#endif\n"},
      {"cuda.cu", "#include \"deep/only_cuda.cuh\"\n#include <shared.h>\n"},
      {"hip.cu", "#include \"only_hip.h\"\n#include <shared.h>\n"},
      {"both.h", ""},
      {"amd.h", ""},
      {"nvidia.h", "#include \"below_nvidia.h\"\n"},
      {"below_nvidia.h", "#include \"nvidia.h\"\n"},
      {"deep/only_cuda.cuh", "#include \"../deeper.h\"\n"},
      {"deeper.h", ""},
      {"only_hip.h", ""},
      {"include/shared.h", ""},
      {"elsewhere.cu", "#include \"from_elsewhere.h\"\n"},
      {"from_elsewhere.h", ""},
      {"other/nobody.h", ""},
      {"loop_a.h", "#include \"loop_b.h\"\n"},
      {"loop_b.h", "#include \"loop_a.h\"\n"},
  };
  const BuildGraph project = project_of(files);
  const std::pair<const char*, const char*> expected[] = {
      {"both.cu", "yy"},
      {"cuda.cu", "ny"},
      {"hip.cu", "yn"},
      {"both.h", "yy"},
      {"amd.h", "yn"},
      {"nvidia.h", "ny"},
      {"below_nvidia.h", "ny"},
      {"deep/only_cuda.cuh", "ny"},
      {"deeper.h", "ny"},
      {"only_hip.h", "yn"},
      {"include/shared.h", "yy"},
      {"elsewhere.cu", "??"},
      {"from_elsewhere.h", "??"},
      {"other/nobody.h", "??"},
      {"loop_a.h", "??"},
      {"loop_b.h", "??"},
      {"not/there.h", "??"},
  };
  for (const auto& [path, answers] : expected) EXPECT_EQ(on(project, path), answers) << path;
}

// Templates that only generated sources include go with the sources beside them.
TEST(BuildGraph, AnUnusedHeaderFollowsItsDirectory) {
  const BuildGraph project =
      project_of({{"CMakeLists.txt", "if(USE_CUDA)\nadd_library(t marlin/a.cu)\nendif()"},
                  {"marlin/a.cu", "#include \"shared.h\"\n"},
                  {"marlin/template.h", "#include \"shared.h\"\n#include \"mma.h\"\n"},
                  {"marlin/shared.h", ""},
                  {"marlin/mma.h", ""}});
  for (const char* path : {"marlin/template.h", "marlin/shared.h", "marlin/mma.h"})
    EXPECT_EQ(project.built(path, Platform::kAmd), Truth::kNo) << path;
}

TEST(BuildGraph, SetupFilesNameSources) {
  const Files files = {
      {"setup_rocm.py",
       "import os\nfrom torch.utils.cpp_extension import CUDAExtension\n"
       "sources = [\n  'csrc/a.cu',\n  os.path.join(root, 'csrc', 'b.cu'),\n]\n"
       "setup(ext_modules=[CUDAExtension(name='x', sources=sources + ['csrc/c.cpp'])],\n"
       "      package_data={'x': ['csrc/d.cu']})\n"},
      {"setup_cuda.py", "Extension(sources=glob.glob('csrc/n*.cu'))\n"},
      {"csrc/a.cu", ""},
      {"csrc/b.cu", ""},
      {"csrc/c.cpp", ""},
      {"csrc/d.cu", ""},
      {"csrc/n1.cu", ""},
      {"csrc/n2.cu", ""},
  };
  const BuiltFiles found = read_setup_py(tree_of(files)).sources;
  std::string all;
  for (const auto& [path, built] : found)
    all += path + ':' + letter(built.amd) + letter(built.nvidia) + ' ';
  EXPECT_EQ(all, "csrc/a.cu:yn csrc/b.cu:yn csrc/c.cpp:yn csrc/n1.cu:ny csrc/n2.cu:ny ");
}

// What each way to write a path of sources in setup.py names.
TEST(BuildGraph, SetupFilesComposePaths) {
  const Files sources = {{"csrc/a.cu", ""},
                         {"csrc/b.cpp", ""},
                         {"csrc/deep/c.cu", ""},
                         {"other/cuda/d.cu", ""},
                         {"cuda/e.cu", ""}};
  const struct {
    const char* text;
    const char* found;
  } cases[] = {
      {"sources = glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'csrc', "
       "'*.cu'))",
       "csrc/a.cu"},
      {"here = os.path.dirname(__file__)\next = os.path.join(here, 'csrc')\n"
       "main = glob.glob(os.path.join(ext, '*.cpp')) + glob.glob(os.path.join(ext, 'deep', "
       "'*.cu'))",
       "csrc/b.cpp csrc/deep/c.cu"},
      {"ROOT = Path(__file__).resolve().parent\nDIR = ROOT / 'csrc'\n"
       "sources = [str(p) for p in DIR.rglob('*.cu')]",
       "csrc/a.cu csrc/deep/c.cu"},
      {"sources = list((Path(__file__).parent / 'csrc').glob('*.cu'))", "csrc/a.cu"},
      {"d = 'csrc'\nsources = [f'{d}/a.cu', d + '/deep/c.cu']", "csrc/a.cu csrc/deep/c.cu"},
      {"for path in glob.iglob('csrc/**/*.cu', recursive=True): out.append(path)",
       "csrc/a.cu csrc/deep/c.cu"},
      // A folder that only the build knows:
      {"sources = glob.glob(os.path.join(find(), 'cuda', '*.cu'))", "cuda/e.cu"},
      {"sources = [os.path.join(find(), 'deep', 'c.cu')]", "csrc/deep/c.cu"},
      {"for name in all:\n  path = os.path.join('csrc', 'deep', f'{name}.cu')\n", "csrc/deep/c.cu"},
      {"package_data = {'x': ['csrc/a.cu']}", ""},
      {"a = b\nb = a\nsources = glob.glob(a + '/a.cu')", "csrc/a.cu"},
  };
  for (const auto& each : cases) {
    Files files = sources;
    files["setup.py"] = std::string("from torch.utils.cpp_extension import CUDAExtension\n") +
                        each.text + "\nsetup(ext_modules=[CUDAExtension('x', sources)])\n";
    std::string found;
    for (const auto& [path, built] : read_setup_py(tree_of(files)).sources) {
      EXPECT_NE(built.amd, Truth::kNo) << path;
      found += (found.empty() ? "" : " ") + path;
    }
    EXPECT_EQ(found, each.found) << each.text;
  }
}

// Six to the power of 14 uses of the first variable; what is known of the path is its end.
TEST(BuildGraph, SetupFilesMayUseVariablesManyTimes) {
  std::string setup = "from torch.utils.cpp_extension import CUDAExtension\na0 = 'csrc'\n";
  for (int i = 0; i < 14; ++i) {
    setup += "a" + std::to_string(i + 1) + " = ";
    for (int j = 0; j < 6; ++j) setup += (j == 0 ? "a" : " + a") + std::to_string(i);
    setup += "\n";
  }
  setup += "CUDAExtension('x', [a14 + '/a.cu'])\n";
  const auto found = read_setup_py(tree_of({{"setup.py", setup}, {"d/a.cu", ""}})).sources;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.begin()->first, "d/a.cu");
}

// project(… LANGUAGES CUDA) says nothing about AMD where PyTorch's setup.py builds the same files.
TEST(BuildGraph, CMakeForCudaDoesNotHideWhatSetupBuilds) {
  const Files files = {{"CMakeLists.txt",
                        "project(x LANGUAGES CXX CUDA)\nfile(GLOB S csrc/*.cu)\n"
                        "add_library(x ${S})\nif(HIP)\nendif()\n"},
                       {"setup.py",
                        "from torch.utils.cpp_extension import CUDAExtension\n"
                        "sources = glob.glob(os.path.join(get_root(), 'csrc', '*.cu'))\n"
                        "setup(ext_modules=[CUDAExtension('x', sources)])\n"},
                       {"csrc/a.cu", ""}};
  EXPECT_NE(project_of(files).built("csrc/a.cu", Platform::kAmd), Truth::kNo);
}

// project(… LANGUAGES CUDA) in a project without a build for AMD does not say what that build would
// leave out.
TEST(BuildGraph, AProjectThatRequiresCudaHidesNothingBeforeItsPort) {
  const std::string lists = "project(x LANGUAGES CXX CUDA)\nadd_library(x a.cu)\n";
  const auto built = [](const Files& files) {
    return project_of(files).built("a.cu", Platform::kAmd);
  };
  EXPECT_EQ(built({{"CMakeLists.txt", lists}, {"a.cu", ""}}), Truth::kMaybe);
  EXPECT_EQ(built({{"CMakeLists.txt", lists + "if(USE_ROCM)\nendif()\n"}, {"a.cu", ""}}),
            Truth::kNo);
  EXPECT_EQ(built({{"CMakeLists.txt", lists}, {"a.cu", ""}, {"b.hip", ""}}), Truth::kNo);
  EXPECT_EQ(built({{"CMakeLists.txt", lists},
                   {"hip/CMakeLists.txt", "project(y LANGUAGES CXX HIP)\n"},
                   {"a.cu", ""}}),
            Truth::kNo);
}

const syntax::Name kIntrinsic("__vsub4"), kShuffle("__shfl_sync");

TEST(BuildGraph, KnowsWhichCudaNamesHeadersDefineForAmd) {
  const Files files = {
      {"vendors/hip.h",
       "#define __shfl_sync(mask, value, lane) __shfl(value, lane)\n"
       "#define __CUDA_ARCH__ 1300\n"
       "static __device__ int __vsub4(int a, int b) { return a - b; }\n"
       "int use(int a) { return __vsub4(a, 1); }\n"},
      {"vendors/cuda.h", "static __device__ int __vsub4(int a, int b);\n"},
      {"common.h",
       "#ifdef USE_ROCM\n#include \"vendors/hip.h\"\n#else\n#include \"vendors/cuda.h\"\n"
       "#endif\n"},
      {"user.cu", "#include \"common.h\"\n#include \"part.h\"\n"},
      {"part.h", "int part(int a) { return __vsub4(a, 1); }\n"},
      {"stranger.cu", "int stranger(int a) { return __vsub4(a, 1); }\n"},
  };
  const BuildGraph project = project_of(files);
  for (const char* path : {"vendors/hip.h", "common.h", "user.cu", "part.h"}) {
    EXPECT_TRUE(project.own_definitions(path).has_function("__vsub4")) << path;
    EXPECT_TRUE(project.own_definitions(path).has_macro("__shfl_sync")) << path;
    EXPECT_FALSE(project.own_definitions(path).has_macro("__vsub4")) << path;
    EXPECT_EQ(project.own_definitions(path).redefined.size(), 1U) << path;
  }
  EXPECT_FALSE(project.own_definitions("stranger.cu").has_function("__vsub4"));
  EXPECT_FALSE(project.own_definitions("stranger.cu").has_macro("__shfl_sync"));
}

TEST(BuildGraph, NvidiaOnlyDefinitionsAreUndefinedOnAmd) {
  const Files files = {
      {"CMakeLists.txt", "add_library(t use.cu)\nadd_compile_options(-DGIVEN)\n"},
      {"have.h",
       "#if __CUDA_ARCH__ >= 800 && !defined(USE_ROCM)\n#define HAVE_MMA\n#define GIVEN\n#endif\n"
       "#ifdef USE_ROCM\n#define HAVE_MFMA\n#endif\n#define HAVE_ALL\n"},
      {"use.cu", "#include \"have.h\"\n"},
  };
  const cuda::MacroKnowledge known = project_of(files).macros();
  const auto on_amd = [&](const char* name) {
    return known.undefined_on_amd.contains(cuda::macro_key(name));
  };
  EXPECT_TRUE(on_amd("HAVE_MMA"));
  EXPECT_FALSE(on_amd("HAVE_MFMA"));
  EXPECT_FALSE(on_amd("HAVE_ALL"));
  EXPECT_FALSE(on_amd("GIVEN")) << "the build defines it";
  EXPECT_FALSE(on_amd("UNHEARD_OF"));
  EXPECT_TRUE(known.undefined_on_nvidia.contains(cuda::macro_key("HAVE_MFMA")));
}

}  // namespace

}  // namespace hipwright::project
