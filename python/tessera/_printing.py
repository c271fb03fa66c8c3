"""Text of arrays; reads only the elements that it shows."""

import struct

from . import _core

threshold = 1000
edge = 3


def _short_float(value, digits, check):
    for precision in digits:
        text = f"{value:.{precision}g}"
        if check(float(text)) == value or value != value:
            return text
    return text


def _as_float32(value):
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return value


def _float_text(value, dtype):
    if dtype in ("float32", "complex64"):
        text = _short_float(value, range(6, 10), _as_float32)
    elif dtype in ("float16", "bfloat16"):
        text = f"{value:.4g}"
    else:
        text = repr(value)
    if text.endswith(".0"):
        text = text[:-1]
    return text if any(c in text for c in ".en") else text + "."


def _text(value, dtype):
    if isinstance(value, float):
        return _float_text(value, dtype)
    if isinstance(value, complex):
        imaginary = _float_text(value.imag, dtype)
        return _float_text(value.real, dtype) + ("" if imaginary.startswith("-") else "+") + imaginary + "j"
    return str(value)


def _shown(x):
    """The elements that are shown, and for each axis whether some are left out."""
    left_out = [x.size > threshold and n > 2 * edge for n in x.shape]
    for axis, is_cut in enumerate(left_out):
        if is_cut:
            front, back = [slice(None)] * x.ndim, [slice(None)] * x.ndim
            front[axis], back[axis] = slice(None, edge), slice(-edge, None)
            x = _core.concat([x[tuple(front)], x[tuple(back)]], axis)
    return x.tolist(), left_out


def _map(values, depth, function):
    return [_map(each, depth - 1, function) for each in values] if depth > 0 else function(values)


def _flat(values, depth):
    if depth == 0:
        yield values
    else:
        for each in values:
            yield from _flat(each, depth - 1)


def _join(texts, left_out, indent, separator):
    if not left_out:
        return texts
    parts = [_join(each, left_out[1:], indent + 1, separator) for each in texts]
    if left_out[0]:
        parts.insert(edge, "...")
    between = separator + (" " if len(left_out) == 1 else "\n" * (len(left_out) - 1) + " " * indent)
    return "[" + between.join(parts) + "]"


def _body(x, indent, separator):
    values, left_out = _shown(x)
    if x.ndim == 0 and isinstance(values, float) and x.dtype.name == "float64":
        return repr(values)
    texts = _map(values, x.ndim, lambda value: _text(value, x.dtype.name))
    width = max((len(each) for each in _flat(texts, x.ndim)), default=0)
    aligned = _map(texts, x.ndim, lambda text: text.rjust(width) if x.ndim else text)
    return _join(aligned, left_out, indent, separator)


def to_repr(x):
    head = "array("
    notes = [] if x.dtype.name in ("float64", "int64", "bool") and x.size else [f"dtype={x.dtype}"]
    if x.size == 0 and x.shape != (0,) or x.size > threshold:
        notes.insert(0, f"shape={x.shape}")
    return ", ".join([head + _body(x, len(head) + 1, ","), *notes]) + ")"


def to_str(x):
    return _body(x, 1, "")
