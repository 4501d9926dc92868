import os
from pathlib import Path

import pytest

from affidavit.errors import InputError, StorePlaceError
from affidavit.store import place as module
from affidavit.store.place import (
    check_place,
    find_store,
    is_writable,
    make_private,
    network_type,
    place_named,
    reserved,
)

ROOT = "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"


def mount(point: str, kind: str, options: str = "rw", extra: str = "") -> str:
    return f"40 21 0:50 / {point} rw,relatime{extra} - {kind} source {options}\n"


def test_a_file_that_need_not_exist_is_taken_and_nothing_is_made(tmp_path):
    place = check_place(tmp_path / "a" / "b" / "memory.db", ROOT)
    assert place == tmp_path.resolve() / "a" / "b" / "memory.db"
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_and_a_link_to_it_are_one_place(tmp_path):
    (tmp_path / "real.db").write_bytes(b"")
    (tmp_path / "link.db").symlink_to("real.db")
    (tmp_path / "dangling.db").symlink_to("later.db")
    assert check_place(tmp_path / "link.db") == check_place(tmp_path / "real.db")
    assert check_place(tmp_path / "dangling.db") == tmp_path.resolve() / "later.db"


def test_a_relative_path_becomes_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert check_place("memory.db") == tmp_path.resolve() / "memory.db"


@pytest.mark.parametrize("text", ["", "a\0b", "/tmp/\0"])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(StorePlaceError, match="not a path"):
        check_place(text)


def test_a_folder_is_refused_with_the_file_it_could_be(tmp_path):
    with pytest.raises(StorePlaceError, match=r"is a folder.*memory\.db"):
        check_place(tmp_path)
    with pytest.raises(StorePlaceError, match="names a folder"):
        check_place(f"{tmp_path}/new/")


def test_a_device_and_a_pipe_are_refused(tmp_path):
    with pytest.raises(StorePlaceError, match="not a regular file"):
        check_place(os.devnull)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StorePlaceError, match="not a regular file"):
        check_place(tmp_path / "pipe")


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorePlaceError, match="is not a folder"):
        check_place(tmp_path / "file" / "memory.db")
    with pytest.raises(StorePlaceError, match="is not a folder"):
        check_place(tmp_path / "file" / "deeper" / "memory.db")


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a.db").symlink_to("b.db")
    (tmp_path / "b.db").symlink_to("a.db")
    with pytest.raises(StorePlaceError, match="can't be followed"):
        check_place(tmp_path / "a.db")
    with pytest.raises(StorePlaceError, match="can't be followed"):
        check_place(tmp_path / "a.db" / "memory.db")


def test_a_name_too_long_for_the_disk_is_refused(tmp_path):
    with pytest.raises(StorePlaceError, match="can't be followed"):
        check_place(tmp_path / ("x" * 5000))


def test_a_parent_that_can_not_be_made_is_refused(tmp_path, monkeypatch):
    (tmp_path / "there.db").write_bytes(b"x")
    monkeypatch.setattr(os, "access", lambda _, mode: mode == os.R_OK)
    with pytest.raises(StorePlaceError, match="can't be created in"):
        check_place(tmp_path / "a" / "memory.db")
    with pytest.raises(StorePlaceError, match="you may not write in"):
        check_place(tmp_path / "memory.db")
    assert check_place(tmp_path / "there.db") == tmp_path.resolve() / "there.db"  # opening read-only may do


def test_a_file_that_may_not_be_read_is_refused(tmp_path, monkeypatch):
    (tmp_path / "memory.db").write_bytes(b"x")
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.R_OK)
    for look in (check_place, find_store):
        with pytest.raises(StorePlaceError, match=r"can't be read: permission denied"):
            look(tmp_path / "memory.db")


def test_a_link_that_leads_nowhere_is_refused_and_nothing_is_made(tmp_path):
    (tmp_path / "disk").symlink_to("not-mounted")
    (tmp_path / "m.db").symlink_to("not-mounted/m.db")
    for path in (tmp_path / "disk" / "m.db", tmp_path / "m.db"):
        with pytest.raises(StorePlaceError, match=r"is a link to .*not-mounted"):
            check_place(path)
        assert find_store(path) is None
    assert {one.name for one in tmp_path.iterdir()} == {"disk", "m.db"}


def test_what_a_link_leads_to_is_made_private(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "m.db").symlink_to("data/later.db")
    make_private(check_place(tmp_path / "m.db"))
    make_private(tmp_path / "m.db")
    assert (tmp_path / "data" / "later.db").stat().st_mode & 0o777 == 0o600


def test_the_home_of_nobody_is_refused():
    with pytest.raises(StorePlaceError, match="no such home folder"):
        place_named("~no-such-user/m.db")


def test_a_reserved_file_is_new_and_goes_when_the_work_fails(tmp_path):
    target = tmp_path / "new"

    def fail() -> None:
        with reserved(target):
            assert target.exists()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not target.exists()
    with reserved(target):
        target.write_text("kept")
    for path, why in (
        (target, "is there already"),
        (tmp_path / "no" / "folder", "there is no folder"),
        (target / "in a file", "part of its path is a file"),
        (Path("a\0b"), "not a path"),
    ):
        with pytest.raises(InputError, match=why) as caught, reserved(path):
            pass
        assert caught.value.hint
    assert target.read_text() == "kept"


@pytest.mark.parametrize(
    "kind",
    ["nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "afs", "fuse.sshfs", "fuse.rclone", "vboxsf", "gfs2"],
)
def test_a_network_file_system_is_refused(tmp_path, kind):
    mounts = ROOT + mount(str(tmp_path.resolve()), kind)
    with pytest.raises(StorePlaceError) as caught:
        check_place(tmp_path / "memory.db", mounts)
    assert f"({kind})" in caught.value.what
    assert "PostgreSQL" in caught.value.hint


@pytest.mark.parametrize(
    "kind",
    [
        "ext4",
        "xfs",
        "btrfs",
        "zfs",
        "tmpfs",
        "overlay",
        "apfs",
        "virtiofs",
        "fuseblk",
        "fuse.gocryptfs",
        "f2fs",
    ],
)
def test_a_local_one_is_taken(kind):
    assert network_type(Path("/data/memory.db"), ROOT + mount("/data", kind)) is None


@pytest.mark.parametrize(
    "options,refused",
    [
        ("rw,trans=fd,rfdno=4,wfdno=4,cache=remote_revalidating", False),  # the root of a sandbox
        ("rw,aname=drvfs;path=C:\\134;uid=1000,trans=fd,rfd=5,wfd=5", True),  # Windows' drive
        ("rw,access=client,trans=virtio", True),
        ("rw,trans=tcp,port=564", True),
    ],
)
def test_9p_is_what_its_transport_is(options, refused):
    assert network_type(Path("/data/memory.db"), ROOT + mount("/data", "9p", options)) == (
        "9p" if refused else None
    )


def test_the_longest_mount_decides_and_names_are_not_prefixes():
    mounts = ROOT + mount("/net", "nfs4") + mount("/net/local", "ext4") + mount("/net\\040two", "cifs")
    assert network_type(Path("/net/memory.db"), mounts) == "nfs4"
    assert network_type(Path("/net/local/memory.db"), mounts) is None
    assert network_type(Path("/network/memory.db"), mounts) is None
    assert network_type(Path("/net two/memory.db"), mounts) == "cifs"
    assert network_type(Path("/memory.db"), ROOT.replace("ext4", "nfs")) == "nfs"


def test_a_later_mount_hides_an_earlier_one():
    assert network_type(Path("/a/m.db"), mount("/a", "nfs") + mount("/a", "ext4")) is None
    assert (
        network_type(Path("/a/m.db"), mount("/a", "ext4") + mount("/a", "nfs", extra=" shared:7 master:2"))
        == "nfs"
    )


def test_a_link_to_a_network_file_system_is_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to("far")
    mounts = ROOT + mount(str((tmp_path / "far").resolve()), "nfs4")
    with pytest.raises(StorePlaceError, match="nfs4"):
        check_place(tmp_path / "near" / "memory.db", mounts)


@pytest.mark.parametrize("mounts", ["", "nonsense", "1 2 3 - nfs", " - \n - - -\n"])
def test_a_table_that_can_not_be_read_refuses_nothing(tmp_path, mounts):
    assert check_place(tmp_path / "memory.db", mounts).name == "memory.db"


def test_windows_names_of_other_machines(monkeypatch):
    assert not module._is_network_name(r"\\server\share\memory.db")
    monkeypatch.setattr(os, "name", "nt")
    assert module._is_network_name(r"\\server\share\memory.db")
    assert module._is_network_name("//server/share/memory.db")
    assert module._is_network_name(r"\\?\UNC\server\share\memory.db")
    assert not module._is_network_name(r"\\?\C:\memory.db")
    assert not module._is_network_name(r"C:\memory.db")


def test_what_can_be_written(tmp_path):
    assert is_writable(tmp_path / "new.db")
    assert is_writable(tmp_path / "new" / "deeper" / "memory.db")
    (tmp_path / "memory.db").write_bytes(b"")
    assert is_writable(tmp_path / "memory.db")
    assert not is_writable(tmp_path)
    assert not is_writable(tmp_path / "memory.db" / "inside.db")


def test_what_can_only_be_read(tmp_path, monkeypatch):
    (tmp_path / "memory.db").write_bytes(b"")
    for closed in (tmp_path / "memory.db", tmp_path):  # the file, or the folder of its log
        monkeypatch.setattr(os, "access", lambda path, _, closed=closed: Path(path) != closed.resolve())
        assert not is_writable(tmp_path / "memory.db")
    assert not is_writable(tmp_path / "new.db")
