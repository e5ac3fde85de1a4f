"""Manual pages and completion: complete, without warnings of the programs that read them, and at work in each shell."""
import pathlib
import re
import shutil
import sys
import unittest

import fixture
from support import COMMAND, SANITIZED, CommandTest, bounded

sys.path.insert(0, str(fixture.TREE / "cli"))
import manual  # noqa: E402  (the path must be set first)

# zsh completes only in its line editor, and that needs a terminal. $1: folder with the function; $2: where; the rest: lines to complete.
ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
cat >setup <<'END'
fpath=($functions_folder $fpath)
autoload -Uz compinit; compinit -u -D
show() {
    for BUFFER in $asked; do
        CURSOR=$#BUFFER
        zle complete-word
        print -r -- "<$BUFFER>"
    done
    print -r -- "<""end>"
}
zle -N zle-line-init show
END
print -r -- "functions_folder=${(q)1}; asked=(${(q)@[2,-1]})" >variables
zpty -w shell 'PS1=; source ./variables; source ./setup'
zpty -r shell text '*<end>*'
print -r -- $text
zpty -d shell
"""


class ExitCodes(CommandTest):
    def cases_of_exit_codes(self):
        """{command: {exit code: arguments that end with it}}"""
        wrong = f"INSERT INTO misuse VALUES (0, 5, 'invalid_rank', 3, {fixture.SEND}, 9, {fixture.SITE + 11}, NULL, NULL)"
        for name, ranks, change in (("good", 1, "UPDATE profile SET calls = calls * 2"), ("part", 2, "SELECT 1"), ("bad", 1, wrong)):
            run = self.folder / f"{name}.callsign"
            run.mkdir()
            fixture.make_trace(run / "rank-00000.db", 0, ranks, extra=lambda db, change=change: db.execute(change))
        for name, text in (("good", 'kind=communicator -> "x"'), ("bad", "kind=communicator ->")):
            (self.folder / f"{name}.rules").write_text(text + "\n", encoding="utf-8")
        shutil.copy(COMMAND, self.folder / "privileged")
        (self.folder / "privileged").chmod(0o4755)  # the linker preloads nothing into it
        one, more, few = "good.callsign", ["--fail-on", "calls>0%"], ["--fail-on", "time>1%"]
        return {"check": {0: [one], 1: ["bad.callsign"], 2: ["--frobnicate"], 3: ["part.callsign"]},
                "compare": {0: [*more, one, "--", one], 1: [*more, "bad.callsign", "--", one], 2: [*few, one, "--", one]},
                "doctor": {0: [COMMAND], 1: ["./privileged"], 2: ["--frobnicate"]},
                "names": {0: ["--check", "good.rules"], 1: ["--check", "bad.rules"], 2: ["--check"]}}

    def test_commands_end_with_the_codes_of_their_pages(self):
        cases = self.cases_of_exit_codes()
        self.assertEqual({command: set(manual.codes_of(command)) for command in manual.EXIT_CODES}, {command: set(codes) for command, codes in cases.items()})
        for command, codes in cases.items():
            for code, words in codes.items():
                done = self.call(command, *words)
                self.assertEqual(done.returncode, code, (command, words, done.stdout, done.stderr))
        for command in manual.commands_of(COMMAND):
            if command.parts and command.name not in {*manual.EXIT_CODES, *manual.STARTING, "version", "config"}:
                self.assertEqual(self.call(command.name, "nowhere.callsign", *["--csv", "tables"] * (command.name == "export")).returncode, 1, command.name)
                self.assertEqual(self.call(command.name, "--frobnicate").returncode, 2, command.name)
        for command, words in (("run", ["--", "nowhere"]), ("gdb", ["x"]), ("lldb", ["x"])):
            self.assertEqual(self.call(command, *words, PATH=str(self.folder)).returncode, 127, command)


@unittest.skipIf(SANITIZED, "the command only prints its help here")
class Pages(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.pages = manual.pages(COMMAND)
        cls.commands = manual.commands_of(COMMAND)

    def setUp(self):
        super().setUp()
        for path, text in self.pages.items():
            file = self.folder / "share" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def needs(self, program):
        if not shutil.which(program):
            self.skipTest(f"{program} is not installed")

    def run_quietly(self, *words):
        done = bounded.run([str(word) for word in words], capture_output=True, text=True, timeout=30, cwd=self.folder, env=self.environment(MANWIDTH="80"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def test_options_of_help_are_those_of_the_commands(self):
        """Each command uses the options of its help page, and no others."""
        of_settings = set(re.findall(r", --([\w-]+) ", self.answer("help", "settings")))
        for command in self.commands:
            sources = [path.read_text(encoding="utf-8") for path in (fixture.TREE / "cli").rglob("*.c")]
            source = [text for text in sources if f"int cmd_{command.name}(int argc, char **argv)\n" in text]
            self.assertEqual(len(source), 1, command.name)
            named = set(re.findall(r'cs_option_is\(option, "([\w-]+)"\)', source[0]))
            shown = {option.name for option in command.options if option.name}
            if command.name == "run":
                shown -= of_settings
            if command.parts and command.name not in ("core", "attach", "gdb", "lldb"):
                self.assertEqual(shown | {"help"}, named | {"help"}, command.name)

    def test_every_command_has_a_page_with_its_options(self):
        for command in self.commands:
            if command.parts:
                page = self.pages[f"man/man1/callsign-{command.name}.1"]
                self.assertIn(manual.escape(command.summary), page)
                for option in command.options:
                    self.assertTrue(option.text, option)
                    self.assertIn(f"\\-\\-{manual.escape(option.name)}", page)
                self.assertIn(".SH EXAMPLES", page)
            self.assertIn(f"callsign {command.name}" if not command.parts else f"\\-{command.name}\\fR(1)", self.pages["man/man1/callsign.1"])

    def test_page_of_columns_explains_those_of_every_report(self):
        page = self.pages["man/man5/callsign-columns.5"]
        for report in re.findall(r"(?m)^## (\w+)$", (fixture.TREE / "docs/columns.md").read_text(encoding="utf-8")):
            self.assertRegex(page, rf"(?m)^\.SH {report.upper()}\n.*\n\.TP\n\\fB\w+\\fR$")

    def test_pages_give_no_warning(self):
        self.needs("man")
        for path in sorted((self.folder / "share/man").glob("man?/*")):
            text = self.run_quietly("man", "--warnings", "-l", path)
            self.assertIn("NAME", text)
            self.assertLessEqual(max(map(len, re.sub(r".\b", "", text).splitlines())), 80, path)

    def test_pages_pass_mandoc(self):
        self.needs("mandoc")
        done = bounded.run(["mandoc", "-Tlint", "-Wwarning", *map(str, sorted((self.folder / "share/man").glob("man?/*")))],
                           capture_output=True, text=True, timeout=30)
        lines = [line for line in done.stdout.splitlines() if "missing date" not in line]  # the same sources give the same pages
        self.assertEqual(lines, [])

    CASES = (("callsign rep", ["report"]), ("callsign report --ht", ["--html"]), ("callsign query --format ", ["csv", "json", "table"]),
             ("callsign report lea", ["leaks"]), ("callsign query communicator_ti", ["communicator_time"]), ("callsign report sol", ["solver.k3.callsign/"]),
             ("callsign run --event-li", ["--event-limit"]), ("callsign help sett", ["settings"]))

    def complete(self, shell, ask, cases=CASES):
        self.needs(shell)
        (self.folder / "solver.k3.callsign").mkdir()
        (self.folder / "solver.txt").touch()
        for line, expected in cases:
            with self.subTest(line):
                self.assertEqual(sorted(ask(line)), expected)

    def test_bash(self):
        script = self.folder / "share/bash-completion/completions/callsign"
        def ask(line):
            words = line.split(" ")
            code = f"source {script}; COMP_WORDS=({' '.join(word or chr(39) * 2 for word in words)}); COMP_CWORD={len(words) - 1}; _callsign; printf '%s\\n' \"${{COMPREPLY[@]}}\""
            # readline adds the slash of a folder
            return [word + "/" * (self.folder / word).is_dir() for word in self.run_quietly("bash", "--norc", "-c", code).split()]
        self.complete("bash", ask)

    def test_fish(self):
        script = self.folder / "share/fish/vendor_completions.d/callsign.fish"
        def ask(line):
            rows = self.run_quietly("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'").splitlines()
            return [row.split("\t")[0] for row in rows]
        self.complete("fish", ask)

    def test_zsh(self):
        def ask(line):
            return re.findall(r"<([^<>]+?)[ =]?>", answers)[asked.index(line)].split()[-1:]
        asked = [line for line, _ in self.CASES]
        (self.folder / "solver.k3.callsign").mkdir()
        answers = self.run_quietly("zsh", "-f", "-c", ZSH, "-", self.folder / "share/zsh/site-functions", *asked) if shutil.which("zsh") else ""
        (self.folder / "solver.k3.callsign").rmdir()
        # Several choices: the first one is inserted at most.
        self.complete("zsh", ask, [case for case in self.CASES if len(case[1]) == 1])



if __name__ == "__main__":
    unittest.main()
