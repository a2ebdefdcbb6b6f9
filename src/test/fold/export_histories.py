#!/usr/bin/env python3
"""The fold of the state log as a program: searches for histories that break it, and exports some for the Java tests.

    python3 src/test/fold/export_histories.py export            writes histories.jsonl.gz for the Java tests, always the same
    python3 src/test/fold/export_histories.py check 3000        seeds 0..2999; prints how many differ (must be 0)
    python3 src/test/fold/export_histories.py check 300 --without RULE    the same when nobody keeps one of the rules
    python3 src/test/fold/export_histories.py rules             names the rules

Needs Python 3.9 and nothing else.

One partition; time is counted in offsets, LAG stands for min.compaction.lag. Writers append puts and deletions, some of
them conditional, on knowledge that went stale less than LAG/2 ago (their own index refuses the rest), some for an attempt.
Attempts are claimed, closed and forgotten. Whoever meets a void record repairs it, sometimes two do: a repairer looks, and
appends its restore at once or up to LAG/2 later, whatever happened meanwhile. No void record stays unrepaired for longer
than LAG/2. The log is compacted at any time the way Kafka does it: what a newer record of the same key replaces may go,
oldest first, when the newer one is older than LAG; a deletion goes LAG after compaction has left nothing older of its key.
Followers start from a replay of what is left, at any time, and forget deletions older than LAG. A replay reads at once, or
piece by piece while the log is written and compacted, for up to 3 LAG.

Compared all the time with an oracle that saw everything: every follower, its judgement of every record, and a replay.
What is compared of a state is its revision and where its bytes lie. Some rules, as that a claim fences, can be left out by
everybody without any two differing; that each rule of the fold is noticed when one reader alone leaves it out is asserted by
the export.

The exported file has one history a line, a JSON object: "seed", "lag", and "events" in their order. An event is one of

    {"o": 17, "s": "k1/x", "took": 1}    a record of a state was appended at offset 17 and took effect; with
                                         "null": 1 (it deletes), "attempt": 5, "if": a revision or "none",
                                         "asOf": 12 and "restores": a revision or "none" (a restore)
    {"o": 18, "c": "k1"}                 a claim of an attempt; "closed": 1 closes it, "null": 1 forgets it
    {"gone": [3, 4]}                     compaction removed the records at these offsets
    {"start": 1}                         a follower starts: it replays what compaction has left
    {"view": {"k1/x": [17, 17]}, "claims": {"k1": 18}}
                                         what every reader must see now, also one that replays what is left:
                                         revision and offset of the bytes by state, newest claim by key
"""
import argparse
import collections
import gzip
import json
import pathlib
import random
import sys

TARGET = pathlib.Path(__file__).parent.parent / "resources/io/durablestate/state/histories.jsonl.gz"
HISTORIES, STEPS = 80, 700

FOLD_RULES = {
    "attempt": "a newer claim fences the attempts before it",
    "own-attempt": "a claim does not fence its own attempt",
    "close": "a closing claim fences as well",
    "forget-claim": "a null claim forgets the attempt",
    "if-revision": "a condition that is not met makes a record void",
    "restore": "a restore is judged by as-of, and is not an ordinary write",
    "as-of": "what counts is where the bytes lie, not that the entry's revision is the restored one",
    "as-of-bound": "a restore is void when something took effect after as-of",
    "restored-revision": "a restored state keeps its revision",
    "trust": "during a replay a missing entry is unknown, so that what survived is trusted",
    "deletions": "the end of the replay does not forget deletions",
}
LOG_RULES = {
    "lag": "compaction leaves the newest LAG records alone",
    "repair": "a void record is repaired though a conditional write has taken effect after it",
    "settle": "a restore makes good the void records up to its as-of, not those between that and itself",
    "prompt": "a void record is repaired within LAG/2 (without it: within 2 LAG)",
    "oldest-first": "of a key's records compaction takes the oldest first (without it: any that is replaced)",
    "trust-old": "while a replay reads, state records older than 3/4 LAG take effect unjudged",
    "recapture": "a replay that ends at an end captured more than LAG/4 ago takes the end anew and goes on",
}


class Fold:
    """What a reader makes of the log: entries by state (revision or None when deleted, offset of the bytes), and claims."""

    def __init__(self, live, without=None):
        self.live = live  # False while replaying: a missing entry is unknown, not deleted
        self.without = without
        self.entries, self.claims = {}, {}

    def apply(self, record, trusted=False):
        """Folds one record and says whether it took effect; a trusted one does, unjudged."""
        if "c" in record:
            return self._claim(record)
        entry = self.entries.get(record["s"])
        if entry is None and (self.live or self.without == "trust"):
            entry = (None, -1)
        restore = "asOf" in record and self.without != "restore"
        void = self._comes_too_late(entry, record) if restore else self._fails(entry, record)
        if trusted or not void:
            revision = record["restores"] if restore and self.without != "restored-revision" else record["o"]
            self.entries[record["s"]] = (None if "null" in record else revision, record["o"])
        return not void

    def _claim(self, record):
        if "null" in record:
            if self.without != "forget-claim":
                self.claims.pop(record["c"], None)
        elif "closed" not in record or self.without != "close":
            self.claims[record["c"]] = record["o"]
        return True

    def _comes_too_late(self, entry, record):
        if entry is None or self.without == "as-of-bound":
            return False
        if self.without == "as-of":
            return entry[0] != revision_of(record["restores"])
        return entry[1] > record["asOf"]

    def _fails(self, entry, record):
        claim = self.claims.get(record["s"].split("/")[0])
        if "attempt" in record and claim is not None and self.without != "attempt":
            if claim > record["attempt"] or claim == record["attempt"] and self.without == "own-attempt":
                return True
        if "if" in record and entry is not None and self.without != "if-revision":
            return entry[0] != revision_of(record["if"])
        return False

    def end_of_replay(self):
        self.live = True
        if self.without == "deletions":
            self.forget_deletions_before(float("inf"))

    def forget_deletions_before(self, offset):
        self.entries = {s: e for s, e in self.entries.items() if e[0] is not None or e[1] >= offset}

    def view(self):
        return {s: e for s, e in self.entries.items() if e[0] is not None}


def revision_of(text):
    return None if text == "none" else text


def text_of(revision):
    return "none" if revision is None else revision


class Difference(Exception):
    """Two readers of one log do not see the same."""


class Writers:
    """Writers, repairers, compaction and followers of one partition, driven by one seed."""

    def __init__(self, seed, steps, without=None):
        self.rnd = random.Random(seed)
        self.steps, self.without = steps, without
        self.lag = self.rnd.choice((16, 24, 40))
        self.patience = self.lag * 2 if without == "prompt" else self.lag // 2
        self.end, self.log, self.events = 0, [], []
        self.oracle = Fold(True, without)
        self.followers, self.replays = [], []
        self.alone = {}  # when compaction first found nothing older beside a null value, by offset
        self.newest = {}  # offset of the newest record by state
        self.unsettled = collections.defaultdict(list)  # void records that nothing has made good yet, by state
        self.repairers, self.looked, self.pruners = [], [], []
        self.stale = collections.deque(maxlen=8)
        self.attempts = collections.defaultdict(list)
        keys = ["k1", "k2", "k3"][: self.rnd.randint(1, 3)]
        self.keys, self.actions = keys, "xyzw"[: self.rnd.randint(1, 4)]
        choose = self.rnd.choice
        self.weights = {
            self.claim: choose((1, 3)),
            self.put: choose((0, 1, 8)),
            self.delete: choose((0, 1, 4)),
            self.write_on_fresh_knowledge: choose((2, 8)),
            self.write_on_stale_knowledge: choose((1, 5)),
            self.write_for_attempt: choose((1, 5)),
        }
        self.lateness = choose((0.1, 0.5))
        self.deletes = choose((0.1, 0.4))  # how many of the conditional writes delete

    def run(self):
        """Returns the events; raises a Difference at the first one."""
        for _ in range(self.steps):
            self.repair()
            key = self.rnd.choice(self.keys)
            what = self.rnd.choices(list(self.weights), list(self.weights.values()))[0]
            what(key, key + "/" + self.rnd.choice(self.actions))
            if self.rnd.random() < 0.05:
                self.compact()
            if self.rnd.random() < 0.05:
                self.replay()
            self.go_on_replaying()
            for follower in self.followers:
                if self.rnd.random() < 0.05:
                    follower.forget_deletions_before(self.end - self.lag)
                self.same(follower, "a follower")
        self.replay()
        return self.events

    def same(self, fold, who):
        if fold.view() != self.oracle.view() or fold.claims != self.oracle.claims:
            raise Difference(f"{who} differs at {self.end}")

    def append(self, **record):
        record = {"o": self.end, **record}
        self.end += 1
        self.log.append(record)
        took = self.oracle.apply(record)
        self.events.append({**record, "took": int(took)} if "s" in record else record)
        for follower in self.followers:
            if follower.apply(record) != took:
                raise Difference(f"a follower judges the record at {record['o']} differently")
        if "s" in record:
            self.newest[record["s"]] = record["o"]
            self.note(record, took)

    def note(self, record, took):
        state, offset = record["s"], record["o"]
        conditional = "if" in record or "attempt" in record
        if not took:
            self.unsettled[state].append(offset)
            for _ in range(2 if self.rnd.random() < 0.3 else 1):
                delay = self.rnd.randrange(self.patience) if self.rnd.random() < 0.3 else self.rnd.randrange(3)
                self.repairers.append((self.end + delay, state, offset))
        elif "asOf" in record:
            self.settle(state, offset if self.without == "settle" else record["asOf"])
        elif not conditional or self.without == "repair":
            self.settle(state, offset)

    def settle(self, state, offset):
        self.unsettled[state] = [void for void in self.unsettled[state] if void > offset]

    # --- Writers

    def claim(self, key, _):
        newest = self.attempts[key][-1:]
        if newest and self.oracle.claims.get(key) == newest[0] and self.rnd.random() < 0.3:
            self.pruners.append((self.end + self.lag + self.rnd.randrange(self.lag), key, self.end))
            self.append(c=key, closed=1)
        else:
            self.attempts[key].append(self.end)
            self.append(c=key)

    def put(self, _, state):
        self.append(s=state)

    def delete(self, _, state):
        self.append(s=state, null=1)

    def write_on_fresh_knowledge(self, _, state):
        revision = self.oracle.entries.get(state, (None, -1))[0]
        self.stale.append((state, revision, self.end))
        self.append(s=state, **self.body(), **{"if": text_of(revision)})

    def write_on_stale_knowledge(self, _, __):
        if not self.stale:
            return
        state, revision, seen = self.rnd.choice(self.stale)
        if self.end - seen <= self.lag // 2:  # its own index would have told the writer by now
            self.append(s=state, **self.body(), **{"if": text_of(revision)})

    def write_for_attempt(self, key, state):
        if not self.attempts[key]:
            return
        attempt = self.rnd.choice(self.attempts[key][-3:])
        if any(attempt < claim < self.end - self.lag // 2 for claim in self.attempts[key]):
            return
        revision = self.oracle.entries.get(state, (None, -1))[0]
        condition = {"if": text_of(revision)} if self.rnd.random() < 0.3 else {}
        self.append(s=state, attempt=attempt, **self.body(), **condition)

    def body(self):
        return {"null": 1} if self.rnd.random() < self.deletes else {}

    # --- Repairers, and the pruner of closed attempts

    def repair(self):
        for repairer in [r for r in self.repairers if r[0] <= self.end]:
            self.repairers.remove(repairer)
            if any(void == repairer[2] for void in self.unsettled[repairer[1]]):
                delay = self.rnd.randrange(self.lag // 2) if self.rnd.random() < self.lateness else 0
                self.looked.append((self.end + delay, self.end, self.restore(repairer[1])))
        for due in [d for d in self.looked if d[0] <= self.end]:
            self.looked.remove(due)
            if self.end - due[1] <= self.lag // 2:
                self.append(**due[2])
        for state in list(self.unsettled):
            if any(self.end - void >= self.patience for void in self.unsettled[state]):
                self.append(**self.restore(state))
        for due in [p for p in self.pruners if p[0] <= self.end]:
            self.pruners.remove(due)
            if self.oracle.claims.get(due[1]) == due[2]:
                delay = self.rnd.randrange(self.lag // 2) if self.rnd.random() < self.lateness else 0
                self.looked.append((self.end + delay, self.end, {"c": due[1], "null": 1}))

    def restore(self, state):
        """What a repairer appends that looks now."""
        revision = self.oracle.entries.get(state, (None, -1))[0]
        body = {"null": 1} if revision is None else {}
        return {"s": state, "asOf": self.newest[state], "restores": text_of(revision), **body}

    # --- Compaction and readers

    def compact(self):
        cut = self.end if self.without == "lag" else self.end - self.lag
        cut -= self.rnd.choice((0, 0, self.rnd.randrange(self.lag)))
        thorough = self.rnd.random() < 0.5
        records = collections.defaultdict(list)
        for record in self.log:
            records[record.get("s", record.get("c"))].append(record)
        gone = []
        for mine in records.values():
            old = [r for r in mine if r["o"] < cut]
            if not old:
                continue
            keep = len(old) - 1 if thorough else self.rnd.randrange(len(old))
            if self.without == "oldest-first":
                gone += [r["o"] for r in old[:-1] if self.rnd.random() < 0.5]
                continue
            gone += [r["o"] for r in old[:keep]]
            oldest = old[keep]["o"]
            if "null" in old[keep] and self.end >= self.alone.setdefault(oldest, self.end) + self.lag:
                gone.append(oldest)
        if gone:
            vanished = set(gone)
            self.log = [r for r in self.log if r["o"] not in vanished]
            self.events.append({"gone": sorted(gone)})

    def replay(self):
        view, claims = sorted(self.oracle.view().items()), sorted(self.oracle.claims.items())
        self.events.append({"view": dict(view), "claims": dict(claims)})
        replay = Fold(False, self.without)
        if self.rnd.random() < 0.5:
            duration = self.rnd.choice((self.lag // 4, self.lag, 3 * self.lag))
            self.replays.append([replay, 0, self.end, self.end, len(self.log) // duration + 2])
            return
        for record in self.log:
            replay.apply(record)
        replay.end_of_replay()
        self.same(replay, "a replay")
        if self.rnd.random() < 0.4:
            self.events.append({"start": 1})
            self.follow(replay)

    def follow(self, replay):
        self.followers = (self.followers + [replay])[-6:]

    def go_on_replaying(self):
        for slow in list(self.replays):
            replay, position, end, captured, pace = slow
            batch = [r for r in self.log if r["o"] >= position][:pace]
            for record in batch:
                if record["o"] >= slow[2] and not replay.live:
                    if self.end - slow[3] > self.lag // 4 and self.without != "recapture":
                        slow[2] = slow[3] = self.end
                    else:
                        replay.end_of_replay()
                trusted = "s" in record and not replay.live and record["o"] < self.end - self.lag * 3 // 4
                replay.apply(record, trusted and self.without != "trust-old")
                slow[1] = record["o"] + 1
            if slow[1] >= self.end:
                self.replays.remove(slow)
                replay.end_of_replay()
                self.same(replay, "a replay during which the log was compacted")
                self.follow(replay)


def differs(events, lag, without=None):
    """Reads exported events the way the Java tests do; returns what differs from them, or None."""
    live = Fold(True, without)
    readers, log = [live], {}

    def replayed():
        fold = Fold(False, without)
        for record in log.values():
            fold.apply(record)
        fold.end_of_replay()
        return fold

    end = 0
    for event in events:
        if "o" in event:
            log[event["o"]] = event
            end = event["o"] + 1
            if any(reader.apply(event) != bool(event.get("took", 1)) for reader in readers):
                return f"the judgement of {event}"
        elif "gone" in event:
            for offset in event["gone"]:
                del log[offset]
        elif "start" in event:
            readers.append(replayed())
        else:
            for reader in readers[1:]:
                reader.forget_deletions_before(end - lag)
            for reader in readers + [replayed()]:
                if {s: list(e) for s, e in reader.view().items()} != {s: list(e) for s, e in event["view"].items()}:
                    return f"the view at {end}"
                if reader.claims != event["claims"]:
                    return f"the claims at {end}"
    return None


def export(target):
    histories = []
    for seed in range(HISTORIES):
        writers = Writers(seed, STEPS)
        histories.append({"seed": seed, "lag": writers.lag, "events": writers.run()})
    for history in histories:
        assert differs(history["events"], history["lag"]) is None
    for rule in FOLD_RULES:
        found = sum(differs(h["events"], h["lag"], rule) is not None for h in histories)
        print(f"{found:3} of {len(histories)} histories notice that a rule is left out: {rule}")
        assert found > 0
    text = "".join(json.dumps(h, separators=(",", ":")) + "\n" for h in histories)
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as zipped:
        zipped.write(text.encode())
    records = sum("o" in e for h in histories for e in h["events"])
    print(f"{records} records, {target.stat().st_size} bytes, in {target}")


def check(seeds, without):
    found = {}
    for seed in seeds:
        try:
            Writers(seed, STEPS, without).run()
        except Difference as difference:
            found[seed] = str(difference)
    print(f"{len(found)} of {len(seeds)} histories differ", dict(list(found.items())[:3]))
    return bool(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("export").add_argument("file", nargs="?", type=pathlib.Path, default=TARGET)
    commands.add_parser("rules")
    checking = commands.add_parser("check")
    checking.add_argument("seeds", type=int)
    checking.add_argument("--first", type=int, default=0)
    checking.add_argument("--without", choices=[*FOLD_RULES, *LOG_RULES])
    arguments = parser.parse_args()
    if arguments.command == "export":
        export(arguments.file)
    elif arguments.command == "rules":
        for rule, meaning in {**FOLD_RULES, **LOG_RULES}.items():
            print(f"{rule:20}{meaning}")
    else:
        sys.exit(check(range(arguments.first, arguments.first + arguments.seeds), arguments.without))


if __name__ == "__main__":
    main()
