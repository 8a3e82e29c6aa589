"""CPU time of a task."""
import time


def least(task, runs):
    """Minimum CPU seconds of several runs."""
    best = float('inf')
    for _ in range(runs):
        begin = time.process_time()
        task()
        best = min(best, time.process_time() - begin)
    return best
