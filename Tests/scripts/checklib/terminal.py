"""A terminal for a program that draws on it, and the screen that it leaves."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

PIECE = re.compile(rb"\x1b\[(\d*)([A-Za-z])|[\r\n]|[^\x1b\r\n]+|\x1b")


class Session:
    """A program whose standard error is a terminal, its output a file. Close its input to go on."""

    def __init__(self, command, environment, output, rows=24, columns=80):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        with open(output, "wb") as file:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=file, stderr=slave,
                env={**environment, "TERM": "xterm"},
            )
        os.close(slave)

    def finish(self, data=b""):
        """Gives the program its input. Returns its status and all that it wrote to the terminal."""
        with self.process.stdin as stream:
            stream.write(data)
        written = b""
        while True:
            try:
                part = os.read(self._master, 1 << 16)
            except OSError:
                break
            if not part:
                break
            written += part
        os.close(self._master)
        return self.process.wait(), written


def screen(written):
    """The lines that stand in the end, of what moves up, clears and goes on."""
    lines, row, column = [b""], 0, 0
    for piece in PIECE.finditer(written):
        text, number, letter = piece.group(), piece.group(1), piece.group(2)
        if letter == b"A":
            row = max(0, row - int(number or b"1"))
        elif letter == b"J":
            lines = lines[:row] + [lines[row][:column]]
        elif letter:
            continue
        elif text == b"\r":
            column = 0
        elif text == b"\n":
            row += 1
            if row == len(lines):
                lines.append(b"")
        else:
            lines[row] = lines[row][:column].ljust(column) + text + lines[row][column + len(text):]
            column += len(text)
    return [line.decode("utf-8", "replace") for line in lines if line]
