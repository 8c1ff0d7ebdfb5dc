#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates models with events and compares with their closed forms: events.py BOLZA [NAME]."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "events"


def ball(stop, e=0.8, h=1.0, g=9.81):
    """Impacts until `stop`: their number and the time of the last."""
    fall, t, n, flight = math.sqrt(2 * h / g), math.sqrt(2 * h / g), 0, 0.0
    last = 0.0
    while t <= stop:
        n, last = n + 1, t
        flight = 2 * fall * e ** n
        t += flight
    return {"bounces": n, "last": last}


def relay(stop, T=20.0, on=False):
    t, switches = 0.0, 0
    while True:
        target, level = (50.0, 21.0) if on else (0.0, 19.0)
        duration = 10 * math.log((T - target) / (level - target))
        if t + duration > stop:
            return {"T": target + (T - target) * math.exp(-(stop - t) / 10), "switches": switches, "on": float(on)}
        t, T, on, switches = t + duration, level, not on, switches + 1


def sampled(stop, Ts=0.1, kp=1.5, ki=2.0):
    x = total = 0.0
    for _ in range(round(stop / Ts)):  # stop lies just before a tick
        total += ki * Ts * (1 - x)
        u = kp * (1 - x) + total
        x = x * math.exp(-Ts) + u * (1 - math.exp(-Ts))
    return {"x": x, "sum": total, "u": u}


def diode(stop):
    """Conducting from 0 until the current is zero, then the voltage stays (until the next half wave)."""
    # v' = 2 (sin t - v), v(0) = 0:  v = 0.8 sin t - 0.4 cos t + 0.4 exp(-2t);  i = v' = 0 at the end
    v = lambda t: 0.8 * math.sin(t) - 0.4 * math.cos(t) + 0.4 * math.exp(-2 * t)
    i = lambda t: 0.8 * math.cos(t) + 0.4 * math.sin(t) - 0.8 * math.exp(-2 * t)
    low, high = 1.0, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if i(middle) > 0 else (low, middle)
    return {"v": v(low), "off": 1.0, "s": math.sin(stop) - v(low)}


def pipes():
    """The heat of a narrow, a wide and a common pipe at t = 2: the flow of 1, at 300.5, divides 1 to 3, mixes, and ends at t = 1."""
    decay = lambda rate: 1 - math.exp(-rate)
    first, second = 1 + 0.25 * 0.5, 2 + 0.75 * 0.5  # heating, and what the flow brings
    mixed = first * (decay(1) - (decay(1) - decay(0.25)) / 0.75) + second * (decay(1) - (decay(1) - decay(0.75)) / 0.25)
    return {"narrow.h": 300 + 4 * first * decay(0.25) + 1, "wide.h": 300 + second / 0.75 * decay(0.75) + 2, "common.h": 300 + mixed}


def saw(stop):
    whole = math.floor(stop / 0.4)
    rest = stop - 0.4 * whole
    return 0.08 * whole + rest * rest / 2 + 1.5 ** 2 / 2


def joined(stop):
    """Capacitors of 1 and 3 without a resistor between them: 4 v' = (1 - v)/2."""
    v = 1 - math.exp(-stop / 8)
    return {"v": v, "w": v, "i": 3 * (1 - v) / 8, "h": 1}


def buffer(ticks, n=400, bins=5):
    """The ring after so many ticks of 0.01 s, the k-th at 0.01 k."""
    ring, count = [-1.0] * n, [0] * bins
    for k in range(1, ticks + 1):
        ring[(k - 1) % n] = 0.01 * k
        count[k % bins] += 1
    expected = {"at": ticks, "total": sum(ring), "first": ring[0], "last": ring[-1], "middle": ring[n // 2 - 1]}
    expected.update({f"count[{b + 1}]": count[b] for b in range(bins)})
    expected.update({f"ring[{k}]": ring[k - 1] for k in (2, 13, n - 1)})
    return expected


CASES = [
    # model, arguments, expected values at the end, tolerance and why, expected exit code, code of a message
    ("bouncing_ball", ["--stop", "3"], ball(3), 2e-6, 0, None),
    ("stick_slip", ["--stop", "6"], {"stopped": 4 - 2 * math.sqrt(3), "released": 5, "v": 0.75, "stuck": 0}, 1e-5, 0, None),
    ("relay", ["--stop", "10"], relay(10), 1e-5, 0, None),
    ("sampled_pi", ["--stop", "1.9999999"], sampled(2), 1e-5, 0, None),
    ("sampled_pi", ["--stop", "1.9999999", "--set", "Ts=0.5"], sampled(2, 0.5), 1e-5, 0, None),
    ("timers", ["--stop", "3"], {"ticks": 12, "rounds": 8, "running": 0, "saw": saw(3), "stairs": 7.5 - 3 - 3}, 1e-5, 0, None),
    ("delayed", ["--stop", "2"], {"x": -0.5}, 1e-5, 0, None),
    ("diode", ["--stop", "4"], diode(4), 1e-5, 0, None),
    ("zero_parts", ["--stop", "4"], joined(4), 1e-5, 0, None),
    ("fall", ["--stop", "9"], {"h": 2, "v": -math.sqrt(160)}, 1e-5, 0, "W602"),
    ("fall", ["--stop", "1"], {"h": 5}, 1e-5, 0, "W601"),
    ("broken", ["--stop", "2"], {}, 0, 1, "E601"),
    ("pendulum", ["--stop", "10"], {"energy": 0, "length": 1}, 2e-3, 0, None),
    ("pendulum", ["--stop", "10", "--form", "reduced"], {"energy": 0, "length": 1}, 2e-3, 0, None),
    ("pendulum", ["--stop", "10", "--form", "original"], {"energy": 0, "length": 1}, 1e-5, 0, None),
    ("pipes Pipes.Circuit", ["--stop", "2"], pipes(), 1e-8, 0, None),
    # six arcs of the difference of two of three voltages: each is the integral of sqrt(3) cos from -pi/6 to pi/6
    ("bridge Bridge.Rectifier", ["--stop", repr(2 * math.pi)], {"mean": 6 * math.sqrt(3) / (1 + 2e-6)}, 1e-6, 0, None),
    # both slide when the pull is 1, the upper one alone when t/2 + 1/2 = 2
    ("stack Stack.Blocks", ["--stop", "4"], {"first": 1, "second": 3, "v1": 2, "v2": 2.5}, 1e-9, 0, None),
    ("sources Sources.Test", ["--stop", "3"], {"area": 0.75 - 0.75 + 3, "late.y": 1, "late_area": 0.75 + 0.75}, 1e-9, 0, None),
    ("schmitt", ["--stop", "6"], {"up": math.asin(0.49), "down": math.pi + math.asin(0.49), "y": -1}, 1e-6, 4, "W604"),
    ("step_chain StepChain.Ring", ["--stop", "5.5"], {"turns": 2, "a.active": 0, "b.active": 1}, 0, 0, None),
    # areas under staircases, under what of two pulses is long enough
    ("digital", ["--stop", "3"], {"stair_area": 5.55, "passed_area": 5.55, "delayed_area": 5.25, "area[1]": 4.35, "area[2]": 4.225}, 1e-6, 0, None),
    ("on_delay", ["--stop", "2"], {"area": 0.75, "before": 4.5, "next": 0.5}, 1e-6, 0, None),
    ("buffer", ["--stop", "5.005"], buffer(500), 1e-9, 0, None),
    ("buffer", ["--stop", "0.505", "--set", "n=2000"], buffer(50, 2000), 1e-9, 0, None),
    ("asserted Asserted.Branch", ["--stop", "2"], {"x": -1, "y": 0}, 1e-9, 0, None),
    ("seeded", ["--stop", "2"], {"x": 12, "y": 12, "s[8]": 21, "s[7]": 13, "n": 3}, 1e-6, 0, None),
    # the closed valve's voltage is that of the source but for 1e-7 A through 1 Ohm; without errors made larger 826 steps do
    ("valve", ["--stop", "0.05", "--tol", "1e-11", "--option", "max_steps=3000"], {"v": math.sin(5)}, 2e-7, 0, None),
    # half waves above the step's ends: sin(10 t) > 0.9999 for 0.003 s at a time, 16 times in 10 s
    ("spikes", ["--stop", "10"], {"passes": 16}, 1e-5, 0, None),
    ("spikes", ["--stop", "10", "--integrator", "dopri5", "--option", "max_step=0.004"], {"passes": 16}, 1e-5, 0, None),
]
UNTIL = {"broken": math.log(2), "fall": None}


def judge(expected, tolerance, report):
    for name, value in expected.items():
        if name not in report["final"]:
            return f"{name} is not in the result"
        if abs(report["final"][name] - value) > tolerance * max(1, abs(value)):
            return f"{name} is {report['final'][name]!r}, not {value!r}"
    return None


def run(bolza, folder, model, arguments):
    file, *of = model.split()
    tolerance = [] if "--tol" in arguments else ["--tol", "1e-8"]
    command = [bolza, "simulate", str(FOLDER / f"{file}.mo"), *of, *arguments, *tolerance, "--json", "--output", f"{folder}/r.mat"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    try:
        report = json.loads(done.stdout)
        report["stderr"] = done.stderr[-2000:]
        return done.returncode, report
    except ValueError:
        return done.returncode, {"status": done.stderr[:300], "final": {}, "diagnostics": []}


def zeno(bolza, folder):
    """The ball comes to rest at t = 4.06 after infinitely many impacts: a report, not a hang."""
    code, report = run(bolza, folder, "bouncing_ball", ["--stop", "5"])
    if report.get("time", 0) < 4.06 - 1e-2:
        return f"stopped at {report.get('time')}"
    said = " ".join(d["message"] for d in report["diagnostics"])
    return None if "accumulate" in said or "chattering" in said else f"nothing is said: exit {code}, {said}"


def main():
    bolza, only = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        results = []
        for model, arguments, expected, tolerance, exit_code, said in CASES:
            if only and only != model.split()[0]:
                continue
            code, report = run(bolza, folder, model, arguments)
            wrong = f"exit {code}: {report.get('status')} {report.get('stderr', '')}" if code != exit_code else judge(expected, tolerance, report)
            if not wrong and said and said not in {d["code"] for d in report["diagnostics"]}:
                wrong = f"no {said}: {[d['code'] for d in report['diagnostics']]}"
            if not wrong and UNTIL.get(model) and abs(report["time"] - UNTIL[model]) > 0.05:
                wrong = f"stopped at {report['time']}"
            results.append((" ".join([model, *arguments]), wrong))
        if not only or only == "zeno":
            results.append(("zeno", zeno(bolza, folder)))
        for name, wrong in results:
            passed, failed = passed + (wrong is None), failed + (wrong is not None)
            print(f"{'ok  ' if wrong is None else 'FAIL'} {name}" + (f": {wrong}" if wrong else ""), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
