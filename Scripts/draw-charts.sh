#!/usr/bin/env bash
# Draws each SVG of a folder as a PNG beside it, in twice its size for sharp displays: draw-charts.sh FOLDER
set -euo pipefail

for chart in "$1"/*.svg; do
    rsvg-convert --zoom 2 "$chart" --output "${chart%.svg}.png"
done
