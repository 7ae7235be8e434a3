import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

/** Which parts of the project a part may import; every part may import `errors` and itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "src/errors": ["src/secrets"],
  "src/values": [],
  "src/graph": ["src/values"],
  "src/scenario": ["src/graph", "src/values"],
  "src/pictures": ["src/graph", "src/values"],
  "src/files": ["src/graph", "src/values"],
  "src/analysis": ["src/scenario", "src/graph", "src/values"],
  "src/secrets": ["src/graph", "src/values"],
  "src/models": ["src/files", "src/secrets", "src/graph", "src/values"],
  "src/turn": ["src/scenario", "src/models", "src/secrets", "src/graph", "src/values"],
  "src/engine": ["src/scenario", "src/turn", "src/models", "src/graph", "src/values"],
  "src/callers": ["src/models", "src/graph", "src/values"],
  "src/judges": ["src/scenario", "src/models", "src/graph", "src/values"],
  "src/store": ["src/files", "src/models", "src/secrets", "src/graph", "src/values"],
  "src/reporters": ["src/scenario", "src/runner", "src/judges", "src/store", "src/secrets", "src/graph", "src/values"],
  "src/runner": [
    "src/scenario",
    "src/engine",
    "src/callers",
    "src/judges",
    "src/store",
    "src/turn",
    "src/models",
    "src/analysis",
    "src/secrets",
    "src/graph",
    "src/values",
  ],
  "src/check": ["src/scenario", "src/analysis", "src/secrets", "src/graph", "src/values", "platforms"],
  "src/cli": [
    "src/scenario",
    "src/runner",
    "src/reporters",
    "src/store",
    "src/engine",
    "src/models",
    "src/analysis",
    "src/check",
    "src/secrets",
    "src/files",
    "src/graph",
    "src/values",
    "platforms",
    "dsl",
  ],
  dsl: ["src/scenario", "src/secrets", "src/graph", "src/values"],
  platforms: ["src/pictures", "src/scenario", "src/secrets", "src/graph", "src/values"],
};

/** Platform clients are for types only; the heavy parts load when first needed. */
const NEVER_STATIC = ["ai", "@ai-sdk/openai", "@libsql/client", "retell-sdk", "@vapi-ai/server-sdk"];

const RUNTIME_GLOBALS = /\b(?:Deno|Bun)\.|(?<![."'\w])process\.\w/;
const MAY_TOUCH_RUNTIME = ["src/cli", "src/store", "src/deploy"];

const root = resolve(import.meta.dirname ?? ".", "..");
const sources = ["mod.ts", ...["src", "dsl", "platforms"].flatMap(listed)];

function listed(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

function partOf(file: string): string {
  const [top = "", second = ""] = file.split("/");
  return top === "src" ? `src/${second.replace(/\.ts$/, "")}` : top.replace(/\.ts$/, "");
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const pattern = /^\s*(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
  return [...text.matchAll(pattern)].map(([, type, from = ""]) => ({ from, typeOnly: Boolean(type) }));
}

function resolved(file: string, from: string): string {
  return relative(root, resolve(root, dirname(file), from)).replaceAll("\\", "/");
}

test("imports go the way the design says", () => {
  const wrong: string[] = [];
  for (const file of sources) {
    const part = partOf(file);
    if (part === "mod") continue;
    const allowed = MAY_IMPORT[part];
    if (!allowed) {
      wrong.push(`${file}: "${part}" is no part of the design`);
      continue;
    }
    for (const { from } of importsOf(file)) {
      if (!from.startsWith(".")) continue;
      const target = partOf(resolved(file, from));
      if (target !== part && target !== "src/errors" && !allowed.includes(target))
        wrong.push(`${file} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("folders are entered through mod.ts", () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter(({ from }) => from.startsWith("."))
      .map(({ from }) => resolved(file, from))
      .filter((target) => {
        if (partOf(target) === partOf(file) || file === "mod.ts") return false;
        if (file === "src/errors.ts" && target === "src/secrets/redact.ts") return false; // it imports no errors itself
        return target.startsWith("src/") && target.split("/").length > 2 && !target.endsWith("/mod.ts");
      })
      .map((target) => `${file} reaches into ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test("heavy packages are imported when first needed, platform clients as types alone", () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter(
        ({ from, typeOnly }) => !typeOnly && NEVER_STATIC.some((name) => from === name || from.startsWith(`${name}/`)),
      )
      .map(({ from }) => `${file} loads ${from}`),
  );
  assert.deepEqual(wrong, []);
});

test("runtime globals stay in the folders that talk to the machine", () => {
  const wrong = sources.filter((file) => {
    if (MAY_TOUCH_RUNTIME.some((folder) => file.startsWith(folder))) return false;
    const code = readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    return RUNTIME_GLOBALS.test(code);
  });
  assert.deepEqual(wrong, []);
});

test("no file is longer than 250 lines", () => {
  const long = sources
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length }))
    .filter(({ lines }) => lines > 250);
  assert.deepEqual(long, []);
});

test("no file is called index.ts or utils.ts, and none has a default export", () => {
  const wrong = sources.filter(
    (file) =>
      /(?:^|\/)(?:index|utils)\.ts$/.test(file) || /^export default/m.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(wrong, []);
});

test("the repository names no machine and no registry host", () => {
  const text = ["package.json", "package-lock.json", "deno.json", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    .filter((name) => existsSync(join(root, name)))
    .map((name) => [name, readFileSync(join(root, name), "utf8")] as const);
  const wrong = text.filter(([, content]) => /registry\.(?:npmjs|yarnpkg)|\/home\/|\/root\/|\/work\//.test(content));
  assert.deepEqual(
    wrong.map(([name]) => name),
    [],
  );
});
