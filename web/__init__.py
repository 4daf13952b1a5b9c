"""The page that every phone at the table opens."""

from web.settings import WebSettings, keep_secret

__all__ = ["WebSettings", "keep_secret"]
