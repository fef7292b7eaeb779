"""Computing small networks: with ONNX Runtime, or where there is none (32-bit systems) with OpenCV, more slowly."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.geometry.lens import Array

Network = Callable[[Array], Array]
"""The scores (n, labels) of patches (n, layers, height, width)."""

ENGINE = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()
"""Which engine of OpenCV, where it has several: this one takes two thirds of the newer one's time."""


def network(onnx: bytes) -> Network:
    """The network that a file has."""
    try:
        return by_onnxruntime(onnx)
    except ImportError:
        return by_opencv(onnx)


def by_onnxruntime(onnx: bytes) -> Network:
    """The network, computed by ONNX Runtime.

    Raises:
        ImportError: there is none.
    """
    import onnxruntime  # not needed, and slow to load, until something is looked at

    onnxruntime.set_default_logger_severity(3)  # errors: it warns of graphics cards that it does not find
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cv2.getNumThreads()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # idle threads are to rest
    options.enable_cpu_mem_arena = False  # which would keep what the largest picture needed
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name

    def scores(patches: Array) -> Array:
        found: Array = session.run(None, {name: patches.astype(np.float32)})[0]
        return found

    return scores


def by_opencv(onnx: bytes) -> Network:
    """The network, computed by OpenCV."""
    net = cv2.dnn.readNetFromONNX(np.frombuffer(onnx, np.uint8), *ENGINE)
    net.enableWinograd(True)

    def scores(patches: Array) -> Array:
        net.setInput(patches.astype(np.float32))
        found: Array = net.forward()
        return found

    return scores
