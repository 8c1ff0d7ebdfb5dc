#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own and presses Ctrl-C when its line of progress tells of iterations, or has a text:
interrupt.py [--at TEXT] COMMAND [ARGUMENT ...].

Prints what the command printed. The exit code is that of the command, 128 + N where signal N ended it, 99 when it ended without having
told so.
"""
import os
import pty
import signal
import sys


def read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # the command has closed its end
        return b""


def main():
    command, at = sys.argv[1:], b"iteration"
    if command[0] == "--at":
        at, command = command[1].encode(), command[2:]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    told, interrupted = b"", False
    while part := read(terminal):
        told += part
        if not interrupted and at in told:
            os.kill(child, signal.SIGINT)
            interrupted = True
    status = os.waitpid(child, 0)[1]
    print(told.decode(errors="replace").replace("\r", "\n"))
    code = os.waitstatus_to_exitcode(status)
    sys.exit(99 if not interrupted else code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
