"""Prints the events of an OTF2 archive, as Python's otf2 reads them: a line of JSON for each. Run by otf2_traces.py with the interpreter that has otf2."""

import json
import sys

import otf2


def value(thing):
    name = getattr(thing, "name", None)
    return name if isinstance(name, str) else thing if isinstance(thing, (int, str)) else str(thing)


def main():
    fields = ("region", "receiver", "sender", "communicator", "msg_tag", "msg_length", "request_id", "collective_op", "win", "remote", "lock_type", "root")
    with otf2.reader.open(sys.argv[1]) as trace:
        for communicator in trace.definitions.comms:
            print(json.dumps({"kind": "Comm", "name": communicator.name, "members": [str(member) for member in communicator.group.members]}))
        for location, event in trace.events:
            row = {"kind": type(event).__name__, "location": location.name, "process": location.group.name, "time": event.time}
            row.update({field: value(getattr(event, field)) for field in fields if hasattr(event, field)})
            print(json.dumps(row))


main()
