#!/usr/bin/env python3
"""Installs and packs a build, moves it, and builds and runs programs against it: install_test.py BUILD_FOLDER."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
CONSUMER = SOURCE / "tests/install/consumer"
BUILD = Path(sys.argv.pop(1)).resolve()
WORK = BUILD / "install-test"
PREFIX = WORK / "moved"


def environment():
    """Ours, without what would lead programs to other libraries than those they should find."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
    for name in ("LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH", "DESTDIR"):
        env.pop(name, None)
    env.setdefault("GALLIVM_PERF", "nopt")  # as the other tests: see tests/support/devices.cpp
    env["TESSERA_CACHE"] = str(WORK / "cache")
    return env


def run(*command, **extra):
    """The standard output of a command that has to succeed."""
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, env=environment() | extra,
                          cwd=WORK, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def doctor(prefix):
    """What the command line of an installation says about devices and the provider."""
    return json.loads(run(prefix / "bin/tessera", "doctor", "--json"))


def cached(name):
    """A value of the build's CMake cache."""
    match = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


VERSION = cached("CMAKE_PROJECT_VERSION")
SHARED = f"libtessera.so.{VERSION.rpartition('.')[0]}"
LIB = cached("CMAKE_INSTALL_LIBDIR")
# The one that is taken; both may be there.
PROVIDERS = [name for name in ("libtessera_wgpu.so", "libwgpu_native.so") if (BUILD / "lib/tessera" / name).exists()]
PROVIDER = PROVIDERS[0]


def build_consumer(source, folder, *arguments):
    run("cmake", "-G", "Ninja", "-S", source, "-B", WORK / folder, f"-DCMAKE_PREFIX_PATH={PREFIX}",
        f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}", *arguments)


def exported_symbols(library):
    """Demangled names of all dynamic symbols that a library defines."""
    lines = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
    return [line.split(" ", 2)[2] for line in lines]


def public_text():
    """The public headers without comments and without classes that they only name."""
    text = "\n".join(h.read_text(encoding="utf-8") for h in sorted((SOURCE / "include/tessera").rglob("*.h")))
    return re.sub(r"//.*|^class \w+;", "", text, flags=re.MULTILINE)


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class RunTest(unittest.TestCase):
    """What ./run builds."""

    def test_is_all_that_is_installed(self):
        target = re.search(r"^build release build/release (\S+)$", (SOURCE / "run").read_text(encoding="utf-8"), re.MULTILINE)
        def ninja(tool, what):
            return run(cached("CMAKE_MAKE_PROGRAM"), "-C", BUILD, "-t", tool, what).splitlines()

        script = (BUILD / "cmake_install.cmake").read_text(encoding="utf-8")
        for other in re.findall(r'^ *include\("(.*)"\)', script, re.MULTILINE):
            script += Path(other).read_text(encoding="utf-8")
        made = {line.split(":")[0] for line in ninja("targets", "all")}
        installed = {os.path.relpath(f, BUILD) for f in re.findall(r'"(/[^"]*)"', script)} & made
        self.assertIn("bin/tessera", installed)
        self.assertIn("lib/libtessera.a", installed)
        self.assertTrue({f"lib/tessera/{name}" for name in PROVIDERS} <= installed, installed)
        commands = set(ninja("commands", target[1]))
        missing = [file for file in sorted(installed) if ninja("commands", file)[-1] not in commands]
        self.assertEqual(missing, [], f"installed, but not built by `ninja {target[1]}`")

    @staticmethod
    def rust(commands, **extra):
        """What commands print that see the functions of tools/rust.sh."""
        return run("bash", "-c", f"source {SOURCE}/tools/setup.sh; source tools/rust.sh\n{commands}", "install_test", **extra).strip()

    def test_takes_the_first_cargo_that_is_recent(self):
        def cargo(folder, version):
            (WORK / folder).mkdir(parents=True)
            (WORK / folder / "cargo").write_text(f"#!/bin/sh\necho 'cargo {version} (0123 2026-01-01)'\n", encoding="utf-8")
            (WORK / folder / "cargo").chmod(0o755)
            return str(WORK / folder / "cargo")
        cargo("home/.cargo/bin", "1.63.0")
        old, recent = cargo("old", "1.86.9"), cargo("recent", "1.96.0")
        folders = ":".join([str(Path(old).parent), str(Path(recent).parent), os.environ["PATH"]])
        self.assertEqual(self.rust("get_cargo && echo $cargo", HOME=str(WORK / "home"), PATH=folders), recent)
        for version, good in (("1.87.0", "yes"), ("1.100.0", "yes"), ("2.0.0", "yes"), ("1.9.0", "no"), ("", "no")):
            self.assertEqual(self.rust(f"recent_rust '{version}' && echo yes || echo no"), good, version)

    def test_takes_the_newest_cargo_that_the_system_offers(self):
        lists = {"cargo-web 1.96.0+dfsg1-1~deb12u2": ("cargo 0.66.0+ds1-1", "cargo-web 1.96.0+dfsg1-1~deb12u2", "cargo-outdated 3.0"),
                 "cargo-1.97 1.97.1+dfsg~24.04": ("cargo 1.75.0", "cargo-1.97 1.97.1+dfsg~24.04", "cargo-1.89 1.89.0"),
                 "": ("cargo-lock 2.0",)}
        for newest, offered in lists.items():
            names = "\n".join(o.split()[0] for o in offered)
            shown = "\n".join("Package: {}\nVersion: {}\n".format(*o.split()) for o in offered if re.match("cargo(-web|-1.*)? ", o))
            stub = f"with_aside() {{ if [[ $3 == pkgnames ]]; then echo '{names}'; else echo '{shown}'; fi; }}"
            self.assertEqual(self.rust(f"{stub}\noffered_cargo folder || true"), newest)


class InstallTest(unittest.TestCase):
    """What `cmake --install` makes, in a folder that was moved afterwards."""

    @classmethod
    def setUpClass(cls):
        first = WORK / "first"
        run("cmake", "--install", BUILD, "--prefix", first)
        first.rename(PREFIX)
        cls.devices = [d["id"] for d in doctor(PREFIX)["devices"]]

    def check_consumer(self, program, provider):
        """The program runs, finds this provider, and computes on every device there is."""
        output = run(program)
        self.assertIn(f"provider {provider}\n", output)
        self.assertIn("caught shape: matmul", output)
        self.assertIn("cpu", self.devices)
        for device in self.devices:
            self.assertIn(f"right on {device}\n", output)

    def test_shared(self):
        build_consumer(CONSUMER, "shared")
        run("cmake", "--build", WORK / "shared")
        self.check_consumer(WORK / "shared/consumer", PREFIX / LIB / "tessera" / PROVIDER)
        self.assertIn("libtessera.so", run("readelf", "-d", WORK / "shared/consumer"))

    def test_static(self):
        build_consumer(CONSUMER, "static", "-DLINK=static")
        run("cmake", "--build", WORK / "static")
        self.check_consumer(WORK / "static/consumer", WORK / "static" / PROVIDER)
        self.assertNotIn("libtessera.so", run("readelf", "-d", WORK / "static/consumer"))
        # A program with the layout of an installation finds the provider in its own lib/tessera.
        for folder, file in (("own/bin", "consumer"), ("own/lib/tessera", PROVIDER)):
            (WORK / folder).mkdir(parents=True)
            shutil.copy(WORK / "static" / file, WORK / folder)
        self.check_consumer(WORK / "own/bin/consumer", WORK / "own/lib/tessera" / PROVIDER)

    @needs("pkg-config")
    def test_pkg_config(self):
        where = {"PKG_CONFIG_PATH": str(PREFIX / LIB / "pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "tessera", **where).split()
        libraries = run("pkg-config", "--variable=libdir", "tessera", **where).strip()
        run(cached("CMAKE_CXX_COMPILER"), "-std=c++20", CONSUMER / "main.cpp", "-o", WORK / "plain", *flags,
            f"-Wl,-rpath,{libraries}")
        self.check_consumer(WORK / "plain", PREFIX / LIB / "tessera" / PROVIDER)
        provider = run("pkg-config", "--variable=providerdir", "tessera", **where).strip()
        self.assertTrue((Path(provider) / PROVIDER).is_file())
        # What static linking needs too: every library that the shared one needs, save the compiler's own.
        static = run("pkg-config", "--libs", "--static", "tessera", **where).split()
        for name in re.findall(r"\[lib(\w+)\.so", run("readelf", "-d", PREFIX / LIB / "libtessera.so")):
            if name not in ("tessera", "m", "gcc_s", "c"):
                self.assertIn(f"-l{name}", static)

    def test_examples_build_against_the_package(self):
        build_consumer(PREFIX / "share/doc/tessera/examples", "examples")
        run("cmake", "--build", WORK / "examples", "--target", "example_hello")
        self.assertIn(" on ", run(WORK / "examples/example_hello"))

    def test_without_its_provider_the_library_says_where_it_looked(self):
        copy = WORK / "alone"
        copy.mkdir()
        for file in ("bin/tessera", f"{LIB}/{SHARED}"):
            (copy / file).parent.mkdir()
            shutil.copy(PREFIX / file, copy / file)
        provider = doctor(copy)["provider"]
        self.assertFalse(provider["found"])
        for folder in (LIB, f"{LIB}/tessera", "bin"):
            self.assertIn(f"{copy / folder} ", provider["error"] + " ")

    def test_symbols(self):
        symbols = exported_symbols(PREFIX / LIB / "libtessera.so")
        public = public_text()
        for symbol in symbols:
            name = re.sub(r"^(typeinfo name|typeinfo|vtable) for ", "", symbol)
            match = re.match(r"tessera::((?:random::|detail::|nn::detail::|nn::init::|nn::|optim::|io::|llm::)?)(~?\w+)", name)
            self.assertTrue(match, f"{symbol} is exported but not ours")
            self.assertRegex(public, rf"\b{match[2]}\b", f"{symbol} is exported but in no public header")
        functions = {re.sub(r"\(.*", "", s).split("::")[-1] for s in symbols}
        headers = [SOURCE / "include/tessera" / name for name in ("ops.h", "activations.h", "norms.h")]
        declared = re.findall(r"^Tensor (\w+)\(", "\n".join(h.read_text(encoding="utf-8") for h in headers), re.MULTILINE)
        self.assertGreater(len(declared), 100)
        self.assertEqual(set(declared) - functions, set(), "declared but not exported")
        self.assertIn("typeinfo for tessera::Error", symbols)

    def test_paths_of_this_machine_are_not_installed(self):
        for file in PREFIX.rglob("*"):
            if file.suffix in (".cmake", ".pc"):
                text = file.read_text(encoding="utf-8")
                for folder in (BUILD, SOURCE, WORK):
                    self.assertNotIn(str(folder), text, file)
        self.assertIn(f"[$ORIGIN/../{LIB}]", run("readelf", "-d", PREFIX / "bin/tessera"))
        self.assertNotRegex(run("readelf", "-d", PREFIX / LIB / "libtessera.so"), "RUNPATH|RPATH")


class PackageTest(unittest.TestCase):
    """What CPack makes of the same build."""

    FILES = ["bin/tessera", f"{LIB}/libtessera.so.{VERSION}", f"{LIB}/{SHARED}", "share/doc/tessera/LICENSE",
             *(f"{LIB}/tessera/{name}" for name in PROVIDERS)]
    DEV_FILES = [f"{LIB}/libtessera.so", f"{LIB}/libtessera.a", "include/tessera/tessera.h",
                 f"{LIB}/pkgconfig/tessera.pc", f"{LIB}/cmake/Tessera/TesseraConfig.cmake",
                 "share/doc/tessera/docs/guide/install.md"]

    @classmethod
    def setUpClass(cls):
        cls.folder = WORK / "packages"
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder, "-G",
            "TGZ;DEB" if shutil.which("dpkg-shlibdeps") else "TGZ")

    def one(self, pattern):
        files = list(self.folder.glob(pattern))
        self.assertEqual(len(files), 1, f"{pattern}: {files}")
        return files[0]

    def check_runs(self, prefix):
        """The command line of an unpacked package runs with the package's own provider."""
        report = doctor(prefix)
        self.assertEqual(report["provider"]["path"], str(prefix / LIB / "tessera" / PROVIDER))
        self.assertEqual({d["selftest"] for d in report["devices"]}, {"pass"})

    def test_archive(self):
        target = WORK / "unpacked"
        target.mkdir()
        run("tar", "-xzf", self.one(f"tessera-{VERSION}-*.tar.gz"), "-C", target, "--strip-components=1")
        for file in self.FILES + self.DEV_FILES:
            self.assertTrue((target / file).exists(), file)
        self.check_runs(target)

    @needs("dpkg-shlibdeps")
    def test_debian_packages(self):
        root = WORK / "root"
        contents, fields = {}, {}
        for name in ("tessera", "tessera-dev"):
            deb = self.one(f"{name}_{VERSION}_*.deb")
            contents[name] = run("dpkg-deb", "-c", deb)
            fields[name] = run("dpkg-deb", "-f", deb)
            run("dpkg", "-x", deb, root)
        for mine, other, files in (("tessera", "tessera-dev", self.FILES), ("tessera-dev", "tessera", self.DEV_FILES)):
            for file in files:
                self.assertRegex(contents[mine], rf" \./usr/{re.escape(file)}( -> .*)?\n")
                self.assertNotRegex(contents[other], rf" \./usr/{re.escape(file)}( -> .*)?\n")
        self.assertRegex(fields["tessera"], r"(?m)^Depends:.*\blibc6\b")
        self.assertRegex(fields["tessera"], r"(?m)^Depends:.*\blibfmt\d")
        self.assertRegex(fields["tessera"], r"(?m)^Recommends: libvulkan1$")
        self.assertRegex(fields["tessera-dev"], rf"(?m)^Depends: tessera \(= {re.escape(VERSION)}\)$")
        self.check_runs(root / "usr")


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    unittest.main(verbosity=2)
