"""Discrete Fourier transforms: the extension `fft` of the standard.

`n` and `s` are the lengths of what is transformed, which is cut or filled up with zeros; `norm` tells what is divided by
the number of elements: "backward", "ortho" (both ways by its root), or "forward".
"""

from . import _core


def fft(x, /, n=None, axis=-1, norm="backward"):
    """The transform along an axis."""
    return _core.fft(x, n, axis, norm)


def ifft(x, /, n=None, axis=-1, norm="backward"):
    """The way back of `fft`."""
    return _core.ifft(x, n, axis, norm)


def rfft(x, /, n=None, axis=-1, norm="backward"):
    """Of real numbers: the first n // 2 + 1 numbers of the transform."""
    return _core.rfft(x, n, axis, norm)


def irfft(x, /, n=None, axis=-1, norm="backward"):
    """The way back of `rfft`, to n real numbers, 2 (m - 1) of m elements if left out."""
    return _core.irfft(x, n, axis, norm)


def hfft(x, /, n=None, axis=-1, norm="backward"):
    """Of numbers whose transform is real: n of them, 2 (m - 1) of m elements if left out."""
    return _core.hfft(x, n, axis, norm)


def ihfft(x, /, n=None, axis=-1, norm="backward"):
    """The way back of `hfft`."""
    return _core.ihfft(x, n, axis, norm)


def fftn(x, /, s=None, axes=None, norm="backward"):
    """The transform along several axes, all if none are given."""
    return _core.fftn(x, s, axes, norm)


def ifftn(x, /, s=None, axes=None, norm="backward"):
    """The way back of `fftn`."""
    return _core.ifftn(x, s, axes, norm)


def rfftn(x, /, s=None, axes=None, norm="backward"):
    """As `fftn`, of real numbers along the last of the axes."""
    return _core.rfftn(x, s, axes, norm)


def irfftn(x, /, s=None, axes=None, norm="backward"):
    """The way back of `rfftn`."""
    return _core.irfftn(x, s, axes, norm)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the elements of a transform of n elements at distances d."""
    return _core.fftfreq(n, d, dtype or _core.default_float(), device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """As `fftfreq`, of `rfft`."""
    return _core.rfftfreq(n, d, dtype or _core.default_float(), device)


def fftshift(x, /, *, axes=None):
    """With frequency 0 in the middle of the axes."""
    return _core.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """The way back of `fftshift`."""
    return _core.ifftshift(x, axes)


__all__ = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn", "fftfreq", "rfftfreq",
           "fftshift", "ifftshift"]
