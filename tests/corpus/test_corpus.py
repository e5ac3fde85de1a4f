"""Runs that released versions recorded: this version reads the same rows from them. tests/corpus/make made them; they never change."""

import os
import pathlib
import re
import shutil
import tarfile
import tempfile
import unittest

import corpus

SOURCE = pathlib.Path(__file__).resolve().parent
RELEASES = sorted(path.parent for path in SOURCE.glob("*/runs.tar.xz"))


class Corpus(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="callsign-corpus-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    @unittest.skipIf(not RELEASES, "no release has a corpus yet")
    def test_runs_of_releases_give_the_rows_of_then(self):
        for release in RELEASES:
            with tarfile.open(release / "runs.tar.xz") as archive:
                archive.extractall(self.folder / release.name)
            runs = sorted((self.folder / release.name).iterdir())
            self.assertEqual([f"{path.name}.rows" for path in runs], sorted(path.name for path in release.glob("*.rows")))
            for run in runs:
                with self.subTest(release=release.name, run=run.name):
                    rows, messages = corpus.read([os.environ["CALLSIGN_COMMAND"]], run, self.folder / "tables")
                    self.assertEqual(corpus.differences((release / f"{run.name}.rows").read_text(encoding="utf-8"), rows, messages), [])

    THEN = "! callsign: .../rank-00001.db is damaged: left out\n== object\nrank\tname\n0\tgrid\n0\trow\n1\tgrid\n"
    NOW = {"object": [["rank", "since", "name"], ["1", "7", "grid"], ["0", "7", "row"], ["0", "8", "grid"]], "more": [["rank"], ["0"]]}
    SAID = ["rank-00001.db: other words"]

    def test_more_columns_and_tables_are_no_difference(self):
        self.assertEqual(corpus.differences(self.THEN, self.NOW, self.SAID), [])

    def test_differences_are_found(self):
        object_ = self.NOW["object"]
        changed = [object_[0], ["1", "7", "GRID"], *object_[2:]]
        cases = [({"object": changed}, self.SAID, "object: not here now: 1\tgrid"), ({"object": changed}, self.SAID, "object: not there then: 1\tGRID"),
                 ({"object": object_[:-1]}, self.SAID, "object: not here now: 0\tgrid"), ({"object": [*object_, object_[1]]}, self.SAID, "not there then: 1\tgrid"),
                 ({"object": [row[:2] for row in object_]}, self.SAID, "object has no column name"), ({}, self.SAID, "object has no rows"),
                 ({"object": object_}, [], "rank-00001.db is not named"), ({"object": object_}, [*self.SAID, "rank-00000.db"], "rank-00000.db is named")]
        for rows, messages, expected in cases:
            self.assertRegex("\n".join(corpus.differences(self.THEN, rows, messages)), re.escape(expected))


if __name__ == "__main__":
    unittest.main()
