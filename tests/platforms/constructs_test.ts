import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFormat, emit, type FormatName, formats, importAgent, type Loss } from "../../platforms/mod.ts";
import { concerns, HELD_BY, heldBy } from "../../scripts/construct_table.ts";
import { isRecord, sameJson } from "../../src/base/values/mod.ts";
import { CONSTRUCTS, type ConstructCase } from "./constructs.ts";

const READ = formats().flatMap(({ name, imports }) => (imports ? [name] : []));

/** A construct before and after a graph is emitted and imported. */
function throughFormat({ graph, read }: ConstructCase, format: FormatName) {
  const before = graph(format);
  const { text } = emit(before, format);
  return { before: read(before, format), after: read(importAgent(text, { format }).graph, format) };
}

// programs are not read back
for (const name of HELD_BY.filter((each) => READ.includes(each)))
  test(`${name}: a construct that the table calls exact is there again after emit() and importAgent()`, () => {
    const wrong = CONSTRUCTS.filter((each) => heldBy(each, name).state === "exact").flatMap((each) => {
      const { before, after } = throughFormat(each, name);
      return sameJson(before, after) ? [] : [{ construct: each.title, before, after }];
    });
    assert.deepEqual(wrong, []);
  });

test("each construct is in its graph, so that an empty reading proves nothing", () => {
  for (const { title, graph, read } of CONSTRUCTS) {
    const found = JSON.stringify(read(graph("retell"), "retell") ?? null);
    assert.ok(!["[]", "{}", "null", "false", '""'].includes(found), title);
  }
});

/** Losses of a graph that are not at its construct, and that a graph without it has not. */
function strayLosses(each: ConstructCase, format: FormatName, plain: ConstructCase): readonly string[] {
  const usual = lossesOf(plain, format).map(({ code }) => code);
  const places = [...each.at, ...(each.needs ?? [])];
  const elsewhere = lossesOf(each, format).filter(({ path }) => !places.some((at) => concerns(path, at)));
  return elsewhere.flatMap(({ code, path }) => (usual.includes(code) ? [] : [`${code} at ${path.join(".")}`]));
}

test("losses of a construct are at its place: elsewhere, a graph has those that it has without it", () => {
  const [plain, ...others] = CONSTRUCTS;
  const stray = HELD_BY.flatMap((name) =>
    others.flatMap((each) =>
      plain ? strayLosses(each, name, plain).map((loss) => `${name}, ${each.title}: ${loss}`) : [],
    ),
  );
  assert.deepEqual(stray, []);
});

/** A document without the graph that Callweave keeps in its metadata for importing it again. */
function withoutKeptGraph(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeptGraph);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "callweave");
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutKeptGraph(item)]));
}

test("what comes back from a document was not dropped", () => {
  for (const name of HELD_BY.filter((each) => READ.includes(each))) {
    const kept = CONSTRUCTS.filter((each) => heldBy(each, name).state === "dropped").flatMap((each) => {
      const before = each.graph(name);
      const document = JSON.stringify(withoutKeptGraph(emit(before, name).config));
      const after = importAgent(document, { format: name }).graph;
      return sameJson(each.read(before, name), each.read(after, name)) ? [each.title] : [];
    });
    assert.deepEqual(kept, [], name);
  }
});

function lossesOf({ graph }: ConstructCase, format: FormatName): readonly Loss[] {
  return checkFormat(format, graph(format)).losses;
}
