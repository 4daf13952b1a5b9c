"""The page that every phone at the table opens."""

from web.app import create_app
from web.settings import WebSettings, keep_secret

__all__ = ["WebSettings", "create_app", "keep_secret"]
