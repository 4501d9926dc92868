"""Where a store may be kept.

The index of SQLite's write-ahead log is memory that all processes map: it needs one machine. On a network
file system two machines would each believe their own copy, and locks are advisory at best, so a store
is refused there before it is damaged. So are folders that a virtual machine shares with its host.
Local and memory disks are taken, and what we don't know: SQLite refuses a disk that can't map memory at all.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from affidavit.core.system_errors import explained, told
from affidavit.errors import InputError, StorePlaceError

_OF_ANOTHER_MACHINE = (
    "nfs",
    "nfs4",
    "cifs",
    "smb",
    "smb2",
    "smb3",
    "smbfs",
    "ncpfs",
    "afs",
    "coda",
    "afpfs",
    "davfs",
)
_OF_A_CLUSTER = (
    "ceph",
    "glusterfs",
    "lustre",
    "gpfs",
    "beegfs",
    "orangefs",
    "pvfs2",
    "gfs",
    "gfs2",
    "ocfs2",
    "acfs",
)
_OF_THE_HOST = ("vboxsf", "vmhgfs", "prl_fs")
NETWORK_TYPES = frozenset((*_OF_ANOTHER_MACHINE, *_OF_A_CLUSTER, *_OF_THE_HOST))
"""Types of file systems, as the kernel names them, on which a store would be damaged."""
NETWORK_HELPERS = frozenset(
    """
    sshfs s3fs goofys rclone gcsfuse blobfuse blobfuse2 davfs davfs2 curlftpfs glusterfs ceph ceph-fuse
    juicefs mfs moosefs lizardfs seaweedfs smbnetfs gvfsd-fuse vmhgfs-fuse alluxio-fuse
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""The same for what follows `fuse.`; other helpers (encryption, overlays, NTFS) stand on a local disk."""

_ELSEWHERE = "keep the store on a disk of this machine, or use PostgreSQL for several machines"


def check_place(path: str | os.PathLike[str], mountinfo: str | None = None) -> Path:
    """The absolute path of a store that may be kept there, links followed; the file need not exist.

    Nothing is created. `mountinfo` stands in for the system's table of mounts (the text of
    `/proc/self/mountinfo`). Raises `StorePlaceError` for a folder or device, a file that may not be read, a
    folder where none can be made, a network file system, a NUL in the path, and links that lead nowhere.
    """
    text = os.fspath(path)
    if not text or "\0" in text:
        raise StorePlaceError(f"{text!r} is not a path", hint="give the path of a file")
    if _is_network_name(text):
        raise StorePlaceError(f"{text} lies on another machine", hint=_ELSEWHERE)
    place = _followed(text)
    if not _is_file(place, text):
        _check_room(place, text)
    kind = network_type(place, mountinfo)
    if kind is not None:
        raise StorePlaceError(
            f"{text} lies on a network file system ({kind}), where it would be damaged", hint=_ELSEWHERE
        )
    return place


def place_named(path: str | os.PathLike[str]) -> Path:
    """The path with a leading `~` read. Raises `StorePlaceError` for the home of nobody."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise StorePlaceError(
            f"{path} can't be found: there is no such home folder", hint="correct the path"
        ) from None


def find_store(path: str | os.PathLike[str]) -> Path | None:
    """The file of a store, links followed; None where there is none.

    Raises `StorePlaceError` for what may not be looked at or read, and for what is no file.
    """
    text = os.fspath(path)
    place = _followed(text)
    return place if _is_file(place, text) else None


def is_writable(path: str | os.PathLike[str]) -> bool:
    """Whether a store there can be opened for writing: the file and, for its log, the folder.

    For a file that does not exist: whether it, and the folders missing above it, can be created.
    """
    place = Path(os.path.realpath(path))
    if place.exists():
        return place.is_file() and os.access(place, os.W_OK) and os.access(place.parent, os.W_OK | os.X_OK)
    parent = _nearest(place.parent)
    return parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)


def network_type(place: Path, mountinfo: str | None = None) -> str | None:
    """The type of the network file system that holds `place` (absolute); None for a local or unknown one."""
    kind, options = _mount_of(str(place), _mounts() if mountinfo is None else mountinfo)
    family, _, helper = kind.lower().partition(".")
    if family in ("fuse", "fuseblk"):
        return kind if helper in NETWORK_HELPERS else None
    if family == "9p":
        # A sandbox serves its own root through a pipe; all else is another machine or Windows' drive.
        return None if "trans=fd" in options and "drvfs" not in options else kind
    return kind if family in NETWORK_TYPES else None


def _mounts() -> str:
    try:
        return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return _mounts_of_mac() if sys.platform == "darwin" else ""


def _mounts_of_mac() -> str:
    """What `mount` lists on macOS, in the form of Linux's table; empty if it can't be asked."""
    import subprocess  # noqa: PLC0415 - only on macOS, where no file holds the table

    try:
        listing = subprocess.run(
            ["/sbin/mount"], capture_output=True, text=True, timeout=5, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = []
    for line in listing.splitlines():
        source, _, rest = line.partition(" on ")
        point, _, options = rest.rpartition(" (")
        lines.append(
            f"0 0 0:0 / {_escaped(point)} - - {options.split(',')[0].rstrip(')')} {_escaped(source)} -"
        )
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\134").replace(" ", "\\040")


def _mount_of(place: str, mountinfo: str) -> tuple[str, str]:
    """Type and options of the mount with the longest prefix of `place`; a later one on one point hides it."""
    best, kind, options = -1, "", ""
    for line in mountinfo.splitlines():
        fields, separator, tail = line.partition(" - ")
        parts, (name, _, rest) = fields.split(" "), tail.partition(" ")
        if not separator or len(parts) < 5:
            continue
        point = _unescaped(parts[4])
        inside = place == point or place.startswith(point if point.endswith("/") else point + "/")
        if inside and len(point) >= best:
            best, kind, options = len(point), name, rest
    return kind, options


def _unescaped(text: str) -> str:
    """The kernel writes space, tab, line end and backslash of a mount point as three octal digits."""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def _is_network_name(text: str) -> bool:
    r"""Whether Windows would look for it on another machine: `\\server\share`, but not `\\?\C:\…`."""
    if os.name != "nt":
        return False
    name = text.replace("/", "\\")
    if name.startswith("\\\\?\\"):
        return name[4:8].upper() == "UNC\\"
    return name.startswith("\\\\") and not name.startswith("\\\\.\\")


def _followed(text: str) -> Path:
    what = f"{text} can't be followed to a file"
    try:
        Path(text).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass  # what is missing or closed is told below, with what to do
    except OSError as error:
        raise told(error, StorePlaceError, what) from None
    except ValueError as error:
        raise StorePlaceError(f"{what}: {error}", hint="correct the path") from None
    return Path(os.path.realpath(text))


def _is_file(place: Path, text: str) -> bool:
    """Whether a file is there that may be read. Raises `StorePlaceError` for anything else that is there."""
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        if text.endswith(("/", os.sep)):
            raise StorePlaceError(f"{text} names a folder", hint="give the path of a file in it") from None
        return False
    except NotADirectoryError:
        return False  # `_check_room` says which part is no folder
    except OSError as error:
        raise told(error, StorePlaceError, f"{text} can't be looked at") from None
    if stat.S_ISDIR(mode):
        raise StorePlaceError(
            f"{text} is a folder", hint=f"give the path of a file, like {place / 'memory.db'}"
        )
    if not stat.S_ISREG(mode):
        raise StorePlaceError(f"{text} is not a regular file", hint="give the path of a file")
    # Not tried by opening it: closing any descriptor of a database drops the locks that this process holds on it.
    if not os.access(place, os.R_OK):
        raise StorePlaceError(
            f"{text} can't be read: permission denied",
            hint="run as a user who may read it, or have its owner give you the right",
        )
    return True


def _check_room(place: Path, text: str) -> None:
    """Raise `StorePlaceError` where no file can be made."""
    link = _dangling(Path(text).absolute())
    if link is not None:
        raise StorePlaceError(
            f"{link} is a link to {os.path.realpath(link)}, which is not there",
            hint="make or mount what it leads to, or remove the link",
        )
    parent = _nearest(place.parent)
    if not parent.is_dir():
        raise StorePlaceError(f"{place} can't exist: {parent} is not a folder", hint="give another path")
    if os.access(parent, os.W_OK | os.X_OK):
        return
    if parent != place.parent:
        raise StorePlaceError(
            f"the folder {place.parent} does not exist and can't be created in {parent}: permission denied",
            hint="create it, or give another path",
        )
    raise StorePlaceError(
        f"{place} is not there and can't be made: you may not write in {parent}",
        hint="give another path, or have the folder's owner give you the right",
    )


def _dangling(path: Path) -> Path | None:
    """The link on the way to a file that leads to nothing; the file's own may, where its folder is there."""
    for place in path.parents:
        if place.is_symlink() and not os.path.lexists(os.path.realpath(place)):
            return place
    missing = path.is_symlink() and not Path(os.path.realpath(path)).parent.is_dir()
    return path if missing else None


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder


def make_private(path: Path) -> None:
    """Make the file, if it is new, so that only its owner can read it; SQLite's other files follow its mode."""
    with explained(StorePlaceError, f"{path} can't be made"):
        # Where a link leads, not the link: that is there already, and what SQLite makes others could read.
        place = Path(os.path.realpath(path))
        place.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


@contextlib.contextmanager
def reserved(path: Path, mode: int = 0o600) -> Iterator[None]:
    """A new, empty file, made before the work that fills it, and removed where that fails.

    Raises `InputError` where something is there already, or none can be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode))
    except FileExistsError:
        raise InputError(f"{path} is there already", hint="name a new file") from None
    except FileNotFoundError:
        raise InputError(f"there is no folder {path.parent}", hint="make it first") from None
    except ValueError:
        raise InputError(f"{str(path)!r} is not a path", hint="name a new file") from None
    except OSError as error:
        raise told(error, InputError, f"{path} can't be written") from None
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise
