"""Bundles the page with esbuild and writes it as C, so that the program carries it.

    embed.py ESBUILD FOLDER OUT.c OUT.d

A browser fetches few files at a time, so all scripts become main.js and all styles style.css. What
is fetched only when it is wanted (league.css, and modules that are imported in a function) stays
apart, and chunk.js is what main.js shares with it. Other files stay as they are. Names are not
shortened, so that an error in a browser can be read.
OUT.d lists the folder as well as its files, so that new files are noticed."""
import os
import subprocess
import sys
import tempfile

esbuild, folder, out_c, out_d = sys.argv[1:]
files = sorted(name for name in os.listdir(folder) if not name.startswith("."))
contents = {}
for name in files:
    if not name.endswith((".js", ".css")):
        with open(os.path.join(folder, name), "rb") as file:
            contents[name] = file.read()
with tempfile.TemporaryDirectory() as bundled:
    command = [esbuild, "main.js", "style.css", "league.css", "--bundle", "--format=esm",
               "--splitting", "--chunk-names=[name]", "--charset=utf8",
               "--minify-whitespace", "--minify-syntax", "--legal-comments=none",
               "--log-level=warning", "--outdir=" + bundled]
    if subprocess.run(command, cwd=folder).returncode != 0:
        sys.exit(1)
    for name in os.listdir(bundled):
        with open(os.path.join(bundled, name), "rb") as file:
            contents[name] = file.read()

with open(out_c, "w", encoding="ascii") as file:
    file.write('#include "web/assets.h"\n')
    for number, name in enumerate(sorted(contents)):
        # One byte more, since an array may not be empty.
        numbers = ",".join(map(str, contents[name] + b"\0"))
        file.write(f"static const unsigned char bytes_{number}[] = {{{numbers}}};\n")
    file.write("const PageFile page_files[] = {\n")
    for number, name in enumerate(sorted(contents)):
        file.write(f'    {{"/{name}", bytes_{number}, {len(contents[name])}}},\n')
    file.write("    {0, 0, 0},\n};\n")
with open(out_d, "w", encoding="utf-8") as file:
    paths = [folder] + [os.path.join(folder, name) for name in files]
    file.write(f"{out_c}: {' '.join(path.replace(' ', chr(92) + ' ') for path in paths)}\n")
