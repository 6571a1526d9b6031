# SPDX-License-Identifier: MIT
"""The Python examples of the documentation run as they stand."""
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("hipwright._core", reason="not run: the package was installed without its compiled module")
pytest.importorskip("numpy", reason="not run: numpy is not installed")

DOCS = Path(os.environ.get("SOURCE_DIR", Path(__file__).resolve().parents[2])) / "docs"
PAGE = DOCS / "python-backend.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.S | re.M) if PAGE.exists() else []


def test_there_are_examples():
    assert len(BLOCKS) >= 10, PAGE


@pytest.mark.parametrize("block", BLOCKS, ids=range(1, len(BLOCKS) + 1))
def test_example(block):
    environment = {**os.environ, "HIPWRIGHT_DEVICE": "soft:gfx942"}
    done = subprocess.run([sys.executable, "-W", "error", "-"], input=block, env=environment, capture_output=True,
                          encoding="utf-8", check=False)
    assert done.returncode == 0, block + done.stderr
