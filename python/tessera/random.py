"""Random numbers: equal seeds and equal calls give equal numbers on any devices and ranks."""

from . import _core


class Generator:
    """Random numbers of a seed, with the names of NumPy's Generator."""

    def __init__(self, seed=0):
        if not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise TypeError(f"a seed is an integer of 0 to 64 bits, not {seed!r}")
        self._stream = _core.RandomStream(seed)

    @property
    def seed(self):
        return self._stream.seed

    def random(self, size=(), dtype=None, *, device=None, split=None):
        """Evenly spread over [0, 1)."""
        return self.uniform(0.0, 1.0, size, dtype, device=device, split=split)

    def uniform(self, low=0.0, high=1.0, size=(), dtype=None, *, device=None, split=None):
        """Evenly spread over [low, high)."""
        return self._stream.uniform(size, low, high, dtype or _core.default_float(), device, split)

    def normal(self, loc=0.0, scale=1.0, size=(), dtype=None, *, device=None, split=None):
        """Normally distributed."""
        return self._stream.normal(size, loc, scale, dtype or _core.default_float(), device, split)

    def standard_normal(self, size=(), dtype=None, *, device=None, split=None):
        """Normally distributed around 0 with the deviation 1."""
        return self.normal(0.0, 1.0, size, dtype, device=device, split=split)

    def integers(self, low, high=None, size=(), dtype=None, *, endpoint=False, device=None, split=None):
        """Integers from low to high, without high unless told otherwise."""
        if high is None:
            low, high = 0, low
        return self._stream.integers(low, high + 1 if endpoint else high, size, dtype or _core.int64, device, split)

    def permutation(self, x, /):
        """The rows of an array, or the numbers below x, in a random order."""
        n = x if isinstance(x, int) else x.shape[0]
        order = _core.argsort(self._stream.uniform((n,), 0.0, 1.0, _core.float64, None, None), 0, False)
        return order if isinstance(x, int) else _core.take(x, order, 0)

    def choice(self, a, size=None, replace=True):
        """Rows of an array, or numbers below a, drawn at random."""
        n = a if isinstance(a, int) else a.shape[0]
        shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
        if replace:
            places = self.integers(0, n, shape)
        else:
            count = 1
            for extent in shape:
                count *= extent
            if count > n:
                raise ValueError(f"choice: {count} different ones of {n}")
            places = _core.reshape(self.permutation(n)[:count], shape)
        return places if isinstance(a, int) else _core.take(a, places, 0)


def default_rng(seed=0):
    """A generator of a seed."""
    return seed if isinstance(seed, Generator) else Generator(seed)
