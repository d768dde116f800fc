#!/usr/bin/env bash
# Draws each SVG of a folder as a PNG in the same folder, at twice its size for high-resolution displays: draw-charts.sh
# FOLDER
set -euo pipefail

for chart in "$1"/*.svg; do
    rsvg-convert --zoom 2 "$chart" --output "${chart%.svg}.png"
done
