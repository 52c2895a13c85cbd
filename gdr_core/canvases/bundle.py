"""Modules of JavaScript into one string that a browser takes, and style sheets likewise.

A component's entry module imports what it needs, and so on; each module comes once, before those
that use it, inside a function of its own: names of two modules never meet. What travels leaves out
comment lines, the types in JSDoc among them, indentation, and functions that nobody mentions. Of
the language of modules this much is understood, each on one line that begins with it:

    import { element, icon as picture } from "../library/elements.js";
    export function …      export async function …      export class …      export const …
    export default …;

A path begins with a dot, or with `#canvases/`, which is the folder of this file. Anything else that
imports or exports is refused with its file and line, and so is a template that runs over several
lines: its text could look like a comment. In style sheets it is `@import "../style/tip.css";`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

ROOM: Final = Path(__file__).resolve().parent
_IN_ROOM: Final = "#canvases/"  # package.json says the same to Node and to the checker of types

_IMPORT: Final = re.compile(r'import \{ (?P<names>[\w$ ,]+) \} from "(?P<path>[.#][^"]*)";$')
_STYLE_IMPORT: Final = re.compile(r'@import "(?P<path>[.#][^"]*)";$')
_NAMED: Final = re.compile(r"export (?=(?:async )?(?:function|class|const) (?P<name>[\w$]+))")
_DEFAULT: Final = re.compile(r"export default (?!(?:async|class|function)\b)(?P<value>.+);$")
_MODULE_WORD: Final = re.compile(r"^\s*(?:import|export)\b|\bimport\s*[.(]")
_PAIR: Final = re.compile(r"(?P<name>[\w$]+)(?: as (?P<local>[\w$]+))?$")
_DECLARED: Final = re.compile(r"(?:(?:async )?function|class) (?P<name>[\w$]+)")
_DEFAULT_NAME: Final = "$default"


class BundleError(ValueError):
    """A file that cannot be bundled; says where and why."""


@dataclass(frozen=True)
class _Import:
    line: int
    path: Path
    names: Mapping[str, str]  # the local name of each imported one


@dataclass(frozen=True)
class _Module:
    path: Path
    code: tuple[str, ...]  # lines that are neither imports nor comments
    imports: tuple[_Import, ...]
    exports: Mapping[str, str]  # the local name of each exported one


def bundle_script(entry: Path) -> str:
    """One module that does what `entry` does and exports the same default."""
    modules = _in_order(entry.resolve())
    names = {module.path: f"$m{i}" for i, module in enumerate(modules)}
    last = modules[-1]
    if "default" not in last.exports:
        raise BundleError(f"{_name(last.path)} exports no default, which its user would call")
    _check_names({module.path: module for module in modules})
    parts = [_wrapped(module, names) for module in _without_unused(modules)]
    return "\n".join([*parts, f"export default {names[last.path]}.default;\n"])


def bundle_style(entry: Path) -> str:
    """One style sheet; an imported one stands where it is first imported."""
    return "".join(_style_lines(entry.resolve(), set()))


def _in_order(entry: Path) -> list[_Module]:
    """The entry and all that it needs, each once, after what it needs itself."""
    done: dict[Path, _Module] = {}

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            circle = " → ".join(_name(one) for one in (*above[above.index(path) :], path))
            raise BundleError(f"modules import each other in a circle: {circle}")
        if path in done:
            return
        module = _read(path)
        for needed in module.imports:
            visit(needed.path, (*above, path))
        done[path] = module

    visit(entry, ())
    return list(done.values())


def _read(path: Path) -> _Module:
    code: list[str] = []
    imports: list[_Import] = []
    exports: dict[str, str] = {}
    for number, line in _without_comments(path):
        if found := _IMPORT.match(line):
            imports.append(_import(path, number, found))
            continue
        name, text = _export(line)
        if name in exports:
            raise _refused(path, number, f"{name} is exported twice")
        if name:
            exports[name] = _DEFAULT_NAME if name == "default" else name
        elif _MODULE_WORD.search(line):
            raise _refused(path, number, f"this form of import or export is not bundled: {line}")
        code.append(text)
    return _Module(path, tuple(code), tuple(imports), exports)


def _export(line: str) -> tuple[str, str]:
    """The name that a line exports, or none, and the line as it stands inside a function."""
    if found := _NAMED.match(line):
        return found["name"], line[found.end() :]
    if found := _DEFAULT.match(line):
        return "default", f"const {_DEFAULT_NAME} = {found['value']};"
    return "", line


def _import(path: Path, number: int, found: re.Match[str]) -> _Import:
    names: dict[str, str] = {}
    for part in found["names"].split(","):
        pair = _PAIR.match(part.strip())
        if pair is None:
            raise _refused(path, number, f"cannot read the name {part.strip()!r}")
        names[pair["name"]] = pair["local"] or pair["name"]
    return _Import(number, _target(path, number, found["path"]), names)


def _target(path: Path, number: int, written: str) -> Path:
    start, inside = path.parent, written
    if written.startswith(_IN_ROOM):
        start, inside = ROOM, written.removeprefix(_IN_ROOM)
    target = (start / inside).resolve()
    if not target.is_file():
        raise _refused(path, number, f"there is no file {written}")
    return target


def _check_names(modules: Mapping[Path, _Module]) -> None:
    for module in modules.values():
        for needed in module.imports:
            offered = modules[needed.path].exports
            for name in needed.names:
                if name not in offered:
                    why = f"{_name(needed.path)} does not export {name}"
                    raise _refused(module.path, needed.line, why)


def _without_unused(modules: list[_Module]) -> list[_Module]:
    """The modules without the functions and classes that no kept line mentions."""
    wanted: dict[Path, set[str]] = {modules[-1].path: {"default"}}
    kept: list[_Module] = []
    for module in reversed(modules):  # users before what they use
        lean = _lean(module, wanted.get(module.path, set()))
        for needed in lean.imports:
            wanted.setdefault(needed.path, set()).update(needed.names)
        kept.append(lean)
    return [module for module in reversed(kept) if module.code]


def _lean(module: _Module, wanted: set[str]) -> _Module:
    code = module.code
    while (less := _without_one(code, wanted)) != code:
        code = less
    text = "\n".join(code)
    declared = {name: local for name, local in module.exports.items() if _mentions(text, local)}
    imports = []
    for one in module.imports:
        used = {name: local for name, local in one.names.items() if _mentions(text, local)}
        if used:
            imports.append(replace(one, names=used))
    return replace(module, code=code, imports=tuple(imports), exports=declared)


def _without_one(code: tuple[str, ...], wanted: set[str]) -> tuple[str, ...]:
    """The code without the first declaration that nobody wants or mentions."""
    for start, line in enumerate(code):
        found = _DECLARED.match(line)
        if found is None or found["name"] in wanted or "}" not in code[start:]:
            continue
        end = code.index("}", start) + 1
        rest = code[:start] + code[end:]
        if not _mentions("\n".join(rest), found["name"]):
            return rest
    return code


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None


def _wrapped(module: _Module, names: Mapping[Path, str]) -> str:
    taken = [f"const {_braced(one.names)} = {names[one.path]};" for one in module.imports]
    code = [line.strip() for line in module.code if line.strip()]
    end = f"return {_braced(module.exports)};"
    head = f"const {names[module.path]} = (() => {{ // {_name(module.path)}"
    return "\n".join([head, *taken, *code, end, "})();"])


def _braced(names: Mapping[str, str]) -> str:
    pairs = (name if name == local else f"{name}: {local}" for name, local in names.items())
    return "{ " + ", ".join(pairs) + " }"


def _without_comments(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not comments from their first sign to their last."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.strip()
        if inside or text.startswith("/*"):
            if "*/" in text and not text.endswith("*/"):
                raise _refused(path, number, "code behind a comment on the same line")
            inside = not text.endswith("*/")
        elif not text.startswith("//"):
            if len(re.findall(r"(?<!\\)`", line)) % 2:
                raise _refused(path, number, "a template must end on the line where it begins")
            yield number, line


def _style_lines(path: Path, done: set[Path]) -> Iterator[str]:
    done.add(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if found := _STYLE_IMPORT.match(line):
            target = _target(path, number, found["path"])
            if target not in done:
                yield from _style_lines(target, done)
        elif "@import" in line:
            raise _refused(path, number, f"this form of @import is not bundled: {line}")
        else:
            yield line + "\n"


def _refused(path: Path, number: int, why: str) -> BundleError:
    return BundleError(f"{_name(path)}:{number}: {why}")


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
