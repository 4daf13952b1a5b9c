"""Imports modules together in this Python and prints, as JSON, how each fared.

    python check_imports.py numpy picamera2 cv2

A module built against another numpy fails with any of several errors, and some only
when a second one joins them: so all in one process, in the order of the service.
"""

from __future__ import annotations

import importlib
import json
import sys
from importlib.metadata import packages_distributions, version


def fare(name: str) -> dict[str, str]:
    """Import one module; return its version, its path, and the error if any."""
    found = {"version": _version(name), "path": "", "error": ""}
    try:
        module = importlib.import_module(name)
    except Exception as error:  # a C extension may raise anything, and is reported
        found["error"] = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    else:
        found["path"] = getattr(module, "__file__", "") or ""
        found["version"] = found["version"] or getattr(module, "__version__", "")
    return found


def _version(name: str) -> str:
    distributions = packages_distributions().get(name, [])
    return version(distributions[0]) if distributions else ""


if __name__ == "__main__":
    report = {name: fare(name) for name in sys.argv[1:]}
    sys.stdout.write(json.dumps(report))
