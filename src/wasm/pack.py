"""Packs the page, its styles and the engine into one HTML file.

    pack.py ESBUILD SOURCES ENGINE.wasm OUT.html

SOURCES is the folder src. The scripts and styles are bundled and minified with esbuild; they and
the engine are compressed and written as text. The file asks for nothing: its policy forbids every
request."""
import base64
import gzip
import json
import os
import struct
import subprocess
import sys

MAX_BYTES = 700_000
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
          "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; frame-src blob:; "
          "base-uri 'none'; form-action 'none'")

esbuild, sources, engine, out = sys.argv[1:]


def bundle(path, *options):
    command = [esbuild, os.path.join(sources, path), "--bundle", "--minify", "--charset=utf8",
               "--legal-comments=none", "--log-level=warning", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def read(path):
    with open(os.path.join(sources, path), encoding="utf-8") as file:
        return file.read()


def pack(data):
    """Compressed, and four bytes as five characters from ( to |, which is shorter than base 64."""
    packed = gzip.compress(data, 9, mtime=0)
    length = len(packed)
    packed += bytes(-length % 4)
    text = bytearray()
    for (word,) in struct.iter_unpack(">I", packed):
        text += bytes(40 + word // 85**i % 85 for i in range(4, -1, -1))
    assert b"</script" not in text
    return f"{length} {text.decode()}"


# Unpacks the page's parts and starts it. Nothing else is outside of the packed parts.
START = """
const unpack = async (id) => {
  const [length, text] = document.getElementById(id).textContent.split(' ');
  const packed = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let at = 0, word; at < text.length / 5; at++) {
    word = 0;
    for (let i = 0; i < 5; i++) word = word * 85 + text.charCodeAt(5 * at + i) - 40;
    packed.setUint32(4 * at, word);
  }
  const stream = new Blob([packed]).slice(0, length).stream();
  return new Response(stream.pipeThrough(new DecompressionStream('gzip')));
};
const say = (words) => (document.getElementById('main').textContent = words);
try {
  globalThis.turf = { engine: () => unpack('engine').then((found) => found.arrayBuffer()) };
  const { style, worker, main } = await (await unpack('page')).json();
  const sheet = document.createElement('style');
  sheet.textContent = style;
  document.head.append(sheet);
  globalThis.turf.worker = worker;
  await import(URL.createObjectURL(new Blob([main], { type: 'text/javascript' })));
} catch (error) {
  say(globalThis.DecompressionStream
    ? 'This file is damaged: ' + error.message + '. Get it again, whole.'
    : 'This browser is too old for turf: it lacks DecompressionStream.');
}
"""

drawing = base64.b64encode(read("web/page/icon.svg").encode()).decode()
icon = "data:image/svg+xml;base64," + drawing
parts = {"style": bundle("web/page/style.css"),
         "main": bundle("wasm/page/main.js", "--format=esm"),
         "worker": bundle("wasm/page/worker.js", "--format=iife")}
with open(engine, "rb") as file:
    engine_text = pack(file.read())
page = read("web/page/index.html")
body = page[page.index("<body>"):page.index("</body>")].replace("icon.svg", icon)
html = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>turf</title>
<link rel="icon" href="{icon}">
</head>
{body}
<script type="text/plain" id="page">{pack(json.dumps(parts).encode())}</script>
<script type="text/plain" id="engine">{engine_text}</script>
<script type="module">{START}</script>
</body>
</html>
"""
data = html.encode()
if len(data) > MAX_BYTES:
    sys.exit(f"{out} would have {len(data)} bytes, more than {MAX_BYTES}")
with open(out, "wb") as file:
    file.write(data)
