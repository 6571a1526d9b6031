import torch
from utils import is_cuda
_is_cuda = is_cuda()
amd: bool = torch.version.hip is not None
if not amd and _is_cuda or "AMD" in torch.cuda.get_device_name(0):
    import pynvml
elif x := torch.version.cuda: pass
else:
    raise E
@pytest.mark.skipif(not current_platform.is_cuda(), reason="x")
async def test_a(self, a: int = 3, *b, **c) -> None:
    try:
        assert is_hip(), "m"
    except (ImportError, ValueError) as e:
        return [y for y in z if is_hip()]
    finally:
        del x[0][1]
    for i, row in enumerate(rows): row[0] = y if is_cuda() else 1; continue
