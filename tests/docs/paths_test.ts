import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = resolve(import.meta.dirname ?? ".", "..", "..");
const FOLDERS = ["src", "dsl", "platforms", "api", "tests", "scripts", "bench", "examples", "docs"];

/** Pages that tell the past, or are written by a script. */
const UNREAD = /^CHANGELOG\.md$|^llms|\/generated\/|^docs\/api\//;
/** Not paths of the repository: what stands for many of them, and a platform that a test adds to a copy. */
const PATTERN = /[*…]|NAME|\bacme\b/;

const all = [
  ...readdirSync(ROOT).filter((name) => /\.(?:md|ts)$/.test(name)),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      `${folder}/${name}`.replaceAll("\\", "/"),
    ),
  ),
];
const files = all.filter((file) => /\.(?:md|ts)$/.test(file) && !UNREAD.test(file));

test("files and folders that pages, comments and lists of scripts name exist", () => {
  const texts = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
  const missing = texts.flatMap(({ file, text }) => {
    const read = file.endsWith(".md") || file.startsWith("scripts/") ? text : commentsOf(text);
    return pathsIn(read)
      .filter((path) => !exists(path, file))
      .map((path) => `${file} names ${path}`);
  });
  assert.deepEqual([...new Set(missing)], []);
});

test("files that the README of a folder names are in it, or in a part of it", () => {
  const pages = files.filter((file) => /^(?:src|platforms)\/.*README\.md$/.test(file));
  assert.ok(pages.length > 10);
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !existsSync(join(ROOT, name)))
      .filter((name) => !all.some((file) => file.startsWith(`${room(page)}/`) && file.endsWith(`/${name}`)))
      .map((name) => `${page} names ${name}`),
  );
  assert.deepEqual(missing, []);
});

test("pathsIn() finds paths of the repository, and leaves out patterns, links and imports", () => {
  const text =
    'See `src/run`, (dsl/flow.ts) and src/base/gone.ts. Not "./src/x.ts", a/src/y.ts, `platforms/NAME/facts.ts`.';
  assert.deepEqual(pathsIn(text), ["src/run", "dsl/flow.ts", "src/base/gone.ts"]);
  assert.deepEqual(
    commentsOf('const a = "src/a.ts"; // dsl/flow.ts\n/** dsl/nodes.ts */\n"https://x.org/src/d.ts";').trim(),
    ["// dsl/flow.ts", "/** dsl/nodes.ts */"].join("\n"),
  );
});

/** Files with an ending, and folders in backticks. */
function pathsIn(text: string): readonly string[] {
  const named = new RegExp(`(?<![\\w./@-])(?:${FOLDERS.join("|")})/[\\w@*….{}/-]*\\w`, "g");
  return [...text.matchAll(named)]
    .filter(({ 0: path, index }) => /\.(?:ts|md|json|css|svg)$/.test(path) || text[index - 1] === "`")
    .map(([path]) => path)
    .filter((path) => !PATTERN.test(path));
}

/** Comments of a line of their own or at its end, and in blocks. */
function commentsOf(code: string): string {
  return [...code.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(([comment]) => comment).join("\n");
}

/** Whether a path is one from the root, from the folder of the file that names it, or from the root of the tests. */
function exists(path: string, file: string): boolean {
  return ["", dirname(file), "tests"].some((folder) => existsSync(join(ROOT, folder, path)));
}

/** The folder of a page; for what the platforms share, all of them. */
function room(page: string): string {
  return /^platforms\/(?:common|lower|lens)\//.test(page) ? "platforms" : dirname(page);
}
