// SPDX-License-Identifier: MIT
#include "port/python/requirement.h"

#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

const std::string kScript = "import torch\nimport numpy\nimport yaml\nimport a\n";

TEST(Requirements, SomeDoHarm) {
  for (const char* harmful : {"torch==2.4.0", "torch ~= 2.3", "torchvision==0.19.0+cu124",
                              "torch @ https://host/torch.whl", "torch<2.5"})
    EXPECT_EQ(judge(harmful).harm, Harm::kPin) << harmful;
  for (const char* nvidia :
       {"nvidia-cublas-cu12==12.1", "nvidia_nccl_cu12", "jax[cuda12]==0.4.30", "triton==3.0.0",
        "xformers", "flash-attn>=2", "flash_attn==2.6", "cupy-cuda12x",
        "--extra-index-url https://host/whl/cu121", "onnxruntime-gpu"})
    EXPECT_EQ(judge(nvidia).harm, Harm::kForNvidia) << nvidia;
  for (const char* fine : {"torch", "torch>=2.1", "numpy==1.26", "torchmetrics==1.0", "jax",
                           "nvidia-ml-py", "torch==2.4.0+rocm6.1", "-r other.txt", "tritonclient",
                           "torch==2.2; sys_platform == 'darwin'"})
    EXPECT_EQ(judge(fine).harm, Harm::kNone) << fine;
}

TEST(Dependencies, DualLeavesTheFilesAndAddsAList) {
  const std::string list = "numpy>=1.20\ntorch==2.4.0  # tested\nnvidia-nccl-cu12\nPyYAML\n";
  const TestPort port =
      port_files({{"requirements.txt", list}, {"a.py", kScript}}, {.mode = Mode::kDual});
  EXPECT_EQ(port.files.at("requirements.txt"), list);
  EXPECT_EQ(port.said(), "HP001:2 HP001:3");
  const std::string added = port.added.at("requirements-rocm.txt");
  EXPECT_NE(added.find("\nnumpy>=1.20\nPyYAML\n"), std::string::npos) << added;
  EXPECT_NE(added.find("\n#   torch==2.4.0: "), std::string::npos) << added;
  const std::string page = port.added.at("ROCM.md");
  EXPECT_NE(page.find("| requirements.txt | `nvidia-nccl-cu12` |"), std::string::npos) << page;
  EXPECT_NE(page.find("for name in \"numpy yaml\".split()"), std::string::npos) << page;
  EXPECT_NE(page.find("`yaml` is in `pyyaml`"), std::string::npos);
  EXPECT_EQ(page.find("--ignore-requires-python"), std::string::npos);
}

TEST(Dependencies, PortingAgainAddsNothing) {
  const TestPort first = port_files({{"requirements.txt", "torch==2.4.0\nx\n"}, {"a.py", kScript}},
                                    {.mode = Mode::kDual});
  std::map<std::string, std::string> files = first.files;
  files.insert(first.added.begin(), first.added.end());
  const TestPort second = port_files(files, {.mode = Mode::kDual});
  EXPECT_TRUE(second.added.empty());
  for (const auto& [path, text] : second.files) EXPECT_EQ(text, files.at(path)) << path;
}

TEST(Dependencies, HipChangesTheFiles) {
  const TestPort port = port_files(
      {{"requirements.txt", "numpy\ntorch==2.4.0+cu124  # tested\nnvidia-nccl-cu12==2.20\n"},
       {"pyproject.toml",
        "[project]\nrequires-python = \">=3.9,<3.12\"\ndependencies = [\n  \"torch==2.4.0\",\n"
        "  \"nvidia-cudnn-cu12\",\n  \"einops\", \"jax[cuda12]\",\n]\n"
        "[project.optional-dependencies]\ncuda = [\"cupy-cuda12x\"]\ndev = [\"triton==3.0\", "
        "\"pytest\"]\n"},
       {"setup.py",
        "from setuptools import setup\nsetup(install_requires=['torch==2.4.0', 'xformers', "
        "'tqdm'])\n"},
       {"a.py", kScript}},
      {.mode = Mode::kHip});
  EXPECT_EQ(port.files.at("requirements.txt"),
            "numpy\ntorch  # tested\n# nvidia-nccl-cu12==2.20\n");
  EXPECT_EQ(port.files.at("pyproject.toml"),
            "[project]\nrequires-python = \">=3.9\"\ndependencies = [\n  \"torch\",\n"
            "  \"einops\", \n]\n"
            "[project.optional-dependencies]\ncuda = [\"cupy-cuda12x\"]\ndev = [\"pytest\"]\n");
  EXPECT_EQ(port.files.at("setup.py"),
            "from setuptools import setup\nsetup(install_requires=['torch', 'tqdm'])\n");
  EXPECT_FALSE(port.added.contains("requirements-rocm.txt"));
  EXPECT_NE(port.added.at("ROCM.md").find("--ignore-requires-python"), std::string::npos);
}

TEST(Dependencies, ListsForAPlatformAreLeftAlone) {
  const TestPort port = port_files({{"requirements-cuda.txt", "torch==2.4.0\n"},
                                    {"requirements_rocm.txt", "torch==2.4.0\n"},
                                    {"a.py", kScript}},
                                   {});
  EXPECT_EQ(port.said(), "");
  EXPECT_TRUE(port.added.empty());
}

TEST(Dependencies, WithoutTorchNobodyCares) {
  EXPECT_EQ(port_files({{"requirements.txt", "xformers\n"}, {"a.py", "import os\n"}}, {}).said(),
            "");
}

}  // namespace
}  // namespace hipwright::port
