"""Draws the pictures of the documentation from the texts in Scripts/pictures, and compares these with the code. Used by
draw-pictures.py and check-sources.py.

Each picture is drawn twice, for light and for dark pages. DocC takes the one with `~dark` in its name for dark pages.
"""
import html
import re

WIDTH = 720
FONT = "Helvetica Neue, Helvetica, Arial, sans-serif"
LIGHT = {"page": "#ffffff", "band": "#f2f4f7", "box": "#ffffff", "line": "#8a94a6", "text": "#1d1d1f", "faint": "#55606f",
         "mark": "#b4441f"}
DARK = {"page": "#000000", "band": "#1b1d21", "box": "#2a2d33", "line": "#7d8796", "text": "#f5f5f7", "faint": "#b3bbc7",
        "mark": "#ff9d78"}
THEMES = {"": LIGHT, "~dark": DARK}
GAP = 10
LETTER = 5.9  # the mean width of a letter of 11 pixels


def parse(source):
    """Returns (line number, keyword, rest) of each line; a line that starts with a target's name has the keyword
    `box`."""
    parts = []
    for number, line in enumerate(source.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        known = word in ("band", "row", "title", "stage", "phase", "loop")
        parts.append((number, word, rest) if known else (number, "box", line))
    return parts


def halves(text):
    """Returns the two texts around the bar of a line."""
    left, _, right = text.partition("|")
    return left.strip(), right.strip()


class Drawing:
    """The elements of an SVG picture, in the colours of a theme."""

    def __init__(self, colours):
        self.colours, self.elements = colours, []

    def box(self, x, y, width, height, fill="box", stroke="line"):
        self.elements.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" fill="{self.colours[fill]}"'
            f' stroke="{self.colours[stroke]}"/>')

    def text(self, x, y, text, size=11, colour="faint", bold=False, anchor="start"):
        weight = ' font-weight="600"' if bold else ""
        self.elements.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{self.colours[colour]}" text-anchor="{anchor}"{weight}>'
            f"{html.escape(text, quote=False)}</text>")

    def path(self, data, colour="line", head=False):
        mark = ' marker-end="url(#head)"' if head else ""
        self.elements.append(f'<path d="{data}" fill="none" stroke="{self.colours[colour]}" stroke-width="1.3"{mark}/>')

    def svg(self, height, label):
        head = (
            f'<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0 8 4 0 8z" fill="{self.colours["mark"]}"/></marker>')
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}"'
            f' font-family="{FONT}" role="img" aria-label="{html.escape(label)}">',
            f"<defs>{head}</defs>", f'<rect width="{WIDTH}" height="{height:g}" fill="{self.colours["page"]}"/>',
            *self.elements, "</svg>", ""])


def wrapped(text, width):
    """Returns the lines of a text that fit into a width."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) * LETTER > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def rows(parts):
    """Returns (band or None, boxes) of each row of the architecture; a band is named by its first row."""
    found, band = [], None
    for _, word, rest in parts:
        if word == "band":
            band = rest
        elif word == "row":
            found.append((band, []))
            band = None
        elif word == "box":
            found[-1][1].append(halves(rest))
    return found


def architecture(source, colours):
    drawing, y = Drawing(colours), GAP
    listed = rows(parse(source))
    bands = [index for index, (band, _) in enumerate(listed) if band] + [len(listed)]
    for first, end in zip(bands, bands[1:]):
        heights, shapes = [], []
        for _, boxes in listed[first:end]:
            width = (WIDTH - 4 * GAP - (len(boxes) - 1) * GAP) / len(boxes)
            lines = [wrapped(purpose, width - 2 * GAP) for _, purpose in boxes]
            shapes.append((boxes, width, lines))
            heights.append(28 + 14 * max(len(one) for one in lines))
        drawing.box(GAP, y, WIDTH - 2 * GAP, 34 + sum(heights) + GAP * len(heights), fill="band", stroke="band")
        drawing.text(2 * GAP, y + 20, listed[first][0], size=12, colour="mark", bold=True)
        y += 30
        for height, (boxes, width, lines) in zip(heights, shapes):
            for index, (name, _) in enumerate(boxes):
                x = 2 * GAP + index * (width + GAP)
                drawing.box(x, y, width, height)
                drawing.text(x + GAP, y + 18, name, size=12, colour="text", bold=True)
                for number, line in enumerate(lines[index]):
                    drawing.text(x + GAP, y + 34 + 14 * number, line)
            y += height + GAP
        y += GAP + 4
    return drawing.svg(y, "The targets of Sockeye. Each uses only targets below it.")


def request(source, colours, limits):
    drawing, y, places = Drawing(colours), GAP, {}
    left, right, height = 210, 510, 30
    parts = parse(source)
    drawing.text((left + right) / 2, y + 14, "try await client.get(url)", size=13, colour="text", bold=True, anchor="middle")
    y += 24
    for _, word, rest in parts:
        if word == "title":
            drawing.text((left + right) / 2, y + 20, rest, size=12, colour="mark", bold=True, anchor="middle")
            y += 30
        elif word in ("stage", "phase"):
            name, purpose = halves(rest)
            drawing.box(left, y, right - left, height)
            shown = f"{name}  " if word == "stage" else ""
            drawing.text(left + GAP, y + 19, shown, size=12, colour="text", bold=True)
            drawing.text(left + GAP + (96 if shown else 0), y + 19, purpose, colour="faint" if shown else "text")
            if word == "phase":
                drawing.path(f"M{right + 14} {y + 3}v{height - 6}", "mark")
                drawing.text(right + 22, y + 19, f"timeouts.{name}: {limits[name]}", colour="text")
            places[name] = y
            y += height + 6
    first, last = min(places.values()), max(places.values()) + height
    drawing.path(f"M{WIDTH - 34} {first}V{last}", "mark")
    drawing.text(WIDTH - 42, first + 19, "timeouts.total:", colour="text", anchor="end")
    drawing.text(WIDTH - 42, first + 34, f"{limits['total']}, all of it", colour="text", anchor="end")
    loops = [halves(rest) for _, word, rest in parts if word == "loop"]
    for index, (ends, label) in enumerate(loops):
        start, end = ends.split()
        x, top, bottom = left - 12 - 12 * (len(loops) - index), places[start] + height / 2, places[end] + height / 2
        bottom += 6 * (len(loops) - 1 - index)
        drawing.path(f"M{left} {bottom:g}H{x}V{top:g}H{left - 2}", "mark", head=True)
        drawing.text(left - 20 - 12 * len(loops), top + 4, label, colour="text", anchor="end")
    return drawing.svg(y + GAP, "The way of a request through the stages of interceptors and the phases of the transport.")


def pictures(read):
    """Returns the text of each picture by its path. `read` returns the text of a file by its path."""
    folder = "Sources/Sockeye/Documentation.docc/Images"
    limits = deadlines(read("Sources/SockeyeEngine/Settings/Timeouts.swift"))
    drawn = {}
    for suffix, colours in THEMES.items():
        drawn[f"{folder}/architecture{suffix}.svg"] = architecture(read("Scripts/pictures/architecture.txt"), colours)
        drawn[f"{folder}/request{suffix}.svg"] = request(read("Scripts/pictures/request.txt"), colours, limits)
    return drawn


def deadlines(source):
    """Returns the default of each deadline, as the documentation of Timeouts.swift states it."""
    found = {}
    for comment, name in re.findall(r"((?:    ///.*\n)+)    public var (\w+): Duration\?", source):
        default = re.search(r"Default (?:`\.(unlimited)`|(\d+ s))", comment)
        found[name] = (default[1] or default[2]) if default else ""
    return found


def expanded(listed, lists):
    """Returns a list of the manifest with the contents of the lists that it names. `lists` has them by name."""
    return re.sub(r'(?<!")\b\w+\b(?!")', lambda name: lists.get(name[0], name[0]), listed)


def misplaced_targets(source, manifest):
    """Yields (line, message) where the rows of the architecture differ from the dependencies of Package.swift."""
    place, row = {}, 0
    for number, word, rest in parse(source):
        row += word == "row"
        if word == "box":
            place[halves(rest)[0]] = (row, number)
    text = re.sub(r"//[^\n]*", "", manifest)
    # Targets may name a list, such as `client + ["SockeyeCache"]`, and so may a later list.
    lists = {}
    for name, listed in re.findall(r"^let (\w+): \[Target\.Dependency\] =(.*?)^(?=\S)(?!\])", text, re.S | re.M):
        lists[name] = expanded(listed, lists)
    calls = re.findall(r'module\(\s*"(\w+)",\s*((?:\w+\s*\+?\s*)?(?:\[.*?\])?)\s*\)', text, re.S)
    calls = [(name, expanded(listed, lists)) for name, listed in calls]
    calls += re.findall(r'\.target\(name: "(Sockeye\w+)", dependencies: \[(.*?)\], swiftSettings: platformSettings', text, re.S)
    declared = {name: set(re.findall(r'"(Sockeye\w*)"', listed)) for name, listed in calls}
    for name in sorted(declared.keys() - place.keys()):
        yield 1, f"the target {name} of Package.swift is missing"
    for name, (own, number) in place.items():
        if name not in declared:
            yield number, f"{name} is no target of Package.swift"
        for other in sorted(declared.get(name, ())):
            if other in place and place[other][0] <= own:
                yield number, f"{name} uses {other}, which is not in a lower row"


def misplaced_stages(source, stages, timeouts):
    """Yields (line, message) where the stages, deadlines and counts of a request's way differ from the code."""
    ranks = re.findall(r'public static let (\w+) = Call\.Stage\((\d+),', stages)
    expected = [name for name, rank in sorted(ranks, key=lambda one: int(one[1]))]
    parts = parse(source)
    drawn = [halves(rest)[0] for _, word, rest in parts if word == "stage"]
    if drawn != expected:
        yield 1, f"the stages are {', '.join(expected)} in the code, and {', '.join(drawn)} here"
    known = deadlines(timeouts)
    phases = [(number, halves(rest)[0]) for number, word, rest in parts if word == "phase"]
    for number, name in phases:
        if not known.get(name):
            yield number, f"Timeouts.swift states no default of the deadline {name}"
    for name in sorted(known.keys() - {name for _, name in phases} - {"total"}):
        yield 1, f"the deadline {name} is missing"


def findings(read):
    """Yields (path, line, message) of pictures that are stale or differ from the code."""
    text = "Scripts/pictures/architecture.txt"
    yield from ((text, line, message) for line, message in misplaced_targets(read(text), read("Package.swift")))
    text = "Scripts/pictures/request.txt"
    stages, timeouts = (read(path) for path in (
        "Sources/Sockeye/Interceptors/Call+Stage.swift", "Sources/SockeyeEngine/Settings/Timeouts.swift"))
    yield from ((text, line, message) for line, message in misplaced_stages(read(text), stages, timeouts))
    for path, picture in pictures(read).items():
        if read(path) != picture:
            yield path, 1, "the picture is stale: run Scripts/draw-pictures.py"
