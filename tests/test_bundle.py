"""The bundler against Node: a bundle must do what the modules do, and refuse what it cannot."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gdr_app import components
from gdr_core.canvases.bundle import ROOM, BundleError, bundle_script, bundle_style

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed; .ci/run installs it")
SAY = "console.log(JSON.stringify(bundled({})))"


def written(folder: Path, files: dict[str, str]) -> Path:
    """Files in a folder; the first of them is the entry."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder / next(iter(files))


def answer(module: Path) -> object:
    """What the default export of a module answers when Node calls it."""
    assert NODE is not None
    script = f'import bundled from "{module.as_uri()}"; {SAY}'
    command = [NODE, "--input-type=module", "--eval", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


MODULES = {
    "part/entry.js": """\
// The same names mean different things in three modules.
import { scale as twice, Meter } from "../library/first.js";
import { name, scale } from "../library/second.js";

const secret = "entry";

/**
 * import { ghost } from "./comments/are/not/read.js";
 */
function mount() {
  const url = "https://example.org"; // not a comment to its left
  const text = `a // b /* c */ ${secret}`;
  return [twice(2), scale(2), name, new Meter().read(), secret, url, text, globalThis.counted];
}

export default mount;
""",
    "library/first.js": """\
import { name } from "./second.js";
const secret = 10;
export function scale(value) {
  return value * secret;
}
export class Meter {
  read() { return `${name} ${secret}`; }
}
""",
    "library/second.js": """\
globalThis.counted = (globalThis.counted ?? 0) + 1;
const secret = 100;
export const name = "second";
export const scale = (value) => value * secret;
""",
}


@needs_node
def test_a_bundle_does_what_its_modules_do(tmp_path):
    entry = written(tmp_path, {**MODULES, "package.json": '{"type": "module"}'})
    alone = tmp_path / "bundle.mjs"
    alone.write_text(bundle_script(entry))
    expected = [
        20,
        200,
        "second",
        "second 10",
        "entry",
        "https://example.org",
        "a // b /* c */ entry",
    ]
    assert answer(entry) == answer(alone) == [*expected, 1]


@needs_node
def test_names_of_one_module_are_unknown_to_another(tmp_path):
    files = {
        "entry.js": 'import { a } from "./a.js";\nexport default () => [a, typeof hidden];\n',
        "a.js": "const hidden = 1;\nexport const a = hidden;\n",
    }
    bundle = tmp_path / "bundle.mjs"
    bundle.write_text(bundle_script(written(tmp_path, files)))
    assert answer(bundle) == [1, "undefined"]


@needs_node
def test_functions_that_wait_are_bundled_and_left_out_like_others(tmp_path):
    files = {
        "entry.js": 'import { late } from "./a.js";\n'
        "export default () => late instanceof Function;\n",
        "a.js": "export async function late() {\n  return 7;\n}\n"
        "export async function idle() {\n  return 8;\n}\n",
    }
    bundle = tmp_path / "bundle.mjs"
    bundle.write_text(bundle_script(written(tmp_path, files)))
    assert answer(bundle) is True
    assert "idle" not in bundle.read_text()


@needs_node
def test_functions_that_nobody_mentions_do_not_travel(tmp_path):
    files = {
        "entry.js": 'import { a, b } from "./a.js";\nfunction idle() {\n  return b();\n}\n'
        "export default () => a();\n",
        "a.js": 'import { c } from "./c.js";\nexport function a() {\n  return inner();\n}\n'
        "export function b() {\n  return c();\n}\nfunction inner() {\n  return 7;\n}\n",
        "c.js": "globalThis.effect = 1;\nexport function c() {\n  return 8;\n}\n",
    }
    bundle = tmp_path / "bundle.mjs"
    bundle.write_text(bundle_script(written(tmp_path, files)))
    assert answer(bundle) == 7
    text = bundle.read_text()
    assert "effect" in text  # what a module does when it is read is done
    assert not re.findall(r"idle|return 8|function b", text)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('import a from "./a.js";', "not bundled"),
        ('import * as a from "./a.js";', "not bundled"),
        ('import "./a.js";', "not bundled"),
        ("import {", "not bundled"),
        ('import { a } from "library";', "not bundled"),
        ('const a = await import("./a.js");', "not bundled"),
        ("const here = import.meta.url;", "not bundled"),
        ("export let a = 1;", "not bundled"),
        ("export { a };", "not bundled"),
        ('export * from "./a.js";', "not bundled"),
        ("export default function () {}", "not bundled"),
        ("  export const a = 1;", "not bundled"),
        ('import { b } from "./a.js";', "a.js does not export b"),
        ('import { a } from "./nowhere.js";', "no file"),
        ('import { a } from "#canvases/nowhere.js";', "no file"),
        ("const text = `two", "template"),
        ("/* a comment */ const b = 1;", "code behind a comment"),
        ("export const c = 1;", "exported twice"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(tmp_path, line, why):
    text = f"// first\nexport const c = 1;\n{line}\nexport default c;\n"
    entry = written(tmp_path, {"entry.js": text, "a.js": "export const a = 1;\n"})
    with pytest.raises(BundleError, match=rf"/entry\.js:3: .*{why}"):
        bundle_script(entry)


def test_circles_and_entries_without_a_default_are_refused(tmp_path):
    files = {
        "entry.js": 'import { a } from "./a.js";\nexport default a;\n',
        "a.js": 'import { b } from "./b.js";\nexport const a = b;\n',
        "b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
    }
    with pytest.raises(BundleError, match=r"/a\.js → \S+/b\.js → \S+/a\.js"):
        bundle_script(written(tmp_path, files))
    without = written(tmp_path, {"c.js": "export const c = 1;\n"})
    with pytest.raises(BundleError, match="exports no default"):
        bundle_script(without)


def test_a_style_sheet_stands_where_it_is_first_imported(tmp_path):
    files = {
        "part/entry.css": '@import "../library/a.css";\n@import "../library/b.css";\n.own {}\n',
        "library/a.css": '@import "./b.css";\n.a {}\n',
        "library/b.css": ".b {}\n",
        "library/far.css": '@import url("https://example.org/far.css");\n',
    }
    entry = written(tmp_path, files)
    assert bundle_style(entry).split("\n") == [".b {}", ".a {}", ".own {}", ""]
    with pytest.raises(BundleError, match=r"far\.css:1"):
        bundle_style(tmp_path / "library/far.css")


ROOMS = (ROOM, Path(components.__file__).parent)


def test_every_module_is_part_of_a_component_and_small():
    modules = [path for room in ROOMS for path in room.rglob("*.js")]
    entries = [path for path in modules if "export default" in path.read_text(encoding="utf-8")]
    bundled = "\n".join(bundle_script(entry) for entry in entries)
    used = set(re.findall(r"\(\(\) => \{ // (\S+)$", bundled, flags=re.MULTILINE))
    assert used == {f"{path.parent.name}/{path.name}" for path in modules}
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert {name for name, lines in lengths.items() if lines > 300} == set()


def test_the_canvases_need_nothing_of_the_app():
    for path in [*ROOM.rglob("*.js"), *ROOM.rglob("*.css"), *ROOM.rglob("*.ts")]:
        for found in re.findall(r'(?:from|import) "([^"]+)"', path.read_text(encoding="utf-8")):
            assert (path.parent / found).resolve().is_relative_to(ROOM), (path, found)
