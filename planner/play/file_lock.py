"""A lock on an open file, which ends with the process that has it, however that ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    # There a lock bars readers from the bytes it is on, so it is put on one that is never written.
    _BEYOND = 2**40

    def lock(descriptor: int) -> bool:
        """Lock the file unless another process has; whether it is ours now."""
        here = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, here, os.SEEK_SET)
        return True

else:
    import fcntl

    def lock(descriptor: int) -> bool:
        """Lock the file unless another process has; whether it is ours now."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
