import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import * as v from "valibot";
import { configSpecs } from "../../scripts/schemas/config.ts";
import { jsonSchemas } from "../../scripts/schemas/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import { parseScenarios } from "../../src/document/scenario/mod.ts";
import { compareWeeks, type WatchReport } from "../../src/run/watch/mod.ts";
import { configSchema } from "../../src/surface/project/mod.ts";
import { sharedAgents } from "../dsl/eject/_shared.ts";
import { mutants } from "../platforms/mutate.ts";
import { graphs } from "../platforms/retell/flow/graphs.ts";
import { fc } from "../properties.ts";
import { evenly, NOW } from "../run/watch/_calls.ts";
import { ROOT } from "../surface/cli/_process.ts";
import { CONFIGS, GRAPHS, SCENARIOS } from "./_documents.ts";

const schemas = await jsonSchemas();
const ajv = new Ajv({ strict: false, ownProperties: true });
const accepts = {
  graph: ajv.compile(schemas.graph),
  scenarios: ajv.compile(schemas.scenarios),
  config: ajv.compile(schemas.config),
};

/** Codes of problems that a JSON Schema cannot express: references between parts of a document, and its depth. */
const BEYOND_A_SCHEMA = ["unknown-entry", "unknown-target", "id-mismatch", "too-deep", "duplicate-scenario"];

function codesOf(parse: () => unknown): readonly string[] {
  try {
    parse();
    return [];
  } catch (error) {
    assert.ok(isCallweaveError(error));
    return error.issues.length > 0 ? error.issues.map(({ code }) => code) : [error.code];
  }
}

/** Documents on which the schema and the parser disagree. */
function disagreements(name: "graph" | "scenarios", documents: Iterable<unknown>, parse: (value: unknown) => unknown) {
  const counts = { accepted: 0, refused: 0 };
  for (const document of documents) {
    const codes = codesOf(() => parse(document));
    if (codes.includes("too-deep")) continue; // the parser looks no further
    const expected = codes.every((code) => BEYOND_A_SCHEMA.includes(code));
    const found = accepts[name](document);
    assert.equal(found, expected, `${JSON.stringify(document)}: ${codes} ${JSON.stringify(accepts[name].errors)}`);
    counts[found ? "accepted" : "refused"]++;
  }
  assert.ok(counts.accepted > 0 && counts.refused > 0, JSON.stringify(counts));
}

test("the files in schemas/ are those of the validators; if not, run npm run docs", () => {
  const names = Object.keys(schemas).map((name) => `${name}.json`);
  assert.deepEqual(readdirSync(join(ROOT, "schemas")).sort(), names.sort());
  for (const [name, schema] of Object.entries(schemas)) {
    const stored: unknown = JSON.parse(readFileSync(join(ROOT, "schemas", `${name}.json`), "utf8"));
    assert.deepEqual(stored, JSON.parse(JSON.stringify(schema)), name);
  }
});

test("the schema of graphs accepts every document with all keys, every graph of the corpus and random graphs", () => {
  for (const document of [...GRAPHS, ...sharedAgents().map(({ graph }) => graph)])
    assert.ok(accepts.graph(JSON.parse(JSON.stringify(document))), JSON.stringify(accepts.graph.errors));
  fc.assert(
    fc.property(graphs(), (graph) => accepts.graph(JSON.parse(JSON.stringify(graph)))),
    { numRuns: 100 },
  );
});

test("the schema of graphs and parseGraph() accept and refuse the same damaged documents", () => {
  disagreements("graph", mutants(GRAPHS, 400), parseGraph);
});

test("the schema of scenarios and parseScenarios() accept and refuse the same damaged documents", () => {
  for (const document of SCENARIOS)
    assert.deepEqual([codesOf(() => parseScenarios(document)), accepts.scenarios(document)], [[], true]);
  disagreements("scenarios", mutants(SCENARIOS, 400), parseScenarios);
});

test("the schema of scenarios and parseScenarios() agree on aliases, answers, notes and blank criteria", () => {
  const refused: readonly object[] = [
    { persona: "A", user_prompt: "B" },
    { judge: " " },
    { metrics: [{ criterion: "" }] },
    { metrics: [{ criterion: "x", threshold: 0 }] },
    { checks: ["a", "a"] },
    { expected: "x" },
    { mock: { look_up: { fails: "yes" } } },
    { mock: { look_up: { delayMs: "soon" } } },
    { mock: { look_up: { args: [1] } } },
    { mock: [{ tool: "look_up", tool_name: "look_up" }] },
    { tool_mocks: [{ tool_name: "a", args: {}, input_match_rule: { type: "any" } }] },
    { tool_mocks: [{ tool_name: "a", input_match_rule: { type: "any", args: {} } }] },
    { tool_mocks: [{}] },
    { calls: [{ tool: "a", arguments: {} }] },
    JSON.parse('{"__proto__": 1}'),
    { turns: 1.5 },
  ];
  const accepted: readonly object[] = [
    { persona: "A", user_prompt: null },
    { persona: null, user_prompt: "B" },
    { mock: { look_up: null, other: [], third: { total: 1 }, fourth: { delay_ms: 1, delayMs: "unread" } } },
    { mock: [{ tool: "look_up", tool_name: null }] },
    { tool_mocks: [{ tool_name: "a", args: { id: 1 }, input_match_rule: null, fails: false, result: null }] },
    { "//": "a note", x_ticket: 1, $comment: 2, metadata: {}, retell: 3 },
  ];
  for (const [documents, valid] of [
    [refused, false],
    [accepted, true],
  ] as const)
    for (const document of documents) {
      const named = { name: "n", ...document };
      assert.equal(codesOf(() => parseScenarios(named)).length === 0, valid, `parser: ${JSON.stringify(document)}`);
      assert.equal(accepts.scenarios(named), valid, `schema: ${JSON.stringify(document)}`);
    }
});

test('a document of scenarios holds a list under "scenarios", and nothing else that would be ignored', () => {
  assert.equal(parseScenarios({ $schema: "x.json", scenarios: [{ name: "a" }, { name: "b" }] }).length, 2);
  const invalid = [{ scenarios: { name: "a" } }, { scenarios: [], threshold: 1 }, { scenarios: [{ name: "" }] }];
  for (const document of invalid) {
    assert.throws(() => parseScenarios(document), { code: "invalid-scenario" });
    assert.equal(accepts.scenarios(document), false);
  }
  assert.throws(() => parseScenarios({ scenarios: [{ name: "a", says: 1 }] }), { path: ["scenarios", 0, "says"] });
});

test("only the parser refuses what no JSON Schema can express: references, equal names, misspelt keys of an answer", () => {
  const misspelt = { name: "a", mock: { look_up: { output: 1, delayMS: 5 } } };
  assert.throws(() => parseScenarios(misspelt), { code: "invalid-scenario" });
  assert.throws(() => parseScenarios([{ name: "a" }, { name: "a" }]), { code: "duplicate-scenario" });
  for (const document of [misspelt, [{ name: "a" }, { name: "a" }]]) assert.ok(accepts.scenarios(document));
  const to = { target_node_id: "c", condition: { type: "always" } };
  for (const document of [
    { entry_node_id: "b", nodes: { a: {} } },
    { entry_node_id: "a", nodes: { a: { id: "b" } } },
    { entry_node_id: "a", nodes: { a: { transitions: [to] } } },
  ]) {
    assert.throws(() => parseGraph(document));
    assert.ok(accepts.graph(document));
  }
});

test("the schema of the configuration and its validator accept and refuse the same damaged documents", async () => {
  const schema = configSchema(await configSpecs());
  for (const document of CONFIGS) assert.ok(accepts.config(document), JSON.stringify(accepts.config.errors));
  for (const document of mutants(CONFIGS, 400))
    assert.equal(
      accepts.config(document),
      !Array.isArray(document) && v.is(schema, document),
      JSON.stringify(document),
    );
});

test("the schema of watch accepts reports with every state, and nothing else", () => {
  const measures = [
    ...compareWeeks(
      evenly(30, (daysAgo) => daysAgo > 7),
      NOW,
    ).measures,
    ...compareWeeks(
      evenly(30, () => true),
      NOW,
    ).measures,
  ];
  const report: WatchReport = {
    ...compareWeeks(
      evenly(10, () => true),
      NOW,
    ),
    version: 1,
    from: "retell",
    environment: null,
    at: NOW.toISOString(),
    isComplete: false,
    problems: [{ step: "pull", code: "platform-busy", message: "Cannot list calls" }],
    pulled: null,
    evaluated: { calls: 0, errors: 0, unknown: 0, unmatched: 0, lacking: 0 },
  };
  const accepts = ajv.compile(schemas.watch);
  const all = { ...report, measures: [...report.measures, ...measures] };
  assert.deepEqual(new Set(all.measures.map(({ state }) => state)), new Set(["worse", "steady", "too-few"]));
  for (const document of [all, { ...all, text: "1 of 3 measures got worse" }])
    assert.ok(accepts(JSON.parse(JSON.stringify(document))), JSON.stringify(accepts.errors));
  assert.equal(accepts({ ...all, key: "" }), false);
});
