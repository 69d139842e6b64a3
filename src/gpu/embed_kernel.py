"""Writes a kernel's source with everything it includes as a C array, since a device's driver
compiles it at run time.

    embed_kernel.py SRC KERNEL.cl NAME OUT.c DEPFILE [--text OUT.cl]

Headers of the C library, turf.h and game.h are left out: gpu/device_c.h stands for them, and says
what INLINE is."""
import os
import re
import sys

LEFT_OUT = {"turf.h", "games/game.h"}
INCLUDE = re.compile(r'#include ([<"])([^>"]+)[>"]')
src, kernel, name, out, depfile = sys.argv[1:6]
used = []


def expand(path):
    used.append(path)
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = INCLUDE.match(line)
            if not found:
                yield line.rstrip("\n")
            elif found[1] == '"' and found[2] not in LEFT_OUT:
                yield from expand(os.path.join(src, found[2]))


text = "\n".join(expand(kernel)) + "\n"
# Comments are for readers of the source.
text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
text = re.sub(r"[ \t]+$", "", text, flags=re.M)
text = re.sub(r"^static inline\b", "INLINE", text, flags=re.M)
text = re.sub(r"\n{2,}", "\n", text)
# A list of numbers, since C promises no more than 4095 characters to a string.
with open(out, "w", encoding="ascii") as file:
    file.write(f"extern const char {name}[];\nconst char {name}[] = {{\n")
    for line in text.splitlines():
        file.write("".join(f"{byte}," for byte in line.encode("ascii")) + "10,\n")
    file.write("0};\n")
with open(depfile, "w", encoding="utf-8") as file:
    file.write(f"{out}: {' '.join(used)}\n")
if sys.argv[6:7] == ["--text"]:
    with open(sys.argv[7], "w", encoding="utf-8") as file:
        file.write(text)
