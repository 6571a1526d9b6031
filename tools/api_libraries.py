# SPDX-License-Identifier: MIT
"""What tools/api_tables.py knows of each library: its CUDA headers, which of their names count, the HIP
components that answer, and the ways in which a HIP name may be made of a CUDA name. A way only proposes:
a name is taken when HIP's headers declare it."""
import dataclasses
import re
from typing import Callable


@dataclasses.dataclass
class Library:
    name: str
    headers: list  # below the toolkit's include folder
    names: str  # regular expression: the names that belong to the library
    parts: list  # folders of a release
    rules: list  # (from, to): the head of the table
    ways: Callable = None  # more proposals, best first
    probe: bool = False  # ask the compiler, not the headers: names come from macros and from clang
    skip: str = "$^"
    # Of names without counterpart only these are worth a line: a toolkit's own headers are full of words.
    missing: str = ".*"
    # HIP keeps what newer toolkits dropped: its names, turned back by the rules, are CUDA names of old.
    keeps_old: bool = False


def parts_of(name):
    """CU_MEMORYTYPE_HOST or cudaMemcpyKind → lower-case letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def without_version(name):
    return re.sub(r"_v\d+(_64)?$", r"\1", name)


def shorter_attributes(name):
    """HIP has one limit of a texture or surface where CUDA has one per dimension."""
    yield re.sub(r"(?i)_?(width|height|depth|pitch)(_?alt(ernate)?)?$", r"\2", name).replace("Mipmapped", "Mipmap") \
        .replace("MIPMAPPED", "MIPMAP").replace("_ALTERNATE", "_ALT")
    yield name.replace("GlobalMemory", "Memory").replace("GLOBAL_MEMORY", "MEMORY")


def runtime_ways(name):
    if name.startswith("CUDA_"):
        yield "HIP_" + name[5:]
    if name.startswith("make_cuda"):
        yield "make_hip" + name[9:]
    rest = name[4:] if name.startswith("cuda") else ""
    if name.startswith("cudaDevAttr"):
        yield "hipDeviceAttribute" + name[len("cudaDevAttr"):]
        yield "~hipdeviceattribute" + parts_of(name[len("cudaDevAttr"):])
        for shorter in shorter_attributes(name[len("cudaDevAttr"):]):
            yield "~hipdeviceattribute" + parts_of(shorter)
    if rest:
        yield "hip" + without_version(rest)
        yield "hip" + rest + "_t"
        yield "hip" + rest.removesuffix("V2")


# The driver's prefixes of constants that HIP spells in another way; letters only.
DRIVER_PREFIXES = [
    ("CU_DEVICE_P2P_ATTRIBUTE_", "hipdevp2pattr"), ("CU_CTX_SCHED_", "hipdeviceschedule"), ("CU_CTX_", "hipdevice"),
    ("CU_MEMHOSTREGISTER_", "hiphostregister"), ("CU_MEMPOOL_ATTR_", "hipmempool"), ("CU_JIT_", "hipjitoption"),
    ("CU_MEM_ALLOC_GRANULARITY_", "hipmemallocationgranularity"), ("CUDA_ARRAY3D_", "hiparray"),
]


def driver_functions(name):
    # A CUfunction is a hipFunction_t: functions that take one have "Module" or "Drv" in their HIP names, and
    # those without take the address of a kernel.
    yield "hipModule" + name[2:]
    yield "hipDrv" + name[2:]
    yield "hip" + name[2:]
    for old, new in (("cuMemAlloc", "hipMalloc"), ("cuMemFree", "hipFree"), ("cuMemHost", "hipHost")):
        if name.startswith(old):
            yield new + name[len(old):]


def driver_ways(name):
    """The driver's C spelling (CU_STREAM_NON_BLOCKING, CUstream, CUmemorytype_enum) in HIP's camel case.
    A '~' asks for the same letters, whatever their case."""
    name = without_version(name)
    if name.startswith("cu"):
        yield from driver_functions(name)
        return
    if name == "CUDA_SUCCESS":
        yield "hipSuccess"
    elif name.startswith("CUDA_ERROR_"):
        yield "~hiperror" + parts_of(name[len("CUDA_ERROR_"):])
        return
    old = next(old for old in ("CUDA_", "CU_", "CU") if name.startswith(old))
    rest = re.sub(r"_enum$", "", name[len(old):])
    yield "HIP" + name.removesuffix("_enum")[4 if old == "CUDA_" else 2:]
    if old == "CU":
        yield "hip" + rest[:1].upper() + rest[1:] + "_t"  # the handle, not the structure behind it
        yield "hip" + rest[:1].upper() + rest[1:]
        yield "~hip" + parts_of(rest) + "t"
    yield "~hip" + parts_of(rest)
    yield "~hip" + parts_of(rest) + "t"
    yield "~hip" + parts_of(rest).replace("attribute", "attr") + "t"
    yield "~hip" + parts_of(rest).replace("attribute", "attr")
    for prefix, new in DRIVER_PREFIXES:
        if name.startswith(prefix):
            yield "~" + new + parts_of(name[len(prefix):])
    if name.startswith("CU_DEVICE_ATTRIBUTE_"):
        long = rest.replace("MAXIMUM", "MAX")
        yield "~hip" + parts_of(long)
        for shorter in shorter_attributes(long):
            yield "~hip" + parts_of(shorter)


def blas_ways(name):
    yield "hip" + without_version(name)[2:] if name.startswith("cublas") else "HIP" + name[2:]


def rand_ways(name):
    if name.startswith("curand"):
        yield "hip" + name[2:]
        yield "hip" + name[2:] + "_t"
        yield "hip" + name[2:].removesuffix("_t")
    else:
        yield "HIP" + name[2:]


def plain_ways(name):
    yield ("HIP" if name.startswith("CU") else "hip") + without_version(name)[2:]


def solver_ways(name):
    yield from plain_ways(name)
    # hipSOLVER has the Dn functions twice; those with cuSOLVER's arguments keep the "Dn".
    if name.startswith("cusolverStatus") or name.startswith("cusolverEig"):
        yield "hip" + name[2:]


def sparse_ways(name):
    if name.lower().startswith("cusparse"):
        yield from plain_ways(name)
    else:
        yield name


def dnn_ways(name):
    yield "miopen" + name[5:]
    if name.startswith("CUDNN_"):
        yield "~miopen" + parts_of(name[6:])


def half_ways(name):
    yield name
    for old, new in (("__nv_", "__hip_"), ("__NV_", "__HIP_"), ("nv_", "__hip_"), ("nv_", "hip_"), ("NV_", "HIP_")):
        if name.startswith(old):
            yield new + name[len(old):]


def complex_ways(name):
    yield name.replace("cu", "hip", 1)


def same(name):
    yield name
    if name.startswith("CUDART_"):
        yield "HIP" + name[6:]


LIBRARIES = [
    Library("runtime",
            ["cuda_runtime_api.h", "driver_types.h", "cuda_runtime.h", "library_types.h", "surface_types.h",
             "texture_types.h", "cuda_device_runtime_api.h", "cuda_gl_interop.h", "driver_functions.h",
             "channel_descriptor.h"],
            r"cuda[A-Z]\w*|cuda_\w+|CUDA_[RC]_\d\w*|CUDART_VERSION|CUDA_IPC_HANDLE_SIZE|make_cuda\w+",
            ["hip", "hipamd", "bindings", "sdk"],
            [("cudaDevAttr", "hipDeviceAttribute"), ("cuda", "hip"), ("CUDA_", "HIP_"), ("make_cuda", "make_hip")],
            runtime_ways, skip=r".*_(ptsz|ptds|st|v\d+)$|cudaProfiler(Start|Stop)$|cudaAsyncNotificationInfo$"),
    Library("driver", ["cuda.h", "cudaGL.h"], r"cu[A-Z]\w*|CU[a-z]\w*|CU_\w+|CUDA_\w+|CUGL\w*|CUGraphDevice\w*",
            ["hip", "hipamd", "bindings", "sdk"], [("cu", "hip")], driver_ways,
            skip=r".*_(ptsz|ptds|st|union)$|CUDA_CB|CUDA_[RC]_\d\w*|CUDAAPI|CU_\w+_MAX$|CUDA_VERSION"),
    Library("rtc", ["nvrtc.h"], r"nvrtc\w*|NVRTC_\w+", ["hip", "hipamd", "sdk"],
            [("nvrtc", "hiprtc"), ("NVRTC_", "HIPRTC_")], lambda n: [n.replace("nvrtc", "hiprtc").replace("NVRTC", "HIPRTC")]),
    Library("blas", ["cublas_v2.h", "cublas_api.h", "cublas.h", "cublasXt.h"], r"cublas[A-Z]\w*|CUBLAS_\w+",
            ["hipblas", "hipblas-common"], [("cublas", "hipblas"), ("CUBLAS_", "HIPBLAS_")], blas_ways,
            skip=r"CUBLAS\w*_H_|CUBLASAPI|CUBLASWINAPI"),
    Library("blaslt", ["cublasLt.h"], r"cublasLt\w*|CUBLASLT_\w+", ["hipblaslt", "hipblas-common"],
            [("cublasLt", "hipblasLt"), ("CUBLASLT_", "HIPBLASLT_")], plain_ways),
    Library("rand", ["curand.h", "curand_kernel.h", "curand_uniform.h", "curand_normal.h", "curand_lognormal.h",
                     "curand_poisson.h", "curand_discrete.h", "curand_discrete2.h", "curand_globals.h",
                     "curand_philox4x32_x.h", "curand_mrg32k3a.h", "curand_mtgp32.h", "curand_mtgp32_host.h",
                     "curand_mtgp32_kernel.h"],
            r"curand\w*|CURAND_\w+", ["hiprand", "rocrand"], [("curand", "hiprand"), ("CURAND_", "HIPRAND_")], rand_ways,
            skip=r"\w*_H_|CURAND_\w+_H_?|CURAND_(2POW|SQRT|PI|N\b|M\b)\w*|\w*_st$"),
    Library("fft", ["cufft.h", "cufftXt.h"], r"cufft\w*|CUFFT_\w+", ["hipfft"],
            [("cufft", "hipfft"), ("CUFFT_", "HIPFFT_")], plain_ways),
    Library("sparse", ["cusparse.h", "cusparse_v2.h"], r"cusparse\w*|CUSPARSE_\w+|\w+(Info|Info_t)", ["hipsparse"],
            [("cusparse", "hipsparse"), ("CUSPARSE_", "HIPSPARSE_"), ("", "")], sparse_ways, keeps_old=True,
            skip=r"CUSPARSE_DEPRECATED\w*|CUSPARSEAPI"),
    Library("solver", ["cusolver_common.h", "cusolverDn.h", "cusolverSp.h", "cusolverRf.h", "cusolverMg.h",
                       "cusolverSp_LOWLEVEL_PREVIEW.h"],
            r"cusolver\w*|CUSOLVER\w+|CUBLAS_LOC\w*|csrqrInfo\w*|csrcholInfo\w*|csrluInfoHost\w*|gesvdjInfo\w*|syevjInfo\w*",
            ["hipsolver"], [("cusolver", "hipsolver"), ("CUSOLVER_", "HIPSOLVER_")], solver_ways, skip=r"CUSOLVERAPI|CUSOLVER_CPP\w*"),
    Library("dnn", ["cudnn_version.h", "cudnn_graph.h", "cudnn_ops.h", "cudnn_cnn.h", "cudnn_adv.h", "cudnn_backend.h"],
            r"cudnn\w*|CUDNN_\w+", ["miopen"], [("cudnn", "miopen")], dnn_ways, skip=r"CUDNN_\w*_H_?|CUDNNWINAPI|CUDNN_DEPRECATED\w*"),
    Library("nccl", ["nccl.h"], r"nccl\w*|NCCL_\w+", ["rccl"], [("nccl", "nccl"), ("NCCL_", "NCCL_")], same, skip=r"NCCL_H_"),
    Library("nvtx", ["nvtx3/nvToolsExt.h", "nvtx3/nvToolsExtCudaRt.h", "nvtx3/nvToolsExtCuda.h", "nvtx3/nvToolsExtSync.h"],
            r"nvtx\w*|NVTX_\w+", ["roctracer", "rocprofiler"], [("nvtx", "roctx")],
            lambda n: [n.replace("nvtx", "roctx")],
            skip=r"NVTX_(INLINE|STDINT|LIKELY|UNLIKELY|DECL|API|VERSIONED|NO_|NULL|SCOPED|IMPL|STR|MALL|STATIC|DYNA|REG|TYPE_)\w*|NVTX_\w*_H\w*"),
    Library("profiler", ["cuda_profiler_api.h", "cudaProfiler.h"], r"cudaProfiler\w+|cuProfiler\w+", ["hip", "hipamd", "bindings", "sdk"],
            [("cuda", "hip"), ("cu", "hip")], lambda n: ["hip" + re.sub("^cu(da)?", "", n)]),
    Library("complex", ["cuComplex.h"], r"cu[A-Z]\w*|make_cu\w+", ["hipamd", "sdk"],
            [("cuC", "hipC"), ("cu", "hip"), ("make_cu", "make_hip")], complex_ways, probe=True, skip="CU_COMPLEX_H_"),
    Library("half", ["cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"],
            r"__half\w*|half2?|(nv_|__nv_)b?f\w+|__nv_cvt\w+|__nv_\w+_t|__NV_\w+|__\w*(half|bfloat16|hi|lo|low|high)\w*|h[a-z0-9]\w*|__h[a-z0-9]\w*"
            r"|make_half\w*|make_bfloat\w*|__\w*2bf\w+|__ld\w+|__st\w+|__shfl\w+|make_\w+|atomicAdd",
            ["hipamd", "hip", "sdk"], [("__nv_", "__hip_"), ("__NV_", "__HIP_"), ("", "")], half_ways, probe=True,
            skip=r"__CUDA\w*|__local_\w+|__shfl\w+|__ld\w+|__st\w+|atomicAdd|__host__|make_\w+4|__nv_half\w*|__half_\w*raw_\w*"),
    Library("device",
            ["crt/device_functions.h", "crt/math_functions.h", "crt/device_double_functions.h", "crt/common_functions.h",
             "device_atomic_functions.h", "sm_20_atomic_functions.h", "sm_32_atomic_functions.h", "sm_35_atomic_functions.h",
             "sm_60_atomic_functions.h", "sm_20_intrinsics.h", "sm_30_intrinsics.h", "sm_32_intrinsics.h", "sm_35_intrinsics.h",
             "sm_61_intrinsics.h", "crt/sm_70_rt.h", "crt/sm_80_rt.h",
             "crt/sm_90_rt.h", "vector_types.h", "vector_functions.h",
             "cuda_pipeline_primitives.h", "cuda_awbarrier_primitives.h", "math_constants.h", "crt/host_defines.h"],
            r"[a-z]\w*|__[a-z]\w*|CUDART_\w+", ["hipamd", "hip", "sdk"], [("CUDART_", "HIP_"), ("", "")], same, probe=True,
            skip=r"cuda\w+|cu[A-Z]\w*|__cuda\w*|__nv_?\w*|__device_builtin\w*|__builtin\w*|__specialization_static|std|__signbit\w*|__isnan\w*"
                 r"|__isinf\w*|__finite\w*|__internal\w*|__T\w+|__f?_?impl\w*|memcpy|memset|clock$|__dadd_\w+x|__pipeline_\w*helper\w*"
                 r"|__mbarrier_\w+helper\w*|__try_\w+|__\w+_helper|operator\w*|ret|__location__|__cdecl|__assert\w*|__libcpp\w*|__cmath\w*|__pm\d|__isfinite\w*|__local_\w+|__no_\w*|align\w*",
            missing=r"__\w+[a-z0-9]|CUDART_\w+"),
    Library("texture", ["texture_indirect_functions.h", "surface_indirect_functions.h"], r"tex[A-Z123]\w*|surf[A-Z123]\w*",
            ["hipamd", "sdk"], [("", "")], same, probe=True),
]

# Where the names of the tables by hand are looked for; a library that is missing here has no date to find.
PARTS = {library.name: library.parts for library in LIBRARIES} | {
    "cub": ["hipcub"], "nvml": ["amdsmi"], "groups": ["hipamd", "hip", "sdk"], "texture": ["hip", "hipamd", "sdk"],
    "rand": ["hiprand", "rocrand"],
}
