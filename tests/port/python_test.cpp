// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/isolation/isolation.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

// Ports one script, and sees to it that NVIDIA keeps what it had and that porting again changes
// nothing.
TestPort port_script(const std::string& text) {
  const TestPort port = port_files({{"a.py", text}}, {.mode = Mode::kDual});
  const std::string after = port.files.at("a.py");
  const auto leaks = compare_for_nvidia("a.py", text, after);
  EXPECT_TRUE(leaks.empty()) << leaks[0].diff << after;
  std::map<std::string, std::string> all = port.files;
  all.insert(port.added.begin(), port.added.end());
  const TestPort again = port_files(all, {.mode = Mode::kDual});
  for (const auto& [path, content] : again.files)
    EXPECT_EQ(content, all.at(path)) << "ported twice";
  EXPECT_TRUE(again.added.empty());
  return port;
}

std::string ported(const std::string& text) {
  return port_script(text).files.at("a.py");
}

constexpr const char* kTop = "import torch\nfrom hip_support import is_rocm\n";
// Of a file that compiles.
constexpr const char* kTopOfCompiled =
    "import torch\nfrom hip_support import is_rocm, rocm_inductor_settings\n"
    "if is_rocm:\n    rocm_inductor_settings()\n";

TEST(Python, CompileModeIsTheDefaultOneOnRocm) {
  EXPECT_EQ(ported("import torch\n\n\ndef f(m):\n"
                   "    return torch.compile(m, mode=\"reduce-overhead\", dynamic=True)\n"),
            std::string(kTopOfCompiled) +
                "\n\ndef f(m):\n"
                "    # ROCm: the default mode until the other one is measured there; it captures "
                "graphs.\n"
                "    return torch.compile(m, mode=\"default\" if is_rocm else \"reduce-overhead\", "
                "dynamic=True)\n");
  EXPECT_EQ(ported("import torch\nm = torch.compile(m, mode=\"default\")\n"),
            std::string(kTopOfCompiled) + "m = torch.compile(m, mode=\"default\")\n");
  EXPECT_EQ(
      ported("import torch\n@torch.compile(mode='max-autotune')\ndef f(x):\n    return x\n"),
      std::string(kTopOfCompiled) +
          "# ROCm: the default mode until the other one is measured there; it captures graphs.\n"
          "@torch.compile(mode=\"default\" if is_rocm else 'max-autotune')\n"
          "def f(x):\n    return x\n");
}

TEST(Python, FilesWhosePathNamesAmdStay) {
  const std::string text = "import torch\nm = torch.compile(m, mode=\"reduce-overhead\")\n";
  const TestPort port =
      port_files({{"models/amd/rocm.py", text}, {"models/nvidia.py", text}}, {.mode = Mode::kDual});
  EXPECT_EQ(port.files.at("models/amd/rocm.py"), text);
  EXPECT_NE(port.files.at("models/nvidia.py"), text);
}

TEST(Python, CompileModeInADictIsFollowed) {
  const std::string why =
      "# ROCm: the default mode until the other one is measured there; it captures graphs.\n";
  EXPECT_EQ(ported("import torch\nk = dict(mode=\"max-autotune\")\nm = torch.compile(m, **k)\n"),
            kTopOfCompiled + why +
                "k = dict(mode=\"default\" if is_rocm else \"max-autotune\")\n"
                "m = torch.compile(m, **k)\n");
  EXPECT_EQ(ported("import torch\nm = torch.compile(m, **{\"mode\": \"max-autotune\"})\n"),
            kTopOfCompiled + why +
                "m = torch.compile(m, **{\"mode\": \"default\" if is_rocm else "
                "\"max-autotune\"})\n");
  const std::string other = "import torch\nk = dict(mode=\"max-autotune\")\nf(**k)\n";
  EXPECT_EQ(ported(other), other);
}

TEST(Python, FlashAttentionOfTransformersIsSdpa) {
  EXPECT_EQ(ported("import torch\nm = load(use_flash_attention_2=True)\n"),
            std::string(kTop) + "m = load(use_flash_attention_2=False if is_rocm else True)\n");
  EXPECT_EQ(ported("import torch\nk = {\"attn_implementation\": \"flash_attention_2\"}\n"),
            std::string(kTop) +
                "k = {\"attn_implementation\": \"sdpa\" if is_rocm else "
                "\"flash_attention_2\"}\n");
}

TEST(Python, InductorsSwitchesAreOffOnRocm) {
  EXPECT_EQ(ported("import torch\nimport torch._inductor.config as config\n"
                   "config.triton.cudagraphs = True\nconfig.memory_planning = flag\n"
                   "config.max_autotune_gemm_backends = \"CUTLASS,TRITON\"\n"
                   "config.triton.cudagraph_trees = False\n"),
            std::string(kTop) +
                "import torch._inductor.config as config\n"
                "config.triton.cudagraphs = False if is_rocm else True\n"
                "config.memory_planning = False if is_rocm else flag\n"
                "config.max_autotune_gemm_backends = \"ATEN\" if is_rocm else \"CUTLASS,TRITON\"\n"
                "config.triton.cudagraph_trees = False\n");
  EXPECT_EQ(ported("import torch\nf = torch.compile(g, options={\"triton.cudagraphs\": True})\n"),
            std::string(kTop) +
                "f = torch.compile(g, options={\"triton.cudagraphs\": False if is_rocm else "
                "True})\n");
}

TEST(Python, Tf32IsNotTouchedOnRocm) {
  EXPECT_EQ(ported("import torch\nif x:\n\ttorch.backends.cuda.matmul.allow_tf32 = True\n"),
            std::string(kTop) +
                "if x:\n\tif not is_rocm:\n\t\ttorch.backends.cuda.matmul.allow_tf32 = True\n");
  // Two statements on one line: the value is gated.
  EXPECT_EQ(
      ported("import torch\na = 1; torch.backends.cudnn.allow_tf32 = True\n"),
      std::string(kTop) + "a = 1; torch.backends.cudnn.allow_tf32 = False if is_rocm else True\n");
  EXPECT_EQ(ported("import torch\ntorch.set_float32_matmul_precision(\n    'high',\n)\n"),
            std::string(kTop) +
                "if not is_rocm:\n    torch.set_float32_matmul_precision(\n        'high',\n    "
                ")\n");
}

TEST(Python, StatementsInARowShareAGate) {
  EXPECT_EQ(ported("import torch\ntorch.backends.cuda.matmul.allow_tf32 = True  # fast\n"
                   "torch.backends.cudnn.allow_tf32 = True\nx = 1\n"
                   "torch.backends.cudnn.allow_tf32 = y\n"),
            std::string(kTop) +
                "if not is_rocm:\n    torch.backends.cuda.matmul.allow_tf32 = True  # fast\n"
                "    torch.backends.cudnn.allow_tf32 = True\nx = 1\n"
                "if not is_rocm:\n    torch.backends.cudnn.allow_tf32 = y\n");
}

TEST(Python, AllocatorSettingsAreKeptApart) {
  EXPECT_EQ(ported("import os\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = "
                   "\"expandable_segments:True,max_split_size_mb:64\"\nimport torch\n"),
            "import os\nfrom hip_support import is_rocm\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = "
            "\"max_split_size_mb:64\" if is_rocm else "
            "\"expandable_segments:True,max_split_size_mb:64\"\nimport torch\n");
  const std::string one =
      "import os\nimport torch\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:64'\n";
  EXPECT_EQ(ported(one), one);
  const std::string without_torch =
      "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = "
      "'expandable_segments:True,max_split_size_mb:64'\n";
  EXPECT_EQ(ported(without_torch), without_torch);
  EXPECT_EQ(port_script(without_torch).said(), "HP505:2");
}

TEST(Python, FlashAttentionComesFromTheFallback) {
  const TestPort port = port_script(
      "import torch\nfrom flash_attn import flash_attn_func, flash_attn_varlen_func as v\n");
  EXPECT_EQ(port.files.at("a.py"),
            std::string(kTop) +
                "if is_rocm:\n    from attention_fallback import flash_attn_func, "
                "flash_attn_varlen_func as v\n"
                "else:\n    from flash_attn import flash_attn_func, flash_attn_varlen_func as v\n");
  const std::string module = port.added.at("attention_fallback.py");
  EXPECT_NE(module.find("def flash_attn_varlen_func("), std::string::npos);
  EXPECT_EQ(module.find("def flash_attn_with_kvcache("), std::string::npos);  // nobody uses it
  EXPECT_EQ(ported("import torch\nimport flash_attn as fa\ny = fa.flash_attn_func(q, k, v)\n"),
            std::string(kTop) +
                "if is_rocm:\n    import attention_fallback as fa\nelse:\n    import flash_attn as "
                "fa\ny = fa.flash_attn_func(q, k, v)\n");
  const TestPort other =
      port_script("import torch\nfrom flash_attn.bert_padding import pad_input\n");
  EXPECT_EQ(other.said(), "HP502:2");
  const std::string guarded =
      "import torch\ntry:\n    from flash_attn import flash_attn_func\nexcept ImportError:\n    "
      "flash_attn_func = None\n";
  EXPECT_EQ(ported(guarded), guarded);
}

TEST(Python, AProjectsOwnFlashAttentionIsItsOwn) {
  const std::string user = "import torch\nfrom flash_attn import flash_attn_func\n";
  const TestPort port = port_files({{"flash_attn/__init__.py", "import torch\n"},
                                    {"tests/test_it.py", user},
                                    {"hopper/flash_attn_interface.py", "import torch\n"},
                                    {"hopper/test.py", "from flash_attn_interface import f\n"}});
  EXPECT_EQ(port.files.at("tests/test_it.py"), user);
  EXPECT_EQ(port.said(), "");
}

TEST(Python, TheTreeItselfMayBeAPackage) {
  const TestPort port = port_files(
      {{"__init__.py", "from .node import f\n"},
       {"node.py", "import torch\nfrom .util import g\nfrom flash_attn import flash_attn_func\n"},
       {"script.py", "import torch\nfrom flash_attn import flash_attn_func\n"}});
  EXPECT_NE(port.files.at("node.py").find("from .attention_fallback import"), std::string::npos);
  EXPECT_NE(port.files.at("script.py").find("from attention_fallback import"), std::string::npos);
}

TEST(Python, NvmlIsAnsweredByTorch) {
  const TestPort port = port_script(
      "import pynvml\nimport torch\npynvml.nvmlInit()\n"
      "n = pynvml.nvmlDeviceGetCount()\np = pynvml.nvmlDeviceGetPowerUsage(h)\n");
  EXPECT_EQ(port.files.at("a.py"),
            "from hip_support import is_rocm\n"
            "if is_rocm:\n    import nvml_fallback as pynvml\nelse:\n    import pynvml\n"
            "import torch\npynvml.nvmlInit()\nn = pynvml.nvmlDeviceGetCount()\n"
            "p = pynvml.nvmlDeviceGetPowerUsage(h)\n");
  EXPECT_EQ(port.said(), "HP504:5");
  const std::string module = port.added.at("nvml_fallback.py");
  EXPECT_NE(module.find("def nvmlDeviceGetCount("), std::string::npos);
  EXPECT_EQ(module.find("def nvmlDeviceGetName("), std::string::npos);
}

TEST(Python, ModulesForNvidiaAreNoneOnRocm) {
  const TestPort port = port_script("import torch\nfrom deep_gemm import a, b as c\n");
  EXPECT_EQ(port.files.at("a.py"),
            std::string(kTop) +
                "if is_rocm:\n    a = c = None\nelse:\n    from deep_gemm import a, b as c\n");
  EXPECT_EQ(port.said(), "HP507:2");
}

TEST(Python, ModulesWithARocmBuildAreTried) {
  const TestPort port = port_script("import torch\nfrom flashinfer import a, b as c\n");
  EXPECT_EQ(port.files.at("a.py"),
            std::string(kTop) +
                "if is_rocm:\n    try:\n        from flashinfer import a, b as c\n"
                "    except (ImportError, OSError):\n        a = c = None\n"
                "else:\n    from flashinfer import a, b as c\n");
  EXPECT_EQ(port.said(), "HP507:2");
}

TEST(Python, OtherModulesOfTheStatementAreImported) {
  EXPECT_EQ(ported("import torch\nimport os, tensorrt, xformers.ops\n"),
            std::string(kTop) +
                "if is_rocm:\n    import os\n    try:\n        import xformers.ops\n"
                "    except (ImportError, OSError):\n        xformers = None\n"
                "    tensorrt = None\nelse:\n    import os, tensorrt, xformers.ops\n");
}

TEST(Python, CapabilityChecksInFunctionsAreReported) {
  EXPECT_EQ(port_script("import torch\n\n\ndef f():\n"
                        "    return torch.cuda.get_device_capability()[0] >= 9\n")
                .said(),
            "HP104:5");
}

TEST(Python, AGpuIsFoundOnRocm) {
  EXPECT_EQ(ported("import torch\ndef f():\n    if torch.version.cuda is not None:\n        g()\n"),
            std::string(kTop) +
                "def f():\n    if is_rocm or torch.version.cuda is not None:\n        g()\n");
  EXPECT_EQ(ported("import torch\ndef f(x):\n    if x and torch.version.cuda is None:\n"
                   "        return 1\n"),
            std::string(kTop) +
                "def f(x):\n    if x and (not is_rocm and torch.version.cuda is None):\n"
                "        return 1\n");
}

TEST(Python, NegatedTestsOfTheCudaVersion) {
  const auto body = [](const std::string& condition) {
    return "def f(d):\n    if " + condition + ":\n        g()\n";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"not torch.version.cuda is None", "not (not is_rocm and torch.version.cuda is None)"},
      {"d and not not torch.version.cuda", "d and not not (is_rocm or torch.version.cuda)"},
  };
  for (const auto& [before, after] : cases)
    EXPECT_EQ(ported("import torch\n" + body(before)), std::string(kTop) + body(after));
  // No expression, or another one: nothing is written, and nothing is held back.
  for (const std::string condition : {"d xan not torch.version.cuda is None",
                                      "d is not torch.version.cuda", "d not torch.version.cuda"}) {
    const std::string text = "import torch\n" + body(condition);
    const TestPort port = port_script(text);
    EXPECT_EQ(ported(text), text);
    EXPECT_EQ(port.said(), "HP102:3");
  }
}

TEST(Python, Fp8IsAskedOfTheGpu) {
  const TestPort port = port_script(
      "import torch\nFP8_MAX = 448.0\ndef quantize(x, scale):\n"
      "    return (x / scale).to(torch.float8_e4m3fn)\n");
  EXPECT_EQ(port.files.at("a.py"),
            "import torch\nfrom hip_support import is_rocm, rocm_fp8_dtype, rocm_fp8_max\n"
            "FP8_MAX = rocm_fp8_max() if is_rocm else 448.0\ndef quantize(x, scale):\n"
            "    return (x / scale).to(rocm_fp8_dtype(torch.float8_e4m3fn) if is_rocm else "
            "torch.float8_e4m3fn)\n");
  EXPECT_NE(port.added.at("hip_support.py").find("def _is_fnuz("), std::string::npos);
}

TEST(Python, Fp8LimitsAreGatedTogether) {
  EXPECT_EQ(ported("import torch\ndef f(fp8):\n    return fp8.clamp(-448.0, 448.0)\n"),
            "import torch\nfrom hip_support import is_rocm, rocm_fp8_max\ndef f(fp8):\n"
            "    return fp8.clamp(-(rocm_fp8_max() if is_rocm else 448.0), "
            "rocm_fp8_max() if is_rocm else 448.0)\n");
}

TEST(Python, RecordingsMayCompile) {
  const TestPort port = port_script(
      "import torch\nf = torch.compile(g)\ndef record(x):\n    graph = torch.cuda.CUDAGraph()\n"
      "    torch.cuda.synchronize()\n    with torch.cuda.graph(graph):\n        y = f(x).item()\n"
      "    return graph\n");
  EXPECT_EQ(port.files.at("a.py"),
            "import torch\nfrom hip_support import allow_rng_state_during_capture, is_rocm, "
            "rocm_inductor_settings\n"
            "if is_rocm:\n    rocm_inductor_settings()\n    allow_rng_state_during_capture()\n"
            "f = torch.compile(g)\ndef record(x):\n    graph = torch.cuda.CUDAGraph()\n"
            "    if is_rocm:\n        torch.cuda.current_stream().synchronize()\n    else:\n"
            "        torch.cuda.synchronize()\n"
            "    with torch.cuda.graph(graph):\n        y = f(x).item()\n    return graph\n");
  EXPECT_EQ(port.said(), "HP702:7");
}

TEST(Python, TorchIsNotImportedEarlier) {
  EXPECT_EQ(
      ported("def f(m):\n    import torch\n    return torch.compile(m, "
             "mode='max-autotune')\n"),
      "def f(m):\n    import torch\n    from hip_support import is_rocm\n"
      "    # ROCm: the default mode until the other one is measured there; it captures graphs.\n"
      "    return torch.compile(m, mode=\"default\" if is_rocm else 'max-autotune')\n");
}

TEST(Python, AnotherIsRocmIsNotTaken) {
  EXPECT_EQ(ported("import torch\nfrom utils import is_rocm\n"
                   "torch.backends.cudnn.allow_tf32 = True\nx = is_rocm()\n"),
            "import torch\nfrom utils import is_rocm\nif not torch.version.hip:\n"
            "    torch.backends.cudnn.allow_tf32 = True\nx = is_rocm()\n");
}

TEST(Python, WhatIsForNvidiaAloneStays) {
  const std::string text =
      "import torch\nif torch.version.hip is None:\n    torch.backends.cudnn.allow_tf32 = True\n"
      "m = torch.compile(m, mode='default' if torch.version.hip else 'max-autotune')\n"
      "# import pynvml\ns = 'from flash_attn import flash_attn_func'\n";
  EXPECT_EQ(ported(text), text);
}

TEST(Python, LineBreaksAreKept) {
  EXPECT_EQ(ported("import torch\r\ntorch.backends.cudnn.allow_tf32 = True\r\n"),
            "import torch\r\nfrom hip_support import is_rocm\r\nif not is_rocm:\r\n"
            "    torch.backends.cudnn.allow_tf32 = True\r\n");
}

TEST(PythonLayout, ModulesLieWhereTheyAreFound) {
  const std::string use = "import torch\ntorch.backends.cudnn.allow_tf32 = True\n";
  const auto port = [](const std::map<std::string, std::string>& files, const std::string& path) {
    const TestPort result = port_files(files, {.mode = Mode::kDual});
    EXPECT_EQ(result.added.size(), 1U);
    const std::string text = result.files.at(path);
    const std::size_t at = text.find("from ", text.find("import torch"));
    return result.added.begin()->first + ": " + text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(
      port(
          {{"src/pkg/__init__.py", ""}, {"src/pkg/sub/__init__.py", ""}, {"src/pkg/sub/a.py", use}},
          "src/pkg/sub/a.py"),
      "src/pkg/hip_support.py: from pkg.hip_support import is_rocm");
  EXPECT_EQ(port({{"pkg/__init__.py", ""},
                  {"pkg/sub/__init__.py", ""},
                  {"pkg/sub/a.py", "from . import x\n" + use}},
                 "pkg/sub/a.py"),
            "pkg/hip_support.py: from ..hip_support import is_rocm");
  EXPECT_EQ(port({{"scripts/a.py", use}}, "scripts/a.py"),
            "scripts/hip_support.py: from hip_support import is_rocm");
  EXPECT_EQ(port({{"train.py", "from models.a import x\n"}, {"models/a.py", use}}, "models/a.py"),
            "hip_support.py: from hip_support import is_rocm");
  EXPECT_EQ(port({{"pkg/__init__.py", ""}, {"tests/a.py", "import pkg\n" + use}}, "tests/a.py"),
            "pkg/hip_support.py: from pkg.hip_support import is_rocm");
}

// A package that the file does not load is not loaded for the gate.
TEST(PythonLayout, NothingIsLoadedEarlierThanBefore) {
  const std::string use = "torch.backends.cudnn.allow_tf32 = True\n";
  const auto port = [](const std::string& text) {
    return port_files({{"pkg/__init__.py", ""}, {"tests/__init__.py", ""}, {"tests/a.py", text}},
                      {.mode = Mode::kDual})
        .files.at("tests/a.py");
  };
  EXPECT_EQ(port("import torch\n" + use), "import torch\nif not torch.version.hip:\n    " + use);
  EXPECT_EQ(port("import torch\nx = 1\nimport pkg\n" + use),
            "import torch\nx = 1\nimport pkg\nfrom pkg.hip_support import is_rocm\n"
            "if not is_rocm:\n    " +
                use);
  const std::string early = "import torch\n" + use + "import pkg\n";
  EXPECT_EQ(port(early), early);
}

TEST(PythonLayout, AModuleGrowsWithWhatIsNeeded) {
  TestPort first = port_files({{"a.py", "import torch\nFP8_MAX = 448.0\n"}}, {});
  std::map<std::string, std::string> files = first.files;
  files.insert(first.added.begin(), first.added.end());
  files["b.py"] = "import torch\ndef f(x):\n    return (x / s).to(torch.float8_e4m3fn)\n";
  const TestPort second = port_files(files, {});
  EXPECT_TRUE(second.added.empty());
  const std::string module = second.files.at("hip_support.py");
  EXPECT_NE(module.find("def rocm_fp8_max("), std::string::npos);
  EXPECT_NE(module.find("def rocm_fp8_dtype("), std::string::npos);
}

// What ROCm did not come to before the port, it comes to after it.
TEST(Python, CodeBehindAnAnsweredQuestionIsPortedToo) {
  const std::string after = ported(
      "import torch\n\n\ndef f(x):\n    if torch.version.cuda is not None:\n"
      "        return x.to(torch.float8_e4m3fn)\n    return x\n");
  EXPECT_NE(after.find("rocm_fp8_dtype"), std::string::npos) << after;
}

TEST(Python, AGateInBracketsIsAGate) {
  const std::string text =
      "import torch\nfrom hip_support import is_rocm\n"
      "torch._inductor.config.triton.cudagraphs = (False if is_rocm else True); x = 1\n";
  EXPECT_EQ(port_files({{"a.py", text}}, {.mode = Mode::kDual}).files.at("a.py"), text);
}

TEST(Python, InductorsConfigurationIsKnownByItsImport) {
  const std::string own =
      "import torch\nconfig.cudagraphs = True\nself.config.memory_planning = True\n";
  EXPECT_EQ(ported(own), own);
  EXPECT_NE(ported("import torch\nimport torch._inductor.config as icfg\n"
                   "icfg.triton.cudagraphs = True\n")
                .find("False if is_rocm else True"),
            std::string::npos);
}

}  // namespace
}  // namespace hipwright::port
