"""Packs the page, its styles and the engine into one HTML file.

    pack.py ESBUILD ZOPFLI SOURCES ENGINE.wasm OUT.html

SOURCES is the folder src. The scripts and styles are bundled and minified with esbuild; they and
the engine are compressed and written as text. The file asks for nothing: its policy forbids every
request."""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile

MAX_BYTES = 700_000
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
          "worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; frame-src blob:; "
          "base-uri 'none'; form-action 'none'")

NOTICES = """Copyright (c) 2009-2020 Petri Lehtinen (Jansson)
Copyright (c) 2005-2020 Rich Felker, et al. (musl, in wasi-libc)"""

esbuild, zopfli, sources, engine, out = sys.argv[1:]


def bundle(path, *options):
    command = [esbuild, os.path.join(sources, path), "--bundle", "--minify", "--charset=utf8",
               "--legal-comments=none", "--log-level=warning", *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()


def read(path):
    with open(os.path.join(sources, path), encoding="utf-8") as file:
        return file.read()


def pack(data):
    """Compressed, and four bytes as five characters from ( to |, which is shorter than base 64."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        # 5 % less than gzip -9.
        packed = subprocess.run([zopfli, "--i5", "--gzip", "-c", file.name], check=True,
                                stdout=subprocess.PIPE).stdout
    length = len(packed)
    packed += bytes(-length % 4)
    text = bytearray()
    for (word,) in struct.iter_unpack(">I", packed):
        text += bytes(40 + word // 85**i % 85 for i in range(4, -1, -1))
    assert b"</script" not in text
    return f"{length} {text.decode()}"


# Unpacks the page's parts and starts it. Nothing else is outside of the packed parts. While the
# page is read, the engine is compiled and the worker of the house comes up: that is most of the
# time to the first move (tests/browser/first-move.mjs).
START = """
const unpack = async (id, type) => {
  const [length, text] = document.getElementById(id).textContent.split(' ');
  const packed = new DataView(new ArrayBuffer(text.length / 5 * 4));
  for (let at = 0, word; at < text.length / 5; at++) {
    word = 0;
    for (let i = 0; i < 5; i++) word = word * 85 + text.charCodeAt(5 * at + i) - 40;
    packed.setUint32(4 * at, word);
  }
  const stream = new Blob([packed]).slice(0, length).stream();
  const plain = stream.pipeThrough(new DecompressionStream('gzip'));
  return new Response(plain, type && { headers: { 'Content-Type': type } });
};
const say = (words) => (document.getElementById('main').textContent = words);
const address = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
try {
  const page = unpack('page');
  const engine = unpack('engine', 'application/wasm').then(WebAssembly.compileStreaming);
  engine.catch(() => {}); // the page says why
  const { style, worker, main } = await (await page).json();
  const script = address(worker);
  globalThis.turf = { engine, script, house: new Worker(script) };
  const sheet = document.createElement('style');
  sheet.textContent = style;
  document.head.append(sheet);
  await import(address(main));
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
with open(os.path.join(sources, "../LICENSE"), encoding="utf-8") as file:
    title, own, terms = file.read().split("\n\n", 2)
html = f"""<!doctype html>
<!--
turf and what its engine is built with, under the MIT licence, as below; and SQLite, which is in the
public domain.
{own}
{NOTICES}

{terms}-->
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
