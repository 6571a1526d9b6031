// SPDX-License-Identifier: MIT
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "toolchain/added_libraries.h"
#include "toolchain/libraries/add.h"
#include "toolchain/libraries/apt.h"
#include "toolchain/libraries/listing.h"
#include "toolchain/libraries/local.h"
#include "toolchain/libraries/package.h"
#include "toolchain/libraries/program_loader.h"
#include "toolchain/library_table.h"

namespace hipwright::toolchain {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string names(const std::vector<AptPackage>& packages) {
  std::string text;
  for (const AptPackage& each : packages) text += each.name + "=" + each.version + " ";
  return text;
}

TEST(LibraryTable, EveryLibraryCanBeAddedSomehowAndIsNamedOnce) {
  std::set<std::string_view> seen;
  for (const Library& library : libraries()) {
    EXPECT_TRUE(seen.insert(library.name).second) << library.name;
    EXPECT_TRUE(!library.packages.empty() || !library.checkout_headers.empty()) << library.name;
    for (const LibraryPackages& each : library.packages)
      EXPECT_TRUE(find_release(each.release)) << library.name;
    // What ROCm's version is checked for is recognised by its package's name.
    for (const LibraryPackages& each : library.packages)
      for (const std::string& package : words_of(each.packages))
        EXPECT_TRUE(is_rocm_package(package)) << package;
  }
  // No packages are known of a release without a suite: --from alone brings its libraries.
  for (const Release& release : releases())
    EXPECT_TRUE(release.suite.empty() || find_suite(release.suite)) << release.name;
  EXPECT_TRUE(find_release(kSdkRelease));
}

TEST(LibraryTable, KnowsWhatAHeaderAndALinkedLibraryBelongTo) {
  EXPECT_EQ(library_of_header("hipblas/hipblas.h")->name, "hipblas");
  EXPECT_EQ(library_of_header("hipblaslt/hipblaslt.h")->name, "hipblaslt");
  EXPECT_EQ(library_of_header("thrust/sort.h")->name, "rocthrust");
  EXPECT_EQ(library_of_header("hip/hip_runtime.h"), nullptr);
  EXPECT_EQ(library_of_link("MIOpen")->name, "miopen");
  EXPECT_EQ(library_of_link("m"), nullptr);
}

TEST(Apt, ReadsAPlan) {
  const AptPlan plan = parse_plan(
      "Reading package lists...\n"
      "After this operation, 6098 MB of additional disk space will be used.\n"
      "'http://x/pool/libfmt11_11.1.1%2bds1-2_amd64.deb' libfmt11_11.1.1+ds1-2_amd64.deb 92036 "
      "MD5Sum:f1\n"
      "'http://x/pool/zlib1g_1%3a1.3_amd64.deb' zlib1g_1%3a1.3_amd64.deb 77 SHA256:00\n"
      "'http://x/evil' ../../etc/passwd_1_amd64.deb 1 MD5Sum:0\n'no end\n'' x 1\n",
      "/archives");
  EXPECT_EQ(names(plan.packages), "libfmt11=11.1.1+ds1-2 zlib1g=1:1.3 ");
  EXPECT_EQ(plan.packages[1].file, "/archives/zlib1g_1%3a1.3_amd64.deb");
  EXPECT_EQ(plan.packages[1].architecture, "amd64");
  EXPECT_EQ(plan.packages[0].bytes, 92036U);
  EXPECT_EQ(plan.unpacked_bytes, 6098000000U);
}

TEST(Apt, SaysWhatFailedOnceAndErrorsFirst) {
  EXPECT_EQ(
      apt_complaints("Hit:1 x\nW: GPG error: sid: BADSIG\nE: not signed\nE: not signed\nN: see\n"),
      "not signed; GPG error: sid: BADSIG");
  EXPECT_EQ(apt_complaints("fine\n"), "");
}

TEST(Apt, TakesOnlyTheNetworkFromTheMachinesConfiguration) {
  EXPECT_EQ(
      network_settings("Acquire::http::Proxy \"http://p:1\";\nDPkg::Post-Invoke:: \"rm x\";\n"
                       "Acquire::AllowInsecureRepositories \"1\";\nAcquire::Retries \"3\";\n"),
      "Acquire::http::Proxy \"http://p:1\";\nAcquire::Retries \"3\";\n");
}

TEST(Package, KeepsWhatProgramsNeedWhereTheyLookForIt) {
  EXPECT_EQ(place_of("./usr/include/hipblas/hipblas.h", "libhipblas-dev"),
            "include/hipblas/hipblas.h");
  EXPECT_EQ(place_of("usr/lib/x86_64-linux-gnu/rocblas/4.4/library/a.co", "librocblas4"),
            "lib/x86_64-linux-gnu/rocblas/4.4/library/a.co");
  EXPECT_EQ(place_of("usr/share/doc/librocblas4/copyright", "librocblas4"), "licences/librocblas4");
  EXPECT_EQ(place_of("usr/share/doc/librocblas4/NEWS", "librocblas4"), "");
  EXPECT_EQ(place_of("etc/profile", "librocblas4"), "");
  // Others bring their shared libraries and nothing else.
  EXPECT_EQ(place_of("usr/lib/x86_64-linux-gnu/libc.so.6", "libc6"), "runtime/libc.so.6");
  EXPECT_EQ(place_of("lib/x86_64-linux-gnu/libz.so.1", "zlib1g"), "runtime/libz.so.1");
  EXPECT_EQ(place_of("usr/lib/x86_64-linux-gnu/gconv/UTF-7.so", "libc6"), "");
  EXPECT_EQ(place_of("usr/bin/ldd", "libc6"), "");
}

TEST(Package, ReadsDependenciesAndLicences) {
  EXPECT_THAT(
      names_in_depends("libc6 (>= 2.38), librocblas4:amd64 (= 1) | librocblas5, x [amd64]\n"),
      ElementsAre("libc6", "librocblas4", "librocblas5", "x"));
  EXPECT_THAT(names_in_depends(""), IsEmpty());
  EXPECT_EQ(licences_in("Format: https://x/\n\nFiles: *\nLicense: Expat\n text\n\nFiles: a\n"
                        "License: BSD-3-clause\n\nLicense: Expat\n"),
            "Expat, BSD-3-clause");
  EXPECT_EQ(licences_in("This is free software.\nLicense: no\n"), "");
}

TEST(Release, APackageOfAnotherReleaseIsRejectedByName) {
  EXPECT_TRUE(belongs_to("librocblas4", "6.4.4-4", "6.4", "Debian unstable"));
  EXPECT_TRUE(belongs_to("librocblas4", "1:6.4.4-4", "6.4", "Debian unstable"));
  const Status other = belongs_to("librocblas5", "7.2.4-1", "6.4", "Debian unstable");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(),
              HasSubstr("Debian unstable has version 7.2.4-1, which is not of ROCm 6.4"));
  EXPECT_FALSE(belongs_to("x", "6.40.1", "6.4", ""));
}

TEST(Release, NamesAreCheckedBeforeAnythingIsDownloaded) {
  EXPECT_THAT(chosen_libraries({"hipblas", "hipblas", "rocrand"}, "6.4", true).value(),
              ElementsAre("hipblas", "rocrand"));
  EXPECT_THAT(chosen_libraries({"hipblass"}, "6.4", true).error().message(),
              HasSubstr("Did you mean hipblas?"));
  EXPECT_THAT(chosen_libraries({"rccl"}, "6.4", true).error().message(), HasSubstr("--rocm 7.2"));
  EXPECT_THAT(chosen_libraries({"libhipcxx"}, "7.2", true).error().message(),
              HasSubstr("--from PATH"));
  for (const std::string& name : chosen_libraries({"all"}, "6.4", true).value())
    EXPECT_FALSE(packages_of(*find_library(name), "6.4").empty()) << name;
}

TEST(Checkout, StatesItsVersionInOneOfTheUsualWays) {
  EXPECT_EQ(checkout_version(
                "set(VERSION_STRING \"3.4.0\")\nrocm_setup_version(VERSION ${VERSION_STRING})"),
            "3.4.0");
  EXPECT_EQ(checkout_version("rocm_setup_version( VERSION 2.1.0 )"), "2.1.0");
  EXPECT_EQ(checkout_version("set(version 1.1.0)\n"), "1.1.0");
  EXPECT_EQ(checkout_version("project(x LANGUAGES CXX\n  VERSION 2.7)"), "2.7");
  EXPECT_EQ(checkout_version("cmake_minimum_required(VERSION 3.18)"), std::nullopt);
}

TEST(Checkout, HeadersAreGeneratedFromTheirTemplates) {
  EXPECT_EQ(
      configured_header(
          "#define V @a_VERSION_MAJOR@ * 100 + @a_VERSION_MINOR@\n// me@home @ x@y.z\n", "3.4", "f")
          .value(),
      "#define V 3 * 100 + 4\n// me@home @ x@y.z\n");
  EXPECT_EQ(configured_header("#cmakedefine __dtypes_all__ \"@x@\"\n#cmakedefine DPP \"@x@\"",
                              "1.1.0", "f")
                .value(),
            "#define __dtypes_all__ \"ON\"\n/* #undef DPP */");
  const auto unknown = configured_header("\n#define X @BUILD_ID@\n", "1.0", "x.h.in");
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("x.h.in:2"));
  EXPECT_THAT(unknown.error().message(), HasSubstr("@BUILD_ID@"));
}

TEST(Checkout, LibrariesOfOneNumberingMustAgree) {
  const TemporaryDirectory tree = TemporaryDirectory::create().value();
  const auto declare = [&](const char* header, const char* minor) {
    const fs::path file = tree.path() / "include" / header;
    fs::create_directories(file.parent_path());
    ASSERT_TRUE(write_file_atomic(
        file, std::string("#define A_VERSION_MAJOR 3\n#define A_VERSION_MINOR ") + minor + "\n"));
  };
  declare("rocprim/rocprim_version.hpp", "4");
  EXPECT_TRUE(versions_agree(tree.path()));
  declare("hipcub/hipcub_version.hpp", "4");
  EXPECT_TRUE(versions_agree(tree.path()));
  declare("hipcub/hipcub_version.hpp", "3");
  EXPECT_THAT(versions_agree(tree.path()).error().message(),
              HasSubstr("rocPRIM 3.4 and hipCUB 3.3"));
}

AddedLibraries sample() {
  return {.release = "6.4",
          .origin = "Debian unstable, http://x",
          .libraries = {{"hipblas", {"libhipblas-dev"}}},
          .packages = {{.name = "libhipblas-dev",
                        .version = "6.4.4-1",
                        .origin = "o",
                        .licence = "Expat",
                        .bytes = 10,
                        .downloaded_bytes = 5,
                        .depends = {"libhipblas2", "unknown"},
                        .files = {"include/hipblas/hipblas.h"},
                        .targets = {}},
                       {.name = "libhipblas2",
                        .version = "6.4.4-1",
                        .origin = "o",
                        .licence = "Expat",
                        .bytes = 90,
                        .downloaded_bytes = 5,
                        .depends = {"libhipblas-dev"},
                        .files = {"lib/a.so"},
                        .targets = {"gfx90a:xnack+", "gfx90a:xnack-"}},
                       {.name = "libc6",
                        .version = "2.43",
                        .origin = "o",
                        .licence = "",
                        .bytes = 7,
                        .downloaded_bytes = 1,
                        .depends = {},
                        .files = {"runtime/libc.so.6"},
                        .targets = {}}}};
}

TEST(AddedLibraries, TheirListIsReadAsItWasWritten) {
  const std::string text = json_text(added_json(sample()));
  EXPECT_EQ(json_text(added_json(parse_added(text, "l").value())), text);
  const AddedLibraries added = sample();
  const auto closure = added.closure(added.libraries.front());
  ASSERT_EQ(closure.size(), 2U);  // packages that need each other are no trap
  EXPECT_EQ(closure[1]->name, "libhipblas2");
}

TEST(AddedLibraries, ADamagedListIsAnErrorAndNamesNoFileOutside) {
  for (const char* text : {"", "[]", "{}", R"({"release":"9.9","libraries":[],"packages":[]})",
                           R"({"release":"6.4","libraries":[1],"packages":[]})",
                           R"({"release":"6.4","libraries":[],"packages":[{"files":["../x"]}]})",
                           R"({"release":"6.4","libraries":[],"packages":[{"files":["/etc/x"]}]})"})
    EXPECT_FALSE(parse_added(text, "l")) << text;
}

TEST(AddedLibraries, TheListingSumsWhatALibraryBrought) {
  const std::string text = libraries_text({sample()}, false);
  EXPECT_THAT(text, HasSubstr("ROCm 6.4, from Debian unstable, http://x"));
  EXPECT_THAT(text, HasSubstr("0.0 MB  gfx90a    Expat"));
  EXPECT_THAT(text, HasSubstr("Can be added for ROCm 6.4: rocprim"));
  const Json json = libraries_json({sample()});
  EXPECT_EQ(json["releases"][0]["libraries"][0]["bytes"], 100);
}

TEST(ProgramLoader, ReadsWhatAProgramNeeds) {
  const Bytes self(read_file("/proc/self/exe").value());
  const Dependencies found = dependencies_of(self, "self").value();
  EXPECT_THAT(found.loader, HasSubstr("ld-linux"));
  EXPECT_THAT(found.needed, testing::Contains("libc.so.6"));
  EXPECT_GE(found.newest_glibc, 17U);
  EXPECT_LE(found.newest_glibc, machine_glibc());
  EXPECT_FALSE(dependencies_of(Bytes(std::string("no ELF")), "x"));
}

TEST(ProgramLoader, ALibrarysOwnSearchPathIsTakenOut) {
  const auto section = [](const std::vector<std::pair<long, long>>& entries) {
    std::string bytes;
    for (const auto& [tag, value] : entries) {
      bytes.append(reinterpret_cast<const char*>(&tag), sizeof tag);
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
  };
  EXPECT_EQ(without_search_path(section({{1, 5}, {29, 7}, {14, 9}, {15, 1}, {0, 0}})),
            section({{1, 5}, {14, 9}, {0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(without_search_path(section({{1, 5}, {0, 0}, {0, 0}})), std::nullopt);
  EXPECT_EQ(without_search_path(""), std::nullopt);
  EXPECT_EQ(without_search_path(section({{29, 7}})), section({{0, 0}}));
}

}  // namespace
}  // namespace hipwright::toolchain
