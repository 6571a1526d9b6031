import pytest


def test_import():
    import scale

    assert scale.kernel_name() == "scale"


@pytest.mark.gpu
def test_on_a_gpu():
    raise AssertionError("the hosted job must not select this test")
