"""What others take from packaging/ and docs/notebook: recipes, CI script, editor settings, bill of materials, notebook.

    test_packaging.py --command callsign [--mpi MPICC MPIEXEC]... [unittest arguments]
"""

import ast
import glob
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "preload")]
import command  # noqa: E402  (the path must be set first)
from command import SECONDS, CommandTest, bounded, clean_environment, options  # noqa: E402

VERSION = re.search(r"^project\(callsign VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]

RECIPES = "spack/package.py", f"easybuild/callsign-{VERSION}-gompi-2025b.eb", "nix/callsign.nix", "conda/meta.yaml"


class Executable:
    """As in Spack: a callable program."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments, output=None, error=None):
        done = bounded.run([self.path, *arguments], env=clean_environment(), timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           check=True)
        return done.stdout if output else None


class Spack:
    """The names of spack.package that the recipe uses."""

    def __init__(self):
        self.versions, self.dependencies, self.variants, self.maintainers = {}, {}, {}, []

    def module(self):
        module = types.ModuleType("spack.package")
        module.CMakePackage = type("CMakePackage", (), {"define": lambda self, name, value: f"-D{name}={value}"})
        module.Executable = Executable
        module.version = lambda number, **more: self.versions.update({number: more})
        module.depends_on = lambda name, **more: self.dependencies.setdefault(name, []).append(more)
        module.variant = lambda name, **more: self.variants.update({name: more})
        module.maintainers = lambda *names: self.maintainers.extend(names)
        module.license = module.requires = module.generator = lambda *words, **more: None
        return module


class Recipes(CommandTest):
    def setUp(self):
        super().setUp()
        archive = pathlib.Path(self.work) / f"callsign-{VERSION}.tar.xz"
        archive.write_bytes(b"sources")
        self.folder = pathlib.Path(self.work) / "recipes"
        bounded.run([sys.executable, "-B", SOURCE / "packaging/recipes/write.py", VERSION, "https://example.org/callsign/", archive, self.folder,
                     "https://callsign.example.org", "anna", "ben"], check=True, timeout=SECONDS)

    def text(self, path):
        return (self.folder / path).read_text(encoding="utf-8")

    def test_each_has_the_version_the_address_and_the_checksum(self):
        digest = hashlib.sha256(b"sources").hexdigest()
        for path in RECIPES:
            text = self.text(path)
            self.assertIn(digest, text, path)
            self.assertIn("https://example.org/callsign", text, path)
            self.assertIn(VERSION, text, path)
            self.assertIn("https://callsign.example.org", text, path)
            self.assertNotRegex(text, r"@[A-Z0-9]+@", path)

    def test_each_names_all_that_the_build_needs(self):
        for path in RECIPES:
            words = set(re.findall(r"[a-z]+", self.text(path).lower()))
            self.assertEqual({"cmake", "elfutils", "libunwind", "ncurses", "ninja", "pycparser", "python", "uthash"} - words, set(), path)
            self.assertTrue({"sqlite", "libsqlite"} & words, path)
            self.assertTrue({"pkg", "pkgconf", "pkgconfig"} & words, path)

    def spack(self):
        spack = Spack()
        modules = {name: types.ModuleType(name) for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")}
        modules["spack.package"] = modules["spack_repo.builtin.build_systems.cmake"] = spack.module()
        sys.modules.update(modules)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in modules])
        names = {}
        exec(compile(self.text("spack/package.py"), "package.py", "exec"), names)
        return spack, names["Callsign"]

    def test_spack_recipe_passes_its_smoke_tests(self):
        if not options.mpi or os.environ.get("CS_TEST_SANITIZER"):
            self.skipTest("needs an MPI, whose programs run without sanitizers")
        spack, recipe = self.spack()
        self.assertEqual((list(spack.versions), spack.maintainers), ([VERSION], ["anna", "ben"]))
        conditions = [word for uses in spack.dependencies.values() for use in uses for word in re.findall(r"[+~](\w+)", use.get("when", ""))]
        self.assertEqual(sorted(spack.variants), sorted(set(conditions)), "a variant that changes nothing is none")
        self.assertTrue({"mpi", "elfutils", "libunwind", "sqlite@3.37:", "uthash"} <= set(spack.dependencies))

        class Spec(dict):
            version = VERSION

        package = recipe()
        package.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(callsign=options.command))
        package.spec = Spec(mpi=types.SimpleNamespace(mpicc=options.mpi[0][0]))
        self.assertIn(f"-DCALLSIGN_MPICC={options.mpi[0][0]}", package.cmake_args())
        here = os.getcwd()
        os.chdir(self.work)
        try:
            for name in sorted(name for name in dir(recipe) if name.startswith("test_")):
                getattr(package, name)()
        finally:
            os.chdir(here)

    def test_easybuild_recipe_names_files_that_are_installed(self):
        names = {"SYSTEM": "system", "SHLIB_EXT": "so"}
        text = self.text(f"easybuild/callsign-{VERSION}-gompi-2025b.eb")
        self.assertEqual([line for line in text.splitlines() if len(line) > 120], [], "the style of EasyBuild")
        exec(compile(text, "callsign.eb", "exec"), names)
        self.assertEqual((names["name"], names["version"], names["easyblock"]), ("callsign", VERSION, "CMakeNinja"))
        build = pathlib.Path(options.command).resolve().parent.parent
        for path in names["sanity_check_paths"]["files"]:
            found = build / path
            self.assertTrue(found.exists() or "openmpi" in path, found)

    def test_nix_recipe_is_nix(self):
        if not shutil.which("nix-instantiate"):
            self.skipTest("no nix-instantiate (Debian: nix-bin)")
        bounded.run(["nix-instantiate", "--parse", self.folder / "nix/callsign.nix"], check=True, timeout=SECONDS, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)


class Papers(unittest.TestCase):
    def test_the_licence_for_reuse_is_the_licence(self):
        self.assertEqual((SOURCE / "LICENSES/BSD-3-Clause.txt").read_text(encoding="utf-8"), (SOURCE / "LICENSE").read_text(encoding="utf-8"))

    def test_citation_names_the_version(self):
        self.assertIn(f"\nversion: {VERSION}\n", (SOURCE / "CITATION.cff").read_text(encoding="utf-8"))


class BillOfMaterials(CommandTest):
    def test_every_relation_is_between_packages_of_the_document(self):
        archives = []
        for name in (f"callsign-{VERSION}.tar.xz", f"callsign-{VERSION}-linux-x86_64.tar.xz"):
            archives.append(pathlib.Path(self.work) / name)
            archives[-1].write_bytes(name.encode())
        versions = pathlib.Path(self.work) / "versions"
        versions.write_text("elfutils 0.188\nlibunwind 1.6.2\nsqlite3 3.40.1\n", encoding="ascii")
        words = [sys.executable, "-B", SOURCE / "packaging/sbom.py", VERSION, versions, SOURCE / "page/package-lock.json", *archives]

        def written():
            return bounded.run(words, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}, check=True, timeout=SECONDS, stdout=subprocess.PIPE).stdout

        text = written()
        self.assertEqual(text, written(), "the same input gives the same document")
        document = json.loads(text)
        known = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
        self.assertEqual(len(known), len(document["packages"]) + 1)
        relations = {(one["spdxElementId"], one["relationshipType"], one["relatedSpdxElement"]) for one in document["relationships"]}
        self.assertLessEqual({end for one, _, other in relations for end in (one, other)}, known)
        linux = f"SPDXRef-callsign-{VERSION}-linux-x86-64.tar.xz"
        self.assertIn((linux, "STATIC_LINK", "SPDXRef-elfutils"), relations)
        self.assertNotIn((f"SPDXRef-callsign-{VERSION}.tar.xz", "STATIC_LINK", "SPDXRef-elfutils"), relations)
        self.assertIn("SPDXRef-sql.js", known, "part of the page")
        self.assertNotIn("SPDXRef-esbuild", known, "only bundles it")
        self.assertEqual(document["creationInfo"]["created"], "2023-11-14T22:13:20Z")


class Tests(CommandTest):
    """packaging/ci/record-tests with an MPI program in the place of a project's tests; then what reads its run."""

    def launch(self, *arguments, **variables):
        mpicc, mpiexec = options.mpi[0]
        program = os.path.join(self.work, "faults")
        if not os.path.exists(program):
            bounded.run([mpicc, "-g", "-o", program, HERE / "faults.c"], check=True, timeout=SECONDS)
        return self.call(SOURCE / "packaging/ci/record-tests", "runs", mpiexec, "-n", "2", program, *arguments,
                         PATH=os.path.dirname(options.command) + ":" + os.environ["PATH"], OMPI_MCA_rmaps_base_oversubscribe="1",
                         PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe", **variables)

    def setUp(self):
        super().setUp()
        if not options.mpi or os.environ.get("CS_TEST_SANITIZER"):
            self.skipTest("needs an MPI, whose programs run without sanitizers")

    def test_faults_fail_and_leave_a_page_and_editors_find_their_lines(self):
        done = self.launch()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("faults.c:11", done.stdout, "the communicator that nobody frees")
        run, = glob.glob(os.path.join(self.work, "runs", "*.callsign"))
        self.assertGreater(os.path.getsize(os.path.join(run, "report.html")), 10000)
        failures = xml.etree.ElementTree.parse(run + ".xml").findall(".//failure")
        self.assertEqual(len(failures), 2)
        self.assert_matched(run)

    def assert_matched(self, run):
        """The problem matcher finds file and line of each finding of callsign check, and nothing in other output."""
        tasks = json.loads((SOURCE / "packaging/vscode/tasks.json").read_text(encoding="utf-8"))["tasks"]
        matcher, = (task["problemMatcher"] for task in tasks if task["problemMatcher"])
        pattern = matcher["pattern"]

        def problems(text):
            found = [re.match(pattern["regexp"], line) for line in text.splitlines()]
            return [(match[pattern["file"]], int(match[pattern["line"]]), match[pattern["message"]]) for match in found if match]

        done = self.call(options.command, "check", run)
        found = problems(done.stdout)
        self.assertEqual(len(found), len(done.stdout.splitlines()), done.stdout)
        self.assertEqual(sorted((file, line) for file, line, _ in found), [("faults.c", 13), ("faults.c", 15)])
        self.assertTrue(all(message in done.stdout.splitlines() for _, _, message in found))
        clean = self.call(options.command, "report", run)
        self.assertEqual([problem for problem in problems(clean.stdout) if problem[0] != "faults.c"], [])

    def test_innocent_program_passes_and_the_exit_code_of_the_tests_comes_first(self):
        done = self.launch("innocent")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.call(SOURCE / "packaging/ci/record-tests", "others", "sh", "-c", "exit 7", PATH=os.path.dirname(options.command) + ":" + os.environ["PATH"])
        self.assertEqual(done.returncode, 7, done.stderr)

    def test_notebook_draws_four_figures_of_a_run(self):
        done = self.launch("innocent", CALLSIGN_EVENTS="all")
        self.assertEqual(done.returncode, 0, done.stderr)
        run, = glob.glob(os.path.join(self.work, "runs", "*.callsign"))
        database = os.path.join(self.work, "run.db")
        self.assertEqual(self.call(options.command, "merge", "-o", database, run).returncode, 0)
        done = self.call("/usr/bin/python3", "-B", SOURCE / "docs/notebook/execute.py", SOURCE / "docs/notebook/run.ipynb", RUN_DB=database)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(re.findall(r"^\[\d\] figure, \d{3} x \d{3}$", done.stdout, re.MULTILINE)), 4, done.stdout)

    def test_r_draws_the_same_four_figures(self):
        if not shutil.which("Rscript"):
            self.skipTest("no Rscript (Debian: r-base-core, r-cran-rsqlite)")
        database, figures = os.path.join(self.work, "run.db"), os.path.join(self.work, "run.pdf")
        self.assertEqual(self.launch("innocent", CALLSIGN_EVENTS="all").returncode, 0)
        self.assertEqual(self.call(options.command, "merge", "-o", database, *glob.glob(os.path.join(self.work, "runs", "*.callsign"))).returncode, 0)
        done = self.call("Rscript", SOURCE / "docs/notebook/run.R", database, figures)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(pathlib.Path(figures).read_bytes().count(b"/Type /Page "), 4)


class Examples(CommandTest):
    """The jobs for GitHub and GitLab, with programs of their names in place of the installer and the download; the settings for VS Code."""

    PROJECT = """cmake_minimum_required(VERSION 3.22)
project(faults C)
add_executable(faults {source})
enable_testing()
add_test(NAME faults COMMAND {mpiexec} -n 2 $<TARGET_FILE:faults> {argument})
"""

    def setUp(self):
        super().setUp()
        if not options.mpi or os.environ.get("CS_TEST_SANITIZER"):
            self.skipTest("needs an MPI, whose programs run without sanitizers")
        self.bin = pathlib.Path(self.work) / "bin"
        self.bin.mkdir()
        self.variables = {"PATH": f"{self.bin}:{os.environ['PATH']}", "CC": options.mpi[0][0], "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}

    def program(self, name, script):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script, encoding="ascii")
        path.chmod(0o755)

    def yaml(self, name):
        """A YAML file as Python has it."""
        done = bounded.run(["/usr/bin/python3", "-c", "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"], timeout=SECONDS,
                           input=(SOURCE / "packaging/ci" / name).read_text(encoding="utf-8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if "No module named 'yaml'" in done.stderr:
            self.skipTest("no python3-yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def project(self, argument):
        """A project with a test, and a release that the job downloads."""
        build = pathlib.Path(options.command).resolve().parent.parent
        release = pathlib.Path(self.work) / f"callsign-{VERSION}-linux-x86_64"
        shutil.copytree(SOURCE / "packaging/ci", release / "share/callsign/ci")
        (release / "bin").mkdir()
        (release / "bin/callsign").symlink_to(build / "bin/callsign")
        archive = f"{release}.tar.xz"
        bounded.run(["tar", "-cJf", archive, "-C", self.work, release.name], timeout=SECONDS, check=True)
        digest = hashlib.sha256(pathlib.Path(archive).read_bytes()).hexdigest()
        self.program("apt-get", f'echo "$@" >>{self.work}/apt\n')
        self.program("sudo", 'exec "$@"\n')
        self.program("curl", f'[ "$1 $3" = "-fsSLo https://example.org/release" ] && cp {archive} "$2"\n')
        folder = pathlib.Path(self.work) / "project"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(self.PROJECT.format(source=HERE / "faults.c", mpiexec=options.mpi[0][1], argument=argument),
                                               encoding="utf-8")
        return folder, {"RELEASE_URL": "https://example.org/release", "RELEASE_SHA256": digest}

    def step(self, folder, script, **variables):
        return bounded.run(["bash", "-e", "-c", script], env={**clean_environment(**self.variables), **variables}, cwd=folder, timeout=SECONDS,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def assert_installed_packages_exist(self):
        """All packages that the job installs are names of this Debian."""
        lines = (pathlib.Path(self.work) / "apt").read_text(encoding="ascii").split("\n")
        names = [word for line in lines if line.startswith("install") for word in line.split()[1:] if not word.startswith("-")]
        self.assertIn("libopenmpi-dev", names)
        if not shutil.which("apt-cache"):
            return
        known = bounded.run(["apt-cache", "pkgnames"], timeout=SECONDS, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        if "cmake" in known:
            self.assertLessEqual(set(names), set(known))

    def test_job_of_gitlab_fails_for_a_program_with_faults_and_keeps_what_it_promises(self):
        job = self.yaml("gitlab.yml")["callsign"]
        folder, variables = self.project("")
        done = self.step(folder, "\n".join([*job["before_script"], *job["script"]]), **job["variables"], **variables)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("100% tests passed", done.stdout)
        self.assertIn("faults.c:11", done.stdout, "the leak")
        self.assertNotIn("unknown setting", done.stdout + (folder / "build/Testing/Temporary/LastTest.log").read_text(encoding="utf-8"))
        for path in job["artifacts"]["paths"]:
            self.assertEqual(len(list((folder / path).glob("*.callsign/report.html"))), 1)
        self.assertEqual(len(list(folder.glob(job["artifacts"]["reports"]["junit"]))), 1)
        self.assert_installed_packages_exist()

    def test_job_of_gitlab_stops_at_another_archive_than_the_release(self):
        job = self.yaml("gitlab.yml")["callsign"]
        folder, variables = self.project("")
        done = self.step(folder, "\n".join([*job["before_script"], "echo GOES ON"]), **{**variables, "RELEASE_SHA256": "0" * 64})
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("GOES ON", done.stdout)

    def test_job_of_github_passes_for_an_innocent_program(self):
        job = self.yaml("github.yml")["jobs"]["record"]
        folder, variables = self.project("innocent")
        path = pathlib.Path(self.work) / "path"
        path.touch()
        for step in job["steps"]:
            if "run" in step:
                self.variables["PATH"] = ":".join([*path.read_text(encoding="utf-8").split(), str(self.bin), os.environ["PATH"]])
                more = {name: str(value) for name, value in step.get("env", {}).items()}
                done = self.step(folder, step["run"], GITHUB_PATH=str(path), **variables, **more)
                self.assertEqual(done.returncode, 0, done.stdout)
        kept, = (step["with"]["path"] for step in job["steps"] if "upload-artifact" in step.get("uses", ""))
        self.assertEqual(len(list((folder / kept).glob("*.callsign/report.html"))), 1)
        self.assert_installed_packages_exist()

    def settings(self, name):
        text = (SOURCE / "packaging/vscode" / name).read_text(encoding="utf-8")
        settings = json.loads(text)
        inputs = {one["id"]: one["default"] for one in settings["inputs"]}
        self.assertEqual(set(re.findall(r"\$\{input:(\w+)\}", text)), set(inputs), "each input is declared and used")
        return settings, inputs

    def test_tasks_of_vscode_are_commands_that_work(self):
        settings, inputs = self.settings("tasks.json")
        program = os.path.join(self.work, "faults")
        bounded.run([options.mpi[0][0], "-g", "-o", program, HERE / "faults.c"], check=True, timeout=SECONDS)
        self.program("mpirun", f'exec {options.mpi[0][1]} "$@"\n')
        self.program("callsign", f'exec {options.command} "$@"\n')
        inputs.update(ranks="2", program=program)
        printed = {}
        for task in settings["tasks"]:
            command_line = re.sub(r"\$\{input:(\w+)\}", lambda found: inputs[found[1]], task["command"])
            done = self.step(self.work, command_line, OMPI_MCA_rmaps_base_oversubscribe="1")
            printed[task["label"]] = done.stdout
            self.assertEqual(done.returncode, 0, (task["label"], done.stdout))
        self.assertIn("2 ranks recorded", printed["callsign: record"])
        self.assertIn("faults: 2 ranks", printed["callsign: overview of the newest run"])
        self.assertEqual(len(glob.glob(os.path.join(self.work, "*.callsign/report.html"))), 1)

    def test_launch_configurations_of_vscode_read_a_script_that_is_installed(self):
        settings, inputs = self.settings("launch.json")
        installed = pathlib.Path(options.command).resolve().parent.parent
        scripts = [setup["text"] for one in settings["configurations"] for setup in one["setupCommands"]]
        self.assertEqual(len(scripts), 2)
        for script in scripts:
            self.assertTrue(os.path.exists(script.removeprefix("source ").replace("${input:callsign}", str(installed))), script)


class OtherName(CommandTest):
    """Debian's MPICH is libmpich.so.12; elsewhere, and in Intel MPI, it is libmpi.so.12."""

    def renamed(self, path, name):
        copy = os.path.join(self.work, name)
        bounded.run([sys.executable, "-B", SOURCE / "wrappers/rename_library.py", path, "libmpich.so.12", "libmpi.so.12", copy], check=True, timeout=SECONDS)
        return copy

    def test_mpich_is_recorded_by_its_other_name(self):
        mpich = [mpi for mpi in options.mpi if "mpich" in mpi[0]]
        if not mpich or os.environ.get("CS_TEST_SANITIZER"):
            self.skipTest("needs MPICH, whose programs run without sanitizers")
        mpicc, mpiexec = mpich[0]
        program = os.path.join(self.work, "program")
        bounded.run([mpicc, "-g", "-o", program, HERE / "faults.c"], check=True, timeout=SECONDS)
        listed = bounded.run(["ldd", program], check=True, timeout=SECONDS, stdout=subprocess.PIPE, text=True).stdout
        found = re.search(r"libmpich\.so\.12 => (\S+)", listed)
        if not found:
            self.skipTest("this MPICH is not libmpich.so.12")
        self.renamed(found[1], "libmpi.so.12")
        done = self.call(options.command, "run", "--", mpiexec, "-n", "2", self.renamed(program, "renamed"), "innocent", LD_LIBRARY_PATH=self.work)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("callsign: 2 ranks recorded; next: ", done.stderr)
        calls = self.call(options.command, "query", "--format", "csv", "SELECT calls FROM function_time WHERE function = 'MPI_Allreduce'")
        self.assertEqual(calls.stdout.split(), ["calls", "2"])


class Notebook(unittest.TestCase):
    def test_it_keeps_a_picture_for_each_figure(self):
        notebook = json.loads((SOURCE / "docs/notebook/run.ipynb").read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for cell in cells:
            ast.parse("".join(cell["source"]))
        pictures = [output for cell in cells for output in cell["outputs"] if "image/png" in output.get("data", {})]
        self.assertEqual(len(pictures), 4)


if __name__ == "__main__":
    command.main()
