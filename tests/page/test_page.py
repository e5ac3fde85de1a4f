"""The page of callsign report --html, driven in headless Chromium: its figures are those of the trace, filter and links work, the SQL box answers,
hostile names do nothing; without scripts and under strict policies findings, tables and still pictures are there."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "cli")]
import fixture  # noqa: E402  (the path must be set first)
from support import CommandTest, bounded  # noqa: E402

DRIVER = pathlib.Path(os.environ["CS_TEST_PAGE_DRIVER"])  # the folder with playwright-core and drive.mjs
CHROMIUM = os.environ.get("CS_TEST_CHROMIUM", "/usr/bin/chromium")
SCRIPTS = pathlib.Path(os.environ["CS_TEST_PAGE"])
SECONDS = 50
HAS_SCRIPTS = (SCRIPTS / "page.js").exists()
HAS_SQL = (SCRIPTS / "sql.js").exists()  # not if esbuild came without npm
HAS_BROWSER = HAS_SCRIPTS and pathlib.Path(CHROMIUM).exists() and (DRIVER / "node_modules/playwright-core").exists() and shutil.which("node")
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"
UNSTYLED = "default-src 'none'; style-src 'unsafe-inline'"
PICTURES = ["ranks", "timeline", "communicators", "functions", "balance", "traffic", "sizes", "sites", "callers", "placement", "objects", "tags"]

# One row that uses all functions of the command.
CALLS_BY_FUNCTION = "SELECT function, calls, open FROM function_time WHERE calls > 0 ORDER BY calls DESC, function LIMIT 5"
FUNCTIONS = ("SELECT ranges(rank) AS ranks, duration(sum(time_ns)) AS time, bytes(sum(sent_bytes)) AS sent, pattern('a12b3') AS pattern, max(location(site)) AS place, "
             "bytes(3200) || ' ' || bytes(3216) || ' ' || bytes(10496) || ' ' || duration(3125) || ' ' || duration(3135) AS ties "
             "FROM call_times WHERE rank <> 1")

# For each rank: whether the picture marks it, and the share of its bar that each part takes.
SHARES = """[...document.querySelectorAll('#picture-ranks g')].map((line) => { const parts = [...line.querySelectorAll('[data-share]')];
    return [parts[0].classList.contains('second'), parts.map((part) => [part.getAttribute('class'), part.width.baseVal.value / line.querySelector('.compute').width.baseVal.value * 100])]; })"""
# The tiles above the findings.
GLANCE = "Object.fromEntries([...document.querySelectorAll('.glance div')].map((tile) => [tile.querySelector('dt').textContent, tile.querySelector('strong').textContent]))"
# Where the boxes in view are while the time line moves, and after it was drawn anew; what is drawn then; whether the button that zooms keeps the focus.
MOVED = """(async () => { const host = document.getElementById('picture-timeline'), zoom = host.querySelector("button[title='Zoom in']");
    const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)), frame = () => new Promise(requestAnimationFrame), // the picture moves in the same one
        isMoved = () => Boolean(host.querySelector('.moving')?.style.transform);
    const places = () => { const picture = host.querySelector('svg.timeline').getBoundingClientRect();
        return Object.fromEntries([...host.querySelectorAll('rect.call')].map((box) => [box.dataset.row, box.getBoundingClientRect()]).filter(([, box]) => box.left > picture.left + 80 && box.right < picture.right - 1)
            .map(([row, box]) => [row, [box.left, box.right]])); };
    zoom.focus();
    zoom.click();
    for (let turn = 0; turn < 99 && !isMoved(); turn++) { // the first one draws a margin, the second one moves it, unless a busy machine comes to rest between them
        host.querySelector('svg.timeline').dispatchEvent(new WheelEvent('wheel', { deltaX: turn % 2 ? 75 : -75, bubbles: true, cancelable: true }));
        await frame();
    }
    const moving = places(), transformed = isMoved();
    while (host.querySelector('.moving')) await wait(20);
    return [transformed, moving, places(), window.location.hash, document.activeElement === zoom]; })()"""
# The flame graph: its boxes, those of one function alone, what the search finds, and its share.
CALLERS = """(() => { const host = document.getElementById('picture-callers'), names = () => [...host.querySelectorAll('.box')].map((box) => box.getAttribute('aria-label').split(':')[0]);
    const all = names(), search = host.querySelector('input');
    search.value = 'recv';
    search.dispatchEvent(new Event('change'));
    const found = [...host.querySelectorAll('.box.chosen')].map((box) => box.getAttribute('aria-label').split(':')[0]), share = host.querySelector('[role=status]').textContent;
    const tree = [...host.querySelectorAll('.calltree tbody tr')].map((line) => [line.cells[0].textContent.replace(/^[\u25be\u25b8] /, ''), Number(line.cells[1].dataset.value)]);
    host.querySelector('.calltree button').click();
    const shut = host.querySelectorAll('.calltree tbody tr').length;
    host.querySelectorAll('.box')[1].dispatchEvent(new MouseEvent('click'));
    return [all, found, share, names(), tree, shut]; })()"""
# A large run: bytes between nodes, by difference of the ranks and of the heaviest pairs; then what the matrix of ranks says.
LARGE = """(() => { const host = document.getElementById('picture-traffic'), values = (selector) => [...host.querySelectorAll(selector)].map((line) => [line.querySelector('.name')?.textContent, Number(line.dataset.value)]);
    const found = [values('.cell').map((cell) => cell[1]), values('.offsets li[data-difference]'), values('.pairs li')];
    host.querySelectorAll('.tools .choice')[1].querySelector('button').click();
    return [...found, host.querySelector('.matrix image, .matrix .cell') !== null, host.querySelector('.beside').textContent]; })()"""
# The types of the files that the buttons below the time line write, and what is in them.
SAVED = """(async () => { const files = [], make = URL.createObjectURL; HTMLAnchorElement.prototype.click = () => {};
    URL.createObjectURL = (file) => { files.push(file); return make.call(URL, file); };
    for (const button of document.querySelectorAll('#picture-timeline .save button, #picture-functions .save button')) {
        const count = files.length;
        button.click();
        while (files.length === count) await new Promise((done) => setTimeout(done, 20));
    }
    const text = new DOMParser().parseFromString(await files[0].text(), 'image/svg+xml');
    const heat = new DOMParser().parseFromString(await files[2].text(), 'image/svg+xml');
    const signs = [...text.documentElement.children].filter((child) => child.tagName === 'rect').length - 1; // without the ground
    return [files.map((file) => file.type), text.querySelectorAll('rect.call').length, text.querySelectorAll('parsererror').length, files[1].size > 5000, files[3].size > 5000, [...heat.querySelectorAll('text')].map((line) => line.textContent),
        signs, document.querySelectorAll('#picture-timeline .key:not(.open)').length]; })()"""

# Each of these would be seen if it became more than text: as an element, a dialog, a request or a direction.
HOSTILE = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>", "'onmouseover='alert(3)", "</title></style><svg onload=alert(4)>", "]]></script><b id=owned>",
           "\x1b]0;owned\x07\x1b[31mred", "\u202egnp.exe\u2066", "{{7*7}}${alert(5)}", "x" * 10_000]


def change(db):
    """Four ranks on two nodes with messages, tags, placement and a leak; rank 2 is slow."""
    [rank] = db.execute("SELECT rank FROM process").fetchone()
    db.execute("UPDATE object SET uid = 700 + object WHERE kind = 'communicator' AND object <> 3")
    db.execute("UPDATE object SET uid = 800 + ? WHERE object = 3", [rank // 2])
    db.execute("UPDATE profile SET time_ns = time_ns / 2 WHERE ? = 2 AND function = ?", [rank, fixture.ALLREDUCE])
    db.execute("UPDATE process SET node = ?, mpi_ns = mpi_ns / ?", [f"node{rank // 2}", 2 if rank == 2 else 1])
    for peer in range(4):
        if peer != rank:
            fixture.insert(db, "traffic", rank=rank, object=1, direction="send", peer=peer, source=rank, dest=peer, messages=10 + peer, bytes=1000 * (rank + 1), time_ns=5)
            fixture.insert(db, "traffic", rank=rank, object=1, direction="receive", peer=peer, source=peer, dest=rank, messages=10 + rank, bytes=1000 * (peer + 1), time_ns=5)
    fixture.insert(db, "tag", rank=rank, communicator=1, direction="send", tag=7, last_tag=7, largest_tag=7, site=fixture.SITE + 11, messages=30,
                   types=0, untyped=0)
    fixture.insert(db, "tag", rank=rank, communicator=3, direction="send", tag=70000, last_tag=70000, largest_tag=70000, site=fixture.SITE + 11, messages=3,
                   types=0, untyped=0)
    add_events(db, rank)
    if rank != 3:  # a second of code outside MPI, of which samples cover half
        fixture.insert(db, "stretch", rank=rank, thread=0, region=0, communicator=1, object=0, from_function=0, from_site=0, function=fixture.ALLREDUCE, site=fixture.SITE + 11,
                       stretches=1, time_ns=fixture.SECOND, min_ns=fixture.SECOND, max_ns=fixture.SECOND, call_ns=5, seen_ns=fixture.SECOND // 2, exact_ns=0,
                       core_ns=fixture.SECOND // 5, system_ns=0, delay_ns=fixture.SECOND // 10, sleeps=0, switches=0, minor_faults=0, major_faults=0, read_bytes=0,
                       written_bytes=0, disk_bytes=0, others_ns=0, call_seen_ns=0, call_core_ns=0)
    fixture.insert(db, "processor", rank=rank, cpu=rank % 2, core=0, package=0, numa_node=0)
    fixture.insert(db, "thread_processor", rank=rank, thread=0, cpu=rank % 2, calls=9, moves=rank, first_ns=0, last_ns=9)


def add_events(db, rank):
    """Ten seconds: each second an Allreduce of each node, to which rank 2 comes late; then rank 0 sends to rank 1, late."""
    second = fixture.SECOND
    db.execute("UPDATE object SET uid = 701 WHERE object = 1")
    for number in range(10):
        begin = number * second + (second // 2 if rank == 2 else 0)
        fixture.insert(db, "event", rank=rank, thread=0, event=number + 1, function=fixture.ALLREDUCE, object=3, site=fixture.SITE + 11, start_ns=begin,
                       duration_ns=number * second + second * 6 // 10 - begin, calls=1, bytes=8, collective=number + 1)
    if rank == 0:
        fixture.insert(db, "event", rank=0, thread=0, event=20, function=fixture.SEND, object=1, site=fixture.SITE + 11, start_ns=11 * second, duration_ns=second // 100, calls=1,
                       peer=1, tag=7, bytes=8, direction="send", nth=1)
    if rank == 1:
        fixture.insert(db, "event", rank=1, thread=0, event=20, function=fixture.RECV, object=1, site=fixture.SITE + 12, start_ns=10 * second, duration_ns=second + second // 50, calls=1,
                       peer=0, tag=7, bytes=8, direction="receive", nth=1)


def hostile(db):
    change(db)
    for i, name in enumerate(HOSTILE):
        db.execute("INSERT INTO object (rank, object, kind, name, name_origin, uid, parent, function, site, created_ns, internal, predefined, adopted) "
                   "SELECT rank, ?, 'communicator', ?, 'program', ?, 1, ?, ?, 5, 0, 0, 0 FROM process", [100 + i, name, 900 + i, fixture.SPLIT, fixture.SITE + 12])
        db.execute("INSERT INTO communicator (rank, object, size, own_rank, topology) SELECT rank, ?, 4, rank, 'none' FROM process", [100 + i])
        db.execute("INSERT INTO profile SELECT rank, ?, 0, ?, ?, 4, 10, 5000000, 1, 9, 80, 80 FROM process", [100 + i, fixture.ALLREDUCE, fixture.SITE + 12])
    db.execute("UPDATE process SET node = ?, program = ?", [HOSTILE[0], "/opt/" + HOSTILE[1]])
    db.execute("UPDATE frame SET function = ?, file = ?, line = 3 WHERE frame = 12", [HOSTILE[3], HOSTILE[2]])


def sourced_run(folder, source="solve.c", build=None):
    """A run with a call site in a program that is compiled in this folder."""
    text = folder / source
    text.write_text("int other(int x)\n{\n\treturn x; // <script>alert(1)</script>\n}\nint main(void)\n{\n    return other(5); // of this line\n}\n", encoding="utf-8")
    program = folder / "solve"
    bounded.run(["gcc", "-x", "c", "-g", "-O0", "-Wl,--build-id=none", "-o", program, text], check=True, timeout=SECONDS, cwd=build or folder)
    os.utime(program, (0, 0))
    os.utime(text, (0, 0))
    symbols = bounded.run(["objdump", "-d", "--no-show-raw-insn", program], check=True, timeout=SECONDS, capture_output=True, text=True).stdout
    lines = symbols.partition("<main>:")[2].splitlines()
    after_call = next(i for i, line in enumerate(lines) if "call" in line) + 1
    offset = int(lines[after_call].strip().partition(":")[0], 16)

    def at_main(db):
        change(db)
        fixture.move_frame(db, 12, program, None, offset)
        db.execute("UPDATE frame SET function = NULL, file = NULL, line = NULL WHERE frame = 12")
    (folder / "one").mkdir()
    return fixture.make_run(folder / "one", extra=at_main)


class Text(html.parser.HTMLParser):
    """What an HTML parser makes of the page: its elements and its texts outside scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts, self.raw = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.raw = tag if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self.raw = None

    def handle_data(self, data):
        if not self.raw:
            self.texts.append(data)


class PageTest(CommandTest):
    def write(self, run, *options):
        path = self.folder / "page.html"
        done = self.call("report", run, f"--html={path}", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def make_run(self, name="one", extra=change, **options):
        folder = self.folder / name
        folder.mkdir()
        return fixture.make_run(folder, extra=extra, **options)


class Written(PageTest):
    """Without a browser."""

    def test_page_lies_in_the_folder_of_the_run(self):
        run = self.make_run()
        done = self.call("report", run, "--html")
        self.assertRegex(done.stdout, rf"^{re.escape(str(run / 'report.html'))}: [0-9.]+ [KM]iB, for every browser\n$")
        self.assertEqual(self.answer("report", run, "functions"), self.answer("report", run, "functions"))  # the page is no trace
        self.assertFalse((run / "report.html.part").exists())

    def test_findings_and_tables_are_there_without_scripts(self):
        run = self.make_run()
        page = Text(self.write(run).read_text(encoding="utf-8"))
        text = " ".join(" ".join(page.texts).split())
        report = json.loads(self.answer("report", run, "--format", "json"))
        self.assertGreater(len(report["sentences"]), 3)
        for sentence in report["sentences"]:
            self.assertIn(sentence["text"], text)
        for name in ("communicators", "functions", "call_sites", "traffic", "leaks"):
            for row in report["reports"][name]:
                self.assertIn(row.get("function") or row.get("communicator") or row["created_by"], text)
        self.assertGreaterEqual(sum(tag == "svg" for tag, _ in page.elements), 5)

    def test_tree_of_communicators_is_indented(self):
        text = "".join(Text(self.write(self.make_run()).read_text(encoding="utf-8")).texts)
        self.assertIn("\u00a0\u00a0rows", text)

    def test_findings_come_by_severity_with_the_picture_that_shows_them(self):
        report = json.loads(self.answer("report", self.make_run(), "--format", "json"))
        severities = [sentence["severity"] for sentence in report["sentences"]]
        self.assertEqual(severities, sorted(severities))
        self.assertEqual({sentence["picture"] for sentence in report["sentences"]} - {"findings", *PICTURES}, set())
        shown = {sentence["kind"]: sentence["picture"] for sentence in report["sentences"]}
        self.assertEqual((shown["leak"], shown["tag_too_large"], shown["data_between_ranks"]), ("objects", "tags", "traffic"))

    def test_json_has_all_that_the_page_has(self):
        run = self.make_run()
        report = json.loads(self.answer("report", run, "--format", "json"))
        [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', self.write(run).read_text(encoding="utf-8"), re.S)
        pictures = json.loads(data)["pictures"]
        self.assertEqual(set(pictures), set(report["pictures"]))
        for name, lists in pictures.items():
            self.assertEqual([dict(zip(lists["columns"], row)) for row in lists["rows"]], report["pictures"][name], name)

    def test_call_that_never_returned_is_drawn_to_the_end(self):
        def die(db):
            change(db)
            if db.execute("SELECT rank FROM process").fetchone() == (1,):
                fixture.insert(db, "thread", rank=1, thread=0, threads=1, state="inside", function=fixture.RECV, object=3, since_ns=12 * fixture.SECOND, calls=9, mpi_ns=9)
            db.execute("UPDATE process SET outcome = 'died', last_seen_ns = ?", [20 * fixture.SECOND])
        run = self.make_run(extra=die)
        self.assertIn("MPI_Recv, not returned", Text(self.write(run).read_text(encoding="utf-8")).texts)
        rows = json.loads(self.answer("report", run, "--format", "json"))["pictures"]["timeline"]
        [row] = [row for row in rows if row["open"]]
        self.assertEqual((row["rank"], row["function"], row["calls"]), (1, "MPI_Recv", 0))
        latest = max(process["last_seen_ns"] for process in self.ask(run, "SELECT last_seen_ns FROM process")) / 1e9
        self.assertAlmostEqual(row["until_seconds"], latest)
        self.assertAlmostEqual(row["inside_seconds"], 8)

    def test_objects_freed_at_the_instant_when_the_next_ones_are_made_leave_none(self):
        """Ten times three datatypes, each lot freed when the next one is made: three at once."""
        def take_turns(db):
            for number in range(30):
                begin = (2 + number // 3) * fixture.SECOND // 2
                fixture.insert(db, "object", rank=0, object=100 + number, kind="datatype", function=fixture.VECTOR, site=fixture.SITE + 11, created_ns=begin,
                               freed_function=fixture.FREE, freed_site=fixture.SITE + 11, freed_ns=begin + fixture.SECOND // 2, internal=0, predefined=0, adopted=0)
        run = fixture.make_run(self.folder, ranks=1, extra=take_turns)
        rows = [row for row in json.loads(self.answer("report", run, "--format", "json"))["pictures"]["live"]
                if row["kind"] == "datatype" and row["created"] == 30]
        self.assertEqual([row["live"] for row in rows], [3] * 10 + [0])
        self.assertEqual({row["peak_live"] for row in rows[:-1]}, {3})
        self.assertEqual((rows[0]["not_freed"], rows[0]["peak"]), (0, 3))

    def test_hostile_names_are_text(self):
        page = Text(self.write(self.make_run(extra=hostile)).read_text(encoding="utf-8"))
        self.assertEqual([tag for tag, _ in page.elements if tag in ("img", "b", "iframe", "object", "link")], [])
        self.assertEqual([name for _, attributes in page.elements for name in attributes if name.startswith("on")], [])
        allowed = 1 + HAS_SCRIPTS + HAS_SQL
        self.assertEqual(sum(tag == "script" for tag, _ in page.elements), allowed)
        text = "".join(page.texts)
        for shown in (HOSTILE[0], "\\x1b]0;", "\\u{202e}gnp"):
            self.assertIn(shown, text)
        self.assertNotRegex(text, "[\u202a-\u202e\u2066-\u2069\x1b\x07]")

    def test_page_is_alone(self):
        """No address of the network is in it, but those that a policy forbids to load: links are for people."""
        page = Text(self.write(self.make_run()).read_text(encoding="utf-8"))
        for tag, attributes in page.elements:
            self.assertNotIn("src", attributes, tag)
            if tag == "a":
                self.assertTrue(attributes["href"].startswith("#"), attributes)

    def test_without_sql_the_page_is_small(self):
        run = self.make_run()
        whole, small = self.write(run).stat().st_size, self.write(run, "--no-sql").stat().st_size
        self.assertLess(small, 400_000)
        if HAS_SQL:
            self.assertGreater(whole, small + 400_000)

    def test_run_of_1024_ranks_is_at_most_8_mb(self):
        path = fixture.make_case(self.folder / "large.db", "traffic_of_1024_ranks")
        self.assertLess(self.write(path).stat().st_size, 8_000_000)

    def test_source_is_there_if_it_is_wanted(self):
        run = sourced_run(self.folder)
        self.assertNotIn("of this line", self.write(run).read_text(encoding="utf-8"))
        page = Text(self.write(run, "--with-source").read_text(encoding="utf-8"))
        text = "".join(page.texts)
        self.assertIn("    7      return other(5); // of this line\n", text)
        self.assertIn("    3          return x; // <script>alert(1)</script>\n", text)
        [details] = [attributes for tag, attributes in page.elements if attributes.get("class") == "source"]
        self.assertEqual(details["data-location"], "main solve.c:7")
        (self.folder / "solve.c").unlink()
        self.assertIn("No source file of a call site was found here.", "".join(Text(self.write(run, "--with-source").read_text(encoding="utf-8")).texts))

    def sources_of(self, run, *options):
        """Whether the page has the source, and what was said."""
        page = self.folder / "sources.html"
        done = self.call("report", run, f"--html={page}", "--with-source", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return "of this line" in page.read_text(encoding="utf-8"), done.stderr, page

    def test_source_that_is_newer_than_the_program_is_named_instead_of_shown(self):
        run, source = sourced_run(self.folder), self.folder / "solve.c"
        os.utime(source, (1, 1))
        shown, said, _ = self.sources_of(run)
        self.assertFalse(shown)
        self.assertIn(f"{source} is newer than the program", said)

    def test_source_outside_of_the_folder_where_it_was_compiled_is_shown_on_request_only(self):
        (self.folder / "build").mkdir()
        (self.folder / "link").symlink_to(self.folder)
        run = sourced_run(self.folder, build=self.folder / "build")
        shown, said, _ = self.sources_of(run)
        self.assertFalse(shown)
        self.assertIn("--source-path FOLDER", said)
        self.assertEqual(self.sources_of(run, "--source-path", self.folder / "link")[:2], (True, ""))
        self.assertFalse(self.sources_of(run, "--source-path", self.folder / "build")[0])

    def test_link_to_a_file_elsewhere_is_not_shown(self):
        (self.folder / "private").mkdir()
        run, source = sourced_run(self.folder), self.folder / "solve.c"
        elsewhere = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
        self.addCleanup(shutil.rmtree, elsewhere)
        shutil.move(source, elsewhere / "secret.c")
        source.symlink_to(elsewhere / "secret.c")
        self.assertFalse(self.sources_of(run)[0])
        source.unlink()
        shutil.move(elsewhere / "secret.c", self.folder / "private/solve.c")
        source.symlink_to("private/solve.c")  # a link within the folder is innocent
        self.assertTrue(self.sources_of(run)[0])

    def test_page_has_the_permissions_of_its_sources(self):
        run = sourced_run(self.folder)
        (self.folder / "solve.c").chmod(0o600)
        shown, _, page = self.sources_of(run)
        self.assertEqual((shown, oct(page.stat().st_mode & 0o777)), (True, "0o600"))
        if os.geteuid() == 0:  # not the file of a third user
            os.chown(self.folder / "solve.c", 12345, 12345)
            self.assertFalse(self.sources_of(run)[0])

    def test_files_that_are_no_source_are_not_shown(self):
        self.assertNotIn("of this line", self.write(sourced_run(self.folder, "solve.txt"), "--with-source").read_text(encoding="utf-8"))

    def test_misuse_is_refused(self):
        run = self.make_run()
        self.refuse("report", run, "--with-source", code=2, saying="--html")
        self.refuse("report", run, "--html", "leaks", code=2, saying="--html")
        self.refuse("report", run, "--html", "--format", "json", code=2, saying="--html")
        self.refuse("report", run, run, f"--html={self.folder}/x.html", code=2, saying="one run")
        self.refuse("report", run, f"--html={self.folder}/none/x.html", saying="cannot write")

    @unittest.skipIf(HAS_SCRIPTS, "this build has node")
    def test_build_without_node_says_so(self):
        self.assertIn("without node", self.call("report", self.make_run(), "--html").stderr)


@unittest.skipUnless(HAS_BROWSER, f"NOTHING WAS TESTED in a browser: {CHROMIUM}, node or playwright-core is missing, or the page has no scripts")
class InBrowser(PageTest):
    @classmethod
    def setUpClass(cls):
        """One browser looks at all pages: its start takes longer than anything else here."""
        super().setUpClass()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="callsign-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.runs = {}
        for name, extra in (("plain", change), ("hostile", hostile)):
            (cls.shared / name).mkdir()
            cls.runs[name] = fixture.make_run(cls.shared / name, extra=extra)
        cls.runs["large"] = fixture.make_case(cls.shared / "large.db", "traffic_of_1024_ranks")
        (cls.shared / "source").mkdir()
        cls.runs["source"] = sourced_run(cls.shared / "source")
        files = {name: cls.shared / f"{name}.html" for name in cls.runs}
        for name, run in cls.runs.items():
            bounded.run([os.environ["CALLSIGN_COMMAND"], "report", run, f"--html={files[name]}", *["--with-source"] * (name == "source")], timeout=SECONDS, check=True, capture_output=True)
        plain, bad = str(files["plain"]), str(files["hostile"])
        everything = "document.body.innerText"
        pages = [
            {"name": "figures", "file": plain, "steps": [["tables"], ["evaluate", "[...document.querySelectorAll('.heat')].map((cell) => [cell.dataset.function, Number(cell.dataset.value)])"],
                                                         ["evaluate", "[...document.querySelectorAll('.tree [data-inclusive]')].map((line) => Number(line.dataset.inclusive))"], ["evaluate", SHARES], ["evaluate", GLANCE],
                                                         ["count", "#picture-communicators .icicle"]]},
            {"name": "filter", "file": plain, "steps": [["click", ".tree .line[data-key='3']"], ["tables"], ["text", "#filter"], ["click", "#filter button"], ["tables"], ["back"], ["text", "#filter"]]},
            {"name": "address", "file": plain, "hash": "#balance&comm=3", "steps": [["text", "#filter"], ["tables"], ["evaluate", "document.getElementById('balance').getBoundingClientRect().top"]]},
            {"name": "odd addresses", "file": plain, "hash": "#nothing&comm=<b>&comm=99999", "steps": [["count", ".picture .error"], ["text", "#findings"]]},
            {"name": "links", "file": plain, "steps": [["evaluate", "[...document.querySelectorAll('a')].filter((a) => !document.getElementById(a.hash.slice(1).split('&')[0])).map((a) => a.href)"],
                                                       ["click", ".findings a[href^='#tags']"], ["evaluate", "document.getElementById('tags').getBoundingClientRect().top < innerHeight"]]},
            {"name": "time line", "file": plain, "steps": [["tables"], ["count", "#picture-timeline .waits[data-wait]"], ["count", "#picture-timeline .message:not(.key)"], ["count", "#picture-timeline .critical:not(.key)"],
                                                           ["count", "#picture-timeline rect.call"], ["click", "#picture-timeline button[title='Zoom in']"], ["count", "#picture-timeline rect.call"],
                                                           ["click", "#picture-timeline button[title='Show all']"], ["count", "#picture-timeline rect.call"],
                                                           ["click", "#picture-timeline .choice button:nth-child(3)"], ["text", "#picture-timeline .legend"],
                                                           ["evaluate", "[...document.querySelectorAll('.findings a[href^=\"#timeline\"]')].length"], ["evaluate", SAVED]]},
            {"name": "part of the time", "file": plain, "hash": "#timeline&time=10.5-12", "steps": [["count", "#picture-timeline rect.call"], ["count", "#picture-timeline .open:not(.key)"]]},
            {"name": "moved", "file": plain, "steps": [["evaluate", MOVED]]},
            {"name": "callers", "file": plain, "steps": [["tables"], ["evaluate", CALLERS]]},
            {"name": "keys", "file": plain, "steps": [["evaluate", "document.querySelector('#picture-communicators .tree button').focus()"], ["press", "Enter"], ["text", "#filter"]]},
            {"name": "sql", "file": plain, "steps": [["sql", "SELECT sum(calls) FROM picture_cells"], ["sql", "SELEC"], ["sql", "SELECT name FROM picture_communicators WHERE key = 3"], ["sql", FUNCTIONS],
                                                     ["evaluate", "document.querySelectorAll('#sql-box option').length"],
                                                     ["evaluate", "(async () => { const failed = []; const select = document.querySelector('#sql-box select'); for (let i = 0; i < select.options.length; i++) {"
                                                      " select.value = String(i); select.dispatchEvent(new Event('change')); await new Promise((done) => setTimeout(done, 30));"
                                                      " if (document.querySelector('.answer .error')) failed.push(select.options[i].textContent); } return failed; })()"]]},
            {"name": "chart", "file": plain, "steps": [["sql", CALLS_BY_FUNCTION], ["click", ".answer .choice button:nth-child(2)"],
                                                       ["evaluate", "[...document.querySelectorAll('.chart g')].map((line) => [line.querySelector('text').textContent, Number(line.querySelector('.bar').dataset.value)])"],
                                                       ["click", ".chart .choice button:nth-child(2)"],
                                                       ["evaluate", "[...document.querySelectorAll('.chart .bar')].map((bar) => Number(bar.dataset.value))"],
                                                       ["sql", "SELECT name FROM picture_communicators"], ["count", ".answer .choice"], ["count", ".answer table"]]},
            {"name": "dark", "file": plain, "dark": True, "steps": [["evaluate", "getComputedStyle(document.body).backgroundColor"], ["text", "#cost"]]},
            {"name": "hostile", "file": bad, "steps": [["tables"], ["evaluate", everything], ["evaluate", "document.querySelectorAll('img, #owned, svg[onload], [onmouseover]').length"],
                                                       ["click", ".tree .line[data-key='100']"], ["text", "#filter"], ["sql", "SELECT name FROM picture_communicators WHERE key BETWEEN 100 AND 107 ORDER BY key"], ["evaluate", everything], ["count", "#picture-communicators .icicle rect"]]},
            {"name": "source", "file": str(files["source"]), "steps": [["evaluate", "document.querySelector('details.source').open = false"], ["click", "#picture-sites a.where"],
                                                                       ["text", "details.source mark"], ["count", "details.source script"]]},
            {"name": "large", "file": str(files["large"]), "steps": [["evaluate", "document.querySelectorAll('#picture-ranks path').length"], ["evaluate", LARGE], ["tables"], ["count", ".picture .error"]]},
        ]
        pages += [{"name": f"{name} without scripts", "file": file, "javascript": False, "steps": [["text", "main"], ["count", "svg.static"], ["count", "#findings li"]]} for name, file in (("plain", plain), ("hostile", bad))]
        pages += [{"name": f"{name} under {policy}", "file": file, "policy": policy, "steps": [["text", "main"], ["count", "svg.static"], ["count", "#findings li"]]}
                  for name, file in (("plain", plain), ("hostile", bad)) for policy in (UNSTYLED, JENKINS)]
        done = bounded.run(["node", DRIVER / "drive.mjs"], input=json.dumps({"pages": pages}), capture_output=True, text=True, timeout=SECONDS,
                           env={**os.environ, "CS_TEST_CHROMIUM": CHROMIUM})
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.seen = json.loads(done.stdout)

    def answers(self, name):
        return self.seen[name]["answers"]

    def asked(self, sql, run="plain"):
        return self.ask(self.runs[run], sql)

    def test_scripts_run_without_errors_requests_and_dialogs(self):
        for name, seen in self.seen.items():
            self.assertEqual(seen["dialogs"], [], name)
            self.assertEqual(len(seen["requests"]), 1, (name, seen["requests"]))
            if " under " not in name:  # there the browser reports the scripts that it refused
                self.assertEqual(seen["errors"], [], name)

    def column(self, table, name, as_type=float):
        return [as_type(row[table["columns"].index(name)]) for row in table["rows"]]

    def same(self, figures, expected):
        self.assertEqual(len(figures), len(expected))
        for figure, other in zip(sorted(figures), sorted(expected)):
            self.assertAlmostEqual(figure, other, delta=1e-6 * max(1, abs(other)))

    def test_ranks_are_those_of_the_trace(self):
        [tables, _, _, lines, glance, _] = self.answers("figures")
        self.assertEqual([marked for marked, _ in lines], [False, False, True, False])  # rank 2 is slow
        rows = self.asked("SELECT rank, node, outcome, seconds, thread_seconds, other_percent, calls FROM processes")
        self.same(self.column(tables["ranks"], "time"), [row["seconds"] for row in rows])
        self.same(self.column(tables["ranks"], "share %"), [row["other_percent"] for row in rows])
        for (_, parts), row in zip(lines, rows):
            self.assertAlmostEqual(parts[0][1], row["other_percent"], places=3)
        self.assertEqual(self.column(tables["ranks"], "node", str), [row["node"] for row in rows])
        self.assertEqual(glance["Ranks"], "4")
        self.assertEqual(glance["In MPI"], f"{sum(row['other_percent'] * row['thread_seconds'] for row in rows) / sum(row['thread_seconds'] for row in rows):.1f} %")

    def test_time_outside_mpi_is_divided_as_the_samples_say(self):
        lines = self.answers("figures")[3]
        rows = self.asked("SELECT p.rank, 100 - p.mpi_percent AS outside, p.lifecycle_percent AS lifecycle, s.core_ns * 1.0 / s.time_ns AS core, s.delay_ns * 1.0 / s.time_ns AS delay, "
                          "(s.seen_ns - s.core_ns - s.delay_ns) * 1.0 / s.time_ns AS off FROM processes p LEFT JOIN stretch s USING (rank) ORDER BY 1")
        self.assertEqual([row["core"] is None for row in rows], [False, False, False, True])
        for (_, parts), row in zip(lines, rows):
            shown, seen = dict(parts[1:]), 0
            for part in ("core", "delay", "off"):
                share = row["outside"] * (row[part] or 0)
                self.assertAlmostEqual(shown.get(f"out-{part}", 0), share, places=3)
                seen += share
            self.assertAlmostEqual(shown["out-unseen"], row["outside"] - seen, places=3)

    def test_communicators_are_those_of_the_trace(self):
        [tables, _, inclusive, _, _, boxes] = self.answers("figures")
        rows = self.asked("SELECT row_name(communicator, number, names, CASE WHEN objects > ranks THEN communicators END, kind) AS name, "
                          "seconds, calls, sent_bytes FROM communicator_time WHERE percent IS NOT NULL")
        shown = {name: (time, calls) for name, time, calls in zip(self.column(tables["communicators"], "name", str), self.column(tables["communicators"], "time"), self.column(tables["communicators"], "calls"))}
        for row in rows:
            self.assertAlmostEqual(shown[row["name"]][0], row["seconds"])
            self.assertEqual(shown[row["name"]][1], row["calls"])
        self.same(self.column(tables["communicators"], "sent"), [row["sent_bytes"] for row in rows] + [0] * (len(shown) - len(rows)))
        nodes = {row["key"]: row for row in json.loads(self.answer("report", self.runs["plain"], "--format", "json"))["pictures"]["communicators"]}
        below = dict.fromkeys(nodes, 0)
        for key, row in nodes.items():
            while key is not None:
                below[key] += row["seconds"]
                key = nodes[key]["parent"] if nodes[key]["parent"] != key else None
        self.same(inclusive, [seconds for seconds in below.values() if seconds])  # no line of zeros
        self.assertEqual(boxes, 0)  # a handful of communicators is a list
        self.assertEqual(self.answers("hostile")[7], sum(row["seconds"] > 0 for row in self.asked("SELECT seconds FROM communicator_time WHERE percent IS NOT NULL", "hostile")))

    def test_functions_are_those_of_the_trace(self):
        [_, heat, *_] = self.answers("figures")
        totals = {}
        for function, seconds in heat:
            totals[function] = totals.get(function, 0) + seconds
        rows = self.asked("SELECT function, seconds FROM function_time WHERE percent IS NOT NULL AND seconds > 0")
        self.assertEqual(set(totals), {row["function"] for row in rows})
        self.same(list(totals.values()), [row["seconds"] for row in rows])

    def test_time_line_is_that_of_the_trace(self):
        [tables, waits, messages, critical, calls, zoomed, fewer, _, again, _, legend, findings, saved] = self.answers("time line")
        table = tables["timeline"]
        rows = self.asked("SELECT rank, f.name AS function, start_ns / 1e9 AS at, duration_ns / 1e9 AS time FROM event JOIN function f USING (function) ORDER BY 1, 3")
        self.same(self.column(table, "from s"), [row["at"] for row in rows])
        self.same(self.column(table, "time"), [row["time"] for row in rows])
        self.assertEqual(self.column(table, "function", str), [row["function"] for row in rows])
        [found] = self.asked("SELECT (SELECT count(*) FROM wait_states) AS waits, (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM critical_path) AS parts")
        self.assertEqual((waits, messages), (21, 1))
        self.assertEqual((found["waits"], found["messages"]), (21, 1))
        self.assertEqual(critical, 2 * found["parts"] - 1)
        self.assertEqual((calls, again), (len(rows), len(rows)))
        self.assertLess(fewer, calls)
        self.assertIn("MPI_COMM_WORLD", legend)
        self.assertGreaterEqual(findings, 1)
        self.assertRegex(zoomed, r"#timeline&time=[\d.]+-[\d.]+$")
        self.assertEqual(saved[:5], [["image/svg+xml", "image/png"] * 2, calls, 0, True, True])
        functions = {row["function"] for row in self.asked("SELECT function FROM function_time WHERE percent IS NOT NULL AND seconds > 0")}
        self.assertLessEqual(functions, set(saved[5]))  # a table is saved, too
        self.assertEqual(saved[6], saved[7])  # and each sign of the legend
        self.assertEqual(self.answers("part of the time"), [2, 0])  # the message of rank 0 to rank 1

    def test_time_line_moves_as_it_is_drawn(self):
        [[transformed, moving, drawn, address, focused]] = self.answers("moved")
        self.assertTrue(transformed and focused)
        self.assertEqual(moving.keys(), drawn.keys())
        self.assertGreater(len(drawn), 5)
        for row, (left, right) in drawn.items():
            self.assertAlmostEqual(moving[row][0], left, delta=0.1)
            self.assertAlmostEqual(moving[row][1], right, delta=0.1)
        self.assertRegex(address, r"#timeline&time=[\d.]+-[\d.]+$")

    def test_distribution_is_that_of_the_trace(self):
        table = self.answers("figures")[0]["balance"]
        [row] = [row for row in table["rows"] if row[:2] == ["MPI_COMM_WORLD", "MPI_Allreduce"]]
        spent = {row["rank"]: row["seconds"] for row in self.asked(
            "SELECT rank, sum(time_ns) / 1e9 AS seconds FROM calls WHERE communicator = 'MPI_COMM_WORLD' AND function = 'MPI_Allreduce' GROUP BY rank")}
        by = dict(zip(table["columns"][:4] + ["time", "least", "least_rank", "quarter", "median", "three_quarters", "most", "most_rank", "imbalance"], row))
        self.same([float(by["time"]), float(by["least"]), float(by["most"])], [sum(spent.values()), min(spent.values()), max(spent.values())])
        self.assertEqual(by["least_rank"], "2")
        ordered = sorted(spent.values())
        for name, exact in (("quarter", ordered[0]), ("median", (ordered[1] + ordered[2]) / 2), ("three_quarters", ordered[2])):
            self.assertLessEqual(abs(float(by[name]) - exact), exact / 100, name)  # quartiles are within 1 %
        self.assertAlmostEqual(float(by["imbalance"]), (max(spent.values()) - sum(spent.values()) / 4) / max(spent.values()) * 100)

    def test_traffic_sizes_sites_tags_and_placement_are_those_of_the_trace(self):
        tables = self.answers("figures")[0]
        pairs = self.asked("SELECT source, dest, sum(messages) AS messages, sum(bytes) AS bytes FROM traffic_pairs WHERE partner IS NULL GROUP BY 1, 2")
        self.assertEqual(sorted(map(tuple, tables["traffic"]["rows"])), sorted((str(row["source"]), str(row["dest"]), str(row["messages"]), str(row["bytes"])) for row in pairs))
        sizes = self.asked("SELECT kind, least_bytes, sum(messages) AS messages, sum(bytes) AS bytes FROM message_sizes GROUP BY 1, 2")
        self.assertEqual(sorted((row[0], row[1], row[3], row[4]) for row in tables["sizes"]["rows"]), sorted(tuple(map(str, row.values())) for row in sizes))
        sites = self.asked("SELECT function, seconds FROM call_sites WHERE percent IS NOT NULL")
        self.assertAlmostEqual(sum(self.column(tables["sites"], "time")), sum(row["seconds"] for row in sites))
        tags = self.asked("SELECT tag, sum(messages) AS messages FROM tags GROUP BY 1")  # similar communicators share a row of the page
        self.same(self.column(tables["tags"], "messages"), [row["messages"] for row in tags])
        places = self.asked("SELECT rank, node, core, cpu, moves FROM bindings")
        self.assertEqual(self.column(tables["placement"], "moves", int), [row["moves"] for row in places])
        self.assertEqual(self.column(tables["placement"], "processor", int), [row["cpu"] for row in places])

    def test_callers_are_those_of_the_trace(self):
        [tables, (names, found, share, alone, tree, shut)] = self.answers("callers")
        rows = self.asked("SELECT path, total(time_ns) / 1e9 AS seconds FROM call_paths WHERE NOT lifecycle AND time_ns > 0 GROUP BY 1")
        self.assertEqual(sorted(row[0] for row in tables["callers"]["rows"]), sorted(row["path"] for row in rows))
        self.same(self.column(tables["callers"], "time"), [row["seconds"] for row in rows])
        steps = {tuple(row["path"].split(";")[:depth]) for row in rows for depth in range(1, 9) if depth <= len(row["path"].split(";"))}
        self.assertEqual(sorted(names), sorted(["all"] + [step[-1] for step in steps]))
        self.assertEqual(set(found), {"MPI_Recv"})
        exact = sum(row["seconds"] for row in rows if "Recv" in row["path"]) / sum(row["seconds"] for row in rows) * 100
        self.assertEqual(share.strip(), f"{exact:.1f} % of MPI time")
        self.assertEqual((tree[0][0], shut), ("all", 1))
        self.same([tree[0][1]], [sum(row["seconds"] for row in rows)])
        for name, seconds in tree[1:]:
            self.assertTrue(any(abs(seconds - sum(row["seconds"] for row in rows if row["path"].split(";")[:depth] == step.split(";")[:depth])) < 1e-9
                                for step in {row["path"] for row in rows} for depth in range(1, 9) if step.split(";")[depth - 1:depth] == [name]), name)
        self.assertEqual((alone[:2], set(alone) <= set(names)), (names[:2], True))

    def test_objects_live_as_in_the_trace(self):
        table = self.answers("figures")[0]["objects"]
        last = {}
        for row in table["rows"]:
            last[(row[0], row[1], row[2])] = int(row[4])
        rows = self.asked("SELECT kind, created_by, location(site) AS location, not_freed FROM growth")
        self.assertEqual(last, {(row["kind"], row["created_by"], row["location"]): row["not_freed"] for row in rows})

    def test_click_filters_and_is_in_the_address(self):
        [address, filtered, text, _, whole, back, again] = self.answers("filter")
        self.assertTrue(address.endswith("#comm=3"), address)
        self.assertIn("rows", text)
        self.assertEqual({row[0] for row in filtered["balance"]["rows"]}, {"rows"})
        calls = self.asked("SELECT function, calls FROM calls WHERE communicator = 'rows' AND rank = 0")
        self.assertEqual({row[1] for row in filtered["balance"]["rows"]}, {row["function"] for row in calls})
        self.assertEqual(whole, self.answers("figures")[0])
        self.assertTrue(back.endswith("#comm=3"), back)
        self.assertIn("rows", again)

    def test_address_chooses_part_and_communicator(self):
        [text, tables, top] = self.answers("address")
        self.assertIn("rows", text)
        self.assertEqual(tables, self.answers("filter")[1])
        self.assertLess(abs(top), 300)
        self.assertEqual(self.answers("odd addresses")[0], 0)

    def test_links_lead_to_pictures(self):
        [lost, address, shown] = self.answers("links")
        self.assertEqual(lost, [])
        self.assertIn("#tags", address)
        self.assertTrue(shown)

    def test_keyboard_chooses_a_communicator(self):
        self.assertIn("MPI_COMM_WORLD", self.answers("keys")[2])

    def test_sql_box_answers(self):
        [total, error, name, functions, examples, failed] = self.answers("sql")
        self.assertEqual(total, [[str(row["calls"]) for row in self.asked("SELECT sum(calls) AS calls FROM function_time WHERE percent IS NOT NULL")]])
        self.assertIn("syntax error", error)
        self.assertEqual(name, [["rows"]])
        self.assertEqual(functions, [[str(value) for value in row.values()] for row in self.asked(FUNCTIONS)])
        documented = (TESTS.parent / "docs/queries.md").read_text(encoding="utf-8").count("```sql")
        self.assertEqual(examples, documented)
        self.assertEqual(failed, [])

    def test_answer_is_a_chart_on_request(self):
        [_, _, bars, _, other, _, choices, tables] = self.answers("chart")
        rows = self.asked(CALLS_BY_FUNCTION)
        self.assertEqual(bars, [[row["function"], row["calls"]] for row in rows])
        self.assertEqual(other, [row["open"] for row in rows])
        self.assertEqual((choices, tables), (0, 1), "an answer without figures has no chart")

    def test_line_of_a_call_leads_to_its_source(self):
        _, _, marked, scripts = self.answers("source")
        self.assertEqual((marked.split(maxsplit=1), scripts), (["7", "return other(5); // of this line"], 0))

    def test_dark_page_is_dark(self):
        self.assertEqual(self.answers("dark")[0], "rgb(13, 18, 23)")

    def test_cost_of_the_recording_is_that_of_the_trace(self):
        [figures] = self.asked("SELECT sum(calls) AS calls, sum(lost) AS lost, max(convert_ns) AS longest FROM process WHERE rank >= 0")
        self.assertEqual(int(re.search(r"Recorded: ([\d,\u202f]+) calls", self.answers("dark")[1])[1].replace(",", "").replace("\u202f", "")), figures["calls"])
        self.assertEqual("none lost" in self.answers("dark")[1], not figures["lost"])
        self.assertEqual("MPI_Finalize took up to" in self.answers("dark")[1], figures["longest"] is not None)

    def test_hostile_names_do_nothing(self):
        [_, text, elements, _, chosen, names, after, _] = self.answers("hostile")
        self.assertEqual(elements, 0)
        for shown in (text, after):
            self.assertIn(HOSTILE[0], shown)
            self.assertNotRegex(shown, "[\u202a-\u202e\u2066-\u2069\x1b\x07]")
        self.assertIn(HOSTILE[0], chosen)
        self.assertEqual([name for [name] in names], [name.replace("\r", "") for name in HOSTILE[:8]])

    def test_page_reads_without_scripts(self):
        for name in ("plain", "hostile"):
            for seen in (how for page, how in self.seen.items() if page.startswith(name + " ")):
                [text, pictures, findings] = seen["answers"]
                self.assertGreaterEqual(pictures, 5)
                self.assertGreater(findings, 3)
                self.assertIn("MPI_COMM_WORLD", text)
                self.assertNotRegex(text, "[\u202a-\u202e\u2066-\u2069\x1b\x07]")

    def test_page_of_1024_ranks_is_ready_soon(self):
        [paths, (nodes, differences, pairs, drawn, ranks), tables, failed] = self.answers("large")
        self.assertEqual((failed, drawn), (0, True))
        self.assertIn("2 ranks share a row and a column", ranks)
        self.assertLess(paths, 20)  # a path for each kind of bar
        self.assertEqual(len(tables["ranks"]["rows"]), 1000)  # the table is cut, the picture is not
        between = "FROM traffic_pairs p JOIN process s ON s.rank = p.source JOIN process d ON d.rank = p.dest WHERE p.partner IS NULL"
        self.same(nodes, [row["bytes"] for row in self.asked(f"SELECT sum(p.bytes) AS bytes {between} AND p.bytes > 0 GROUP BY s.node, d.node", "large")])
        apart = {str(row["apart"]): row["bytes"] for row in self.asked(f"SELECT abs(p.dest - p.source) AS apart, sum(p.bytes) AS bytes {between} GROUP BY 1 ORDER BY 2 DESC LIMIT 10", "large")}
        self.assertEqual(dict(differences), apart)
        heaviest = self.asked(f"SELECT sum(p.bytes) AS bytes {between} GROUP BY p.source, p.dest ORDER BY 1 DESC LIMIT 8", "large")
        self.assertEqual([value for _, value in pairs], [row["bytes"] for row in heaviest])
        self.assertLess(self.seen["large"]["ready"], 1500 * bounded.factor())


if __name__ == "__main__":
    unittest.main()
