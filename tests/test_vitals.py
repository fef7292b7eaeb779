"""The watchdog is fed while every loop lives, and no longer."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from companion.vitals import PATIENCE, Vitals, notify


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("stalls", ["frames", "vision", "screen"])
def test_a_stalled_loop_ends_the_feeding(stalls: str) -> None:
    sent: list[str] = []
    clock = Clock()
    vitals = Vitals(sent.append, 5.0, clock)
    for _ in range(20):
        for loop in ("frames", "vision", "screen"):
            vitals.beat(loop)
        vitals.feed()
        clock.now += 1.0
    assert sent.count("WATCHDOG=1") == 4
    sent.clear()
    for _ in range(80):
        for loop in {"frames", "vision", "screen"} - {stalls}:
            vitals.beat(loop)
        vitals.feed()
        clock.now += 1.0
    assert sent.count("WATCHDOG=1") <= PATIENCE / 5 + 1
    assert sent[-1] == f"STATUS=stalled: {stalls}"
    vitals.beat(stalls)
    for loop in ("frames", "vision", "screen"):
        vitals.beat(loop)
    vitals.feed()
    assert sent[-1] == "WATCHDOG=1"


def test_a_loop_that_has_ended_is_not_missed() -> None:
    sent: list[str] = []
    clock = Clock()
    vitals = Vitals(sent.append, 5.0, clock)
    vitals.beat("vision")
    vitals.ended("vision")
    clock.now += 1000
    vitals.feed()
    assert sent == ["WATCHDOG=1"]


def test_messages_reach_the_socket_of_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(path))
        systemd.settimeout(2)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")
        vitals = Vitals.of_service()
        vitals.ready()
        vitals.feed()
        assert [systemd.recv(100), systemd.recv(100)] == [b"READY=1", b"WATCHDOG=1"]


def test_without_systemd_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    sent: list[str] = []
    monkeypatch.setattr("companion.vitals.notify", sent.append)
    Vitals.of_service().feed()
    notify("READY=1")
    assert sent == ["WATCHDOG=1"]  # once at first, and then no more
