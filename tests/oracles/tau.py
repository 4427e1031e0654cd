#!/usr/bin/env python3
"""What the profiles of TAU in a corpus say, read by a short program of its own: `tau.json`.

    python3 tests/oracles/tau.py CORPUS/tau > tests/oracles/tau.json

Text, packed and XML files, by the description of the formats in TAU 2 (Profiler.cpp, TauSampling.cpp,
PackedProfileDataSource.java, TauSnapshot.cpp). Of every thread: the sums over call paths by the kind of
their last element, and some paths with their calls, exclusive and inclusive microseconds. Summaries,
which ParaProf makes, are left out. A call path is one with an arrow.
"""
import gzip
import json
import os
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree

PLACE = re.compile(r"^(.*?) ?\[\{(.*?)\}(?: \{(\d+)(?:,(\d+))?\}(?:-\{(\d+),(\d+)\})?)?\] *$")
KEPT_PATHS = 40


def element(text):
    """Kind, name, file and line of an element of a call path."""
    text = " ".join(text.split())
    text = re.sub(r" \[THROTTLED\]$", "", text)
    tag = re.match(r"^\[(CONTEXT|INTERMEDIATE|SAMPLE|UNWIND|SUMMARY)\] ?(.*)$", text)
    kind, rest = (tag.group(1).lower(), tag.group(2)) if tag else ("probe", text)
    kind = "context" if kind == "intermediate" else kind
    if kind == "sample" and rest.startswith("UNRESOLVED"):
        return ["unresolved", rest[len("UNRESOLVED"):].strip() or "unresolved", "", 0]
    if kind == "unwind" and " [@] " in rest:
        rest = rest.split(" [@] ", 1)[1]
    place = PLACE.match(rest)
    if not place:
        return [kind, rest, "", 0]
    name, file, line = place.group(1), place.group(2), int(place.group(3) or 0)
    return [kind, name or file, file, line]


def of_text(folder):
    for file in sorted(os.listdir(folder)):
        if not file.startswith("profile."):
            continue
        lines = open(os.path.join(folder, file), encoding="utf-8", errors="replace").read().split("\n")
        count = int(lines[0].split()[0])
        for line in lines[2:2 + count]:
            name, numbers = re.match(r'^"(.*)" (\S+ \S+ \S+ \S+ \S+) GROUP=".*" *$', line).groups()
            calls, _, exclusive, inclusive, _ = map(float, numbers.split())
            yield file[len("profile."):], name, calls, exclusive, inclusive


def of_packed(path):
    packed = open(path, "rb").read()
    if packed[:2] == b"\x1f\x8b":
        packed = gzip.decompress(packed)
    at = 6

    def take(form):
        nonlocal at
        values = struct.unpack_from(">" + form, packed, at)
        at += struct.calcsize(">" + form)
        return values if len(values) > 1 else values[0]

    def utf():
        nonlocal at
        length = take("H")
        at += length
        return packed[at - length:at].decode("utf-8", "replace")

    version, _ = take("i"), take("i")
    if version >= 2:
        take("i")
    more = take("i")
    at += more
    if version >= 2:
        for _ in range(take("i")):
            utf(), utf()
        for _ in range(take("i")):
            take("iii")
            for _ in range(take("i")):
                utf(), utf()
    metrics = [utf() for _ in range(take("i"))]
    for _ in range(take("i")):
        utf()
    events = []
    for _ in range(take("i")):
        events.append(utf())
        for _ in range(take("i")):
            take("i")
    for _ in range(take("i")):
        utf()
    for _ in range(take("i")):
        thread = ".".join(map(str, take("iii")))
        for _ in range(take("i")):
            event, calls, _ = take("idd")
            values = [take("dd") for _ in metrics]
            yield thread, events[event], calls, *values[metrics.index("TIME")]
        for _ in range(take("i")):
            take("iidddd")
    assert at == len(packed)


def of_xml(path):
    text = gzip.open(path, "rt", encoding="utf-8", errors="replace").read().replace("\0", "")
    root = ElementTree.fromstring("<all>" + re.sub(r"<\?xml[^>]*>", "", text) + "</all>")
    events = {of.get("id"): of.findtext("name") for of in root.iter("event")}
    threads = {}
    for of in root.iter("thread"):
        threads[of.get("id")] = ".".join(of.get(key) for key in ("node", "context", "thread"))
    for profile in root.iter("profile"):
        for line in profile.findtext("interval_data").strip().split("\n"):
            event, calls, _, exclusive, inclusive = line.split()
            yield threads[profile.get("thread")], events[event], float(calls), float(exclusive), float(inclusive)


def summed(rows):
    """By thread: how much call paths have together, by kind; and some of them."""
    paths = {}
    for thread, name, calls, exclusive, inclusive in rows:
        elements = [element(part) for part in name.split(" => ")]
        if len(elements) < 2 or elements[-1][0] == "summary" or (calls, exclusive, inclusive) == (0, 0, 0):
            continue
        elements = [of for of in elements if of[0] != "summary"]
        path = paths.setdefault((thread, json.dumps(elements)), [0.0, 0.0, 0.0])
        for at, value in enumerate((calls, exclusive, inclusive)):
            path[at] += value
    sums, kept = {}, []
    for (thread, elements), values in paths.items():
        kind = json.loads(elements)[-1][0]
        of_kind = sums.setdefault(thread, {}).setdefault(kind, [0, 0.0, 0.0, 0.0])
        of_kind[0] += 1
        for at, value in enumerate(values):
            of_kind[at + 1] += value
    step = max(1, len(paths) // KEPT_PATHS)
    for (thread, elements), values in sorted(paths.items())[::step]:
        kept.append([thread, json.loads(elements), *values])
    return {"sums": sums, "paths": kept}


def main(corpus):
    trials = {
        "taucmdr-mm-sample": of_text(os.path.join(corpus, "taucmdr-mm-sample")),
        "taucmdr-mpi-profile-example": of_text(os.path.join(corpus, "taucmdr-mpi-profile-example")),
        "tau2-matmult-heatmap/matmult.ppk": of_packed(os.path.join(corpus, "tau2-matmult-heatmap/matmult.ppk")),
        "tau2-mpas-phases/phases.ppk": of_packed(os.path.join(corpus, "tau2-mpas-phases/phases.ppk")),
        "tau2-classbreakdown-merged-xml/tauprofile.xml.gz":
            of_xml(os.path.join(corpus, "tau2-classbreakdown-merged-xml/tauprofile.xml.gz")),
    }
    lines = (f"{json.dumps(name)}: {json.dumps(summed(rows))}" for name, rows in trials.items())
    print("{" + ",\n".join(lines) + "}")


if __name__ == "__main__":
    main(sys.argv[1])
