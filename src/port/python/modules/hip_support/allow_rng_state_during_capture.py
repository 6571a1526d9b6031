

def allow_rng_state_during_capture():
    """Lets torch.compile run during graph capture.

    torch.compile saves the generator's state before it compiles and restores it afterwards; both
    are rejected during capture. A capture has its own state, which every replay advances, so there
    is nothing to save: the state is left alone.
    """
    import torch

    if getattr(torch.cuda.get_rng_state, "allows_capture", False):
        return
    read, write = torch.cuda.get_rng_state, torch.cuda.set_rng_state
    # No real state looks like this: offsets are multiples of four.
    unknown = torch.full((16,), 255, dtype=torch.uint8)

    def get_rng_state(*args, **kwargs):
        if torch.cuda.is_current_stream_capturing():
            return unknown.clone()
        return read(*args, **kwargs)

    def set_rng_state(new_state, *args, **kwargs):
        if torch.cuda.is_current_stream_capturing() or torch.equal(new_state, unknown):
            return None
        return write(new_state, *args, **kwargs)

    get_rng_state.allows_capture = True
    torch.cuda.get_rng_state, torch.cuda.set_rng_state = get_rng_state, set_rng_state
    torch.cuda.random.get_rng_state, torch.cuda.random.set_rng_state = get_rng_state, set_rng_state
