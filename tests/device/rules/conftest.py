"""Random questions are the same in every run."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("rules", derandomize=True, deadline=None, database=None)
settings.load_profile("rules")
