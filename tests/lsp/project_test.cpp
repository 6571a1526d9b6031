// SPDX-License-Identifier: MIT
// Open texts and the project that they belong to.
#include <gmock/gmock.h>

#include "base/file.h"
#include "lsp/session.h"

namespace hipwright::lsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ProjectFiles : public Session {
 protected:
  void file(const std::string& path, std::string_view content) {
    std::filesystem::create_directories((root() / path).parent_path());
    ASSERT_TRUE(write_file_atomic(root() / path, content));
  }
  const std::filesystem::path& root() const { return folder_->path(); }
  std::string uri(const std::string& path) const { return uri_of(root() / path); }
  void start_here(Value capabilities = able(), Value settings = {}) {
    start(std::move(capabilities),
          {{"rootUri", uri_of(root())}, {"initializationOptions", std::move(settings)}});
  }
  void saved(const std::string& path) {
    notify("textDocument/didSave", {{"textDocument", of(uri(path))}});
  }
  void watched(const std::string& path) {
    notify("workspace/didChangeWatchedFiles",
           {{"changes", Value::array({{{"uri", uri(path)}, {"type", 2}}})}});
  }

  Result<TemporaryDirectory> folder_ = TemporaryDirectory::create();
};

constexpr const char* kCudaOnly =
    "project(p)\nif(USE_CUDA)\n  add_library(k a.cu)\nendif()\nif(USE_ROCM)\n"
    "  add_library(k b.cu)\nendif()\n";

TEST_F(ProjectFiles, TheBufferTakesPrecedenceOverTheFile) {
  file("a.cu", "int x;\n");
  start_here();
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre("HW101"));
}

TEST_F(ProjectFiles, BuildListsAreReloadedOnChange) {
  file("CMakeLists.txt", kCudaOnly);
  file("a.cu", kBad);
  start_here();
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre()) << "only CUDA compiles it";
  file("CMakeLists.txt", "project(p)\nadd_library(k a.cu)\n");
  open("", uri("CMakeLists.txt"), "cmake");
  saved("CMakeLists.txt");
  // All open texts were published again; the file's own is one of them.
  std::vector<std::string> found;
  for (const Value& each : sent_)
    if (each.value("method", "") == "textDocument/publishDiagnostics" &&
        each["params"]["uri"] == uri("a.cu")) {
      found.clear();
      for (const Value& one : each["params"]["diagnostics"]) found.push_back(one["code"]);
    }
  EXPECT_THAT(found, ElementsAre("HW101"));
}

TEST_F(ProjectFiles, IncludesAreReloadedOnChange) {
  file("CMakeLists.txt", kCudaOnly);
  file("a.cu", "#include \"warp.cuh\"\n");
  file("b.cu", "\n");
  file("warp.cuh", kBad);
  start_here();
  open(kBad, uri("warp.cuh"));
  EXPECT_THAT(codes(), ElementsAre()) << "only a CUDA file includes it";
  file("b.cu", "#include \"warp.cuh\"\n");
  watched("b.cu");
  EXPECT_THAT(codes(), ElementsAre("HW101"));
}

TEST_F(ProjectFiles, NewFilesArePickedUp) {
  file("CMakeLists.txt", kCudaOnly);
  file("a.cu", "#include \"warp.cuh\"\n");
  file("warp.cuh", kBad);
  start_here();
  open(kBad, uri("warp.cuh"));
  EXPECT_THAT(codes(), ElementsAre());
  file("b.cu", "#include \"warp.cuh\"\n");
  watched("b.cu");
  EXPECT_THAT(codes(), ElementsAre("HW101"));
}

TEST_F(ProjectFiles, TheConfigurationIsApplied) {
  file("hipwright.toml", "[lint]\nignore = [\"HW101\"]\n");
  file("src/a.cu", kBad);
  start_here();
  open(kBad, uri("src/a.cu"));
  EXPECT_THAT(codes(), ElementsAre());
  file("hipwright.toml", "[lint]\n");
  watched("hipwright.toml");
  EXPECT_THAT(codes(), ElementsAre("HW101"));
  file("hipwright.toml", "[lint]\nexclude = [\"src/\"]\n");
  watched("hipwright.toml");
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(ProjectFiles, AnInvalidConfigurationIsReportedOnce) {
  file("hipwright.toml", "[lint]\nignored = []\n");
  start_here();
  open(kBad, uri("a.cu"));
  open(kBad, uri("b.cu"));
  EXPECT_THAT(last("window/showMessage")["message"].get<std::string>(),
              HasSubstr("hipwright.toml:2"));
  EXPECT_EQ(count("window/showMessage"), 1U);
  file("hipwright.toml", "[lint]\n");
  watched("hipwright.toml");
  EXPECT_THAT(codes(), ElementsAre("HW101"));
}

TEST_F(ProjectFiles, BaselinesHideKnownFindings) {
  file("a.cu", kBad);
  const auto known = lint::lint({.root = root(), .project = root()});
  ASSERT_TRUE(known);
  ASSERT_EQ(known->findings.size(), 1U);
  file("hipwright.toml", "[lint]\nbaseline = \"known.json\"\n");
  file("known.json",
       R"({"findings": [{"fingerprint": ")" + known->findings[0].fingerprint + "\"}]}");
  start_here();
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(ProjectFiles, TheEditorsSettingsAreApplied) {
  file("a.cu", kBad);
  start_here(able(), {{"arch", {"gfx1100"}}});
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre()) << "waves of gfx1100 have 32 lanes";
  notify("workspace/didChangeConfiguration", {{"settings", {{"hipwright", {{"arch", "gfx942"}}}}}});
  EXPECT_THAT(codes(), ElementsAre("HW101"));
  notify("workspace/didChangeConfiguration", {{"settings", {{"hipwright", {{"arhc", 1}}}}}});
  EXPECT_THAT(last("window/showMessage")["message"].get<std::string>(), HasSubstr("arhc"));
  EXPECT_THAT(codes(), ElementsAre("HW101")) << "the settings stay as they were";
}

TEST_F(ProjectFiles, TheServerRequestsTheEditorsSettings) {
  Value capabilities = able();
  capabilities["workspace"]["configuration"] = true;
  start_here(capabilities);
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre("HW101"));
  ASSERT_EQ(last("workspace/configuration")["items"][0]["section"], "hipwright");
  Value id;
  for (const Value& each : sent_)
    if (each.value("method", "") == "workspace/configuration") id = each["id"];
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", Value::array({{{"ignore", {"HW1"}}}})}});
  server_.settle();
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(ProjectFiles, FilesAreWatchedIfTheEditorSupportsIt) {
  Value capabilities = able();
  capabilities["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"] = true;
  start_here(capabilities);
  const Value asked = last("client/registerCapability");
  EXPECT_EQ(asked["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
}

TEST_F(ProjectFiles, PullingClientsAreAskedToRefresh) {
  Value capabilities = able();
  capabilities["textDocument"]["diagnostic"] = Value::object();
  capabilities["workspace"]["diagnostics"]["refreshSupport"] = true;
  start_here(capabilities);
  open(kBad, uri("a.cu"));
  file("hipwright.toml", "[lint]\nignore = [\"HW101\"]\n");
  EXPECT_EQ(result("textDocument/diagnostic", {{"textDocument", of(uri("a.cu"))}})["items"].size(),
            0U);
  file("hipwright.toml", "[lint]\n");
  watched("hipwright.toml");
  EXPECT_EQ(count("workspace/diagnostic/refresh"), 1U);
  EXPECT_EQ(result("textDocument/diagnostic", {{"textDocument", of(uri("a.cu"))}})["items"].size(),
            1U);
}

TEST_F(ProjectFiles, WorkspaceFoldersAreAddedAndRemoved) {
  file("CMakeLists.txt", kCudaOnly);
  file("a.cu", kBad);
  start();
  open(kBad, uri("a.cu"));
  EXPECT_THAT(codes(), ElementsAre("HW101")) << "a file without a project";
  notify("workspace/didChangeWorkspaceFolders",
         {{"event", {{"added", Value::array({of(uri_of(root()))})}, {"removed", Value::array()}}}});
  EXPECT_THAT(codes(), ElementsAre());
  notify("workspace/didChangeWorkspaceFolders",
         {{"event", {{"added", Value::array()}, {"removed", Value::array({of(uri_of(root()))})}}}});
  EXPECT_THAT(codes(), ElementsAre("HW101"));
}

}  // namespace
}  // namespace hipwright::lsp
