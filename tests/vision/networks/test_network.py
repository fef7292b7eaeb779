"""The networks: both engines that compute them say the same."""

from __future__ import annotations

import json
import sys

import numpy as np
import onnxruntime
import pytest

from companion.vision.networks import network as module
from companion.vision.networks.learned import NETWORKS
from companion.vision.networks.network import by_onnxruntime, by_opencv, network

NAMES = sorted(file.name.removesuffix(".onnx") for file in NETWORKS.iterdir() if file.name.endswith(".onnx"))


def patches_for(onnx: bytes) -> np.ndarray:
    """A few patches of noise, 8 bits, of the shape that a network looks at."""
    shape = onnxruntime.InferenceSession(onnx).get_inputs()[0].shape[1:]
    return np.random.default_rng(1).integers(0, 256, (3, *shape), dtype=np.uint8)


@pytest.mark.parametrize("name", NAMES)
def test_engines_say_the_same(name: str) -> None:
    onnx = (NETWORKS / f"{name}.onnx").read_bytes()
    patches = patches_for(onnx)
    one, other = by_onnxruntime(onnx)(patches), by_opencv(onnx)(patches)
    assert one.shape == (3, len(json.loads((NETWORKS / f"{name}.json").read_text("utf-8"))["labels"]))
    assert np.ptp(one) > 0.1
    assert np.abs(one - other).max() < 1e-3 * np.ptp(one)


def test_opencv_does_where_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    onnx = (NETWORKS / f"{NAMES[0]}.onnx").read_bytes()
    patches = patches_for(onnx)
    expected = network(onnx)(patches)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)  # as if it were not installed
    asked = []
    monkeypatch.setattr(module, "by_opencv", lambda given: asked.append(given) or by_opencv(given))
    assert np.allclose(network(onnx)(patches), expected, rtol=1e-3, atol=1e-3)
    assert asked == [onnx]
