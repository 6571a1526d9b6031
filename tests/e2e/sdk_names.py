#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sdk_names.py get DIR | compare DIR RELEASE PREFIX SOFT_LIBRARY API_DIR

get downloads the packages below into DIR with apt's own tools and a private configuration; nothing is installed. compare
holds the SDK's prefix of a release, the software GPU's library and the tables of CUDA names to what is in them."""
import json
import os
import pathlib
import re
import subprocess
import sys

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SUITES = {"5.7": "sid", "6.4": "sid", "7.2": "experimental"}
RUNTIME = {"5.7": ["libamdhip64-5"], "6.4": ["libamdhip64-6", "libamdhip64-dev"], "7.2": ["libamdhip64-7", "libamdhip64-dev", "libhiprtc7"]}
LIBRARIES = ["libhipblas-dev", "libhipblas-common-dev", "libhipfft-dev", "libhiprand-dev", "libhipsparse-dev", "libhipsolver-dev",
             "libhipcub-dev", "libmiopen-dev"]
MORE = {"6.4": LIBRARIES, "7.2": LIBRARIES + ["libhipblaslt-dev", "librccl-dev", "librocwmma-dev", "libhipsparselt-dev"]}
# Where the headers of a library are, and which release has them.
FOLDERS = {"blas": ["hipblas", "hipblas-common"], "blaslt": ["hipblaslt"], "fft": ["hipfft"], "rand": ["hiprand"],
           "sparse": ["hipsparse", "hipsparselt"], "solver": ["hipsolver"], "dnn": ["miopen"], "nccl": ["rccl"], "cub": ["hipcub"],
           "wmma": ["rocwmma"]}
ONLY_7 = {"blaslt", "nccl", "wmma"}

# Names of AMD's own machinery, which no program is to use, and of headers that the SDK does not have (docs/commands/sdk.md).
INTERNAL = re.compile(
    r"hip_api_|HIP_API_ID|HIP_PROF|hip_impl|hipApiName|hipRegister|hipUnregister|HIP_INCLUDE|.*_H_?$|hip_internal|hip_init|"
    r"HIP_CXX|HIP_TRACE|HIP_FP16_GCC|HIP_.*_OBJECT_OFFSET|HIP_BF16_AVX|HIP_ENABLE_WARP_SYNC|HIP_BUILD|HIP_DYNAMIC|"
    r"hip_cas|hipMap|hip_is_|HIP_KERNEL_LAUNCH|HIP_USE|hip_tex|HIP_HAS|HIP_VERSION|HIP_SAMPLER|HIP_IMAGE|HIPRT_|HIP_FP8")


def apt(folder, *words):
    environment = dict(os.environ, APT_CONFIG=str(folder / "apt.conf"), LC_ALL="C")
    return subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True)


def prepare(folder):
    for each in ["state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d", "etc/trusted.gpg.d",
                 "etc/sources.list.d"]:
        (folder / each).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True).stdout
    network = [line for line in dump.splitlines() if re.match(r"Acquire::(https?|ForceIPv|Retries|Check-Valid-Until)", line)]
    archive = os.environ.get("HIPWRIGHT_TEST_MIRROR", "http://deb.debian.org/debian")
    (folder / "etc/sources.list").write_text(
        "".join(f"deb [arch=amd64 signed-by={KEYRING}] {archive} {suite} main\n" for suite in sorted(set(SUITES.values()))))
    (folder / "apt.conf").write_text(
        f'Dir "{folder}/";\nDir::State "{folder}/state";\nDir::State::status "{folder}/status";\nDir::Cache "{folder}/cache";\n'
        f'Dir::Etc "{folder}/etc";\nDir::Log "{folder}";\nAPT::Architecture "amd64";\nAPT::Architectures {{ "amd64"; }};\n'
        f'APT::Sandbox::User "";\nAcquire::Languages "none";\nAPT::Update::Error-Mode "any";\nAcquire::http::Timeout "30";\n'
        + "\n".join(network) + "\n")


def get(folder):
    folder = folder.absolute()
    if (folder / "complete").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    prepare(folder)
    if apt(folder, "apt-get", "update", "-q").returncode:
        sys.exit("the package lists cannot be had")
    for release, suite in SUITES.items():
        for package in RUNTIME[release] + MORE.get(release, []):
            done = apt(folder, "apt-get", "download", "-q", f"{package}/{suite}")
            found = sorted(folder.glob(f"{package}_*.deb"))
            if done.returncode or not found:
                sys.exit(f"the package {package} cannot be had from {suite}")
            version = found[0].name.split("_")[1].split("%3a")[-1]
            # That one has enumerations only, and another numbering.
            if not version.startswith(release + ".") and package != "libhipblas-common-dev":
                sys.exit(f"{suite} has {package} {version}, not {release}")
            subprocess.run(["dpkg-deb", "-x", found[0], folder / release], check=True)
            found[0].unlink()
    (folder / "complete").touch()


def exported(library):
    """Names to the version nodes that a library exports them with."""
    text = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], check=True, capture_output=True,
                          text=True).stdout
    found = {}
    for line in text.splitlines():
        name, _, version = line.split()[-1].replace("@@", "@").partition("@")
        if name != version and not name.startswith(("__gnu_", "_Z")) and re.match(r"_*hip", name) and not re.match(r"hip_\d", name):
            found.setdefault(name, set()).add(version)
    return found


def one(folder, pattern):
    return next(path for path in sorted(folder.rglob(pattern)) if not path.is_symlink())


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def words(folders):
    found = set()
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and re.search(r"\.(h|hpp|cuh|inc)$", path.name) and "nvidia" not in str(path):
                found |= set(re.findall(r"\b[A-Za-z_]\w*\b", without_comments(path.read_text(errors="replace"))))
    return found


def hip_names(include):
    """What a C++ program sees of HIP's host interface, macros included."""
    source = "".join(f"#include <hip/{name}.h>\n" for name in ["hip_runtime", "hip_ext", "hiprtc", "library_types", "hip_deprecated"])
    names = set()
    for option in (["-P"], ["-dM"]):
        done = subprocess.run(["clang++-22", "-x", "c++", "-D__HIP_PLATFORM_AMD__", "-isystem", include, "-E", *option, "-"],
                              input=source, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        names |= set(re.findall(r"\b(?:hip(?:rtc|Drv|Ext|Graph|[A-Z])\w*|HIP(?:RTC)?_\w+)\b", done.stdout))
    return {name for name in names if not INTERNAL.match(name)}


def report(what, missing, extra):
    print(f"{what}: {len(missing)} missing, {len(extra)} more")
    return [f"{what}: missing: {name}" for name in sorted(missing)] + [f"{what}: not in the release: {name}" for name in sorted(extra)]


def compare_symbols(release, folder, prefix, soft):
    real = exported(one(folder, "libamdhip64.so.*.*"))
    flat = lambda found: {f"{name}@{version}" for name, versions in found.items() for version in versions}
    # The software GPU's library serves all releases: it has these, and more.
    problems = report(f"software GPU for {release} ({len(real)} symbols)", flat(real) - flat(exported(soft)), set())
    if release in MORE:
        sdk = exported(prefix / "lib/libamdhip64.so")
        problems += report(f"import library of {release}", flat(real) - flat(sdk), flat(sdk) - flat(real))
    return problems


def compare_headers(release, folder, prefix):
    real, own = hip_names(folder / "usr/include"), hip_names(prefix / "include")
    return report(f"HIP's names in {release} ({len(real)})", real - own, own - real)


def version(text):
    return tuple(int(part) for part in text.split("."))


def compare_tables(release, folder, tables):
    problems = []
    for library, folders in FOLDERS.items():
        if release == "6.4" and library in ONLY_7:
            continue
        include = folder / "usr/include"
        known = words([include / each for each in folders] + [include / "hip"])
        wrong = set()
        entries = [entry for entry in json.load(open(tables / f"api_{library}.json")) if entry["hip"] and entry["in_hip"]]
        for entry in entries:
            since, until = entry["since"] or "5.0", entry["until"]
            if version(since) > version(release) or until and version(until) <= version(release) or entry["kind"] == "header":
                continue
            if not set(re.findall(r"[A-Za-z_]\w*", entry["hip"])) <= known:
                wrong.add(f"{entry['cuda']} is not {entry['hip']}")
        assert len(entries) > (3 if library == "wmma" else 50), library
        problems += report(f"counterparts in {library}, {release} ({len(entries)})", wrong, set())
    return problems


def main():
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "get":
        return get(folder)
    release, prefix, soft, tables = sys.argv[3], pathlib.Path(sys.argv[4]), pathlib.Path(sys.argv[5]), pathlib.Path(sys.argv[6])
    problems = compare_symbols(release, folder / release, prefix, soft)
    if release in MORE:
        problems += compare_headers(release, folder / release, prefix)
        problems += compare_tables(release, folder / release, tables)
    if problems:
        sys.exit("\n".join(problems))


main()
