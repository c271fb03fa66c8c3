"""Charts as SVG and tables as Markdown, for the tools that bring figures of benchmarks into documents."""

import math

COLOURS = ("#4472a8", "#d98032", "#7a9f4b", "#9467a8", "#b5443c", "#5fa8a0", "#8a6d3b", "#333333", "#c77cb0")


def bars(title, groups, labels, reference=1.0):
    """An SVG of grouped bars: groups is [(name, [value per label])]."""
    width, height, left, base = 90 + 90 * len(groups), 240, 40, 190
    top = max(reference, max(v for _, values in groups for v in values)) * 1.15
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
             f'font-size="11">', f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="16" font-size="13">{title}</text>']
    scale = (base - 40) / top
    for k, (name, values) in enumerate(groups):
        each = 72 / len(values)
        for j, value in enumerate(values):
            x, h = left + 12 + 90 * k + each * j, value * scale
            lines.append(f'<rect x="{x:.1f}" y="{base - h:.1f}" width="{each - 3:.1f}" height="{h:.1f}" '
                         f'fill="{COLOURS[j]}"/>')
            lines.append(f'<text x="{x + each / 2 - 1.5:.1f}" y="{base - h - 3:.1f}" text-anchor="middle" '
                         f'font-size="9">{value:.2f}</text>')
        lines.append(f'<text x="{left + 48 + 90 * k}" y="{base + 14}" text-anchor="middle">{name}</text>')
    y = base - reference * scale
    lines.append(f'<path d="M{left} 30V{base}H{width - 10}" fill="none" stroke="black"/>')
    lines.append(f'<path d="M{left} {y:.1f}H{width - 10}" stroke="gray" stroke-dasharray="3"/>')
    lines.append(f'<text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end">{reference:g}</text>')
    for j, label in enumerate(labels):
        lines.append(f'<rect x="{left + 150 * j}" y="{base + 26}" width="10" height="10" fill="{COLOURS[j]}"/>')
        lines.append(f'<text x="{left + 14 + 150 * j}" y="{base + 35}">{label}</text>')
    return "\n".join(lines) + "\n</svg>\n"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] +
                     ["| " + " | ".join(row) + " |" for row in rows])


def replace_section(text, name, content):
    """`text` with `content` between <!-- begin NAME --> and <!-- end NAME -->, which it must have."""
    begin, end = f"<!-- begin {name} -->\n", f"\n<!-- end {name} -->"
    if begin not in text or end not in text:
        raise SystemExit(f"the document has no '{begin.strip()}' with its end")
    head, rest = text.split(begin, 1)
    return head + begin + content + end + rest.split(end, 1)[1]


class Scale:
    """Places values from `low` to `high` on `first` to `last`, logarithmically if `log`."""

    def __init__(self, values, first, last, log, from_zero=False):
        self.log, self.first, self.last = log, first, last
        self.low, self.high = (0 if from_zero else min(values)), max(values)
        if not log:
            self.high *= 1.1
        if self.low == self.high:
            self.low, self.high = (self.low / 2, self.high * 2) if log else (self.low - 1, self.high + 1)

    def __call__(self, value):
        to = math.log if self.log else float
        share = (to(value) - to(self.low)) / (to(self.high) - to(self.low))
        return self.first + share * (self.last - self.first)

    def ticks(self):
        if not self.log:
            step = 10 ** math.floor(math.log10(self.high - self.low))
            step = next(s for s in (step / 2, step, 2 * step, 5 * step) if (self.high - self.low) / s <= 6)
            return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]
        powers = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
        ticks = [10.0 ** k for k in powers]
        return ticks if len(ticks) > 1 else [self.low, self.high]


def short(value):
    """A number with a unit: 25M."""
    for unit, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def panel(x, y, width, height, title, lines, log_x=True, log_y=False, marks=()):
    """One plot as SVG elements. `lines` is {label: [(x, y)]} in the colours of `COLOURS`; `marks` are [(x, label)] of
    upright lines."""
    left, right, top, base = x + 52, x + width - 8, y + 26, y + height - 26
    points = [p for line in lines.values() for p in line]
    across = Scale([p[0] for p in points] + [m[0] for m in marks], left, right, log_x)
    up = Scale([p[1] for p in points], base, top, log_y, from_zero=not log_y)
    parts = [f'<text x="{left}" y="{y + 16}" font-size="12">{title}</text>',
             f'<path d="M{left} {top}V{base}H{right}" fill="none" stroke="black"/>']
    for tick in up.ticks():
        parts.append(f'<path d="M{left} {up(tick):.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 4}" y="{up(tick) + 3:.1f}" text-anchor="end" font-size="9">{short(tick)}</text>')
    for tick in across.ticks():
        parts.append(f'<text x="{across(tick):.1f}" y="{base + 12}" text-anchor="middle" font-size="9">{short(tick)}</text>')
    for at, label in marks:
        parts.append(f'<path d="M{across(at):.1f} {top}V{base}" stroke="gray" stroke-dasharray="3"/>')
        parts.append(f'<text x="{across(at) - 3:.1f}" y="{top + 8}" text-anchor="end" font-size="8">{label}</text>')
    for colour, line in zip(COLOURS, lines.values()):
        if not line:
            continue
        places = [(across(px), up(py)) for px, py in sorted(line)]
        path = "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.2" fill="{colour}"/>' for px, py in places]
    return parts


def plots(title, panels, labels, columns=3, width=300, height=190, **how):
    """An SVG of plots beside each other: panels is [(title, lines, marks)]; `labels` name the colours."""
    columns = min(columns, len(panels))
    rows = (len(panels) + columns - 1) // columns
    whole = (columns * width, 24 + rows * height + 22)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" font-family="sans-serif" '
             f'font-size="11">', f'<rect width="{whole[0]}" height="{whole[1]}" fill="white"/>',
             f'<text x="10" y="18" font-size="13">{title}</text>']
    for k, (name, lines, marks) in enumerate(panels):
        parts += panel(k % columns * width, 24 + k // columns * height, width, height, name, lines, marks=marks, **how)
    step = whole[0] / max(len(labels), 1)
    for j, (colour, label) in enumerate(zip(COLOURS, labels)):
        parts.append(f'<rect x="{10 + j * step:.0f}" y="{whole[1] - 16}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{24 + j * step:.0f}" y="{whole[1] - 7}">{label}</text>')
    return "\n".join(parts) + "\n</svg>\n"
