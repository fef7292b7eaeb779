"""Before any test module loads NumPy: as in the program, it gets no threads of its own. Nor does OpenCV: whoever tests
shares the cores among processes already.
"""

import companion  # noqa: F401, I001 - it sees to the first; before anything else

import cv2

cv2.setNumThreads(1)
