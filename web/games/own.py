"""``/tables``: the players' own tables, kept for other nights and shared as a file."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from device.durable import write_atomic
from device.errors import BadInput, TableError
from device.games.own import OWN, own_toml, parse_own
from device.table.state import Content
from web.act import act
from web.hub import current_snapshot, hub
from web.language import marked as N_

logger = logging.getLogger(__name__)

bp = Blueprint("own", __name__)

MOST_BYTES: Final = 256 << 10
"""Two hundred rows of each table fit twice."""


def saved_path(folder: Path, game: str) -> Path:
    """Return where a game's own tables are kept."""
    return folder / "tables" / f"{game}.toml"


def is_saved(game: str) -> bool:
    """Say whether tables of another night are kept."""
    folder = hub().settings.state
    return folder is not None and saved_path(folder, game).exists()


def remember() -> None:
    """Keep the tables of the game in play for other nights."""
    content: Content = hub().companion.snapshot().state.content
    folder, tables = hub().settings.state, content.sheet.get(OWN)
    if folder is None or tables is None:
        return
    path = saved_path(folder, content.game)
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, own_toml(content.game, tables).encode())
    except OSError as error:  # tonight's table has them all the same
        logger.warning("%s was not written: %s", path, error)


@bp.get("/tables.toml")
def download() -> Response:
    """Give the tables away as a file."""
    content = current_snapshot().state.content
    text = own_toml(content.game, content.sheet.get(OWN, {}))
    name = f"dicelight-{content.game}.toml"
    return Response(
        text,
        mimetype="application/toml",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@bp.post("/tables/upload")
def upload() -> AnyResponse:
    """Take tables from a file; rows of the same name are replaced."""
    request.max_content_length = 2 * MOST_BYTES
    try:
        sent = request.files.get("file")
        data = sent.read(MOST_BYTES + 1) if sent is not None else b""
    except RequestEntityTooLarge:
        data = b" " * (MOST_BYTES + 1)
    if not data:
        raise BadInput(N_("Choose a file first."), "file")
    if len(data) > MOST_BYTES:
        raise BadInput(N_("That file is too large."), "file")
    game = current_snapshot().state.game
    try:
        tables = parse_own(data.decode(), game)
    except UnicodeDecodeError as error:
        raise BadInput(N_("That is no file of tables."), "file") from error
    digest = hashlib.sha256(data).hexdigest()
    back = url_for("units.show")
    response = act("load_own", {"tables": tables}, back=back, content=digest)
    remember()
    return response


@bp.post("/tables/use")
def use() -> AnyResponse:
    """Use the tables kept from other nights."""
    folder, game = hub().settings.state, current_snapshot().state.game
    if folder is None or not saved_path(folder, game).exists():
        raise TableError("no tables are kept", "no_own_tables")
    tables = parse_own(saved_path(folder, game).read_text("utf-8"), game)
    return act("load_own", {"tables": tables}, back=url_for("units.show"))
