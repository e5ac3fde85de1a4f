"""Configuration files of callsign run: what takes precedence, hostile files, and what callsign config lists."""
import grp
import os
import pathlib
import pwd
import unittest

from support import CommandTest


class Config(CommandTest):
    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        self.own = self.home / ".config/callsign/config"
        self.own.parent.mkdir(parents=True)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.beside = self.bin / "callsign.conf"
        self.program = self.bin / "program"
        self.program.write_text("#!/bin/sh\nenv | grep ^CALLSIGN_ | sort\n")
        self.program.chmod(0o755)

    def environment(self, **more):
        plain = super().environment(HOME=str(self.home), **more)
        plain.pop("XDG_CONFIG_HOME", None)
        return {name: value for name, value in plain.items() if not name.startswith("CALLSIGN_") or name in more}

    def settings(self, *options, **environment):
        """The settings that the program sees, and the messages before its end."""
        done = self.call("run", "--quiet", *options, "--", self.program, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = dict(line.split("=", 1) for line in done.stdout.splitlines())
        return {name[len("CALLSIGN_"):]: value for name, value in seen.items() if name not in ("CALLSIGN_LAUNCH", "CALLSIGN_OUTPUT")}, \
            done.stderr.replace(f"{self.folder}/", "").splitlines()

    def listed(self, *words, **environment):
        """option -> [value, origin]"""
        done = self.call("config", *words, **environment)
        rows, _, files = done.stdout.partition("\n\n")
        columns = [rows.index(word) for word in ("value", "from")]
        table = {line[:columns[0]].strip(): [line[columns[0]:columns[1]].strip(), line[columns[1]:].replace(f"{self.folder}/", "")]
                 for line in rows.splitlines()[2:]}
        return table, files.replace(f"{self.folder}/", "").splitlines(), done.stderr

    def test_earlier_sources_take_precedence(self):
        self.own.write_text("events = keep\nring = 2M\nstacks = calls\nfiles = node\n")
        self.beside.write_text("ring=3M\nstacks=none\nfiles=rank\n")
        seen, said = self.settings("--files", "auto", CALLSIGN_STACKS="objects")
        self.assertEqual((seen, said), ({"EVENTS": "keep", "RING": "3M", "STACKS": "objects", "FILES": "auto"}, []))

    def test_values_may_have_quotes_and_comments(self):
        self.own.write_text('events=keep  # mine\nstacks = "none" # and yours\noutput = "a # \\"b\\""\nnames=x#y\nfiles= # nothing\n'
                            'ring = "3M\nquiet = "yes" no\n')
        table, _, said = self.listed()
        self.assertEqual((table["events"][0], table["stacks"][0]), ("keep", "none"))
        self.assertEqual(table["output"][0], 'a # "b"')
        self.assertTrue(table["names"][0].endswith("x#y"), table["names"])
        self.assertEqual(said.count("its quotes do not end the value; the line is ignored"), 2, said)
        self.assertEqual(said.count("files is auto|rank|node, not "), 1, said)

    def test_list_says_where_each_comes_from(self):
        self.own.write_text("# mine\n\nevents = keep\nquiet = on\n")
        self.beside.write_text("ring=3M\n")
        table, files, said = self.listed(self.program, CALLSIGN_STACKS="none", CALLSIGN_FILES="nodes")
        self.assertEqual(table["events"], ["keep", "home/.config/callsign/config:3"])
        self.assertEqual(table["quiet"], ["yes", "home/.config/callsign/config:4"])
        self.assertEqual(table["ring"], ["3M", "bin/callsign.conf:1"])
        self.assertEqual(table["stacks"], ["none", "CALLSIGN_STACKS"])
        self.assertEqual(table["files"], ["auto", "default"])
        self.assertEqual(said, "callsign: CALLSIGN_FILES=nodes is wrong: it is auto|rank|node\n")
        self.assertEqual(files, ["Read: home/.config/callsign/config", "Read: bin/callsign.conf"])
        self.assertEqual(self.listed()[1], ["Read: home/.config/callsign/config"])

    def test_every_option_has_the_same_name_in_files_in_variables_and_on_the_command_line(self):
        rows = self.listed()[0]
        allowed = dict.fromkeys(("ring", "event-limit"), "3M") | dict.fromkeys(("events-from", "events-until"), "7s")
        allowed |= {"warn-communicators": "5", "snapshot-on": "SIGUSR2", "convert": "later", "files": "node", "clock": "monotonic", "stacks": "calls",
                    "apply": "all", "force": "all", "events": "all", "check": "all", "keep-journal": "yes", "quiet": "yes", "report": "yes"}
        allowed |= dict.fromkeys(("record", "sync", "recognize", "why", "counters"), "off")
        allowed |= dict.fromkeys(("output", "run", "journal", "through", "names"), "/dev/null")
        self.assertEqual(set(allowed), set(rows))
        help_of_run = self.call("run", "--help").stdout
        for name, value in allowed.items():
            variable = "CALLSIGN_" + name.upper().replace("-", "_")
            self.own.write_text(f"{name} = {value}\n")
            self.assertEqual(self.listed()[0][name], [value, "home/.config/callsign/config:1"])
            self.own.write_text("")
            self.assertEqual((self.listed(**{variable: value})[0][name], self.listed(**{variable: value})[2]), ([value, variable], ""))
            self.assertRegex(help_of_run, rf"--{name}\b")

    def test_variables_of_the_command_have_their_effect_and_precede_files(self):
        self.own.write_text("quiet = no\nreport = no\n")
        options = ("run", "--output", self.folder, "--", self.program)
        self.assertIn("nothing was recorded", self.call(*options).stderr)
        self.assertEqual(self.call(*options, CALLSIGN_QUIET="yes").stderr, "")
        self.assertIn("CALLSIGN_QUIET=maybe is wrong: it is no|yes", self.call(*options, CALLSIGN_QUIET="maybe").stderr)

    def test_program_behind_a_launcher_is_found(self):
        self.beside.write_text("ring=3M\n")
        self.assertEqual(self.listed("env", "A=b", "nice", self.program)[0]["ring"][0], "3M")

    def test_paths_count_from_home_or_from_the_file(self):
        self.beside.write_text("names = my.rules\noutput = ~/runs\n")
        table = self.listed(self.program)[0]
        self.assertEqual(pathlib.Path(table["names"][0]), self.bin / "my.rules")
        self.assertEqual(pathlib.Path(table["output"][0]), self.home / "runs")

    def test_wrong_lines_are_named_and_ignored(self):
        self.own.write_bytes(b"evnts = all\nrecord = maybe\nreport\nring = 2M\x1b[2J\nring = 4M\nrun-launch = x\nlaunch = x\n" + b"x" * 5000 +
                             b"\nCALLSIGN_SYNC = off\n--event-limit = 1G\n")
        seen, said = self.settings()
        self.assertEqual(seen, {"RING": "4M"})
        place = "callsign: home/.config/callsign/config"
        self.assertEqual(said, [f"{place}:1: there is no option evnts, the nearest is events; the line is ignored",
                                f"{place}:2: record is on|off, not maybe; the line is ignored",
                                f"{place}:3: it is not NAME = VALUE; the line is ignored",
                                f"{place}:4: it has control characters; the line is ignored",
                                f"{place}:6: there is no option run-launch; the line is ignored",
                                f"{place}:7: there is no option launch; the line is ignored",
                                f"{place}:8: it is longer than 4096 bytes; the line is ignored",
                                f"{place}:9: there is no option CALLSIGN_SYNC, the nearest is sync; the line is ignored",
                                f"{place}:10: there is no option --event-limit, the nearest is event-limit; the line is ignored"])

    def ignored(self, why):
        seen, said = self.settings()
        self.assertEqual((seen, said), ({}, [f"callsign: bin/callsign.conf is ignored: {why}"]))

    def test_file_that_others_can_write_is_ignored(self):
        self.beside.write_text("ring = 4M\n")
        self.beside.chmod(0o666)
        self.ignored("every user can write it")

    def test_file_that_the_members_of_a_group_can_write_is_ignored(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        shared = next(group.gr_gid for group in grp.getgrall() if group.gr_gid and group.gr_gid != os.getegid())
        for mode, group, ignored in ((0o664, shared, True), (0o644, shared, False), (0o664, os.getegid(), False)):
            self.beside.write_text("ring = 4M\n")
            os.chown(self.beside, 0, group)
            self.beside.chmod(mode)
            if ignored:
                self.ignored("its group can write it")
            else:
                self.assertEqual(self.settings()[1], [])
        user = next((user for user in pwd.getpwall() if user.pw_uid and grp.getgrgid(user.pw_gid).gr_name == user.pw_name and
                     not grp.getgrgid(user.pw_gid).gr_mem), None)
        if user:  # a group of its owner alone, as Debian makes them
            os.chown(self.program, user.pw_uid, user.pw_gid)
            os.chown(self.beside, user.pw_uid, user.pw_gid)
            self.beside.chmod(0o664)
            self.assertEqual(self.settings()[1], [])

    def test_what_is_no_file_of_text_is_ignored(self):
        self.beside.mkdir()
        self.ignored("it is no ordinary file")
        self.beside.rmdir()
        os.mkfifo(self.beside)
        self.ignored("it is no ordinary file")
        self.beside.unlink()
        self.beside.write_bytes(b"ring = 4M\n\0")
        self.ignored("it is no text")
        self.beside.write_bytes(b"#" * 70000)
        self.ignored("it is too large")

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files away")
    def test_file_of_another_user_is_ignored_unless_the_program_is_theirs(self):
        self.beside.write_text("ring = 4M\n")
        os.chown(self.beside, 12345, 12345)
        self.ignored("it belongs to another user")
        os.chown(self.program, 12345, 12345)
        self.assertEqual(self.settings(), ({"RING": "4M"}, []))

    def test_every_file_that_can_be_made_is_survived(self):
        for text in ("", "=", "= x\n", "\n" * 3000, "ring =\n", "ring = 4M", "\r\nring = 4M\r\n", "é = ü\n", "ring = 4M = 5M\n"):
            self.beside.write_text(text, newline="")
            seen, _ = self.settings()
            self.assertEqual(seen, {"RING": "4M"} if text.strip() == "ring = 4M" else {}, text)


if __name__ == "__main__":
    unittest.main()
