"""Contexts, and what they did."""

import atexit
import difflib

from . import _core
from ._core import Device, ndarray

_named = {}


def _settings(options):
    known = {name.removeprefix("TESSERA_").lower(): name for name in _core.setting_names()}
    chosen = {}
    for name, value in options.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"init: there is no setting {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        chosen[known[name]] = str(int(value)) if isinstance(value, bool) else str(value)
    return chosen


def init(*, comm=None, **options):
    """Makes the context that arrays belong to, with settings by their names (`devices="cpu*2"`, `device_memory="1GiB"`, ...);
    `comm` is a communicator of mpi4py, whose ranks are used."""
    address, size = 0, 0
    if comm is not None:
        from mpi4py import MPI
        address, size = MPI._addressof(comm), MPI._sizeof(comm)
        atexit.register(_core.forget_default_device)  # mpi4py ends MPI when the interpreter is gone, and the arrays with it
    device = _core.make_device(_settings(options), address, size)
    _core.set_default_device(device)
    return device


def use_device(device):
    """Makes a context the default one: a device, or a text such as "cpu", "gpu", "cuda*4", which is made once."""
    if not isinstance(device, Device):
        name = {"gpu": "cuda"}.get(device, device)
        if name not in _named:
            _named[name] = _core.make_device({"TESSERA_DEVICES": name}, 0, 0)
        device = _named[name]
    _core.set_default_device(device)
    return device


def default_device():
    """The context of arrays that are not given one."""
    return _core.default_device()


def _arrays(given):
    for each in given:
        if not isinstance(each, ndarray):
            raise TypeError(f"an object of the type {type(each).__name__}: arrays are needed")
    return list(given)


def eval(*arrays):
    """Carries out what arrays need; returns at once."""
    _core.eval(_arrays(arrays))


def fetch(*arrays):
    """The arrays with their elements on the host, by one wait for all: what follows on few elements is then host work."""
    _core.fetch(_arrays(arrays))
    return arrays[0] if len(arrays) == 1 else arrays


def explain(x, /):
    """How an array would be carried out now; nothing runs."""
    return _core.explain(x)


def stats(device=None):
    """What the arrays of a context have done so far."""
    return _core.stats(default_device() if device is None else device)


def resplit(x, /, split):
    """A new array with the elements laid out in another way."""
    return _core.resplit(x, split)


def balance(x, /):
    """A new array in even parts."""
    return _core.balance(x)


__all__ = ["Device", "init", "use_device", "default_device", "eval", "fetch", "explain", "stats", "resplit", "balance"]
