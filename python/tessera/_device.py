"""Contexts, and what they did."""

import atexit
import difflib
import os

from . import _core
from ._core import Device, fast_math, ndarray

_named = {}
_of_communicator = {}
_is_final = []


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
        address, size = _communicator(comm)
    device = _core.make_device(_settings(options), address, size)
    if comm is not None:
        _of_communicator[comm.py2f()] = device
    _core.set_default_device(device)
    return device


def named_device(name):
    """The context of a name such as "cpu", "gpu", "cuda*4": the default one if it has this name, else one that is made once."""
    name = {"gpu": "cuda"}.get(name, name)
    if name not in _named:
        default = _core.default_device()
        is_it = default.name == name or (name == "cuda" and "TESSERA_DEVICES" not in os.environ
                                         and all(each["kind"] == name for each in default.devices))
        _named[name] = default if is_it else _core.make_device({"TESSERA_DEVICES": name}, 0, 0)
    return _named[name]


def _forget():
    if not _is_final:
        _named.clear()
        _of_communicator.clear()
        _core.forget_default_device()


def _communicator(comm):
    """Where the communicator of mpi4py lies, and its size."""
    from mpi4py import MPI
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm={comm!r}: a communicator of mpi4py is needed")
    if not _of_communicator:
        atexit.register(_forget)  # mpi4py ends MPI when the interpreter is gone, and the arrays with it
    return MPI._addressof(comm), MPI._sizeof(comm)


def place_of(device, comm):
    """The context that `device=` and `comm=` name: a device or its name, or the one of a communicator, made once."""
    if comm is None:
        return device
    if device is not None:
        raise ValueError("device= and comm= both name a context: give one of them")
    if isinstance(comm, Device):
        return comm
    address, size = _communicator(comm)
    key = comm.py2f()
    if key not in _of_communicator:
        _of_communicator[key] = _core.make_device({}, address, size)
    return _of_communicator[key]


def use_device(device):
    """Makes a context the default one: a device, or a text such as "cpu", "gpu", "cuda*4", which is made once."""
    device = device if isinstance(device, Device) else named_device(device)
    _core.set_default_device(device)
    return device


def finalize():
    """Waits for what is under way, and ends the work with arrays: every later use of them is an error. For programs that end
    MPI, or give devices back, before they end themselves."""
    if not _is_final:
        for device in (*_named.values(), *_of_communicator.values(), _core.default_device()):
            device.wait()
        _is_final.append(True)
        _named.clear()
        _of_communicator.clear()
        _core.finalize()


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


def redistribute(x, counts, /, *, axis=0):
    """A new array with so many elements along an axis on each device, in their order."""
    return _core.redistribute(x, list(counts), axis)


def balance(x, /):
    """A new array in even parts."""
    return _core.balance(x)


__all__ = ["Device", "init", "use_device", "finalize", "default_device", "eval", "fast_math", "fetch", "explain", "stats", "resplit", "redistribute", "balance"]
