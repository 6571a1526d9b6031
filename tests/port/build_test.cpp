// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/build/flags.h"
#include "port/isolation/isolation.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

TEST(Flags, BecomeThoseOfHipsCompilers) {
  const auto now = [](std::string_view word, std::string_view next = {}) {
    const auto change = translate_flag(word, next);
    return change ? change->now + (change->takes_next ? " +" : "") : "unchanged";
  };
  EXPECT_EQ(now("-O3"), "unchanged");
  EXPECT_EQ(now("-Iinclude"), "unchanged");
  EXPECT_EQ(now("-arch=sm_80"), "");
  EXPECT_EQ(now("-arch", "sm_80"), " +");
  EXPECT_EQ(now("-gencode=arch=compute_80,code=sm_80"), "");
  EXPECT_EQ(now("-Xcompiler", "-Wall,-O2"), "-Wall -O2 +");
  EXPECT_EQ(now("-Xcompiler=\"-Wall -O2\""), "-Wall -O2");
  EXPECT_EQ(now("--use_fast_math"),
            "-fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt "
            "-fgpu-approx-transcendentals");
  EXPECT_EQ(now("--ftz=false"), "-fno-gpu-flush-denormals-to-zero");
  EXPECT_EQ(now("-prec-div", "true"), "-fhip-fp32-correctly-rounded-divide-sqrt +");
  EXPECT_EQ(now("--prec-sqrt=false"), "");
  EXPECT_EQ(now("-lcublas"), "-lhipblas");
  EXPECT_EQ(now("-lcublasLt"), "-lhipblaslt");
  EXPECT_EQ(now("-lcufftw"), "unchanged");
  // One dash or two, '=' or a blank.
  EXPECT_EQ(now("-ptxas-options=-v"), "");
  EXPECT_EQ(now("-rdc", "true"), "-fgpu-rdc +");
  EXPECT_EQ(now("--generate-line-info"), "-gline-tables-only");
  EXPECT_EQ(now("-Xcompiler", "'-fPIC','-Wall'"), "-fPIC -Wall +");
  // Device code would assume finite numbers.
  EXPECT_EQ(now("-Xcompiler", "-O3,-ffast-math"), "-O3 -Xarch_host -ffast-math +");
  EXPECT_EQ(now("--compiler-options=-Ofast"), "-Xarch_host -Ofast");
  EXPECT_EQ(now("-Xcompiler", "-ffinite-math-only"), "-Xarch_host -ffinite-math-only +");
  EXPECT_EQ(now("-Xcompiler", "\"/EHsc /W4 /nologo /O2 /std:c++20 /DFAST /MT\""),
            "-Wall -O2 -std=c++20 -DFAST +");
  EXPECT_EQ(now("-Xcompiler", "/openmp"), "-fopenmp +");
  EXPECT_EQ(now("-Xcompiler", "-I/usr/include,/opt/lib/a.o"), "-I/usr/include /opt/lib/a.o +");
  EXPECT_EQ(now("-Werror", "all-warnings"), "-Werror +");
  EXPECT_EQ(now("-Werror", "-O2"), "unchanged");
  EXPECT_EQ(now("-std", "c++17"), "-std=c++17 +");
  EXPECT_EQ(now("-fatbin"), "--genco");
  EXPECT_EQ(now("-dlink"), "unchanged");
  EXPECT_FALSE(advice_on_flag("-dlink").empty());
  EXPECT_FALSE(advice_on_flag("-lnppif").empty());
  EXPECT_TRUE(advice_on_flag("-lm").empty());
  // Of a program that is perhaps another one.
  EXPECT_FALSE(translate_flag("-G", "Ninja", FlagOf::kAnyones));
  EXPECT_FALSE(translate_flag("-arch", "arm64", FlagOf::kAnyones));
  EXPECT_TRUE(translate_flag("-arch", "sm_80", FlagOf::kAnyones));
  EXPECT_TRUE(translate_flag("--use_fast_math", "", FlagOf::kAnyones));
}

TEST(Makefile, CallsHipcc) {
  EXPECT_EQ(to_hip("NVCC = $(CUDA_HOME)/bin/nvcc\nCC=nvcc\n"
                   "# nvcc -arch=sm_70\n"
                   "CFLAGS := $(EXTRA) -std=c++17 -Xcompiler -Wall -arch=$(ARCH)\n"
                   "LDFLAGS = -lcudart \\\n          -lcublas\n"
                   "%.o: %.cu\n\t$(NVCC) $(CFLAGS) -Xptxas -v -c $< -o $@\n",
                   "Makefile"),
            "NVCC = hipcc\nCC=hipcc\n"
            "# nvcc -arch=sm_70\n"
            "CFLAGS := $(EXTRA) -std=c++17 -Wall $(if $(ARCH),--offload-arch=$(ARCH))\n"
            "LDFLAGS = -lamdhip64 \\\n          -lhipblas\n"
            "%.o: %.cu\n\t$(NVCC) $(CFLAGS) -c $< -o $@\n");
}

TEST(Makefile, ReadsFunctionsAndEveryCommandOfALine) {
  EXPECT_EQ(
      to_hip("NVCC := \"$(CUDA_PATH)/bin/nvcc\" -ccbin $(CXX)\n"
             "$(foreach sm,$(SMS),$(eval GENCODE += -gencode arch=compute_$(sm),code=sm_$(sm)))\n"
             "FLAGS = $(addprefix -Xcompiler ,$(CCFLAGS)) -I $(CUDA_HOME)/include -L$(LIB)\n"
             "CUDA_SRC = src\nINC = -I$(CUDA_SRC) -Wl,-rpath,$(CUDA_HOME)/lib64\n"
             "LIB = -L/opt/x/cuda-12.1/lib64 -L/home/barracuda/lib\n"
             "RUN = -t 4\n"
             "a:\n\tmkdir -p b && $(NVCC) -ptx a.cu\n"
             "\techo nvcc; nvcc -lineinfo a.cu\n"
             "\t./a -t 4 -G\n"
             "\t$(MAKE) -C b CC=nvcc ARCH=-arch=sm_80\n",
             "Makefile"),
      "NVCC := hipcc\n"
      "$(foreach sm,$(SMS),$(eval GENCODE +=))\n"
      "FLAGS = $(addprefix ,$(CCFLAGS)) -I$(or $(ROCM_PATH),/opt/rocm)/include "
      "-D__HIP_PLATFORM_AMD__ -L$(LIB)\n"
      "CUDA_SRC = src\nINC = -I$(CUDA_SRC) -Wl,-rpath,$(or $(ROCM_PATH),/opt/rocm)/lib\n"
      "LIB = -L$(or $(ROCM_PATH),/opt/rocm)/lib -L/home/barracuda/lib\n"
      "RUN = -t 4\n"
      "a:\n\tmkdir -p b && $(NVCC) --genco a.cu\n"
      "\techo nvcc; hipcc -gline-tables-only a.cu\n"
      "\t./a -t 4 -G\n"
      "\t$(MAKE) -C b CC=hipcc ARCH=\n");
}

TEST(Makefile, KeepsTheVariableThatNamesTheTarget) {
  EXPECT_EQ(to_hip("NVCC = nvcc\nARCH ?= sm_60\nOTHER = sm_60\nCODE=compute_70\n"
                   "FLAGS = -arch=$(ARCH) -O2 --gpu-architecture ${CODE}\n"
                   "a:\n\t$(MAKE) -C b ARCH=sm_70\n",
                   "Makefile"),
            "NVCC = hipcc\nARCH ?= gfx942\nOTHER = sm_60\nCODE=gfx942\n"
            "FLAGS = --offload-arch=$(ARCH) -O2 --offload-arch=${CODE}\n"
            "a:\n\t$(MAKE) -C b ARCH=gfx942\n");
}

TEST(Makefile, PatternsOfPathsStay) {
  const std::string line = "HOME_OF := $(patsubst %/bin/nvcc,%,$(NVCC))\n";
  EXPECT_EQ(to_hip("NVCC := $(shell which nvcc)\n" + line, "Makefile"), "NVCC := hipcc\n" + line);
}

TEST(Makefile, MessagesStay) {
  const std::string message = "ifeq ($(NVCC),)\n$(error nvcc -arch=sm_80 is missing)\nendif\n";
  EXPECT_EQ(to_hip("NVCC := nvcc\n" + message, "Makefile"), "NVCC := hipcc\n" + message);
}

TEST(Makefile, LooksForHipcc) {
  EXPECT_EQ(to_hip("NVCC := $(shell which nvcc 2>/dev/null)\na:\n\t$(NVCC) a.cu\n", "Makefile"),
            "NVCC := hipcc\na:\n\t$(NVCC) a.cu\n");
}

TEST(Makefile, LinksDeviceCodeOfSeveralFiles) {
  EXPECT_EQ(to_hip("NVCC = nvcc\n%.o: %.cu\n\t$(NVCC) -dc $<\na: a.o b.o\n\t$(NVCC) $^\n"
                   "c: c.cu\n\t$(NVCC) -cubin $<\n",
                   "Makefile"),
            "NVCC = hipcc -fgpu-rdc\n%.o: %.cu\n\t$(NVCC) -fgpu-rdc -c $<\n"
            "a: a.o b.o\n\t$(NVCC) $^\nc: c.cu\n\t$(NVCC) --genco -fno-gpu-rdc $<\n");
  // The compiler is named elsewhere: the link stays manual work.
  EXPECT_EQ(port_files({{"Makefile", "CUDAFLAGS = -rdc=true\n"}}, {.mode = Mode::kHip}).said(),
            "HP409:1");
}

TEST(Makefile, SaysWhatIsLeft) {
  const std::string text =
      "VERSION := $(shell nvcc --version)\nLIBS = -lnppif\n"
      "d: a.o\n\tnvcc -dlink $^\n\tnvprof ./d\n\t./d\nMPI = /opt/nvidia/hpc_sdk/mpi\n";
  for (const Mode mode : {Mode::kHip, Mode::kDual})
    EXPECT_EQ(port_files({{"Makefile", text}}, {.mode = mode}).said(),
              "HP409:1 HP409:2 HP409:4 HP409:5 HP409:7");
}

TEST(Makefile, FindsTheToolkitWhereverItIs) {
  const auto flag = [](const std::string& path) {
    const std::string now = to_hip("NVCC = nvcc\nFLAGS = -I" + path + "\n", "Makefile");
    return now.substr(now.find("FLAGS = ") + 8);
  };
  const std::string rocm = "-I$(or $(ROCM_PATH),/opt/rocm)/include -D__HIP_PLATFORM_AMD__\n";
  EXPECT_EQ(flag("/usr/local/cuda/include"), rocm);
  EXPECT_EQ(flag("/usr/local/cuda-12.4/targets/x86_64-linux/include"), rocm);
  EXPECT_EQ(flag("/opt/nvidia/hpc_sdk/Linux_x86_64/23.9/cuda/include"), rocm);
  EXPECT_EQ(flag("/apps/cuda/12.2/include"), rocm);
  EXPECT_EQ(flag("src/cuda/include"), "-Isrc/cuda/include\n");
  EXPECT_EQ(flag("/opt/cudalike/include"), "-I/opt/cudalike/include\n");
}

TEST(Makefile, OfOthersStays) {
  const std::string text = "CC = gcc\nall:\n\t$(CC) -arch x\n";
  EXPECT_EQ(to_hip(text, "Makefile"), text);
}

TEST(Makefile, KeepsBothUnderASwitch) {
  const std::string text =
      "NVCC ?= nvcc\nFLAGS = -O2 -arch=sm_80\n\n"
      "a: a.cu\n\t@mkdir -p out\n\t$(NVCC) -lineinfo $(FLAGS) \\\n\t  -o $@ $<\n"
      "define build\n\tnvcc $1\nendef\n"
      "config:\n\tcmake -G Ninja\n";
  const auto ported = [](const std::string& of) {
    return port_files({{"Makefile", of}}, {.mode = Mode::kDual}).files.at("Makefile");
  };
  const std::string once = ported(text);
  EXPECT_EQ(once,
            "ifeq ($(USE_ROCM),1)\nNVCC ?= hipcc\nFLAGS = -O2\nelse\n"
            "NVCC ?= nvcc\nFLAGS = -O2 -arch=sm_80\nendif\n\n"
            "a: a.cu\n\t@mkdir -p out\n"
            "ifeq ($(USE_ROCM),1)\n\t$(NVCC) -gline-tables-only $(FLAGS) \\\n\t  -o $@ $<\nelse\n"
            "\t$(NVCC) -lineinfo $(FLAGS) \\\n\t  -o $@ $<\nendif\n"
            "ifeq ($(USE_ROCM),1)\ndefine build\n\thipcc $1\nendef\nelse\n"
            "define build\n\tnvcc $1\nendef\nendif\n"
            "config:\n\tcmake -G Ninja\n");
  EXPECT_EQ(ported(once), once);
  EXPECT_TRUE(compare_for_nvidia("Makefile", text, once).empty());
  std::string planted = once;
  planted.replace(planted.find("-arch=sm_80"), 11, "-arch=sm_90");
  EXPECT_EQ(compare_for_nvidia("Makefile", text, planted).size(), 1u);
}

TEST(Makefile, OfCrlfLinesStaysSo) {
  const std::string text = "NVCC = nvcc\r\nall:\r\n\t$(NVCC) a.cu";
  EXPECT_EQ(port_files({{"Makefile", text}}, {.mode = Mode::kDual}).files.at("Makefile"),
            "ifeq ($(USE_ROCM),1)\r\nNVCC = hipcc\r\nelse\r\nNVCC = nvcc\r\nendif\r\n"
            "all:\r\n\t$(NVCC) a.cu");
}

TEST(Makefile, ConditionsForAmdAreDecided) {
  const auto is_same = [](const char* before, const char* after) {
    return compare_for_nvidia("Makefile", before, after).empty();
  };
  EXPECT_TRUE(is_same("A = 1\n", "ifdef USE_ROCM\nB = 2\nelse\nA = 1\nendif\n"));
  EXPECT_TRUE(is_same("A = 1\n", "ifneq ($(USE_HIP),)\nB = 2\nelse\nA = 1\nendif\n"));
  EXPECT_TRUE(is_same("ifeq ($(X),1)\nA = 1\nendif\n",
                      "ifeq \"$(USE_ROCM)\" \"1\"\nB = 2\nelse ifeq ($(X),1)\nA = 1\nendif\n"));
  EXPECT_FALSE(is_same("A = 1\n", "ifeq ($(USE_ROCM),)\nA = 2\nelse\nA = 1\nendif\n"));
  EXPECT_FALSE(is_same("A = 1\n", "ifdef FAST\nA = 2\nelse\nA = 1\nendif\n"));
  // A variable that the makefile itself sets decides nothing.
  EXPECT_FALSE(is_same("USE_ROCM ?= 1\nA = 1\n",
                       "USE_ROCM ?= 1\nifdef USE_ROCM\nA = 2\nelse\nA = 1\nendif\n"));
}

constexpr const char* kSetup =
    "import torch\n"
    "from torch.utils.cpp_extension import CUDA_HOME, CUDAExtension\n"
    "if CUDA_HOME is None:\n    raise RuntimeError\n"
    "if torch.cuda.is_available() and CUDA_HOME is not None:\n    print(1)\n"
    "where = CUDA_HOME + '/bin/nvcc'\n"
    "flags = ['-O3', '-gencode', 'arch=compute_80,code=sm_80']\n"
    "CUDAExtension('a', ['a.cu'], extra_compile_args={'nvcc': flags}, libraries=['cuda', "
    "'cublas'])\n"
    "CUDAExtension('b', ['b.cu'], extra_compile_args={'nvcc': ['-O3', '-lineinfo']})\n";

TEST(SetupPy, HasHipccsWordsOnRocm) {
  const TestPort ported = port_files({{"setup.py", kSetup}}, {.mode = Mode::kDual});
  const std::string& now = ported.files.at("setup.py");
  for (const char* line :
       {"if not IS_HIP_EXTENSION and CUDA_HOME is None:\n",
        "if torch.cuda.is_available() and (IS_HIP_EXTENSION or CUDA_HOME is not None):\n",
        "{'nvcc': for_hipcc(flags) if IS_HIP_EXTENSION else flags}",
        "libraries=[\"hipblas\"] if IS_HIP_EXTENSION else ['cuda', 'cublas'])",
        "{'nvcc': [\"-O3\", \"-gline-tables-only\"] if IS_HIP_EXTENSION else ['-O3', "
        "'-lineinfo']})",
        "dropped = [\"-gencode\"]"})
    EXPECT_NE(now.find(line), std::string::npos) << line << "\n" << now;
  EXPECT_EQ(ported.said(), "HP407:7 HP407:7");
  EXPECT_TRUE(compare_for_nvidia("setup.py", kSetup, now).empty());
  EXPECT_EQ(port_files({{"setup.py", now}}, {.mode = Mode::kDual}).files.at("setup.py"), now);
  std::string planted = now;
  planted.replace(planted.find("else ['cuda'"), 12, "else ['coda'");
  EXPECT_EQ(compare_for_nvidia("setup.py", kSetup, planted).size(), 1u);
}

TEST(SetupPy, MathematicsOfTheHostStaysThere) {
  const TestPort ported = port_files(
      {{"setup.py",
        "import os\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        "flags = ['-O3', '-gencode', os.environ['CODE'], '-Xcompiler', '-ffast-math', "
        "'-Xcompiler', '-Wall']\n"
        "CUDAExtension('a', ['a.cu'], extra_compile_args={'nvcc': flags})\n"
        "CUDAExtension('b', ['b.cu'], extra_compile_args={'nvcc': ['-Xcompiler', '-Ofast']})\n"}},
      {.mode = Mode::kDual});
  const std::string& now = ported.files.at("setup.py");
  for (const char* text :
       {"\"-Xcompiler\": []", "\"-ffast-math\": [\"-Xarch_host\", \"-ffast-math\"]",
        "[\"-Xarch_host\", \"-Ofast\"] if IS_HIP_EXTENSION else"})
    EXPECT_NE(now.find(text), std::string::npos) << text << "\n" << now;
}

TEST(SetupPy, LinksRocmsLibrariesHoweverTheyAreNamed) {
  const TestPort ported =
      port_files({{"setup.py",
                   "import os\nfrom torch.utils.cpp_extension import CUDAExtension\n"
                   "version = os.popen('nvcc --version').read()\n"
                   "CUDAExtension('a', ['a.cu'], extra_link_args=['-lcublas', '-lm'])\n"},
                  {"jit.py",
                   "import torch\nfrom torch.utils.cpp_extension import load\n"
                   "load('a', ['a.cu'], extra_ldflags=['-lcublas', '-lcurand'])\n"}},
                 {.mode = Mode::kDual});
  EXPECT_NE(ported.files.at("setup.py")
                .find("extra_link_args=[\"-lhipblas\", \"-lm\"] if IS_HIP_EXTENSION else"),
            std::string::npos)
      << ported.files.at("setup.py");
  EXPECT_NE(ported.files.at("jit.py").find("[\"-lhipblas\", \"-lhiprand\"] if is_rocm else"),
            std::string::npos)
      << ported.files.at("jit.py");
  EXPECT_EQ(ported.said(), "HP407:3");
}

TEST(SetupPy, SaysWhereTheGpuIsComputed) {
  const std::string head =
      "import os\nfrom torch.utils.cpp_extension import CUDAExtension, load\n"
      "gpu = os.environ['GPU']\n";
  for (const char* words :
       {"[f'-arch={gpu}']", "['-arch=' + gpu]", "['-arch=%s' % gpu]", "['-arch', gpu]",
        "['-arch={}'.format(gpu)]", "['-gencode', f'arch=compute_{gpu},code=sm_{gpu}']",
        "['-gencode=arch=compute_' + gpu]"}) {
    const TestPort built =
        port_files({{"setup.py", head + fmt::format("flags = {}\nCUDAExtension('a', ['a.cu'], "
                                                    "extra_compile_args={{'nvcc': flags}})\n",
                                                    words)}},
                   {.mode = Mode::kDual});
    ASSERT_EQ(built.diagnostics.size(), 1u) << words;
    EXPECT_EQ(built.diagnostics[0].code, "HP406");
    EXPECT_EQ(built.diagnostics[0].position.line, 4u);
    EXPECT_NE(built.files.at("setup.py").find("now += [\"--offload-arch=\" + gpu]"),
              std::string::npos)
        << built.files.at("setup.py");
    const TestPort loaded = port_files(
        {{"a.py", head + fmt::format("load('a', ['a.cu'], extra_cuda_cflags={})\n", words)}},
        {.mode = Mode::kDual});
    EXPECT_EQ(loaded.said(), "HP406:4") << words;
  }
  EXPECT_EQ(
      port_files({{"setup.py", head + "flags = ['-arch=sm_80', '-gencode', 'arch=compute_80', "
                                      "'-O3'] + more\nCUDAExtension('a', ['a.cu'], "
                                      "extra_compile_args={'nvcc': flags})\n"}},
                 {.mode = Mode::kDual})
          .said(),
      "");
}

TEST(SetupPy, ThatKnowsRocmStays) {
  const std::string text = std::string(kSetup) + "x = torch.version.hip\n";
  EXPECT_EQ(port_files({{"setup.py", text}}, {.mode = Mode::kDual}).files.at("setup.py"), text);
}

TEST(OtherBuilds, AreReported) {
  EXPECT_EQ(port_files({{"meson.build", "project('a', 'cpp')\nadd_languages('cuda')\n"},
                        {"b/BUILD", "# cuda\ncc_library(name = 'b')\n"},
                        {"c/BUILD.bazel", "cuda_library(name = 'c')\n"}},
                       {.mode = Mode::kDual})
                .said(),
            "HP405:1 HP405:2");
}

TEST(Scripts, AreReportedAndStay) {
  const std::map<std::string, std::string> files = {
      {"Dockerfile", "# FROM nvidia/cuda:1\nFROM nvidia/cuda:12.1-devel\nRUN nvcc -O2 a.cu\n"},
      {"build.sh",
       "set -e\nmkdir -p out && nvcc -arch=sm_80 -lineinfo \\\n  -o out/a a.cu -lcublas\n"
       "which nvcc\nN=$(nvidia-smi -L | wc -l)\nnvidia-smi\n"},
      {"environment.yml", "dependencies:\n  - python\n  - pytorch-cuda=12.1\n"},
      {"rocm.sh", "if [ -d /opt/rocm ]; then hipcc a.cu; else nvcc a.cu; fi\n"},
      {"run.sh", "./a --cuda\n"},
  };
  for (const Mode mode : {Mode::kHip, Mode::kDual}) {
    const TestPort ported = port_files(files, {.mode = mode});
    EXPECT_EQ(ported.said(), "HP410:2 HP410:3 HP410:2 HP410:5 HP410:3");
    EXPECT_EQ(ported.files, files);
    for (const Diagnostic& said : ported.diagnostics) EXPECT_EQ(said.severity, Severity::kWarning);
    EXPECT_EQ(ported.diagnostics.at(2).why,
              "For AMD's GPUs: hipcc -gline-tables-only -o out/a a.cu -lhipblas");
    EXPECT_EQ(ported.diagnostics.at(3).message, "nvidia-smi is NVIDIA's, in 2 lines");
  }
}

}  // namespace
}  // namespace hipwright::port
