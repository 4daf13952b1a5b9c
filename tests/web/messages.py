"""Every text of the page that needs a translation, found in the sources."""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.extract import extract
from jinja2.ext import babel_extract

from device.games.foww.flows.words import ANSWERS, FLOWS, QUESTIONS
from device.games.foww.flows.words import REASONS as FLOW_REASONS
from device.rosters.problems import PROBLEMS
from device.rules.texts import TEXTS
from web.games.foww.flow_words import ANSWER_CONTEXT, FLOW_CONTEXT
from web.words import DIE_COLOURS, DIE_CONTEXT

WEB = Path(__file__).parents[2] / "web"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
}

Message = str | tuple[str, str]


def found() -> dict[Message, str]:
    """Return every message, a pair where it has a plural, and where it stands."""
    messages: dict[Message, str] = {}
    for path in sorted(WEB.rglob("*.html")):
        source = io.BytesIO(path.read_bytes())
        for _, function, texts, _ in babel_extract(source, KEYWORDS, [], {}):
            _keep(messages, function, texts, path.name)
    for path in sorted(WEB.rglob("*.py")):
        source = io.BytesIO(path.read_bytes())
        for _, texts, _, _ in extract("python", source, KEYWORDS):
            _keep(
                messages,
                "ngettext" if isinstance(texts, tuple) else "_",
                texts,
                path.name,
            )
    for key, text in FLOWS.items():
        messages.setdefault(f"{FLOW_CONTEXT}\x04{text}", f"flow {key}")
    for key, text in ANSWERS.items():
        messages.setdefault(f"{ANSWER_CONTEXT}\x04{text}", f"answer {key}")
    for key, asked in QUESTIONS.items():
        messages.setdefault(asked.text, f"question {key}")
    for key, text in FLOW_REASONS.items():
        messages.setdefault(text, f"flow {key}")
    for colour in DIE_COLOURS:
        messages.setdefault(f"{DIE_CONTEXT}\x04{colour}", "words.py")
    for key, text in PROBLEMS.items():
        messages.setdefault(text, f"roster {key}")
    for key, text in TEXTS.items():
        messages.setdefault(text, f"step {key}")
    return messages


def _keep(
    messages: dict[Message, str], function: object, texts: object, where: str
) -> None:
    if isinstance(texts, (tuple, list)):
        named = [text for text in texts if text]
        if function == "ngettext":
            messages.setdefault((str(named[0]), str(named[1])), where)
        elif named:
            messages.setdefault(str(named[0]), where)
    elif texts:
        messages.setdefault(str(texts), where)
