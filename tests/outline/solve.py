"""Solves something."""
import numpy as np


class Solver:
    def __init__(self, n):
        self.n = n

    async def run(
        self, steps
    ):
        for step in range(steps):
            total = 0

            while total < step:
                total += 1

            print(total)
        # at the end
        return total


def one_line(): return 1


for name in ("a", "b"):
	print(name)
