"""Image files in, arrays out; everything wrong with a file is one clear line.

A file is judged by its first bytes, never by its name, and its size is read from the
header before anything is decoded: a small file may claim a billion pixels.
"""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np

from device.errors import ImageError
from vision.frame import Image

MAX_PIXELS = 100_000_000
"""More than any phone camera delivers (2026: 50 million in use); 300 MB decoded."""

MAX_BYTES = 128 * 1024 * 1024
"""Largest file read into memory."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
"""Names that a folder of images is searched for, lower case."""


def read_image(path: Path | str) -> Image:
    """Read one photograph, turned as its EXIF orientation says.

    Args:
        path: JPEG, PNG, WebP or BMP, at most `MAX_BYTES` and `MAX_PIXELS`.

    Returns:
        ``(h, w, 3)`` uint8 BGR.

    Raises:
        ImageError: Missing, a folder, not an image, truncated, or too large. One line
            that says what was expected and what was found.
    """
    path = Path(path)
    data = _read(path)
    width, height = _size(path, data)
    if width < 1 or height < 1 or width * height > MAX_PIXELS:
        raise ImageError(
            f"{path}: {width}x{height} pixels, expected 1 to "
            f"{MAX_PIXELS // 1_000_000} million"
        )
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise ImageError(f"{path}: damaged image file") from error
    if image is None:
        raise ImageError(f"{path}: damaged image file")
    return np.asarray(image, np.uint8)


def find_images(folder: Path | str) -> tuple[Path, ...]:
    """Return a folder's image files by name, sub-folders not searched.

    Raises:
        ImageError: Not a folder, or not readable.
    """
    folder = Path(folder)
    try:
        return tuple(
            sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)
        )
    except OSError as error:
        raise ImageError(f"{folder}: {_reason(error)}, expected a folder") from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _read(path: Path) -> bytes:
    """Return the file's bytes."""
    try:
        if path.is_dir():
            raise ImageError(f"{path}: a folder, expected an image file")
        if not path.is_file() and path.exists():
            raise ImageError(f"{path}: not a plain file, expected an image file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise ImageError(
                f"{path}: {size // 1024 // 1024} MB, expected at most "
                f"{MAX_BYTES // 1024 // 1024}"
            )
        return path.read_bytes()
    except OSError as error:
        raise ImageError(f"{path}: {_reason(error)}") from error


def _size(path: Path, data: bytes) -> tuple[int, int]:
    """Return width and height from the header; refuse unknown and cut-off files."""
    cut_off = ImageError(f"{path}: the image file is cut off")
    try:
        if data.startswith(b"\xff\xd8"):
            size = _jpeg_size(data)
            whole = size is not None
        elif data.startswith(b"\x89PNG\r\n\x1a\n"):
            size = struct.unpack(">II", data[16:24])
            whole = b"IEND" in data[-64:]
        elif data.startswith(b"BM"):
            width, height = struct.unpack("<ii", data[18:26])
            size = (width, abs(height))
            whole = len(data) >= struct.unpack("<I", data[2:6])[0]
        elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            size = _webp_size(data)
            whole = len(data) >= struct.unpack("<I", data[4:8])[0] + 8
        else:
            found = "an empty file" if not data else "something else"
            raise ImageError(
                f"{path}: not an image, expected JPEG, PNG, WebP or BMP, found {found}"
            )
    except struct.error:
        raise cut_off from None
    if size is None or not whole:
        raise cut_off
    return (int(size[0]), int(size[1]))


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk a JPEG's segments to its frame header; None where its end is missing."""
    at, size = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return None
        kind = data[at + 1]
        if kind == 0xFF:  # fill byte
            at += 1
            continue
        (length,) = struct.unpack(">H", data[at + 2 : at + 4])
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            size = (width, height)
        if kind == 0xDA:  # the scan: the end marker must follow it
            return size if data.find(b"\xff\xd9", at) > 0 else None
        at += 2 + length
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Return a WebP's size from its first chunk."""
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = data[24:27], data[27:30]
        if len(height) < 3:
            return None
        return (
            int.from_bytes(width, "little") + 1,
            int.from_bytes(height, "little") + 1,
        )
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return (width & 0x3FFF, height & 0x3FFF)
    return None


def write_image(path: Path | str, image: Image) -> None:
    """Write an image in the format of the file's suffix.

    Raises:
        ImageError: Unknown suffix, or the place cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ImageError(f"{path}: expected a name ending in {' '.join(SUFFIXES)}")
    done, data = cv2.imencode(path.suffix, image)
    if not done:
        raise ImageError(f"{path}: the image could not be encoded")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise ImageError(f"{path}: {_reason(error)}") from error
