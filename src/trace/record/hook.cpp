// SPDX-License-Identifier: MIT
#include "trace/record/hook.h"

namespace hipwright::trace {

const std::string_view kTorchHook =
    R"py(# Written by `hipwright trace record`: profiles from the import of torch to the end of the process.
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys


def _other_sitecustomize():
    """The module of the same name that this one hides."""
    own = os.path.realpath(os.environ.get("HIPWRIGHT_TRACE_FOLDER", ""))
    paths = [path for path in sys.path if os.path.realpath(path or ".") != own]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


def _used_gpu(torch):
    return torch.cuda.is_initialized() and torch.cuda.max_memory_reserved() > 0


def _wrote_ranks(output, since):
    folder, stem = os.path.split(output)
    return any(entry.name.startswith(stem + ".rank") and entry.stat().st_mtime >= since - 1
               for entry in os.scandir(folder))


def _start():
    import atexit
    import inspect
    import time

    import torch

    # Workers of data loaders and launchers are not what is measured: a rank, or the first process.
    rank = os.environ.get("RANK")
    owner = os.environ.setdefault("HIPWRIGHT_TRACE_OWNER", str(os.getpid()))
    if rank is None and owner != str(os.getpid()):
        return
    activities = [torch.profiler.ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    options = {
        "activities": activities,
        "record_shapes": True,
        "with_stack": os.environ.get("HIPWRIGHT_TRACE_STACKS") == "1",
        "profile_memory": os.environ.get("HIPWRIGHT_TRACE_MEMORY") == "1",
    }
    # There is one cycle; this keeps newer versions from warning that only the last one is kept.
    if "acc_events" in inspect.signature(torch.profiler.profile.__init__).parameters:
        options["acc_events"] = True
    profiler = torch.profiler.profile(**options)
    started = os.getpid()
    started_at = time.time()
    profiler.start()

    def finish():
        if os.getpid() != started:  # a forked child
            return
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            torch.cuda.synchronize()
        profiler.stop()
        output = os.environ["HIPWRIGHT_TRACE_OUTPUT"]
        if rank is None and not _used_gpu(torch) and _wrote_ranks(output, started_at):
            return  # a launcher
        path = output + (".json" if rank is None else ".rank" + rank + ".json")
        profiler.export_chrome_trace(path + ".part")
        os.replace(path + ".part", path)
        if not torch.cuda.is_available():
            print(f"hipwright: note: PyTorch sees no GPU: {os.path.basename(path)} has the host's events only",
                  file=sys.stderr)

    atexit.register(finish)


class _AfterTorch(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Starts the profiler when the import of torch is complete."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is None or spec.loader is None:
            return None
        self.loader = spec.loader
        spec.loader = self
        return spec

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        try:
            _start()
        except Exception as error:
            print(f"hipwright: error: cannot start torch.profiler: {error}", file=sys.stderr)


import importlib.util

if "HIPWRIGHT_TRACE_OUTPUT" in os.environ:
    sys.meta_path.insert(0, _AfterTorch())
_other_sitecustomize()
)py";

}  // namespace hipwright::trace
