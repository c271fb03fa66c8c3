"""A communicator of mpi4py is given to the context: run by mpirun."""

from mpi4py import MPI

import tessera as ts

world = MPI.COMM_WORLD
ts.init(comm=world, devices="cpu*2")
device = ts.default_device()
assert (device.rank, device.ranks) == (world.rank, world.size) and len(device.devices) == 2 * world.size
x = ts.ones((4 * world.size, 100), split=0)
assert float((x * 2).sum()) == 800 * world.size
shapes = world.allgather(x.lshape)
half = world.Split(world.rank % 2)
own, again = ts.zeros(3, comm=half), ts.ones(3, comm=half)
assert own.device == again.device != x.device and own.device.ranks == half.size and (own + again).tolist() == [1, 1, 1]
assert ts.ones(3, comm=world).device == x.device
rows = sum(part[0] for each in shapes for part in ([each] if isinstance(each[0], int) else each))
assert rows == 4 * world.size, shapes
assert world.allreduce(1) == world.size  # mpi4py works beside it
