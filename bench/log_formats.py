#!/usr/bin/env python3
"""log_formats.py LIBRARY [ROWS]: how fast recordings are read, per format.

Writes one motion of seven joints (position, velocity, torque) as CSV, as MCAP (plain, and in chunks of 1 MB), as a
rosbag2 in SQLite and as Parquet (plain, and compressed with gzip), and prints the numbers per second that the library
reads from each. Every format is read by its own column names, without a map. A bag has all digits of its numbers, so
CSV with all digits is the measure; CSV with six decimals, which is read faster, is shown beside it. CPU time, the
shortest of interleaved rounds. Exit code 1 if a format that is not compressed is slower than CSV with all digits.
"""
import os
import sqlite3
import struct
import sys
import tempfile
import time
import zlib

if len(sys.argv) > 1:
    os.environ["ROBERVAL_LIBRARY"] = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))
import numpy as np
import roberval

ROUNDS = 9
JOINTS = 7
TOPIC, TYPE = "/joint_states", "sensor_msgs/msg/JointState"
LINE = "=" * 80 + "\n"
DEFINITION = ("std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n" + LINE +
              "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" + LINE +
              "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n")


def messages(values):
    """Joint states in CDR with their times of receipt."""
    def padded(data, width):
        return data + bytes(-len(data) % width)

    names = struct.pack("<I", JOINTS)
    for j in range(JOINTS):
        text = f"joint{j + 1}".encode() + b"\0"
        names = padded(names, 4) + struct.pack("<I", len(text)) + text
    for k, row in enumerate(values):
        ns = k * 1_000_000
        body = struct.pack("<iII5s", ns // 10**9, ns % 10**9, 5, b"base\0")
        body = padded(body, 4) + names
        for part in row.reshape(3, JOINTS):
            body = padded(padded(body, 4) + struct.pack("<I", JOINTS), 8) + part.tobytes()
        yield ns, b"\0\1\0\0" + body


def write_csv(path, values):
    names = [f"{q}{j + 1}" for q in ("q", "dq", "tau") for j in range(JOINTS)]
    with open(path, "w") as file:
        file.write(",".join(["t", *names]) + "\n")
        for k, row in enumerate(values.tolist()):
            file.write(f"{k / 1000!r}," + ",".join(map(repr, row)) + "\n")


def write_sqlite(path, values):
    with sqlite3.connect(path) as db:
        db.executescript("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, "
                         "serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
                         "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER "
                         "NOT NULL, data BLOB NOT NULL); CREATE INDEX timestamp_idx ON messages (timestamp ASC);")
        db.execute("INSERT INTO topics VALUES(1, ?, ?, 'cdr', '')", (TOPIC, TYPE))
        db.executemany("INSERT INTO messages(topic_id, timestamp, data) VALUES(1, ?, ?)", messages(values))


def write_mcap(path, values, chunk=0):
    def text(data):
        return struct.pack("<I", len(data)) + data

    def record(code, body):
        return struct.pack("<BQ", code, len(body)) + body

    magic = b"\x89MCAP0\r\n"
    start = (record(3, struct.pack("<H", 1) + text(TYPE.encode()) + text(b"ros2msg") + text(DEFINITION.encode())) +
             record(4, struct.pack("<HH", 1, 1) + text(TOPIC.encode()) + text(b"cdr") + text(b"")))
    with open(path, "wb") as file:
        file.write(magic + record(1, text(b"ros2") + text(b"bench")) + start)
        waiting, size = [], 0
        for k, (ns, data) in enumerate(messages(values)):
            waiting.append(record(5, struct.pack("<HIQQ", 1, k, ns, ns) + data))
            size += len(waiting[-1])
            if size >= chunk or k + 1 == len(values):
                whole = b"".join(waiting)
                head = struct.pack("<QQQI", 0, ns, len(whole), 0) + text(b"") + struct.pack("<Q", len(whole))
                file.write(record(6, head + whole) if chunk else whole)
                waiting, size = [], 0
        file.write(record(15, bytes(4)) + record(2, bytes(20)) + magic)


def thrift(*fields):
    """A structure in the compact protocol of Thrift: integers, texts, lists (type, items) and structures, by number."""
    def whole(x):
        out = bytearray()
        while x > 127:
            out.append(x & 127 | 128)
            x >>= 7
        return bytes(out + bytes([x]))

    data, last = b"", 0
    for number, value in fields:
        if isinstance(value, int):
            kind, body = 5, whole(value << 1)
        elif isinstance(value, str):
            kind, body = 8, whole(len(value)) + value.encode()
        elif isinstance(value, tuple):
            kind, body = 9, bytes([0xF0 | value[0]]) + whole(len(value[1])) + b"".join(value[1])
        else:
            kind, body = 12, value
        data += bytes([(number - last) << 4 | kind]) + body
        last = number
    return data + b"\0"


def write_parquet(path, values, packed=False, group=1 << 20, page=1 << 17):
    names = ["t", *(f"{q}{j + 1}" for q in ("q", "dq", "tau") for j in range(JOINTS))]
    schema = [thrift((4, "bench"), (5, len(names)))] + [thrift((1, 5), (3, 0), (4, name)) for name in names]
    groups = []
    with open(path, "wb") as file:
        file.write(b"PAR1")
        for first in range(0, len(values), group):
            part, chunks = values[first:first + group], []
            for j, name in enumerate(names):
                column = (np.arange(first, first + len(part)) / 1000 if j == 0 else np.ascontiguousarray(part[:, j - 1]))
                start = file.tell()
                for k in range(0, len(column), page):
                    data = column[k:k + page].tobytes()
                    body = zlib.compress(data, 1, 31) if packed else data
                    header = thrift((1, len(data) // 8), (2, 0), (3, 3), (4, 3))
                    file.write(thrift((1, 0), (2, len(data)), (3, len(body)), (5, header)) + body)
                size = file.tell() - start
                meta = thrift((1, 5), (2, (5, [b"\0"])), (3, (8, [bytes([len(name)]) + name.encode()])), (4, 2 if packed else 0),
                              (5, len(column)), (6, size), (7, size), (9, start))
                chunks.append(thrift((2, start), (3, meta)))
            groups.append(thrift((1, (12, chunks)), (2, 8 * part.size), (3, len(part))))
        footer = thrift((1, 1), (2, (12, schema)), (3, len(values)), (4, (12, groups)))
        file.write(footer + struct.pack("<I", len(footer)) + b"PAR1")


def main():
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 50000
    values = np.random.default_rng(1).normal(size=(rows, 3 * JOINTS))
    formats = {"CSV": ("log.csv", write_csv), "CSV, 6 decimals": ("short.csv", lambda path, v: write_csv(path, v.round(6))),
               "MCAP": ("plain.mcap", write_mcap),
               "MCAP in chunks": ("chunks.mcap", lambda path, v: write_mcap(path, v, 1 << 20)),
               "SQLite": ("log.db3", write_sqlite), "Parquet": ("log.parquet", write_parquet),
               "Parquet, gzip": ("packed.parquet", lambda path, v: write_parquet(path, v, True))}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        best = dict.fromkeys(formats, np.inf)
        for path, write in formats.values():
            write(path, values)
        for _ in range(ROUNDS):
            for name, (path, _write) in formats.items():
                start = time.process_time()
                log = roberval.Recording(path)
                log.tau
                best[name] = min(best[name], time.process_time() - start)
                assert np.allclose(log.tau, values[:, 2 * JOINTS:], rtol=0, atol=1e-6 if "decimals" in name else 0), name
        os.chdir("/")
    for name, seconds in best.items():
        print(f"{name:<15} {rows * 3 * JOINTS / seconds / 1e6:7.2f} million numbers/s, {best['CSV'] / seconds:5.2f} of CSV")
    return int(any(seconds > best["CSV"] for name, seconds in best.items() if "CSV" not in name and "gzip" not in name))


if __name__ == "__main__":
    sys.exit(main())
