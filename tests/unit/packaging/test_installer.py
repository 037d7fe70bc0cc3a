# SPDX-FileCopyrightText: 2026 The Fieldpost authors
# SPDX-License-Identifier: Apache-2.0
"""The installer: script and app agree, the parts do what they say, and what `make installer` made, if it did."""

import datetime as dt
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from fieldpost_desktop.ui.app import APP_ID
from fieldpost_desktop.ui.connection import settings_file
from fieldpost_desktop.ui.system import autostart
from fieldpost_shared.version import __version__
from installer.laptop import read_registry
from installer.portable import pack
from installer.shortcut import read_shortcut

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "packaging/installer"
RELEASE = ROOT / "dist/installer"
PASSWORD = "only for this test"  # noqa: S105 - of a certificate that is thrown away
PROPERTIES = 0xA0000009
APP_ID_FORMAT = "55284C9F799F394BA8D0E1D42DE1D5F3"


# the script and the app


def defined(name: str) -> str:
    """What the script means by a name."""
    found = re.search(
        rf'^!define {name} "(.*?)"', (SCRIPTS / "fieldpost.nsi").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None, name
    return found[1]


def test_the_script_and_the_app_mean_the_same_things() -> None:
    script = (SCRIPTS / "fieldpost.nsi").read_text(encoding="utf-8")
    assert defined("APP_ID") == APP_ID
    assert defined("RUN_KEY") == autostart._RUN
    assert f'"${{RUN_KEY}}" "{autostart._NAME}" \'"${{PROGRAM_EXE}}" {autostart.HIDDEN}\'' in script
    assert defined("ENDING_KEY").endswith(f"\\{settings_file.SUFFIX}")
    assert f'"$INSTDIR\\organisation{settings_file.SUFFIX}"' in script


def test_nothing_is_written_where_an_administrator_is_needed() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS.glob("*.ns[ih]"))
    assert "RequestExecutionLevel user" in scripts
    assert not re.findall(r"HKLM|HKCR|SHCTX|\$PROGRAMFILES|SetShellVarContext all", scripts)


def test_everything_is_said_in_both_languages() -> None:
    words = re.findall(
        r"^LangString (\w+) \$\{LANG_(\w+)\} \"(.+)\"$", (SCRIPTS / "words.nsh").read_text("utf-8"), re.MULTILINE
    )
    english, german = ({name for name, language, _ in words if language == which} for which in ("ENGLISH", "GERMAN"))
    assert english == german
    used = {
        name for path in SCRIPTS.glob("*.ns[ih]") for name in re.findall(r"\$\(([A-Z_]+)\)", path.read_text("utf-8"))
    }
    assert used == english


# the parts


def test_the_same_files_make_the_same_zip(tmp_path: Path) -> None:
    folder = tmp_path / "program"
    (folder / "_internal").mkdir(parents=True)
    for name in ("fieldpost.exe", "_internal/b.dll", "_internal/ä.txt"):
        (folder / name).write_bytes(name.encode())
    (folder / ".made-from-1").touch()
    pack(folder, tmp_path / "one.zip")
    os.utime(folder / "fieldpost.exe", (1, 1))
    pack(folder, tmp_path / "other.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "Fieldpost/_internal/b.dll",
            "Fieldpost/_internal/ä.txt",
            "Fieldpost/fieldpost.exe",
        ]


def test_a_registry_export_is_read_as_it_was_meant() -> None:
    text = (
        "Windows Registry Editor Version 5.00\n\n[HKEY_CURRENT_USER\\Software\\A]\n"
        '@="own"\n"Run"="\\"C:\\\\a b\\\\c.exe\\" --hidden"\n"Size"=dword:0000001f\n"Other"=hex:00,01\n'
    )
    key = "Software\\A"
    assert read_registry(text) == {(key, ""): "own", (key, "Run"): '"C:\\a b\\c.exe" --hidden', (key, "Size"): "31"}


def shortcut(*, target: bytes, arguments: str, app_id: str | None) -> bytes:
    header = struct.pack("<I16xI", 0x4C, 0x02 | 0x20 | 0x80).ljust(0x4C, b"\0")
    info = struct.pack("<IIIII", 0x1C + len(target) + 1, 0x1C, 1, 0, 0x1C).ljust(0x1C, b"\0") + target + b"\0"
    text = struct.pack("<H", len(arguments)) + arguments.encode("utf-16-le")
    blocks = struct.pack("<II4x", 12, 0xA0000005)
    if app_id is not None:
        store = bytes.fromhex(APP_ID_FORMAT) + app_id.encode("utf-16-le")
        blocks += struct.pack("<II", 8 + len(store), PROPERTIES) + store
    return header + info + text + blocks + bytes(4)


def test_a_shortcut_tells_what_it_starts_and_as_which_app(tmp_path: Path) -> None:
    path = tmp_path / "a.lnk"
    path.write_bytes(shortcut(target=b"C:\\f.exe", arguments="open", app_id=APP_ID))
    found = read_shortcut(path)
    assert (found.target, found.arguments) == ("C:\\f.exe", "open")
    assert found.has_app_id(APP_ID)
    assert not found.has_app_id("Another.App")
    path.write_bytes(shortcut(target=b"C:\\f.exe", arguments="", app_id=None))
    assert not read_shortcut(path).has_app_id(APP_ID)


@pytest.mark.parametrize(
    "content", [b"", b"MZ" * 100, shortcut(target=b"C:\\f.exe", arguments="open", app_id=None)[:90]]
)
def test_something_else_than_a_shortcut_is_noticed(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.lnk").write_bytes(content)
    with pytest.raises(ValueError, match=r"shortcut|early|not found"):
        read_shortcut(tmp_path / "a.lnk")


# signing


def program(path: Path) -> Path:
    """The smallest thing that is a 64-bit Windows program to whoever signs it."""
    dos = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40)
    file_header = struct.pack("<4sHHIIIHH", b"PE\0\0", 0x8664, 1, 0, 0, 0, 240, 0x22)
    optional = struct.pack("<H", 0x20B).ljust(56, b"\0") + struct.pack("<II", 0x2000, 0x200)
    optional = optional.ljust(68, b"\0") + struct.pack("<H", 3)
    optional = optional.ljust(108, b"\0") + struct.pack("<I", 16)
    section = struct.pack("<8sIIII12xI", b".text", 0x200, 0x1000, 0x200, 0x200, 0x60000020)
    path.write_bytes((dos + file_header + optional.ljust(240, b"\0") + section).ljust(0x400, b"\0"))
    return path


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A throw-away one: `test.pfx` for signing, `test.pem` for whoever checks, `password` beside them."""
    folder = tmp_path_factory.mktemp("certificate")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Fieldpost test")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
        .sign(key, hashes.SHA256())
    )
    locked = serialization.BestAvailableEncryption(PASSWORD.encode())
    (folder / "test.pfx").write_bytes(pkcs12.serialize_key_and_certificates(b"test", key, made, None, locked))
    (folder / "test.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "password").write_text(f"{PASSWORD}\n", encoding="utf-8")
    return folder


def sign(file: Path, **variables: Path) -> "subprocess.CompletedProcess[str]":
    plain = {name: value for name, value in os.environ.items() if not name.startswith("FIELDPOST_SIGN_")}
    env = plain | {f"FIELDPOST_SIGN_{name}": str(value) for name, value in variables.items()}
    return subprocess.run([SCRIPTS / "sign.sh", file], env=env, capture_output=True, text=True, check=False)


needs_signer = pytest.mark.skipif(
    shutil.which("osslsigncode") is None, reason="osslsigncode is not here: `make installer` installs it"
)


def test_without_a_certificate_signing_says_so_and_changes_nothing(tmp_path: Path) -> None:
    file = program(tmp_path / "a.exe")
    before = file.read_bytes()
    ended = sign(file)
    assert ended.returncode == 0
    assert "stays unsigned" in ended.stdout
    assert file.read_bytes() == before


@needs_signer
def test_a_signature_is_verified_and_breaks_with_the_program(tmp_path: Path, certificate: Path) -> None:
    file = program(tmp_path / "a.exe")
    unsigned = tmp_path / "hard link.exe"
    unsigned.hardlink_to(file)
    ended = sign(file, PFX=certificate / "test.pfx", PASSWORD_FILE=certificate / "password")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "signed a.exe" in ended.stdout
    assert unsigned.read_bytes() == program(tmp_path / "b.exe").read_bytes(), "another name keeps the unsigned bytes"
    assert [path.name for path in tmp_path.iterdir() if "signed" in path.name] == []
    verify = ["osslsigncode", "verify", "-CAfile", str(certificate / "test.pem"), "-in", str(file)]
    good = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stdout
    content = bytearray(file.read_bytes())
    content[0x300] ^= 1
    file.write_bytes(content)
    assert subprocess.run(verify, capture_output=True, check=False).returncode != 0


@needs_signer
def test_a_wrong_password_fails_and_leaves_the_program_as_it_was(tmp_path: Path, certificate: Path) -> None:
    file = program(tmp_path / "a.exe")
    before = file.read_bytes()
    (tmp_path / "wrong").write_text("not this one\n", encoding="utf-8")
    assert sign(file, PFX=certificate / "test.pfx", PASSWORD_FILE=tmp_path / "wrong").returncode != 0
    assert sign(file, PFX=certificate / "test.pfx").returncode != 0, "no password file"
    assert sign(file, PFX=tmp_path / "none.pfx", PASSWORD_FILE=certificate / "password").returncode != 0
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.exe", "wrong"]


# what `make installer` made


@pytest.fixture
def made() -> Path:
    if not (RELEASE / "proof.json").is_file():
        pytest.skip("no installer was built here: `make installer` does it")
    return RELEASE


def test_the_sums_are_those_of_the_installer_and_the_zip(made: Path) -> None:
    lines = (line.split("  ") for line in (made / "SHA256SUMS").read_text(encoding="ascii").splitlines())
    digests = {name: digest for digest, name in lines}
    files = {path.name for path in made.iterdir() if path.suffix in {".exe", ".zip"}}
    assert digests.keys() == files == {f"Fieldpost-{__version__}-setup.exe", f"Fieldpost-{__version__}-portable.zip"}
    for name, digest in digests.items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest


def test_the_installer_was_proven_in_every_step(made: Path) -> None:
    proof = json.loads((made / "proof.json").read_text(encoding="utf-8"))
    assert proof["version"] == __version__
    assert {"installs", "tests_itself", "upgrades_a_running_copy", "goes_and_keeps_the_queue"} <= proof["steps"].keys()
    assert {part["outcome"] for part in proof["self_test"].values()} <= {"ok", "skipped"}
    assert proof["setup_bytes"] == (made / f"Fieldpost-{__version__}-setup.exe").stat().st_size


def test_the_installer_says_what_it_is(made: Path) -> None:
    content = (made / f"Fieldpost-{__version__}-setup.exe").read_bytes()
    for name, words in {"ProductName": "Fieldpost", "ProductVersion": __version__}.items():
        said = content[content.index(name.encode("utf-16-le")) :][: 2 * len(name) + 64]
        assert words.encode("utf-16-le") in said
    assert b'level="asInvoker"' in content, "no administrator"
    (header,) = struct.unpack_from("<I", content, 0x3C)
    assert struct.unpack_from("<H", content, header + 4)[0] == 0x8664
