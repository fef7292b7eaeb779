"""Signs of life for systemd: it restarts the program when one of its loops has stalled.

The protocol is that of sd_notify(3): datagrams to the socket that `NOTIFY_SOCKET` names; without one nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress

PATIENCE = 30.0
"""Seconds after which a loop that has shown no sign of life has stalled: opening a camera takes some."""

OFTEN = 4
"""Signs of life within the time after which systemd takes the program for dead."""


class Vitals:
    """Collects the signs of life of all loops that must live, and passes them on as long as none is missing."""

    def __init__(
        self,
        send: Callable[[str], None] = lambda message: None,
        every: float = float("inf"),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`send` takes messages to systemd; `every`: seconds between two signs of life to it; `clock`: seconds."""
        self._send, self._every, self._clock = send, every, clock
        self._beats: dict[str, float] = {}
        self._fed = float("-inf")

    @classmethod
    def of_service(cls) -> Vitals:
        """The vitals of this process, as systemd's environment asks for them."""
        every = int(os.environ.get("WATCHDOG_USEC", "0")) / 1e6 / OFTEN
        return cls(notify, every or float("inf"))

    def beat(self, loop: str) -> None:
        """A loop has come round. Loops are watched from their first beat on; safe to call from any thread."""
        self._beats[loop] = self._clock()

    def ended(self, loop: str) -> None:
        """A loop has ended as it should."""
        self._beats.pop(loop, None)

    @property
    def stalled(self) -> tuple[str, ...]:
        """The loops that have shown no sign of life for too long."""
        now = self._clock()
        return tuple(loop for loop, beat in list(self._beats.items()) if now - beat > PATIENCE)

    def ready(self) -> None:
        """The program is up."""
        self._send("READY=1")

    def feed(self) -> None:
        """Tells systemd that the program lives, if all of it does; to be called often."""
        now = self._clock()
        if now - self._fed < self._every:
            return
        stalled = self.stalled
        if stalled:
            self._send(f"STATUS=stalled: {', '.join(stalled)}")
        else:
            self._send("WATCHDOG=1")
        self._fed = now


def notify(message: str) -> None:
    """Sends a message to systemd, where it listens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    address = "\0" + address[1:] if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.sendto(message.encode(), address)
