#!/usr/bin/env python3
"""Compares SockeyeImages with Pillow: prints a table of the milliseconds that decoding and filters take.

    Benchmarks/Scripts/compare-images.py [REPEATS]

Both do the same work on the same files, which Pillow makes: a picture with gradients and noise with 12 megapixels and
with 1 megapixel, as JPEG and as PNG. Filters have equal quality: box for shrinking, linear for enlarging, on RGBA with
colours weighted by opacity. Milliseconds are processor time, user and system, of one thread; the median of REPEATS
turns (default 9). Pillow's circle has steps at its edge, Sockeye's is smooth. Needs PyPI for Pillow, which is installed
into a separate environment under .build.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
MICRO = ROOT / "Benchmarks" / "Micro"
PACKAGES = ROOT / "Benchmarks" / "Scripts" / "packages" / "images.txt"
SIZES = [(4000, 3000), (1200, 800)]
TITLES = {
    "decode": "decode",
    "half": "scale to a half",
    "thumbnail": "fit into 256 × 256",
    "fill": "fill 256 × 256",
    "larger": "scale by 1.5",
    "circle": "circle",
    "turn": "turn upright",
}

MAKE = """
import sys
from PIL import Image, ImageChops

folder = sys.argv[1]
for size in sys.argv[2:]:
    width, height = (int(side) for side in size.split("x"))
    across = Image.linear_gradient("L").resize((width, height))
    down = across.transpose(Image.Transpose.ROTATE_180)
    noise = Image.effect_noise((width // 4, height // 4), 60).resize((width, height), Image.Resampling.BICUBIC)
    image = Image.merge("RGB", [ImageChops.add(across, noise, 2), ImageChops.add(down, noise, 2), noise])
    image.save(f"{folder}/{size}.jpg", quality=90)
    image.save(f"{folder}/{size}.png")
"""

TIME = """
import io, json, sys, time
from PIL import Image, ImageDraw, ImageOps

def median(turns, body):
    times = []
    for _ in range(turns + 1):
        start = time.process_time_ns()
        body()
        times.append((time.process_time_ns() - start) / 1e6)
    return sorted(times[1:])[turns // 2]

def circle(image):
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    square = image.crop((left, top, left + side, top + side))
    mask = Image.new("L", (side, side))
    ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=255)
    square.putalpha(mask)
    return square

turns = int(sys.argv[1])
for path in sys.argv[2:]:
    content = open(path, "rb").read()
    image = Image.open(io.BytesIO(content)).convert("RGBA")
    width, height = image.size
    fitted = ImageOps.contain(image, (256, 256)).size
    box, linear = Image.Resampling.BOX, Image.Resampling.BILINEAR
    print(json.dumps({
        "decode": median(turns, lambda: Image.open(io.BytesIO(content)).convert("RGBA")),
        "half": median(turns, lambda: image.resize((width // 2, height // 2), box)),
        "thumbnail": median(turns, lambda: image.resize(fitted, box)),
        "fill": median(turns, lambda: ImageOps.fit(image, (256, 256), box)),
        "larger": median(turns, lambda: image.resize((width * 3 // 2, height * 3 // 2), linear)),
        "circle": median(turns, lambda: circle(image)),
        "turn": median(turns, lambda: image.transpose(Image.Transpose.ROTATE_270)),
    }))
"""


def pillow_python():
    folder = ROOT / ".build" / "pillow"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", PACKAGES], check=True)
    return python


def build():
    command = ["swift", "build", "-c", "release", "--package-path", str(MICRO), "--product", "ImageCost"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return MICRO / ".build" / "release" / "ImageCost"


def run(command):
    result = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    program, python = build(), pillow_python()
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{width}x{height}" for width, height in SIZES]
        subprocess.run([python, "-c", MAKE, folder, *names], check=True)
        files = [pathlib.Path(folder) / f"{name}.{kind}" for name in names for kind in ("jpg", "png")]
        ours, theirs = run([program, turns, *files]), run([python, "-c", TIME, turns, *files])
    print("| Job | Image | Sockeye | Pillow | Sockeye / Pillow |")
    print("|---|---|---:|---:|---:|")
    for file, own, other in zip(files, ours, theirs):
        width, height = (int(side) for side in file.stem.split("x"))
        kind = "JPEG" if file.suffix == ".jpg" else "PNG"
        for job, title in TITLES.items():
            # Filters do not depend on the format of the file.
            if job != "decode" and kind == "PNG":
                continue
            image = f"{kind}, {width * height / 1e6:.0f} MP" if job == "decode" else f"{width * height / 1e6:.0f} MP"
            print(f"| {title} | {image} | {own[job]:.1f} ms | {other[job]:.1f} ms | {own[job] / other[job]:.2f} |")


if __name__ == "__main__":
    main()
