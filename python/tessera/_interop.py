"""Arrays of other libraries: NumPy's protocols and DLPack."""

from . import _core


def _host_copy(x):
    from . import gather_limit
    nbytes = x.size * x.dtype.itemsize
    if nbytes > gather_limit:
        raise ValueError(f"an array of {nbytes} bytes is not gathered by accident: take a part, or raise "
                         f"tessera.gather_limit, which is {gather_limit}")
    return _core.host_copy(x)


def to_numpy(x, dtype=None, copy=None):
    import numpy
    if copy is False:
        raise ValueError("elements are copied always; leave copy=False out")
    if x.dtype == _core.bfloat16:
        x = _core.astype(x, _core.float32, False)
    made = numpy.asarray(_host_copy(x))
    return made if dtype is None else made.astype(dtype, copy=False)


def to_dlpack(x, *, stream=None, max_version=None, dl_device=None, copy=None):
    """A capsule with a copy of the elements on the CPU."""
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError(f"DLPack to device {tuple(dl_device)}: elements are shown on the CPU, (1, 0)")
    if copy is False:
        raise BufferError("DLPack without a copy: elements lie on several devices; leave copy=False out")
    if stream is not None:
        raise BufferError("DLPack on the CPU has no streams: leave stream out")
    return _core.to_dlpack(_host_copy(x), max_version is not None and tuple(max_version) >= (1, 0))


def dlpack_device(x):
    """The CPU, where elements are shown."""
    return (1, 0)


def from_dlpack(x, /, *, device=None, copy=None, split=None):
    """An array with the elements of another library's, copied."""
    if copy is False:
        raise BufferError("from_dlpack: elements are copied always; leave copy=False out")
    if isinstance(device, tuple):
        device = None
    try:
        capsule = x.__dlpack__(max_version=(1, 0), dl_device=(1, 0))
    except TypeError:  # a library with the protocol of 2021
        capsule = x.__dlpack__()
    return _core.from_dlpack(capsule, device, split)


def to_partitioned(x):
    """What `__partitioned__` gives: the parts of all ranks, with the elements of those that rest on this one, copied."""
    own = {tuple(offset): elements for offset, elements in _core.own_parts(x)}
    rank = x.device.rank
    parts, mine = {}, []
    for owner, boxes in enumerate(_core.parts_of_ranks(x)):
        for first, end in boxes:
            place = (len(parts),) + (0,) * max(x.ndim - 1, 0)
            parts[place] = {"start": first, "shape": tuple(hi - lo for lo, hi in zip(first, end)), "location": [owner],
                            "data": own[first] if owner == rank else None, "dtype": x.dtype.name}
            if owner == rank:
                mine.append(place)
    return {"shape": x.shape, "partition_tiling": (len(parts),) + (1,) * max(x.ndim - 1, 0), "partitions": parts,
            "locals": mine, "get": lambda handles: handles}


def from_partitioned(described, *, dtype=None, device=None, split=None):
    """An array of the parts of another library's; all of them are in this process."""
    from ._creation import asarray, empty
    parts = list(described["partitions"].values())
    if any(each["data"] is None for each in parts):
        raise ValueError("__partitioned__ with parts of other processes: give each rank the elements by from_dlpack of its own")
    elements = [asarray(each) for each in described["get"]([each["data"] for each in parts])]
    made = empty(described["shape"], dtype=elements[0].dtype if elements and dtype is None else dtype, device=device, split=split)
    for part, each in zip(parts, elements):
        made[tuple(slice(o, o + n) for o, n in zip(part["start"], part["shape"]))] = each
    return made


def from_numpy(x):
    """An array with the elements of NumPy's."""
    return _core.from_buffer(x, None, None, None)


def _public(name):
    import tessera
    return getattr(tessera, name, None)


def array_ufunc(self, ufunc, method, *inputs, out=None, **options):
    """NumPy's functions by their names, without falling back to NumPy."""
    function = _public(ufunc.__name__)
    if method != "__call__" or function is None or options:
        return NotImplemented
    made = function(*inputs)
    if out is None:
        return made
    out[0][...] = made if isinstance(out[0], _core.ndarray) else to_numpy(made)
    return out[0]


def array_function(self, function, types, arguments, options):
    """NumPy's functions by their names, without falling back to NumPy."""
    own = _public(function.__name__)
    return NotImplemented if own is None else own(*arguments, **options)
