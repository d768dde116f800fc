#!/usr/bin/env python3
"""Draws the pictures of the documentation from the texts in Scripts/pictures. `make lint` fails if one is stale."""
import pathlib

from pictures import pictures

ROOT = pathlib.Path(__file__).resolve().parent.parent

for path, picture in pictures(lambda path: (ROOT / path).read_text()).items():
    (ROOT / path).write_text(picture)
