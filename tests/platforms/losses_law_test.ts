import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { type EmitOptions, emit, type FormatName, formats, type Loss } from "../../platforms/mod.ts";
import { isRecord, recordAt } from "../../src/base/values/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";
import { GraphDocument } from "../../src/document/graph/schema.ts";
import * as fc from "../fast_check.ts";
import { type LawFormat, lawOfLosses, type Setting, vanishedSettings } from "./losses_law.ts";
import { schemaGraphs } from "./schema_graphs.ts";

const formatOf = (name: FormatName): LawFormat => ({ name, emit: (graph) => emit(graph, name) });

/** Workflows are emitted only where a workflow was read, so that no generated graph becomes one. */
const EMITTED = formats().filter(({ name, emits }) => emits && name !== "vapi-workflow");

// the bench `losses` tries every setting of 500 graphs of each format
for (const { name } of EMITTED)
  test(`${name}: every setting of a graph is emitted or named in losses`, { timeout: 120_000 }, () => {
    lawOfLosses(formatOf(name), { numRuns: 40, probes: 2 });
  });

/** A format that drops some keys of its document, without a loss. */
function forgetting(name: FormatName, keys: readonly string[], value: (value: unknown) => boolean = () => true) {
  const without = (document: unknown): unknown => {
    if (Array.isArray(document)) return document.map(without);
    if (!isRecord(document)) return document;
    const kept = Object.entries(document).filter(([key, each]) => !(keys.includes(key) && value(each)));
    return Object.fromEntries(kept.map(([key, each]) => [key, without(each)]));
  };
  return {
    name,
    emit: (graph: AgentGraph, options?: EmitOptions) => {
      const { config, losses } = emit(graph, name, options ?? {});
      return { config: without(config), losses };
    },
  } satisfies LawFormat;
}

/** Asserts that a property fails with a text in its message. */
function failsNaming(text: string, action: () => void): void {
  assert.throws(action, (error) => error instanceof Error && String(error.cause ?? error).includes(text));
}

const GRAPHS = fc.sample(schemaGraphs(), { numRuns: 80, seed: 1 });

for (const [setting, keys] of [
  ["source_metadata.language", ["language"]],
  ["source_metadata.voice.retell", ["voice_id"]],
  ["source_metadata.name", ["agent_name"]],
  ["source_metadata.general_prompt", ["global_prompt"]],
  ["transfer_to", ["transfer_destination"]],
  ["url", ["url"]],
  ["default_model", ["model_choice"]],
  ["parameters", ["parameters"]],
  ["state_prompt", ["instruction"]],
  ["target_node_id", ["destination_node_id"]],
] as const)
  test(`the law fails for a format that forgets ${keys[0]}, and names ${setting}`, () => {
    const format = forgetting("retell", keys);
    const names = ({ path }: Setting) => path.join(".").includes(setting);
    const graph = GRAPHS.find((each) => vanishedSettings(each, format).some(names));
    assert.ok(graph, `no graph in which ${setting} is lost`);
    assert.deepEqual(vanishedSettings(graph, formatOf("retell")), []);
    failsNaming(setting, () => lawOfLosses(format, { numRuns: 1, graphs: fc.constant(graph) }));
  });

test("a setting that the schema of graphs gets later is generated, and fails the law until it is emitted", () => {
  const head = { ...GraphDocument.entries, pace: v.nullish(v.string()) };
  const graphs = schemaGraphs(v.looseObject(head)).filter((graph) => Object.hasOwn(graph, "pace"));
  failsNaming('pace = "q', () => lawOfLosses(formatOf("retell"), { numRuns: 5, graphs }));
  lawOfLosses(formatOf("graph"), { numRuns: 5, graphs });
});

test("a loss names a setting only at its place, and with its key or its value", () => {
  const [graph] = fc.sample(
    schemaGraphs().filter(({ source_metadata: source }) => Boolean(source.name && source.general_prompt)),
    { numRuns: 1, seed: 1 },
  );
  assert.ok(graph);
  const lost = (loss: Partial<Loss>) => {
    const losses: Loss[] = [{ code: "made-up", kind: "emulated", path: [], message: "", ...loss }];
    const format = { name: "made-up", emit: () => ({ config: {}, losses }) };
    return vanishedSettings(graph, format).some(({ path }) => path.join(".") === "source_metadata.name");
  };
  const { name } = recordAt(JSON.parse(JSON.stringify(graph)), "source_metadata");
  assert.ok(lost({}));
  assert.ok(lost({ path: ["source_metadata"], message: "It has no voice" }));
  assert.ok(lost({ path: ["source_metadata", "voice"], message: `It has no name ${name}` }));
  assert.ok(!lost({ path: ["source_metadata"], message: "It has no name" }));
  assert.ok(!lost({ path: ["source_metadata"], message: `It drops ${name}` }));
  assert.ok(!lost({ path: ["source_metadata", "name"], message: "It has none" }));
});
