#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/architecture.svg: the folders of src/ and which uses which.

usage: architecture.py [--check] FILE.svg "base: arch:base toolchain:arch"   (the arrows, as tests/layers.py takes them)

The picture follows the reader's light or dark scheme. Arrows that others imply are left out. --check compares, and writes nothing.
`ninja -C build/release architecture` runs it with the arrows of CMakeLists.txt; the test `docs.architecture_picture` checks the result.
"""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from layers import read_arrows  # noqa: E402

CAPTIONS = {
    "base": "errors, files, processes, JSON",
    "arch": "the table of gfx targets",
    "syntax": "CUDA C++, Python, build files",
    "toolchain": "compilers, SDK, code objects",
    "project": "the user's tree and its build",
    "lint": "rules, findings, fixes",
    "lsp": "findings in an editor",
    "port": "CUDA to HIP, with reasons",
    "device": "hip, cuda, soft, cpu",
    "runtime": "memory, streams, graphs",
    "verify": "proof: build, run, compare",
    "soft": "the software GPU, on LLVM",
    "graph": "models: ONNX, passes, executor",
    "perf": "measure, compare, bisect",
    "ci": "workflows, logs, doctor",
    "trace": "profilers' traces",
    "github": "pull requests to their merge",
    "cli": "commands: parse, call, print",
}
WIDTH, HEIGHT, LANE, GAP_X, GAP_Y, MARGIN = 216, 58, 4, 32, 56, 28
# Opened by name when a program asks for it; nothing links it.
LOADED_AT_RUN_TIME = [("device", "soft")]

STYLE = """
  svg { --page: #ffffff; --box: #f6f8fa; --line: #57606a; --text: #1f2328; --quiet: #57606a; --accent: #0969da; }
  @media (prefers-color-scheme: dark) {
    svg { --page: #0d1117; --box: #161b22; --line: #8b949e; --text: #e6edf3; --quiet: #8b949e; --accent: #58a6ff; }
  }
  .page { fill: var(--page); }
  .box { fill: var(--box); stroke: var(--line); }
  .name { fill: var(--text); font: 600 16px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; }
  .caption { fill: var(--quiet); font: 12px ui-sans-serif, system-ui, sans-serif; text-anchor: middle; }
  .arrow { fill: none; stroke: var(--line); stroke-width: 1.5; }
  .loaded { fill: none; stroke: var(--accent); stroke-width: 1.5; stroke-dasharray: 5 4; }
  .head { fill: var(--line); }
  .loaded-head { fill: var(--accent); }
"""


def reachable(arrows, name):
    found = set()
    for used in arrows[name]:
        found |= {used} | reachable(arrows, used)
    return found


def direct_only(arrows):
    """The arrows that no other arrow implies."""
    return {name: [used for used in uses if not any(used in reachable(arrows, other) for other in uses if other != used)]
            for name, uses in arrows.items()}


def rows_of(arrows):
    """Units by row, the lowest first: a unit stands above all that it uses."""
    def depth(name):
        return 1 + max((depth(used) for used in arrows[name]), default=-1)

    rows = [[] for _ in range(1 + max(map(depth, arrows)))]
    for name in arrows:
        rows[depth(name)].append(name)
    return rows


def with_lanes(rows, arrows):
    """Lines of (user, …, used), and rows in which an arrow over several rows has a lane (user, used, row) between the boxes."""
    depth = {name: index for index, row in enumerate(rows) for name in row}
    lines = [[user, *((user, used, row) for row in range(depth[user] - 1, depth[used], -1)), used]
             for user in arrows for used in arrows[user]]
    full = [row + [point for line in lines for point in line[1:-1] if point[2] == index] for index, row in enumerate(rows)]
    return lines, full


def ordered(rows, lines):
    """The rows with their points in the order in which the fewest arrows cross, and little stands between the ends of dashed ones."""
    steps = [step for line in lines for step in zip(line, line[1:])]
    row_of = {point: index for index, row in enumerate(rows) for point in row}
    pairs = [(one, two) for one, two in itertools.combinations(steps, 2) if row_of[one[0]] == row_of[two[0]]]

    def crossings(order):
        place = {point: index for row in order for index, point in enumerate(row)}
        between = sum(abs(place[user] - place[used]) - 1 for user, used in LOADED_AT_RUN_TIME)
        return between + sum((place[one[0]] - place[two[0]]) * (place[one[1]] - place[two[1]]) < 0 for one, two in pairs)

    def improved(order):
        """Row by row the best permutation for the others, until none helps."""
        least = crossings(order)
        while True:
            for row in range(len(order)):
                order = min((order[:row] + [list(each)] + order[row + 1:] for each in itertools.permutations(order[row])), key=crossings)
            if crossings(order) == least:
                return order
            least = crossings(order)

    # From several orders of the widest row, on which the others depend most.
    widest = max(range(len(rows)), key=lambda row: len(rows[row]))
    starts = itertools.islice(itertools.permutations(rows[widest]), 24)
    return min((improved([*rows[:widest], list(start), *rows[widest + 1:]]) for start in starts), key=crossings)


def columns_of(rows, lines):
    """The middle of each box and lane: near what it is joined with, without overlap."""
    near = {point: [] for row in rows for point in row}
    for line in lines:
        for above, below in zip(line, line[1:]):
            near[above].append(below)
            near[below].append(above)
    half = {point: (WIDTH if isinstance(point, str) else LANE) / 2 for point in near}
    place = {point: index * (WIDTH + GAP_X) for row in rows for index, point in enumerate(row)}
    for _ in range(60):
        for row in (*rows, *reversed(rows)):
            wanted = [sum(place[other] for other in near[point]) / len(near[point]) for point in row]
            places = [wanted[0]]
            for before, point, best in zip(row, row[1:], wanted[1:]):
                places.append(max(best, places[-1] + half[before] + GAP_X + half[point]))
            shift = (sum(wanted) - sum(places)) / len(row)
            place.update((point, x + shift) for point, x in zip(row, places))
    left = min(place[point] - half[point] for point in place)
    return {point: round((x - left + MARGIN) / 4) * 4 for point, x in place.items()}


def box(name, x, y, width=WIDTH):
    return (f'  <rect class="box" x="{x - width // 2}" y="{y}" width="{width}" height="{HEIGHT}" rx="8"/>\n'
            f'  <text class="name" x="{x}" y="{y + 25}">{name}</text>\n'
            f'  <text class="caption" x="{x}" y="{y + 44}">{CAPTIONS.get(name, "")}</text>\n')


def arrow(points):
    """Down through lanes: straight beside the boxes of a row, bent between rows."""
    path = f"M{points[0][0]},{points[0][1]}"
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        path += f" L{x2},{y2}" if x1 == x2 else f" C{x1},{(y1 + y2) // 2} {x2},{(y1 + y2) // 2} {x2},{y2}"
    return f'  <path class="arrow" d="{path}" marker-end="url(#arrow-end)"/>\n'


def marker(kind, style):
    return (f'<marker id="{kind}-end" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
            f'<path class="{style}" d="M0,0 L10,5 L0,10 z"/></marker>')


def points_of(line, lines, column, top):
    """Where the arrow goes; arrows that leave one box leave it side by side."""
    user, used = line[0], line[-1]
    siblings = sorted((other for other in lines if other[0] == user), key=lambda other: column[other[1]])
    start = column[user] + round((siblings.index(line) - (len(siblings) - 1) / 2) * 28)
    points = [(start, top[user] + HEIGHT)]
    for lane in line[1:-1]:
        points += [(column[lane], top[lane]), (column[lane], top[lane] + HEIGHT)]
    return points + [(column[used], top[used])]


def draw(arrows):
    arrows = direct_only(arrows)
    lines, rows = with_lanes(rows_of(arrows), arrows)
    rows = ordered(rows, lines)
    column = columns_of(rows, lines)
    width = max(x + (WIDTH if isinstance(point, str) else LANE) // 2 for point, x in column.items()) + MARGIN
    height = 2 * MARGIN + (len(rows) + 1) * (HEIGHT + GAP_Y) - GAP_Y
    top = {point: height - MARGIN - HEIGHT - index * (HEIGHT + GAP_Y) for index, row in enumerate(rows) for point in row}
    parts = [box("cli", width // 2, MARGIN, width - 2 * MARGIN)]
    for name in arrows:
        if not any(name in uses for uses in arrows.values()) and (name not in dict(map(reversed, LOADED_AT_RUN_TIME))):
            parts.append(arrow([(column[name], MARGIN + HEIGHT), (column[name], top[name])]))
    parts += [arrow(points_of(line, lines, column, top)) for line in lines]
    for user, used in LOADED_AT_RUN_TIME:
        side = 1 if column[used] > column[user] else -1
        x1, x2 = column[user] + side * WIDTH // 2, column[used] - side * WIDTH // 2
        parts.append(f'  <path class="loaded" d="M{x1},{top[user] + HEIGHT // 2} L{x2},{top[used] + HEIGHT // 2}" '
                     'marker-end="url(#loaded-end)"/>\n')
    parts += [box(name, column[name], top[name]) for name in arrows]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
            f"<title>The folders of src/ and which uses which</title>\n<style>{STYLE}</style>\n"
            f'<defs>{marker("arrow", "head")}{marker("loaded", "loaded-head")}</defs>\n'
            f'  <rect class="page" width="{width}" height="{height}"/>\n' + "".join(parts) + "</svg>\n")


def main():
    check = "--check" in sys.argv
    name, words = [argument for argument in sys.argv[1:] if argument != "--check"]
    path, picture = pathlib.Path(name), draw(read_arrows(words))
    if not check:
        path.write_text(picture)
    elif not path.exists() or path.read_text() != picture:
        print(f"{path} does not show the arrows of CMakeLists.txt: run ninja -C build/release architecture")
        return 1
    return 0


sys.exit(main())
