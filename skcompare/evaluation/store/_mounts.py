"""What kind of file system a file is on, as far as the system says."""

from __future__ import annotations

from pathlib import Path

MOUNTS = "/proc/self/mountinfo"  # Linux alone has it
# shared between machines: locks hold, the shared memory of a write-ahead log does not
SHARED = frozenset(
    [
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "fuse.ceph",
        "fuse.glusterfs",
        "glusterfs",
        "gpfs",
        "lustre",
        "nfs",
        "nfs4",
        "orangefs",
        "panfs",
        "pvfs2",
        "smb3",
        "smbfs",
    ]
)
# two processes may both hold a lock there, and what one has written the other need not see
WITHOUT_LOCKS = frozenset(
    [
        "davfs",
        "davfs2",
        "fuse.curlftpfs",
        "fuse.davfs2",
        "fuse.gcsfuse",
        "fuse.goofys",
        "fuse.mount-s3",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
    ]
)


def kind_of(name: str) -> str:
    """The type of the file system as `mount` names it; empty where it is not known."""
    try:
        folder = Path(name).resolve().parent
        lines = Path(MOUNTS).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    found = (0, "")
    for line in lines:
        mount, _, source = line.partition(" - ")
        fields, kind = mount.split(), source.partition(" ")[0]
        if len(fields) > 4:
            point = Path(_unescaped(fields[4]))
            if folder.is_relative_to(point) and len(point.parts) >= found[0]:
                found = len(point.parts), kind  # of two mounts on one folder the later one is seen
    return found[1]


def _unescaped(text: str) -> str:
    r"""A path without the octal escapes for space, tab, line end and backslash."""
    for character in " \t\n\\":
        text = text.replace(f"\\{ord(character):03o}", character)
    return text
