"""Builds the Flask application: one blueprint a resource."""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, Response, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from web import (
    api,
    dice,
    hosting,
    join,
    language,
    log,
    now,
    pictures,
    refusals,
    report,
    rulers,
    security,
    setup,
    shapes,
    shared,
    stream,
    teach,
    told,
    units,
    words,
)
from web.fares import fares
from web.frame import frame
from web.games import choose, own, play
from web.games.foww.tokens import side_words
from web.games.lines import row_words
from web.games.registry import PAGES, check_words
from web.hub import Companion, Hub
from web.settings import WebSettings

RESOURCES = (
    join,
    hosting,
    now,
    units,
    rulers,
    log,
    report,
    dice,
    teach,
    setup,
    stream,
    pictures,
    api,
    choose,
    play,
    own,
)
"""Modules with a blueprint each."""

COOKIE_AGE = timedelta(days=400)
"""The longest that browsers keep a cookie. Who belongs to the table is kept here; and a
device without a clock of its own may wake up months off."""

STATIC_AGE_S = 300
"""Scripts and styles are asked for again after an update, yet not at every tap."""


def create_app(companion: Companion, *, settings: WebSettings) -> Flask:
    """Return the page as a WSGI application.

    Args:
        companion: Truth, and the only way to change it; asked from many threads.
        settings: Key, names, limits.
    """
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=settings.secret,
        SESSION_COOKIE_NAME="dicelight",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        PERMANENT_SESSION_LIFETIME=COOKIE_AGE,
        SESSION_REFRESH_EACH_REQUEST=False,
        MAX_CONTENT_LENGTH=security.BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=security.BODY_BYTES,
        MAX_FORM_PARTS=security.FORM_PARTS,
        SEND_FILE_MAX_AGE_DEFAULT=STATIC_AGE_S,
    )
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.extensions["dicelight"] = Hub(companion, settings)
    security.init_app(app, settings.names)
    language.init_app(app)
    refusals.init_app(app)
    app.jinja_env.globals.update(
        shapes=shapes,
        words=words,
        check_words=check_words,
        row_words=row_words,
        word=words.word,
        die_words=words.die_words,
        face_words=words.face_words,
        part_words=words.part_words,
        message_words=told.message_words,
        fares=fares,
        side_words=side_words,
        elsewhere=hosting.elsewhere,
    )
    app.context_processor(frame)
    for module in RESOURCES:
        app.register_blueprint(module.bp)
    app.register_blueprint(language.bp)
    for page in PAGES.values():
        for blueprint in page.blueprints:
            app.register_blueprint(blueprint)

    shared.init_app(app)

    @app.get("/")
    def home() -> AnyResponse:
        return redirect(url_for("now.show"), 303)

    @app.get("/health")
    def health() -> Response:
        return Response("ok\n", mimetype="text/plain")

    @app.get("/favicon.ico")
    def icon() -> AnyResponse:
        return redirect(url_for("static", filename="icon.svg"), 301)

    return app
