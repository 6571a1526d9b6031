// SPDX-License-Identifier: MIT
// The table of causes. Weights: 90 the machine is broken or full, 70 it is set up wrongly, 50 the
// code is wrong, 20 only the end of a job is known.
#include "ci/log/explain.h"

namespace hipwright::ci {

namespace {

constexpr Cause kCauses[] = {
    {"shared-memory", "The container's shared memory is full", Fault::kSetup, 96,
     R"(/dev/shm/.{0,120}(No space left|extend)|out of shared memory|insufficient shared memory \(shm\)|raise your shared memory limit)",
     "Data loaders and RCCL keep buffers in /dev/shm, of which a container has 64 MiB unless "
     "told otherwise.",
     "docker run --shm-size=16g, or --ipc=host; in a workflow: container: options: "
     "--shm-size=16g"},
    {"disk-full", "The disk is full", Fault::kRunner, 95,
     R"(no space left on device|disk quota exceeded|there is not enough space on the disk|ENOSPC)",
     "A write failed because the file system has no space left. Errors of compilers and "
     "linkers after it are consequences.",
     "df -h; docker system prune -f; rm -rf ~/.cache/pip and old _work directories; hipwright "
     "doctor --profile linux-runner"},
    {"gpu-memory-errors", "The GPU has uncorrectable memory errors", Fault::kRunner, 94,
     R"((uncorrectable|poison).{0,40}(error|consum|creat)|RAS.{0,40}uncorrectable|ECC.{0,30}uncorrectable|GPU.{0,20}bad page)",
     "The driver reports memory errors that it could not correct. Faults and wrong results "
     "after it say nothing about the code.",
     "Take the GPU out of service: amd-smi metric --ecc; reboot, and replace it if they "
     "return"},
    {"gpu-hang", "A GPU hung or was reset", Fault::kRunner, 92,
     R"(GPU Hang|ring \S+ timeout|amdgpu_job_timedout|GPU reset (begin|succeeded|failed)|HW Exception by GPU|VRAM is lost|MES failed to|launch timed out and was terminated|hipErrorLaunchTimeOut|device is lost)",
     "The driver lost a GPU and reset it. A kernel that never ends can cause it, and so can "
     "firmware: run the job again on another machine to tell.",
     "hipwright doctor --profile linux-runner; dmesg | grep -i amdgpu; reset only when no job "
     "uses the GPU: sudo amd-smi reset --gpureset --gpu all"},
    {"kfd-permission", "The job's account may not open the GPU", Fault::kRunner, 90,
     R"(/dev/(kfd|dri\S*).{0,60}permission denied|permission denied.{0,60}/dev/(kfd|dri)|not (a )?member of "?(render|video)|Unable to open /dev/kfd.{0,20}not permitted|(missing|lacks?|not in) .{0,60}groups?:? .{0,10}\b(render|video)\b)",
     "/dev/kfd or the render nodes do not open for the account that runs jobs, or are missing "
     "in the container.",
     "sudo usermod -aG render ACCOUNT, then restart the runner's service; in a container: "
     "--device=/dev/kfd --device=/dev/dri --group-add GID"},
    {"driver-mismatch", "The kernel driver and ROCm do not fit together", Fault::kRunner, 88,
     R"(driver/library version mismatch|HSA_STATUS_ERROR_INCOMPATIBLE|KFD.{0,40}(is older|not support)|amdgpu.{0,40}version.{0,40}mismatch|driver version is (insufficient|older)|hipErrorInsufficientDriver|Failed to (initialize|init).{0,20}(thunk|hsakmt))",
     "The runtime needs another kernel driver than the one that is loaded.",
     "Install the driver of the ROCm release (amdgpu-dkms), reboot; hipwright doctor shows "
     "both"},
    {"runner-lost", "The runner disappeared", Fault::kRunner, 86,
     R"(lost communication with the server|runner has received a shutdown signal|runner (was|is) (offline|terminated))",
     "GitHub lost the machine in the middle of the job: it was rebooted, ran out of memory, or "
     "its network failed.",
     "Look at the machine: last reboot; journalctl -b -1 -e; dmesg | grep -i oom"},
    {"host-out-of-memory", "The machine ran out of memory", Fault::kRunner, 84,
     R"(Killed signal terminated program|oom-kill|Out of memory: Kill|exit code 137|signal 9|Cannot allocate memory|std::bad_alloc|LLVM ERROR: out of memory|virtual memory exhausted|c\+\+: fatal error: Killed|: Killed\b|\bMemoryError)",
     "The kernel ended a process, usually a compiler: HIP kernels for many targets take "
     "gigabytes each.",
     "Fewer jobs at once: MAX_JOBS=4 or CMAKE_BUILD_PARALLEL_LEVEL=4; or a larger runner"},
    {"workspace-permission", "An earlier job left files that cannot be removed", Fault::kRunner, 81,
     R"(File was unable to be removed|EACCES: permission denied, (unlink|rmdir|open|mkdir|scandir))",
     "A container that ran as root wrote to the work directory, and the runner's account may "
     "not delete that.",
     "Remove the work directory as root; run containers with --user, or clean up in the "
     "runner's "
     "job-completed hook: hipwright doctor hooks DIRECTORY"},
    {"no-gpu", "No GPU is visible", Fault::kRunner, 80,
     R"(no ROCm-capable device|hsa api call failure at|Unable to open /dev/kfd.{0,20}(Invalid argument|No such (file|device)|Device or resource)|No HIP GPUs are available|hipErrorNoDevice|ROCk module is NOT loaded|no (AMD|HIP) (GPU|device)s? (found|detected|available)|torch\.cuda\.is_available\(\)\D{0,30}False|Found no NVIDIA driver|amdgpu not found in modules|Driver not initialized|error gathering device information|adding custom device "?/dev/(kfd|dri)|\bNo devices found)",
     "The runtime starts, and finds no device: the driver is not loaded, the container has no "
     "device nodes, or a variable hides the GPUs.",
     "hipwright doctor; check HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES; in a container: "
     "--device=/dev/kfd --device=/dev/dri"},
    {"container", "The job's container did not start", Fault::kRunner, 79,
     R"(failed to start containers|custom container implementation failed|permission denied while trying to connect to the Docker daemon|Cannot connect to the Docker daemon|Error response from daemon|docker: command not found|pull access denied)",
     "Docker, or the runner's own container hook, failed before a step of the job ran.",
     "docker info as the account of the runner's service; sudo usermod -aG docker ACCOUNT, "
     "then restart the service"},
    {"package-lock", "Another program is installing packages", Fault::kRunner, 79,
     R"(could not get lock|dpkg frontend lock|waiting for cache lock|dpkg was interrupted|is another process using it)",
     "The package manager's lock is held, usually by automatic upgrades.",
     "Run the job again; on the runner: systemctl disable --now unattended-upgrades; apt-get "
     "-o DPkg::Lock::Timeout=300"},
    {"network", "A host could not be reached", Fault::kRunner, 78,
     R"(could not resolve host|temporary failure (in name resolution|resolving)|connection (timed out|refused|reset)|failed to connect to|network is unreachable|SSL_ERROR|certificate verify failed|(502|503|504) (Bad Gateway|Service Unavailable|Gateway)|ReadTimeoutError|TLS handshake timeout|unexpected EOF while reading|429 Too Many Requests|requested URL returned error: (5\d\d|429)|RPC failed|early EOF|remote end hung up|ECONNRESET|ETIMEDOUT|EAI_AGAIN|Connection aborted)",
     "A download failed. If it fails again, the runner lacks outbound access or a proxy "
     "setting.",
     "Run the job again; curl -sSI https://HOST on the runner; set HTTPS_PROXY for its "
     "service"},
    {"deprecated-action", "An action's version was switched off", Fault::kSetup, 77,
     R"(uses a deprecated version of .?actions/)",
     "GitHub fails jobs that use versions of its actions beyond their end.",
     "Use the version that the message links to, pinned by its commit; hipwright ci check"},
    {"git-ownership", "Git does not trust the checkout's owner", Fault::kSetup, 76,
     R"(detected dubious ownership in repository)",
     "The directory belongs to another account than the one that runs git, as in a container "
     "that runs as root.",
     "git config --global --add safe.directory \"$GITHUB_WORKSPACE\" in the container"},
    {"git-access", "A repository may not be read", Fault::kSetup, 75,
     R"(could not read Username for|terminal prompts disabled|Permission denied \(publickey\)|remote: Repository not found|Authentication failed for)",
     "The job's token reaches only its own repository: a private submodule, or a repository "
     "that does not exist, needs another.",
     "actions/checkout with token: of an app or account that may read it; compare the address "
     "in .gitmodules"},
    {"missing-tool", "A program is not in PATH", Fault::kSetup, 74,
     R"(\b(hipcc|hipconfig|rocminfo|amdclang(\+\+)?|cmake|ninja|ccache|rocm-smi|amd-smi|make|clang(\+\+)?|python3?|nvcc|pytest|git|cl)(\.exe)?'?:? (command )?not found|'?\w+'? is not recognized as an internal or external command|The term '\S+' is not recognized|exit code 127\b|No CMAKE_\w+_COMPILER could be found|FileNotFoundError: .{0,40}No such file or directory: '(\S*/)?(hipcc|hipconfig|rocminfo|rocm-smi|amd-smi|rocprofv3|amdclang(\+\+)?|cmake|ninja|git|make)')",
     "A step calls a program that is not installed, or whose directory an earlier step added "
     "to its own PATH only.",
     "echo /opt/rocm/bin >> \"$GITHUB_PATH\" in an earlier step; hipwright doctor lists what "
     "is missing"},
    {"rocm-not-found",
     "ROCm is not installed, or not where the build looks", Fault::kSetup, 73, R"(Failed to find ROCm root directory|cannot find (HIP runtime|ROCm installation)|hip/hip_\w+\.h'? ?(file not found|: No such file)|hip/hip_\w+\.h: No such file|cannot open source file .hip/|Specify HIP_ROOT_DIR|Could NOT find (HIP|ROCM)\b)",
     "CMake or the compiler finds neither HIP's headers nor the directory that contains them.",
     "hipwright doctor; ROCM_PATH=/opt/rocm and CMAKE_PREFIX_PATH=$ROCM_PATH; without ROCm on "
     "the machine: hipwright sdk path"},
    {"wheel-index", "The package index has no such wheel", Fault::kSetup, 72,
     R"(No matching distribution found|Could not find a version that satisfies|is not a supported wheel on this platform|ResolutionImpossible|conflicting dependencies|requires a different Python|404.{0,60}/whl/|THESE PACKAGES DO NOT MATCH THE HASHES)",
     "pip found no wheel for this version, Python and platform in the index: PyTorch's index "
     "for ROCm has one directory per ROCm release.",
     "Compare the index (https://download.pytorch.org/whl/rocmX.Y), the version and python "
     "--version; the ROCm release must also fit the driver"},
    {"package-index", "The distribution's package is not found", Fault::kSetup, 71,
     R"(Unable to locate package|has no installation candidate|NO_PUBKEY|The repository .{0,200} is not signed|does not have a Release file|Hash Sum mismatch|nothing provides |No match for argument|Unable to find a match)",
     "The package sources lack ROCm's repository or its key, or the package has another name "
     "in this release.",
     "hipwright doctor --profile linux-runner; compare /etc/apt/sources.list.d/rocm.list with "
     "the ROCm release"},
    {"missing-library", "A shared library is not found at run time", Fault::kSetup, 70,
     R"(cannot open shared object file|DLL load failed|The specified module could not be found|image not found|version `?GLIBC\S* not found|version `?GLIBCXX\S* not found|(error )?126\b.{0,40}amdhip64)",
     "The program or extension was linked with a library that the loader does not find on this "
     "machine, or that is older here.",
     "Add ROCm's lib directory to LD_LIBRARY_PATH, install the ROCm release that the wheel was "
     "built for, or bundle the library: hipwright ci wheel-check"},
    {"library-version", "A library is of another version than the program was built with",
     Fault::kSetup, 69,
     R"((ImportError|OSError|symbol lookup error)\b.{0,300}undefined symbol|symbol lookup error)",
     "The loader found the library, but it lacks a symbol: two ROCm releases, or two builds of "
     "PyTorch, are mixed.",
     "ldd FILE shows which library is found; build against the installed release, or take it "
     "out of LD_LIBRARY_PATH"},
    {"missing-link-library", "The linker does not find a library", Fault::kSetup, 68,
     R"(unable to find library -l|cannot find -l|LNK1181|LNK1104|could not open '\S+\.lib'|library not found for -l|Could NOT find (hip|roc)|Could not find a package configuration file provided by "?(hip|roc))",
     "A ROCm library that the build wants is not installed, or not in the linker's path.",
     "sudo apt-get install hipblaslt (or the package of the named library); elsewhere "
     "installed: ROCM_EXTRA_LIB_DIRS, CMAKE_PREFIX_PATH=/opt/rocm"},
    {"no-targets", "The build has no target", Fault::kSetup, 67,
     R"(Failed to find a default HIP architecture|HIP_ARCHITECTURES is empty for target|HIP_ARCHITECTURES must be (non-empty|valid))",
     "CMake asks the machine's GPU for a target when none is named, and this machine has none.",
     "cmake -DCMAKE_HIP_ARCHITECTURES=gfx942; hipwright ci arches --default gfx942 --format "
     "cmake"},
    {"torch-without-rocm", "PyTorch is not a ROCm build", Fault::kSetup, 66,
     R"(Torch not compiled with CUDA enabled|torch\.version\.hip\D{0,10}None|No CUDA runtime is found, using CUDA_HOME|CUDA_HOME environment variable is not set)",
     "The installed PyTorch is a CPU or CUDA build, so nothing in it knows an AMD GPU.",
     "pip install --force-reinstall torch --index-url "
     "https://download.pytorch.org/whl/rocm6.4"},
    {"compiler-crash", "The compiler gave up", Fault::kSetup, 65,
     R"(PLEASE submit a bug report|frontend command failed (with exit code|due to signal)|ran out of registers|fatal error: error in backend|LLVM ERROR: )",
     "The compiler crashed, or found no way to compile a kernel for this target. The code may "
     "be right.",
     "Compile the named file alone, for one target and with -O1; try another ROCm release; "
     "hipwright cc uses clang 22"},
    {"missing-artifact", "An artifact of another job does not exist", Fault::kSetup, 64,
     R"(Artifact not found for name|Unable to (find|download) (any )?artifact|No artifacts found)",
     "The job that uploads it failed, was skipped, or gives it another name, for example in a "
     "matrix.",
     "Compare the names in upload-artifact and download-artifact, and needs:; hipwright ci "
     "check"},
    {"device-library", "The compiler does not find the device libraries", Fault::kSetup, 63,
     R"(cannot find ROCm device library( for ABI version|[.;])|undefined (hidden )?symbol: __(ockl|ocml)_)",
     "Device functions of ROCm (ockl, ocml) are bitcode files that clang links into every "
     "kernel. They are not installed, or of another layout than this clang expects.",
     "apt-get install rocm-device-libs; or HIP_DEVICE_LIB_PATH=DIRECTORY with ocml.bc; "
     "hipwright cc brings its own"},
    {"cuda-only-import", "A Python module exists for CUDA only", Fault::kCode, 62,
     R"((ModuleNotFoundError|ImportError).{0,80}(cuda|cupy|apex|xformers|flash_attn|nvidia|pynvml|tensorrt|cutlass|transformer_engine|bitsandbytes)|libcud(a|art|nn)\S*: cannot open|libcublas\S*: cannot open|libnvrtc\S*: cannot open|Failed to import.{0,40}cuda)",
     "The code imports a module or library that only CUDA installations have.",
     "Guard the import and provide the ROCm module; hipwright lint --select HW7 finds such "
     "imports"},
    {"missing-module", "A Python package is not installed", Fault::kSetup, 61,
     R"(ModuleNotFoundError: No module named|\bpython\S*: No module named )",
     "The environment lacks a package that the program imports.",
     "Add it to what the step installs; python3 -m pip list shows what is there"},
    {"cuda-header", "A CUDA header is included on AMD", Fault::kCode, 60,
     R"((fatal )?error:.{0,20}(cuda\w*|cublas\w*|cudnn\w*|cufft\w*|curand\w*|cusparse\w*|nccl|cub/\S+|thrust/\S+|mma|nvToolsExt|cutlass/\S+)\.h(pp)?\S* ?(file not found|: No such file))",
     "The file was not ported: HIP's compiler has no CUDA headers.", "hipwright port . --diff"},
    {"too-few-gpus", "The machine has fewer GPUs than the test uses", Fault::kSetup, 60,
     R"(invalid device ordinal|hipErrorInvalidDevice\b|device index .{0,20}out of range)",
     "A process asks for a GPU that does not exist here, or that a variable hides.",
     "rocminfo lists the GPUs; check HIP_VISIBLE_DEVICES; skip the test where "
     "torch.cuda.device_count() is smaller"},
    {"broken-compiler", "The compiler does not compile anything", Fault::kSetup, 60,
     R"(is not able to compile a simple test program)",
     "CMake's first test failed: the compiler, its linker or the platform's libraries do not fit "
     "together.",
     "Run the command that CMake prints below it; on Windows in a developer prompt of Visual "
     "Studio; compare CMAKE_HIP_COMPILER with CMAKE_CXX_COMPILER"},
    {"mixed-targets", "Targets that cannot be built together", Fault::kCode, 59,
     R"(invalid offload arch combination|conflicting.{0,40}target ID|cannot combine targets)",
     "One processor is named both with and without features. rocminfo's ISA names, taken by a "
     "pattern, are the usual origin.",
     "hipwright ci arches --format env"},
    {"unknown-target", "The compiler does not know the target", Fault::kCode, 58,
     R"(invalid target ID|unsupported HIP gpu architecture|unknown target CPU|cannot find ROCm device library for|unsupported CUDA gpu architecture|gfx\w+.{0,20}is not a recognized processor)",
     "A gfx name is misspelt, or newer than this compiler.",
     "hipwright arch NAME shows what is known; update ROCm, or correct the list of targets"},
    {"static-assert-mask", "A 32-bit lane mask is passed to a *_sync function", Fault::kCode, 57,
     R"(mask must be a 64-bit integer|static.assert.{0,60}mask)",
     "HIP's shuffle and vote functions want 64-bit masks on all targets.",
     "hipwright lint --select HW2 --fix=unsafe"},
    {"missing-kernel-library", "A ROCm library has no kernels for this GPU", Fault::kSetup, 57,
     R"(Cannot read \S*TensileLibrary|TensileLibrary\S* (not found|: no such file)|kpack: no valid archives|rocBLAS error: .{0,80}TensileLibrary|MIOpen.{0,80}(missing|no suitable) .{0,20}(kernel|algorithm|solution))",
     "rocBLAS, hipBLASLt or MIOpen was installed without the files of this target.",
     "Install the library's package of the whole ROCm release; HSA_OVERRIDE_GFX_VERSION hides "
     "the cause"},
    {"no-code-for-gpu", "The program has no code for this GPU", Fault::kCode, 56,
     R"(hipErrorNoBinaryForGpu|no kernel image is available|invalid device function|hipErrorInvalidDeviceFunction|Unable to find code object|hipErrorInvalidImage|device kernel image is invalid|hipErrorSharedObjectInitFailed|hsa_code_object)",
     "It was built for other targets than the GPU it runs on.",
     "hipwright inspect PROGRAM lists its targets; add the GPU's (hipwright ci arches) to "
     "PYTORCH_ROCM_ARCH or CMAKE_HIP_ARCHITECTURES and build again"},
    {"lds-limit", "A kernel needs more LDS than the GPU has", Fault::kCode, 55,
     R"(local memory \(\d+\) exceeds limit|out of resource: shared memory|shared memory.{0,80}exceed|exceed.{0,40}(shared memory|\bLDS\b)|\bLDS\b.{0,60}exceed)",
     "AMD GPUs have 64 KiB of LDS for a workgroup (gfx950: 160 KiB); CUDA devices allow more.",
     "hipwright arch NAME shows the limit; smaller tiles or fewer stages for AMD"},
    {"gpu-out-of-memory", "The GPU ran out of memory", Fault::kCode, 54,
     R"(HIP out of memory|hipErrorOutOfMemory|CUDA out of memory|OutOfMemoryError|HSA_STATUS_ERROR_OUT_OF_RESOURCES|out of memory.{0,30}(hip|gpu|device))",
     "The test needs more memory than the GPU has free. Another process, or a leak of an "
     "earlier job, can hold the rest.",
     "hipwright doctor (gpu-processes, leaked-vram); smaller sizes; one test process per GPU"},
    {"invalid-launch", "A launch asks for more than the GPU allows", Fault::kCode, 53,
     R"(hipErrorInvalidConfiguration|invalid configuration argument|hipErrorLaunchOutOfResources|too many resources requested for launch|launch_bounds.{0,80}(exceed|smaller|larger|violat))",
     "The block or grid is too large for the device, or for the kernel's __launch_bounds__.",
     "hipwright lint --select HW5; at most 1024 threads in a block, and what __launch_bounds__ "
     "says"},
    {"memory-access-fault", "A kernel accessed memory that it does not own", Fault::kCode, 52,
     R"(Memory access fault by GPU|Page not present or supervisor privilege|HSA_STATUS_ERROR_MEMORY_(APERTURE|FAULT)|hipErrorIllegalAddress|illegal memory access|hipErrorLaunchFailure|unspecified launch failure)",
     "A kernel read or wrote outside its buffers, or used a buffer after it was freed.",
     "hipwright run PROGRAM on the software GPU names the kernel, the line and the buffer"},
    {"hsa-exception", "A kernel raised a hardware exception", Fault::kCode, 51,
     R"(HSA_STATUS_ERROR_(EXCEPTION|INVALID_ISA|ILLEGAL_INSTRUCTION|INVALID_PACKET|INVALID_ALLOCATION)|HSA_STATUS_ERROR\b|HSA_STATUS_ERROR:)",
     "The queue stopped with an exception: an illegal instruction, a trap (assert), or code "
     "for another target.",
     "hipwright run PROGRAM on the software GPU; hipwright inspect PROGRAM for its targets"},
    {"collective-failure", "A collective operation between GPUs failed", Fault::kCode, 49,
     R"(Watchdog caught collective|[NR]CCL WARN .{0,120}(fail|error)|[NR]CCL error|ncclUnhandled|ncclSystemError|DistBackendError|DistStoreError|DistNetworkError|NCCL operations have failed or timed out|unhandled (cuda|hip|system) error)",
     "RCCL failed, or one process never entered the operation that the others wait in.",
     "NCCL_DEBUG=INFO; look for the first process that failed; hipwright doctor shows GPUs "
     "that are in use"},
    {"undefined-symbol", "The linker misses a symbol", Fault::kCode, 48,
     R"(undefined( hidden| protected)? (symbol|reference)|unresolved external symbol|LNK2019|LNK2001|multiple definition of|duplicate symbol)",
     "Code calls a function that no linked file or library defines: a library that is not "
     "linked, or a CUDA function without a HIP counterpart.",
     "Link the library that defines it; hipwright api NAME shows the counterpart of a CUDA "
     "name"},
    {"no-tests-ran", "No test ran", Fault::kCode, 46,
     R"(no tests ran|collected 0 items|No tests were found|0 tests from 0 test)",
     "The selection matches nothing, so the job proves nothing.",
     "Correct the -m, -k or -R expression; pytest exits with 5 for it"},
    {"compile-error", "The code does not compile", Fault::kCode, 40,
     R"(\S+\.(hip|cu|cuh|cpp|cc|cxx|c|h|hpp):\d+:\d+: (fatal )?error:|error C\d{4}:|\d+ errors? generated)",
     "The compiler rejects the source at the named line.",
     "hipwright lint FILE; hipwright port --compile for ported sources"},
    {"numerical-mismatch", "Results differ", Fault::kCode, 38,
     R"(Tensor-likes are not close|Mismatched elements|not equal to tolerance|max(imum)? (abs\w*|relative) (difference|error))",
     "The program runs, and its results are outside the tolerance.",
     "hipwright verify compares wave32 with wave64 and with golden results"},
    {"timeout", "The job exceeded its time limit", Fault::kRunner, 30,
     R"(exceeded the maximum execution time|timed? ?out after|has timed out|Timeout >?\d|TimeoutError|TimeoutExpired|\*\*\*Timeout|The operation was canceled)",
     "It did not end in time. On GPU machines a hung kernel is more frequent than a slow test.",
     "Look for the last test that started; run it with a limit of its own (pytest --timeout); "
     "hipwright doctor on the runner"},
    {"crash", "A program crashed", Fault::kCode, 25,
     R"(Segmentation fault|SIGSEGV|signal 11\b|exit code 139|Illegal instruction|SIGILL|\(core dumped\)|stack smashing|double free|corrupted size|Bus error|access violation|0xC0000005)",
     "The host code accessed memory that it does not own, or aborted.",
     "Run the named program alone, under a debugger or with -fsanitize=address"},
    {"python-test-failed", "A Python test failed", Fault::kCode, 20,
     R"(^FAILED \S+\.py::|AssertionError|\d+ failed.{0,40} in [\d.]+s)",
     "An assertion does not hold.", "Run the named test alone: pytest -x TEST"},
    {"test-failure", "A test failed", Fault::kCode, 19,
     R"(^\[  FAILED  \] |\d+ FAILED TESTS?\b|tests failed out of \d+|The following tests FAILED)",
     "An expectation does not hold.", "Run the named test alone: --gtest_filter, or ctest -R"},
};

}  // namespace

std::span<const Cause> causes() {
  return kCauses;
}

}  // namespace hipwright::ci
