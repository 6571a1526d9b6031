# SPDX-License-Identifier: MIT
"""What Triton's discovery of backends imports."""
