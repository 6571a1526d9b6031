// SPDX-License-Identifier: MIT
#include "toolchain/libraries/apt.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// What apt asks for on its way to the network, and whether it accepts lists past their date.
constexpr std::array<std::string_view, 5> kNetworkSettings = {
    "Acquire::http", "Acquire::https", "Acquire::ForceIPv", "Acquire::Retries",
    "Acquire::Check-Valid-Until"};

template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Names of files have %3a for the colon of a version.
std::string decoded(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned value = 0;
    if (name[i] == '%' && i + 2 < name.size() &&
        std::from_chars(&name[i + 1], &name[i + 1] + 2, value, 16).ptr == &name[i + 1] + 2) {
      text += static_cast<char>(value);
      i += 2;
    } else {
      text += name[i];
    }
  }
  return text;
}

constexpr std::string_view kUnpacked = "After this operation, ";

// "6098 MB of …", "12.3 kB of …"
std::uint64_t bytes_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0 || value > 1e9) return 0;
  const std::string_view unit(end, text.data() + text.size());
  const double scale = unit.starts_with(" kB")   ? 1e3
                       : unit.starts_with(" MB") ? 1e6
                       : unit.starts_with(" GB") ? 1e9
                                                 : 1;
  return static_cast<std::uint64_t>(value * scale);
}

// 'http://…/libhipblas2_6.4.4-1_amd64.deb' libhipblas2_6.4.4-1_amd64.deb 161008 MD5Sum:…
std::optional<AptPackage> package_of(std::string_view line, const fs::path& archives) {
  if (!line.starts_with('\'')) return std::nullopt;
  const std::size_t quote = line.find('\'', 1);
  if (quote == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> words = words_of(line.substr(quote + 1));
  if (words.size() < 2 || !words[0].ends_with(".deb") || words[0].find('/') != std::string::npos)
    return std::nullopt;
  const std::string_view file = std::string_view(words[0]).substr(0, words[0].size() - 4);
  const std::size_t first = file.find('_'), last = file.rfind('_');
  if (first == std::string_view::npos || first == last || first == 0) return std::nullopt;
  return AptPackage{.name = std::string(file.substr(0, first)),
                    .version = decoded(file.substr(first + 1, last - first - 1)),
                    .architecture = std::string(file.substr(last + 1)),
                    .file = archives / words[0],
                    .bytes = number(words[1])};
}

// apt reads its configuration from quoted words.
Status is_plain(const fs::path& path) {
  if (path.string().find_first_of(" \"';,#[]\t\n") == std::string::npos) return {};
  return fail("cannot use apt in", path.string(),
              "its configuration cannot name a path with spaces, quotes or commas",
              "Set XDG_CACHE_HOME to another directory.");
}

}  // namespace

AptPlan parse_plan(std::string_view text, const fs::path& archives) {
  AptPlan plan;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with(kUnpacked)) plan.unpacked_bytes = bytes_of(line.substr(kUnpacked.size()));
    if (auto package = package_of(line, archives)) plan.packages.push_back(*std::move(package));
  });
  return plan;
}

std::string apt_complaints(std::string_view text) {
  std::vector<std::string> errors, warnings;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with("E: ")) errors.emplace_back(line.substr(3));
    if (line.starts_with("W: ")) warnings.emplace_back(line.substr(3));
  });
  // A warning explains an error that says no more than "failed".
  std::vector<std::string>& all = errors;
  all.insert(all.end(), warnings.begin(), warnings.end());
  std::vector<std::string> once;
  for (std::string& each : all)
    if (!is_any(each, once)) once.push_back(std::move(each));
  return fmt::format("{}", fmt::join(once, "; "));
}

std::string network_settings(std::string_view dump) {
  std::string settings;
  for_each_line(dump, [&](std::string_view line) {
    if (std::ranges::any_of(kNetworkSettings,
                            [&](std::string_view name) { return line.starts_with(name); }))
      settings += fmt::format("{}\n", line);
  });
  return settings;
}

Result<Apt> Apt::prepare(Source source, const fs::path& folder, Say say) {
  for (const char* program : {"apt-get", "apt-config", "dpkg-deb", "dpkg-query"})
    if (!find_program(program))
      return fail("cannot get packages of", std::string(source.suite.title),
                  fmt::format("{} is not installed: this needs Debian, Ubuntu or another system "
                              "with apt",
                              program),
                  "Install ROCm, or use a copy of one: hipwright sdk add NAME --from /opt/rocm");
  HW_CHECK(is_plain(folder));
  Apt apt(std::move(source), folder, std::move(say));
  HW_CHECK(apt.write_configuration());
  return apt;
}

std::string Apt::archive() const {
  return source_.mirror.empty() ? std::string(source_.suite.archive) : source_.mirror;
}

Status Apt::write_configuration() const {
  const fs::path keyring =
      source_.keyring.empty() ? fs::path(source_.suite.keyring) : fs::absolute(source_.keyring);
  HW_CHECK(is_plain(keyring));
  if (std::error_code error; !fs::is_regular_file(keyring, error))
    return fail("cannot check the signatures of", title(),
                fmt::format("its keyring {} is not on this machine", keyring.string()),
                fmt::format("Install it: apt-get install {} (or name it with --keyring).",
                            source_.suite.keyring_package));
  std::string archive = this->archive();
  // From a local directory apt would take packages where they are; copied, they are checked alike.
  if (archive.starts_with('/')) archive.insert(0, "copy:");
  if (archive.starts_with("file:")) archive.replace(0, 5, "copy:");
  if (archive.find_first_of(" \t\n[]\"") != std::string::npos)
    return fail("cannot use the mirror", archive, "not a URL",
                fmt::format("For example: --mirror {}", source_.suite.archive));

  for (const char* each : {"state/lists/partial", "cache/archives/partial", "etc/apt.conf.d",
                           "etc/preferences.d", "etc/trusted.gpg.d", "etc/sources.list.d"})
    HW_CHECK(make_directories(folder_ / each));
  std::string sources;
  for (const std::string_view suite : {source_.suite.name, source_.suite.below})
    if (!suite.empty())
      sources += fmt::format("deb [arch=amd64 signed-by={}] {} {} main\n", keyring.string(),
                             archive, suite);
  HW_CHECK(write_file_atomic(folder_ / "etc/sources.list", sources));

  HW_TRY(const Finished dump,
         run({.argv = {"apt-config", "dump"}, .environment = {{"LC_ALL", "C"}}}));
  const std::string network = network_settings(dump.out);
  if (network.find("Check-Valid-Until \"false\"") != std::string::npos)
    say_("this machine's apt accepts package lists past their date (Acquire::Check-Valid-Until)");
  const std::string folder = folder_.string();
  const std::string text = fmt::format(
      "Dir \"{0}/\";\nDir::State \"{0}/state\";\nDir::State::status \"{0}/status\";\n"
      "Dir::Cache \"{0}/cache\";\nDir::Cache::pkgcache \"\";\nDir::Cache::srcpkgcache \"\";\n"
      "Dir::Etc \"{0}/etc\";\nDir::Etc::netrc \"/etc/apt/auth.conf\";\n"
      "Dir::Etc::netrcparts \"/etc/apt/auth.conf.d\";\nDir::Log \"{0}\";\n"
      "APT::Architecture \"amd64\";\nAPT::Architectures {{ \"amd64\"; }};\n"
      "APT::Sandbox::User \"\";\nAPT::Install-Recommends \"false\";\n"
      "APT::Update::Error-Mode \"any\";\nAcquire::Languages \"none\";\n"
      "Acquire::GzipIndexes \"true\";\nAcquire::http::Timeout \"30\";\n{1}",
      folder, network);
  HW_CHECK(write_file_atomic(folder_ / "apt.conf", text));
  return write_status({});
}

Status Apt::write_status(const std::vector<InstalledPackage>& installed) const {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& version) {
    text += fmt::format(
        "Package: {}\nStatus: install ok installed\nArchitecture: amd64\nMulti-Arch: same\n"
        "Maintainer: none\nVersion: {}\nDescription: none\n\n",
        name, version);
  };
  for (const std::string_view each : provided_packages())
    add(each, fmt::format("{}.999", source_.release.name));
  for (const InstalledPackage& each : installed) add(each.name, each.version);
  return write_file_atomic(folder_ / "status", text);
}

Result<std::string> Apt::call(std::vector<std::string> words, const std::string& what,
                              const std::string& fix) const {
  words.insert(words.begin(), "apt-get");
  HW_TRY(const Finished finished,
         run({.argv = std::move(words),
              .environment = {{"APT_CONFIG", (folder_ / "apt.conf").string()},
                              {"LC_ALL", "C"},
                              {"DEBIAN_FRONTEND", "noninteractive"}}}));
  if (finished.ok()) return finished.out;
  const std::string why = apt_complaints(finished.err + "\n" + finished.out);
  return fail(
      what, archive(),
      why.empty() ? fmt::format("apt-get ended with exit code {}", finished.exit_code) : why, fix);
}

Status Apt::update() const {
  say_(fmt::format("getting the package lists of {}", title()));
  HW_TRY(const std::string out,
         call({"update", "-q"}, fmt::format("cannot get the package lists of {}", title()),
              "Nothing was changed. Check the network, or name another mirror with --mirror."));
  static_cast<void>(out);
  return {};
}

std::vector<std::string> Apt::install_words(const std::vector<std::string>& packages) const {
  std::vector<std::string> words = {"install", "-y", "-q", "--no-install-recommends",
                                    "--allow-change-held-packages"};
  if (!source_.suite.below.empty())
    words.insert(words.end(), {"-t", std::string(source_.suite.name)});
  words.insert(words.end(), packages.begin(), packages.end());
  return words;
}

Result<AptPlan> Apt::plan(const std::vector<std::string>& packages,
                          const std::vector<InstalledPackage>& installed) const {
  HW_CHECK(write_status(installed));
  std::vector<std::string> words = install_words(packages);
  // With no archives: packages that are there already are not listed.
  const std::string none = (folder_ / "none").string();
  words.insert(words.begin() + 1, {"--print-uris", "-o", "Dir::Cache::archives=" + none});
  HW_CHECK(make_directories(folder_ / "none/partial"));
  HW_TRY(const std::string out,
         call(std::move(words), fmt::format("cannot find packages in {}", title()),
              "Nothing was changed."));
  return parse_plan(out, folder_ / "cache/archives");
}

Status Apt::download(const std::vector<std::string>& packages,
                     const std::vector<InstalledPackage>& installed) const {
  HW_CHECK(write_status(installed));
  std::vector<std::string> words = install_words(packages);
  words.insert(words.begin() + 1, "--download-only");
  HW_TRY(const std::string out,
         call(std::move(words), fmt::format("cannot download packages of {}", title()),
              "Nothing was changed. Run the command again: what was downloaded is used."));
  static_cast<void>(out);
  return {};
}

void Apt::drop_downloads() const {
  std::error_code ignored;
  fs::remove_all(folder_ / "cache/archives", ignored);
}

std::vector<InstalledPackage> installed_here(const std::vector<std::string>& packages) {
  std::vector<std::string> words = {"dpkg-query", "-W", "-f",
                                    "${db:Status-Status} ${Package} ${Version}\\n"};
  words.insert(words.end(), packages.begin(), packages.end());
  std::vector<InstalledPackage> found;
  const auto finished = run({.argv = words, .environment = {{"LC_ALL", "C"}}});
  if (!finished) return found;
  for_each_line(finished->out, [&](std::string_view line) {
    const std::vector<std::string> fields = words_of(line);
    if (fields.size() == 3 && fields[0] == "installed") found.push_back({fields[1], fields[2]});
  });
  return found;
}

}  // namespace hipwright::toolchain
