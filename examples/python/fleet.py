"""fleet.py ROBOT LOG...: identify many recordings in parallel; choose the line that fits your machines.

Robots, recordings and results can be pickled, so that every executor with a map function works.
"""
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import roberval


def identify_all(robot, logs, map=map):
    """Results in the order of the recordings. map: of an executor; default: one after another."""
    return list(map(partial(roberval.identify, robot), logs))


def with_processes(robot, logs):
    with ProcessPoolExecutor() as pool:
        return identify_all(robot, logs, pool.map)


def with_dask(robot, logs, address=None):
    from dask.distributed import Client

    with Client(address) as client:
        return client.gather(client.map(partial(roberval.identify, robot), logs))


def with_ray(robot, logs):
    import ray

    identify = ray.remote(roberval.identify)
    return ray.get([identify.remote(robot, log) for log in logs])


if __name__ == "__main__":
    for result in with_processes(roberval.Robot(sys.argv[1]), sys.argv[2:]):
        print(result, result.verdict.answer)
