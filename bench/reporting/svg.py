"""SVG plots: bars and log-log points."""
import html
import math

COLOURS = ["#1b6ca8", "#d1495b", "#66a182", "#edae49", "#5c4d7d", "#8d6e63", "#00838f", "#7cb342", "#ad1457", "#455a64"]


def document(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, anchor="start", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{html.escape(str(words))}</text>'


def line(x1, y1, x2, y2, colour="#ccc", extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'


def bars(title, names, series, reference=None, number="{:.2f}"):
    """Horizontal bars, a group a name; series: {label: [value or None]}, written as `number` says."""
    left, top, unit = 230, 60, 12
    group = unit * len(series) + 8
    largest = max([v for values in series.values() for v in values if v] + [reference or 0, 1e-9])
    scale = 520 / largest
    height = top + group * len(names) + 20
    body = [text(10, 20, title, extra='font-size="14"')]
    for k, label in enumerate(series):
        body.append(f'<rect x="{left + 130 * k}" y="32" width="10" height="10" fill="{COLOURS[k % len(COLOURS)]}"/>')
        body.append(text(left + 14 + 130 * k, 41, label))
    for n, name in enumerate(names):
        y = top + n * group
        body.append(text(left - 6, y + group / 2, name, "end"))
        for k, values in enumerate(series.values()):
            value = values[n]
            if value:
                body.append(f'<rect x="{left}" y="{y + k * unit}" width="{value * scale:.1f}" height="{unit - 2}" fill="{COLOURS[k % len(COLOURS)]}"/>')
                body.append(text(left + value * scale + 4, y + k * unit + 9, number.format(value)))
    if reference:
        body.append(line(left + reference * scale, top - 6, left + reference * scale, height - 20, "#333", 'stroke-dasharray="4 3"'))
    return document(left + 600, height, body)


def log_bars(title, label, groups, series):
    """Horizontal bars on a logarithmic axis of `label`, a group a name; series: {label: [value or None]}, values above 0."""
    values = [v for of_one in series.values() for v in of_one if v]
    if not values:
        return None
    left, top, unit, width = 230, 60, 12, 560
    low = math.floor(math.log10(min(values)))
    high = max(math.ceil(math.log10(max(values))), low + 1)
    group = unit * len(series) + 8
    bottom = top + group * len(groups)

    def place(value):
        return left + (math.log10(value) - low) / (high - low) * width

    body = [text(10, 20, title, extra='font-size="14"')]
    for k, name in enumerate(series):
        body.append(f'<rect x="{left + 170 * k}" y="32" width="10" height="10" fill="{COLOURS[k % len(COLOURS)]}"/>')
        body.append(text(left + 14 + 170 * k, 41, name))
    for decade in range(low, high + 1):
        at = place(10.0**decade)
        body += [line(at, top - 6, at, bottom), text(at, bottom + 14, f"{10.0**decade:g}", "middle")]
    for n, name in enumerate(groups):
        y = top + n * group
        body.append(text(left - 6, y + group / 2, name, "end"))
        for k, of_one in enumerate(series.values()):
            if of_one[n]:
                end = max(place(of_one[n]), left + 1)
                body.append(f'<rect x="{left}" y="{y + k * unit}" width="{end - left:.1f}" height="{unit - 2}" fill="{COLOURS[k % len(COLOURS)]}"/>')
                body.append(text(end + 4, y + k * unit + 9, f"{of_one[n]:.3g}"))
    body.append(text(left + width / 2, bottom + 30, label, "middle"))
    return document(left + max(width, 170 * len(series)) + 60, bottom + 40, body)


def scatter(title, x_label, y_label, points):
    """Log-log with the diagonal and its 20 % band; points: {label: [(x, y)]}."""
    everything = [v for pairs in points.values() for pair in pairs for v in pair if v > 0]
    if not everything:
        return None
    low, high = math.floor(math.log10(min(everything))), math.ceil(math.log10(max(everything)))
    high = max(high, low + 1)
    left, top, size = 70, 40, 560

    def place(v):
        return (math.log10(v) - low) / (high - low) * size

    body = [text(10, 20, title, extra='font-size="14"')]
    for decade in range(low, high + 1):
        at = place(10.0**decade)
        body += [line(left + at, top, left + at, top + size), line(left, top + size - at, left + size, top + size - at),
                 text(left + at, top + size + 16, f"1e{decade}", "middle"), text(left - 6, top + size - at + 4, f"1e{decade}", "end")]
    for factor, style in ((1, ""), (1.2, 'stroke-dasharray="3 3"'), (0.8, 'stroke-dasharray="3 3"')):
        shift = math.log10(factor) / (high - low) * size
        body.append(line(left, top + size - shift, left + size, top - shift, "#555", style))
    for k, (label, pairs) in enumerate(points.items()):
        colour = COLOURS[k % len(COLOURS)]
        body += [f'<circle cx="{left + place(x):.1f}" cy="{top + size - place(y):.1f}" r="2.5" fill="{colour}" fill-opacity="0.7"/>'
                 for x, y in pairs if x > 0 and y > 0]
        body += [f'<circle cx="{left + size + 20}" cy="{top + 10 + 16 * k}" r="4" fill="{colour}"/>', text(left + size + 30, top + 14 + 16 * k, label)]
    body += [text(left + size / 2, top + size + 34, x_label, "middle"),
             text(16, top + size / 2, y_label, "middle", f'transform="rotate(-90 16 {top + size / 2})"')]
    return document(left + size + 170, top + size + 50, body)


def prediction(results):
    """Predicted against measured seconds of the kernels in these rows; None when there are none."""
    points = {}
    for r in results:
        if r["library"] == "cugrb" and r.get("predicted_seconds", 0) > 0 and r["kernel"] != "choice":
            points.setdefault(r["kernel"], []).append((r["median_seconds"], r["predicted_seconds"]))
    return scatter("Predicted and measured seconds; the band is 20 %", "measured", "predicted", points)


def write(plots, folder):
    """{file name: plot}, without those that are None."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, plot in plots.items():
        if plot:
            (folder / name).write_text(plot, encoding="utf-8")
