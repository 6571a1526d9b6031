import pytest
import tidy


def test_double():
    assert tidy.double(21) == 42


@pytest.mark.gpu
def test_on_a_gpu():
    raise AssertionError("the hosted job must not select this test")
