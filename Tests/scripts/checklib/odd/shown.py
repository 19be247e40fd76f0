"""How names must look where they are printed: readable, and nothing that steers a terminal."""

import json
import unicodedata

# Cases whose names are the point.
KINDS = ("name", "name-collision", "name-escapes", "name-unicode-path", "app-name")
STEERING = ("Cc", "Cf", "Zl", "Zp")


def escaped(data):
    return "".join(f"\\x{byte:02X}" if not 0x20 <= byte < 0x7F else chr(byte) for byte in data)


def name(data):
    """A name as it is shown; what follows the first bytes that are no UTF-8 is shown byte by byte."""
    try:
        text, rest = data.decode(), b""
    except UnicodeDecodeError as error:
        text, rest = data[:error.start].decode(), data[error.start:]
    return "".join(
        "".join(f"\\x{byte:02X}" for byte in character.encode())
        if unicodedata.category(character) in STEERING else character for character in text
    ) + escaped(rest)


def hidden(text):
    """Characters of a text that steer a terminal, or that no one sees."""
    return sorted({f"U+{ord(character):04X}" for character in text
                   if unicodedata.category(character) in STEERING and character != "\n"})


def problems(run, case, plain, path, output):
    """What commands print of a case's names. `run` runs the tool with arguments; `plain` lacks the names."""
    found = []
    for arguments in (["inspect", path], ["diff", plain, path], ["diff", path, output],
                      ["verify", output, "--unsigned", "--before", path]):
        for form in ([], ["--json"]):
            done = run([*arguments, *form])
            if done.status not in (0, 1):
                found.append(f"{arguments[0]} ends with {done.status}: {done.err!r:.200}")
            for text in (done.out, done.err):
                if hidden(text):
                    found.append(f"{arguments[0]} {form} prints {hidden(text)}")
            if form and done.status in (0, 1):
                json.loads(done.out)
    wanted = name(case.build.members[-1].name)
    if case.kind == "name" and f"{wanted} was added" not in run(["diff", plain, path]).out:
        found.append(f"diff does not show {wanted!r:.200}")
    return found
