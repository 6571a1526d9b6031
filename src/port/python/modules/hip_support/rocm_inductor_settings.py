

def rocm_inductor_settings():
    """The settings of torch.compile to start with on ROCm; measure the others with your model."""
    from torch._inductor import config

    config.triton.cudagraphs = False
    config.triton.cudagraph_trees = False
    config.memory_planning = False
    config.max_autotune_gemm_backends = "ATEN"
