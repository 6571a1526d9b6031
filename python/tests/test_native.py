# SPDX-License-Identifier: MIT
import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import time
import os

import pytest

import hipwright

pytest.importorskip("hipwright._core", reason="not run: the package was installed without its compiled module")

SOURCE = """\
template <class T> __global__ void scale(const T* x, T* y, T factor, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
template __global__ void scale<float>(const float*, float*, float, unsigned);
"""
PLAIN = """\
extern "C" __global__ void fill(int* y, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = value;
}
"""
SLOW = """\
extern "C" __global__ void slow(int* y, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += i ^ y[0];
  y[threadIdx.x] = sum;
}
"""


@pytest.fixture(params=["soft:gfx942", "soft:gfx1100"])
def backend(request, monkeypatch):
    monkeypatch.setenv("HIPWRIGHT_DEVICE", request.param)
    backend = hipwright.AMDBackend()
    yield backend
    backend.cleanup()


@pytest.fixture
def soft(monkeypatch):
    monkeypatch.setenv("HIPWRIGHT_DEVICE", "soft:gfx942")
    return hipwright.AMDBackend()


def test_device(backend):
    info = backend.get_device_info()
    assert backend.is_available() and backend.device.type == "soft" and not backend.fallback_reason
    assert info["id"] == str(backend.device) and info["wave_size"] == (64 if "gfx942" in info["id"] else 32)
    assert backend.device == backend.devices[0] and len({backend.device, backend.devices[0]}) == 1


def test_kernel_over_buffers(backend):
    np = pytest.importorskip("numpy", reason="not run: numpy is not installed")
    scale = backend.load_kernel(SOURCE, "scale<float>")
    assert scale.argument_sizes() == [8, 8, 4, 4]
    x = np.arange(1000, dtype=np.float32)
    memory, utils = backend.memory(), backend.utilities()
    source, target = memory.allocate(x.nbytes, purpose="weights"), memory.allocate(x.nbytes)
    utils.copy_to_device(source, x)
    backend.launch(scale, (8,), 128, source, target, 3, 1000)  # an int for a float parameter
    y = np.empty_like(x)
    utils.copy_to_host(y, target)
    assert (y == 3 * x).all()
    assert {each["purpose"] for each in memory.get_live_allocations()} == {"weights", "other"}


def test_views_share_memory_and_keep_it(soft):
    np = pytest.importorskip("numpy", reason="not run: numpy is not installed")
    memory = soft.memory()
    fill = soft.load_kernel(PLAIN, "fill")
    buffer = memory.allocate(400)
    view = np.asarray(buffer.view("int32", (10, 10)))
    soft.launch(fill, 1, 128, buffer, 7, 100)
    soft.synchronize()
    assert view.shape == (10, 10) and (view == 7).all()
    assert view.ctypes.data == buffer.data_ptr
    assert memoryview(buffer.view("int32"))[99] == 7
    assert np.from_dlpack(buffer).dtype == np.uint8 and len(np.from_dlpack(buffer)) == 400
    buffer.free()
    with pytest.raises(ValueError, match="freed"):
        buffer.data_ptr
    del buffer
    gc.collect()
    view[:] = 8  # its memory is still there
    assert memory.get_memory_stats().live_buffers == 1
    del view
    gc.collect()
    assert memory.get_memory_stats().live_buffers == 0


def test_host_arrays_without_a_copy(soft):
    np = pytest.importorskip("numpy", reason="not run: numpy is not installed")
    fill = soft.load_kernel(PLAIN, "fill")
    x = np.zeros(100, np.int32)
    with pytest.raises(ValueError, match="register_host"):
        soft.launch(fill, 1, 128, x, 5, 100)
    with soft.utilities().register_host(x) as registered:
        soft.launch(fill, 1, 128, x, 5, 100)
        assert registered.data_ptr == x.ctypes.data
    assert (x == 5).all()  # released after the kernel
    with pytest.raises(ValueError, match="not contiguous"):
        soft.utilities().register_host(x[::2])
    pinned = soft.utilities().allocate_pinned(400)
    soft.launch(fill, 1, 128, pinned, 6, 100)
    soft.synchronize()
    assert (np.asarray(pinned.view("int32")) == 6).all()


def test_torch_tensors_without_a_copy(soft):
    torch = pytest.importorskip("torch", reason="not run: torch is not installed")
    fill = soft.load_kernel(PLAIN, "fill")
    x = torch.zeros(100, dtype=torch.int32)
    with soft.utilities().register_host(x):
        soft.launch(fill, 1, 128, x, 5, 100)
    assert (x == 5).all()
    buffer = soft.memory().allocate(400)
    soft.launch(fill, 1, 128, buffer, 9, 100)
    soft.synchronize()
    assert (torch.from_dlpack(buffer.view("int32")) == 9).all()


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ((1, 2), TypeError, "takes 3 arguments, got 2"),
        ((None, 2**40, 1), ValueError, "does not fit in 32 bits"),
        ((None, "two", 1), TypeError, "a value of type str is no kernel argument"),
    ],
)
def test_wrong_arguments_are_rejected(soft, arguments, error, text):
    fill = soft.load_kernel(PLAIN, "fill")
    with pytest.raises(error, match=text):
        soft.launch(fill, 1, 64, *arguments)


def test_the_signature_decides_what_a_number_is(soft):
    scale = soft.load_kernel(SOURCE, "scale<float>")
    with pytest.raises(TypeError, match="a float for a parameter of type unsigned int"):
        soft.launch(scale, 1, 64, None, None, 1.0, 2.0)
    with pytest.raises(TypeError, match="an int for a parameter of type float const"):
        soft.launch(scale, 1, 64, 1234, None, 1.0, 2)
    with pytest.raises(ValueError, match="-1 does not fit"):
        soft.launch(scale, 1, 64, None, None, 1.0, -1)
    soft.launch(scale, 1, 64, None, None, ctypes.c_float(1), ctypes.c_uint(0))
    soft.synchronize()


def test_streams_events_and_graphs(soft):
    np = pytest.importorskip("numpy", reason="not run: numpy is not installed")
    utils = soft.utilities()
    fill = soft.load_kernel(PLAIN, "fill")
    buffer = soft.memory().allocate(256)
    first, second = utils.create_stream("first"), utils.create_stream("second", priority=-1)
    begin, end = utils.create_event(), utils.create_event()
    with utils.stream_context(first):
        assert utils.current_stream() == first
        begin.record()
        soft.launch(fill, 1, 64, buffer, 1, 64)
        end.record()
    second.wait(end)
    second.synchronize()
    assert end.reached() and begin.elapsed_ms(end) > 0
    assert utils.stream_names() == ["first", "second"]

    graph = utils.capture_graph("step", lambda stream: soft.launch(fill, 1, 64, buffer, 2, 64, stream=stream))
    graph.replay()
    soft.synchronize()
    assert (np.asarray(buffer.view("int32")) == 2).all() and graph.kernels() == ["fill"]
    graph.set_arguments(0, fill, soft.device, buffer, 3, 64)
    graph.replay()
    soft.synchronize()
    assert (np.asarray(buffer.view("int32")) == 3).all()
    with pytest.raises(hipwright.GraphCaptureError, match="cannot be captured"):
        utils.capture_graph("wrong", lambda stream: soft.synchronize())


def test_an_exception_of_captured_work_is_raised(soft):
    def work(stream):
        raise KeyError("from Python")

    with pytest.raises(KeyError, match="from Python"):
        soft.utilities().capture_graph("raises", work)
    soft.synchronize()  # the device works on


def test_waiting_lets_other_threads_run(soft):
    slow = soft.load_kernel(SLOW, "slow")
    buffer = soft.memory().allocate(256)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = time.monotonic()
    soft.launch(slow, 1, 64, buffer, 300_000)
    soft.synchronize()
    after = time.monotonic()
    done.set()
    thread.join()
    # With the GIL held there would be none but at the ends.
    assert any(before + (after - before) / 4 < each < after - (after - before) / 4 for each in ticks)


def test_errors_carry_their_details(soft, monkeypatch):
    with pytest.raises(hipwright.HIPCompilationError) as raised:
        soft.load_kernel("__global__ void broken() { unknown(); }", "broken")
    (message, *_) = raised.value.messages
    assert message.severity == "error" and message.line == 1 and "unknown" in raised.value.log
    with pytest.raises(hipwright.ROCmMemoryError):
        soft.memory().allocate(1 << 50)
    monkeypatch.setenv("HIPWRIGHT_DEVICE", "soft:gfx000")
    with pytest.raises(hipwright.AMDBackendError, match="gfx000"):
        hipwright.AMDBackend()
    with pytest.raises(hipwright.AMDConfigurationError) as wrong:
        hipwright.AMDConfig(memory_pol_size_gb=1)
    assert "memory_pool_size_gb" in str(wrong.value) and wrong.value.problems
    with pytest.raises(hipwright.AMDConfigurationError, match="optimization_level"):
        hipwright.AMDConfig(optimization_level="balanced")


def test_settings():
    config = hipwright.AMDConfig(architecture=hipwright.AMDArchitecture.CDNA3, memory_pool_size_gb=16)
    assert config.memory_pool_size_gb == 16.0 and config.device_id is None
    effective = config.effective("gfx942")
    assert effective.values["memory_pool_size_gb"] == 16.0
    assert next(row.origin for row in effective.rows if row.field == "memory_pool_size_gb") == "code"
    assert hipwright.AMDConfig.from_toml("max_memory_fraction = 0.5").max_memory_fraction == 0.5
    with pytest.raises(TypeError, match="device_id"):
        hipwright.AMDConfig(device_id="first")


def test_parts_of_a_backend_outlive_cleanup(soft):
    memory = soft.memory()
    memory.allocate(100)
    soft.cleanup()
    assert memory.get_memory_stats().live_buffers == 0
    kernel = soft.load_kernel(PLAIN, "fill")
    del soft
    gc.collect()
    assert kernel.name == "fill"


def test_profile(monkeypatch):
    monkeypatch.setenv("HIPWRIGHT_DEVICE", "soft:gfx942")
    utils = hipwright.HIPUtilities(hipwright.AMDConfig(enable_profiling=True))
    for _ in range(3):
        with utils.profile_region("step"):
            pass
    utils.synchronize()
    assert utils.get_profiling_summary()["regions"]["step"]["count"] == 3


def test_the_cpu_is_the_fallback(tmp_path):
    program = textwrap.dedent(
        """
        import hipwright
        backend = hipwright.AMDBackend()
        print(backend.device.type, backend.is_available(), bool(backend.fallback_reason))
        try:
            hipwright.AMDBackend(hipwright.AMDConfig(enable_strict_validation=True))
        except hipwright.ROCmNotAvailableError as error:
            print(type(error).__name__)
        """
    )
    # A HIP runtime that is not there, so that the test means the same on a machine with a GPU.
    environment = {**os.environ, "HIPWRIGHT_HIP": str(tmp_path / "none.so")}
    environment.pop("HIPWRIGHT_DEVICE", None)
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.split() == ["cpu", "False", "True", "ROCmNotAvailableError"], done.stderr
    assert "warning" in done.stderr


def test_checks_cannot_be_chosen_after_the_backend(tmp_path):
    program = "import hipwright, hipwright.soft\nhipwright.AMDBackend()\nhipwright.soft.load()\n"
    environment = {**os.environ, "HIPWRIGHT_DEVICE": "soft:gfx942"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1 and "before the first AMDBackend" in done.stderr
