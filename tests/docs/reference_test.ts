import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addsToName, firstLine } from "../../scripts/reference/doc_lines.ts";
import { referencePages } from "../../scripts/reference/pages.ts";
import { ENTRY_POINTS, readSymbols } from "../../scripts/reference/symbols.ts";
import { ENTRIES, TASKS } from "../../scripts/reference/topics.ts";
import { typesElsewhere, unexportedTypes } from "../../scripts/reference/unexported.ts";
import { ROOT } from "../surface/cli/_process.ts";

const symbols = await readSymbols(ROOT);

test("every type that a public signature mentions is exported", () => {
  assert.deepEqual([...unexportedTypes(symbols)], []);
});

test("the types in the signature of a function are exported by its entry point or by callweave", () => {
  assert.deepEqual(typesElsewhere(symbols), []);
  const moved = symbols.map((symbol) =>
    symbol.name === "RunReport" ? { ...symbol, entry: "callweave/calls" } : symbol,
  );
  assert.ok(typesElsewhere(moved as typeof symbols).includes("run: RunReport of callweave/calls"));
});

test("callweave has at most 150 names, types included", () => {
  const names = symbols.filter(({ entry }) => entry === "callweave").map(({ name }) => name);
  assert.ok(names.length <= 150, `${names.length}`);
  assert.deepEqual(Object.keys(ENTRIES), Object.keys(ENTRY_POINTS));
});

test("no name is exported twice", () => {
  const names = symbols.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test("every exported name has a docstring whose first line adds something to the name", () => {
  const poor = symbols.filter((symbol) => firstLine(symbol) === "" || !addsToName(symbol));
  assert.deepEqual(
    poor.map((symbol) => `${symbol.name}: ${firstLine(symbol)}`),
    [],
  );
});

test("addsToName() finds first lines that repeat the name", () => {
  const symbol = (name: string, doc: string) => ({ ...(symbols[0] ?? assert.fail()), name, doc });
  for (const [name, doc] of [
    ["FormatName", "The name of a format."],
    ["RunOptions", "The run's options."],
    ["openStore", "Opens a store."],
    ["Tool", ""],
  ] as const)
    assert.equal(addsToName(symbol(name, doc)), false, doc);
  for (const [name, doc] of [
    ["RunOptions", "Options of `run()`."],
    ["openStore", "Opens a results database, which is made when it is not there."],
  ] as const)
    assert.equal(addsToName(symbol(name, doc)), true, doc);
});

test("the landing page of the reference links every exported function", () => {
  const reached = new Set(TASKS.flatMap(([, names]) => names));
  const functions = symbols.filter(({ kind }) => kind === "function").map(({ name }) => name);
  assert.deepEqual(
    functions.filter((name) => !reached.has(name)),
    [],
  );
});

test("docs/api matches the docstrings; if not, run npm run docs", () => {
  const folder = join(ROOT, "docs", "api");
  const pages = referencePages(symbols);
  assert.deepEqual(readdirSync(folder).sort(), [...pages.keys()].sort());
  for (const [name, text] of pages) assert.ok(readFileSync(join(folder, name), "utf8") === text, `docs/api/${name}`);
});

/** Its types are inferred from the schemas of the API; JSR takes only types that are written out. */
const NPM_ONLY = "callweave/client";

test("npm and JSR have the same entry points, but for the client of the studio", () => {
  const npm: object = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports;
  const jsr: object = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")).exports;
  const keyOf = (entry: string) => entry.replace("callweave", ".");
  for (const [entry, file] of Object.entries(ENTRY_POINTS)) {
    const built = `./dist/${file.replace(/\.ts$/, "")}`;
    assert.deepEqual(Reflect.get(npm, keyOf(entry)), { types: `${built}.d.ts`, default: `${built}.js` });
    assert.equal(Reflect.get(jsr, keyOf(entry)), entry === NPM_ONLY ? undefined : `./${file}`);
  }
});
