"""Reads a trace for Perfetto: the messages of google/perfetto's protos/perfetto/trace that callsign writes, decoded by hand."""

import collections
import struct

Slice = collections.namedtuple("Slice", "track name start end depth notes")


def fields(data):
    """(field, value) of each field of a message; nested messages are bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, struct.unpack_from("<Q", data, at)[0]
            at += 8
        elif key & 7 == 2:
            size = varint()
            if at + size > len(data):
                raise ValueError("a field is cut off")
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError(f"wire type {key & 7}")


class Trace:
    """tracks: {uuid: (parent, name)}; slices; flows: {id: [(track, time), ...]} in the order of the file;
    counters: {track: [(time, value), ...]}."""

    def __init__(self, data):
        self.tracks, self.slices, self.flows, self.texts = {}, [], collections.defaultdict(list), {}
        self.open, self.counters = collections.defaultdict(list), collections.defaultdict(list)
        self.last = {}
        for field, packet in fields(data):
            if field != 1:
                raise ValueError(f"field {field} of the trace")
            self.read_packet(list(fields(packet)))
        if any(self.open.values()):
            raise ValueError("a slice has no end")

    def read_packet(self, packet):
        values = dict(packet)
        for part in (value for field, value in packet if field == 12):
            for kind, entry in fields(part):
                entry = dict(fields(entry))
                self.texts[kind, entry[1]] = entry[2].decode()
        if 60 in values:
            track = dict(fields(values[60]))
            described = dict(fields(track.get(3, track.get(4, b""))))
            self.tracks[track[1]] = (track.get(5), (track[2] if 2 in track else described[6 if 3 in track else 5]).decode())
        if 11 in values:
            self.read_event(values[8], list(fields(values[11])))

    def notes(self, event):
        notes = (dict(fields(value)) for field, value in event if field == 4)
        return {self.texts[3, note[1]]: self.texts[29, note[17]] if 17 in note else note[4] for note in notes}

    def read_event(self, time, event):
        values = dict(event)
        kind, track = values[9], values[11]
        if time < self.last.get(track, 0):
            raise ValueError(f"track {track} goes back from {self.last[track]} to {time}")
        self.last[track] = time
        for field, value in event:
            if field in (47, 48):
                self.flows[value].append((track, time, field == 48))
        if kind == 4:
            self.counters[track].append((time, values[30]))
        elif kind == 1:
            self.open[track].append((self.texts[2, values[10]], time, self.notes(event)))
        elif kind == 2:
            name, start, notes = self.open[track].pop()
            self.slices.append(Slice(track, name, start, time, len(self.open[track]), notes))
