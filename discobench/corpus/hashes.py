"""64-bit hashes as arrays."""

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


def mixed(values: Hashes) -> Hashes:
    """The last step of SplitMix64 (Steele et al. 2014): every bit depends on all, so keys spread evenly."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
