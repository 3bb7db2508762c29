"""``python -m fuzz --seconds 60``: calls everything, and says what went wrong and how often a call was valid."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from fuzz.command import Command, commands
from fuzz.judge import judged
from fuzz.targets import Target, targets

SHARE_ODD = 0.4
SLOW = 15.0  # seconds of CPU that no call of these sizes may take
LEAST_VALID, ENOUGH = 0.05, 200  # of so many tries


def main() -> int:
    """Goes round all targets until the time is over; 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (an hour: 3600)")
    parser.add_argument("--only", default="", help="targets whose name contains this")
    parser.add_argument("--seed", type=int, default=None, help="of the first round; another one in each run by default")
    asked = parser.parse_args()
    chosen = [target for target in [*targets(), *commands()] if asked.only in f"{target.text} {target.group}"]
    seed = Random().randrange(10**9) if asked.seed is None else asked.seed
    print(f"{len(chosen)} targets, from seed {seed}")
    end, tried, valid, found, spent = time.monotonic() + asked.seconds, Counter(), Counter(), {}, Counter()
    while chosen and time.monotonic() < end:
        for target in sorted(chosen, key=lambda one: spent[one])[: max(1, len(chosen) // 2)]:
            if time.monotonic() > end:
                break
            began = time.monotonic()
            outcome = attempt(target, seed, found)
            spent[target] += time.monotonic() - began
            tried[target.group] += 1
            valid[target.group] += outcome == "answer"
            seed += 1
    return report(tried, valid, found)


def attempt(target: Target | Command, seed: int, found: dict[str, str]) -> str:
    """One call and what became of it; the first find of each kind is kept."""
    text = target.call(seed, odd=Random(seed).random() < SHARE_ODD)
    began = time.process_time()
    try:
        outcome = judged(text)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = error.__traceback__
        while where and where.tb_next:
            where = where.tb_next
        kind = f"{type(error).__name__} at {where.tb_frame.f_code.co_filename}:{where.tb_lineno}" if where else "error"
        outcome = "found"
        if kind not in found:
            found[kind] = text
            print(f"\n{text}\n    {kind}\n    {str(error)[:300]}", flush=True)
    spent = time.process_time() - began
    if spent > SLOW and f"slow: {target.group}" not in found:
        found[f"slow: {target.group}"] = text
        print(f"\n{text}\n    took {spent:.0f} s", flush=True)
    return outcome


def report(tried: Counter[str], valid: Counter[str], found: dict[str, str]) -> int:
    """The table at the end, and the exit status."""
    rare = [name for name in sorted(tried) if tried[name] >= ENOUGH and valid[name] < LEAST_VALID * tried[name]]
    print(f"\n{sum(tried.values())} calls of {len(tried)} targets, {sum(valid.values())} answered, {len(found)} finds")
    for name in rare:
        print(f"hardly ever valid: {name} ({valid[name]} of {tried[name]})")
    return int(bool(found or rare))


if __name__ == "__main__":
    sys.exit(main())
