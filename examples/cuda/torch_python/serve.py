# SPDX-License-Identifier: MIT
"""Runs a few steps and prints what they cost."""
import torch

from assistant import graphs, health, model, quantize, workers


def main() -> None:
    if not torch.cuda.is_available():
        raise SystemExit("a GPU is needed")
    torch.set_float32_matmul_precision("high")
    device = workers.join()
    net = model.build()
    x = torch.randn(1, 128, 256, device=device, dtype=torch.bfloat16)
    with torch.inference_mode():
        step = graphs.RecordedStep(net, x)
        y = step(x)
    values, scale = quantize.to_fp8(y)
    assert torch.isfinite(values.float() * scale).all()
    print(f"{health.memory_used() >> 20} MiB used")
    print("PASS")


if __name__ == "__main__":
    main()
