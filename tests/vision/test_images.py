"""Image files: what can be read is read, everything else is one clear line."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.errors import ImageError
from vision.images import find_images, read_image, write_image


def striped() -> np.ndarray:
    """A picture whose left half is blue and right half red."""
    image = np.zeros((40, 60, 3), np.uint8)
    image[:, :30, 0] = 250
    image[:, 30:, 2] = 250
    return image


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
def test_every_format_comes_back_in_its_colours(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    cv2.imwrite(str(path), striped())
    image = read_image(path)
    assert image.shape == (40, 60, 3)
    assert image[20, 5, 0] > 200 > 60 > image[20, 5, 2]
    assert image[20, 55, 2] > 200 > 60 > image[20, 55, 0]


def exif(orientation: int) -> bytes:
    body = b"Exif\0\0MM\0*\0\0\0\x08\0\x01"
    body += struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0) + b"\0\0\0\0"
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def test_a_phone_picture_is_turned_upright(tmp_path: Path) -> None:
    ok, plain = cv2.imencode(".jpg", striped())
    assert ok
    data = plain.tobytes()
    path = tmp_path / "phone.jpg"
    path.write_bytes(data[:2] + exif(6) + data[2:])
    image = read_image(path)
    assert image.shape == (60, 40, 3)
    assert image[5, 20, 0] > 200  # the left half is now on top


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
@pytest.mark.parametrize("part", [0.05, 0.5, 0.95])
def test_a_truncated_file_is_refused(tmp_path: Path, suffix: str, part: float) -> None:
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 255, (60, 80, 3), np.uint8)
    path = tmp_path / f"cut{suffix}"
    cv2.imwrite(str(path), picture)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(ImageError, match=r"cut off|damaged"):
        read_image(path)


def png_claiming(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"just a text file\n", "expected JPEG, PNG, WebP or BMP"),
        (b"", "found an empty file"),
        (png_claiming(90_000, 90_000), "90000x90000 pixels"),
        (png_claiming(0, 10), "0x10 pixels"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 200 + b"IEND", r"pixels|damaged"),
        (b"\xff\xd8\xff\xd9", "cut off"),
        (b"BM", "cut off"),
    ],
    ids=["text", "empty", "bomb", "no-width", "rubbish", "bare-jpeg", "bare-bmp"],
)
def test_what_is_no_image_is_one_clear_line(
    tmp_path: Path, content: bytes, line: str
) -> None:
    path = tmp_path / "thing.jpg"
    path.write_bytes(content)
    with pytest.raises(ImageError, match=line) as caught:
        read_image(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folders_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="a folder, expected an image file"):
        read_image(tmp_path)
    with pytest.raises(ImageError, match="no such file"):
        read_image(tmp_path / "nothing.png")
    with pytest.raises(ImageError, match="expected a folder"):
        find_images(tmp_path / "nothing")


def test_a_folder_gives_its_images_by_name(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    assert [path.name for path in find_images(tmp_path)] == ["a.png", "b.JPG"]


def test_a_picture_is_written_and_read_again(tmp_path: Path) -> None:
    write_image(tmp_path / "out.png", striped())
    assert (read_image(tmp_path / "out.png") == striped()).all()
    with pytest.raises(ImageError, match="expected a name ending in"):
        write_image(tmp_path / "out.txt", striped())
    with pytest.raises(ImageError, match="no such file"):
        write_image(tmp_path / "nowhere" / "out.png", striped())
