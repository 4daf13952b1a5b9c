"""Who may import whom (design: rules below table below companion below web)."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("device", "vision", "web", "hardware")

LEAVES = ("device.errors", "device.units", "device.durable")
VENDORS = ("picamera2", "libcamera", "spidev", "lgpio", "gpiozero", "torch", "onnx")
IMPURE = ("random", "time", "threading", "datetime", "os", "pathlib", "io", "numpy")

# Longest prefix wins. A module may always import its own package's modules below the
# prefix that it is listed under.
ALLOWED: dict[str, tuple[str, ...]] = {
    "device.errors": (),
    "device.units": (),
    "device.durable": (),
    "device.data": (*LEAVES, "device.rules"),
    "device.rules": (*LEAVES, "device.data"),
    "device.table": (*LEAVES, "device.rules", "device.data"),
    "device.ports": (*LEAVES, "vision.frame"),
    "device.games": (
        *LEAVES,
        "device.data",
        "device.rules",
        "device.table",
        "device.rosters",
    ),
    "device.config": (*LEAVES, "device.data", "device.rules", "device.games"),
    "device.app": OURS,
    "device.cli": OURS,
    "device.fitting": OURS,
    "device.commands": OURS,
    "device.doctor": OURS,
    "device.bench": OURS,
    "device.bench_light": OURS,
    "device.bench_page": OURS,
    "device.demo": OURS,
    "device.workbench": OURS,
    "device.kills": OURS,
    "device": (
        "device",
        "vision",
        "hardware.board",
        "hardware.rulers",
        "hardware.cues",
    ),
    "vision.synth": (*LEAVES, "vision"),
    "vision.train": (*LEAVES, "vision"),
    "vision": (*LEAVES, "vision"),
    "hardware.sim": (
        *LEAVES,
        "device.ports",
        "device.rules.ranges",
        "vision.frame",
        "vision.images",
        "vision.synth",
        "hardware",
    ),
    "hardware": (
        *LEAVES,
        "device.ports",
        "device.rules.ranges",
        "vision.frame",
        "hardware",
    ),
    "web": (
        *LEAVES,
        "device",
        "hardware.rulers",
        "hardware.cues",
        "hardware.bars",
        "web",
    ),
}
NEVER: dict[str, tuple[str, ...]] = {
    "device.companion": ("web",),
    "vision": ("device.rules", "device.table", "device.companion", "vision.train"),
    "web": ("device.app", "device.cli", "device.config", "hardware.sim"),
}


def modules() -> dict[str, Path]:
    found = {}
    for package in OURS:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = path
    return found


def imported(path: Path, module: str) -> list[tuple[str, int, bool]]:
    """Return (name, line, at module level) of everything that a file imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        ):
            inside.update(ast.walk(node))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                if path.name != "__init__.py":
                    above = above[:-1]
                above = above[: len(above) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            # `from device.rules import ranges` imports a module of that package
            names = []
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                names.append(whole if whole in MODULES else base)
        else:
            continue
        found += [(name, node.lineno, node not in inside) for name in names]
    return found


MODULES = modules()


def under(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == p or name.startswith(p + ".") for p in prefixes)


def rule(table: dict[str, tuple[str, ...]], module: str) -> tuple[str, tuple[str, ...]]:
    best = max((p for p in table if under(module, (p,))), key=len, default="")
    return best, table.get(best, ())


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_imports_only_what_its_layer_may(module: str) -> None:
    prefix, allowed = rule(ALLOWED, module)
    never = tuple(n for p, names in NEVER.items() if under(module, (p,)) for n in names)
    if module.startswith("vision.train"):
        never = tuple(n for n in never if n != "vision.train")
    wrong = []
    for name, line, _ in imported(MODULES[module], module):
        if not under(name, OURS):
            continue
        own = prefix not in LEAVES and under(name, (prefix,))
        if under(name, never) or not (own or under(name, allowed)):
            wrong.append(f"{MODULES[module]}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("device.rules")])
def test_rules_are_pure(module: str) -> None:
    wrong = [
        f"line {line}: {name}"
        for name, line, _ in imported(MODULES[module], module)
        if under(name, IMPURE)
    ]
    assert not wrong, wrong


@pytest.mark.parametrize("module", sorted(MODULES))
def test_vendor_modules_are_imported_inside_constructors(module: str) -> None:
    if module.startswith("vision.train"):
        pytest.skip("the training always needs torch")
    wrong = [
        f"line {line}: {name}"
        for name, line, top in imported(MODULES[module], module)
        if top and under(name, VENDORS)
    ]
    assert not wrong, wrong


def defined(path: Path) -> set[str]:
    """Return the names that a module has at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name) for alias in node.names}
        else:
            names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            found |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return found


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("vision.train")])
def test_what_the_training_imports_is_there(module: str) -> None:
    """No test imports it, for it needs torch: a name that moved would go unseen."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    missing = [
        f"line {node.lineno}: {node.module} has no {alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for alias in node.names
        if f"{node.module}.{alias.name}" not in MODULES
        and alias.name not in defined(MODULES[node.module])
    ]
    assert not missing, "\n".join(missing)


def test_the_table_catches_a_forbidden_import() -> None:
    prefix, allowed = rule(ALLOWED, "device.rules.foww.checks")
    assert prefix == "device.rules"
    assert not under("device.table.journal", allowed)
    assert under("device.errors", allowed)


def test_no_module_hides_one_of_pythons() -> None:
    ours = {name.split(".")[-1] for name in MODULES} | set(OURS)
    hidden = ours & (sys.stdlib_module_names - {"__main__", "resource"})
    assert not hidden, hidden
