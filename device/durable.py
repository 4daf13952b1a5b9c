"""Files that a power cut leaves as they were or as they should be, never torn or empty.

On a Raspberry Pi a file that is only written and renamed may be empty after a power cut
(OctoPrint-PowerFailure issue 16): the name is on the card before the bytes are.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

USUAL: Final = 0o666
"""Mode of a new file, before the process's umask."""

OWNERS: Final = 0o600
"""Of a file that only its owner may read."""


def write_atomic(path: Path, data: bytes, mode: int = USUAL) -> None:
    """Replace a file so that a power cut leaves the old or the new one whole.

    Written by root it belongs to whom its folder belongs: root may teach dice, and the
    service reads them.

    Args:
        path: In a folder that is there.
        data: All of it.
        mode: Of the new file.

    Raises:
        OSError: Refused (no room, no permission); the old file is untouched.
    """
    draft = path.with_name(path.name + ".new")
    try:
        draft.unlink(missing_ok=True)  # one left by a kill may have another mode
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            _give(file.fileno(), path.parent)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; made by root they belong to the one above.

    Raises:
        OSError: Refused.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _give(folder, folder.parent)


def _give(made: int | Path, folder: Path) -> None:
    """Let what root has made belong to the owner of the folder that it is in.

    Whoever owns that folder may have put a link in place of what was made: it is not
    followed.
    """
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        return
    with suppress(PermissionError):  # a stick without owners
        if isinstance(made, int):
            os.fchown(made, owner.st_uid, owner.st_gid)
        else:
            os.lchown(made, owner.st_uid, owner.st_gid)
