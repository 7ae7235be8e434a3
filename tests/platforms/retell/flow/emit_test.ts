import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { emitFlow, emitRetell } from "../../../../platforms/retell/flow/emit.ts";
import { importRetell } from "../../../../platforms/retell/flow/import.ts";
import { idsIn } from "../../../../platforms/retell/flow/tools.ts";
import { canonicalJson, isRecord } from "../../../../src/base/values/mod.ts";
import type { AgentGraph, TransitionCondition } from "../../../../src/document/graph/mod.ts";
import { fc } from "../../../properties.ts";
import { PUBLISHED_SCHEMAS } from "../../published_schemas.ts";
import { differences, meaning } from "./differences.ts";
import { graphs } from "./graphs.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const RUNS = Number(process.env.RUNS ?? 100);
const SCHEMA = new URL("../../../../../shared/platforms/retell.schema.json", import.meta.url);

/** Normalizes a graph like emitting and importing it: adds the defaults that the emitter writes. */
function normal(graph: AgentGraph): unknown {
  const { source_type: _, ...said } = {
    ...graph,
    default_model: (graph.default_model ?? "gpt-4.1").replace("openai/", ""),
    snippets: {},
    source_metadata: { start_speaker: "agent", ...opening(graph.source_metadata), ...texts(graph) },
    nodes: Object.fromEntries(Object.entries(graph.nodes).map(([id, node]) => [id, normalNode(node)])),
  };
  return meaning(said);
}

function ofFailure(condition: TransitionCondition): TransitionCondition {
  return condition.type === "tool_call" ? { outcome: "failed", ...condition } : condition;
}

/** Converts a variable's value to text, as in Retell and in calls. */
function texts({ source_metadata: { default_dynamic_variables: values } }: AgentGraph): object {
  const entries = Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]);
  return values ? { default_dynamic_variables: Object.fromEntries(entries) } : {};
}

/** Converts an empty begin message to a start speaker: the caller speaks first. */
function opening({ begin_message: begin, ...source }: AgentGraph["source_metadata"]): object {
  return begin === "" ? { ...source, start_speaker: "user" } : source;
}

/**
 * Normalizes nodes like importing an emitted flow: transitions in slot order, timing only at conversation nodes, tools
 * with ids, and transitions of a transfer only for its failure.
 */
function normalNode(node: AgentGraph["nodes"][string]) {
  const rank = ({ condition, timing }: (typeof node.transitions)[number]) =>
    condition.type === "tool_call"
      ? condition.outcome === "succeeded"
        ? 1
        : 2
      : condition.type !== "always"
        ? 0
        : timing === "else"
          ? 3
          : timing === "skip_response"
            ? 5
            : 4;
  return {
    ...node,
    instruction_type: node.state_prompt !== "" && node.instruction_type === "static_text" ? "static_text" : undefined,
    transitions: node.transitions
      .map(({ timing, ...each }) => ({
        ...each,
        condition: node.node_type === "transfer" ? ofFailure(each.condition) : each.condition,
        ...(node.node_type === "conversation" && each.condition.type === "always" && timing ? { timing } : {}),
      }))
      .toSorted((a, b) => rank(a) - rank(b)),
    tools: node.tools.map(({ tool_id: _, type, ...tool }) => ({
      ...tool,
      type: type === "function" ? "custom" : type,
    })),
    global_node_setting: node.global_node_setting && {
      ...node.global_node_setting,
      go_back_conditions: node.global_node_setting.go_back_conditions.map(({ condition }) => condition),
    },
  };
}

test("a graph without losses is the same after emitting and importing", () => {
  fc.assert(
    fc.property(graphs(true), (graph) => {
      const { config, losses } = emitRetell(graph);
      assert.deepEqual(losses, []);
      const back = importRetell(plain(config));
      assert.deepEqual(plain(emitRetell(back).config), plain(config));
      assert.deepEqual(differences(normal(graph), normal(back)), []);
    }),
    { numRuns: RUNS },
  );
});

test("parts of a graph without a reported loss are kept", () => {
  fc.assert(
    fc.property(graphs(), (graph) => {
      const { config, losses } = emitRetell(graph);
      const back = importRetell(plain(config));
      assert.deepEqual(plain(emitRetell(back).config), plain(config));
      if (losses.length === 0) assert.deepEqual(differences(normal(graph), normal(back)), []);
    }),
    { numRuns: RUNS },
  );
});

test("emit() gives edges unique and deterministic ids", () => {
  fc.assert(
    fc.property(graphs(), (graph) => {
      const { nodes } = emitFlow(graph).config;
      const ids = nodes.flatMap((node) => [...idsIn(Object.values(node))]);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(canonicalJson(emitFlow(graph).config.nodes), canonicalJson(nodes));
    }),
    { numRuns: RUNS },
  );
});

// compiling the schema takes longer than the cases
if (fc.RUNS_SLOW_CASES)
  test("emit() writes documents that match the SDK's types", (t) => {
    if (!existsSync(SCHEMA)) return t.skip("../shared is not here");
    const ajv = new Ajv(PUBLISHED_SCHEMAS);
    const schema = openModels(JSON.parse(readFileSync(SCHEMA, "utf8")));
    ajv.addSchema(isRecord(schema) ? schema : {}, "retell");
    const validate = ajv.getSchema("retell#/definitions/ConversationFlowCreateParams");
    assert.ok(validate);
    fc.assert(
      fc.property(graphs(), (graph) => {
        const config = plain(emitFlow(graph).config);
        assert.ok(validate(config), JSON.stringify(validate.errors?.[0]));
      }),
      { numRuns: Math.min(RUNS, 150) },
    );
  });

/** Removes model names, which change faster than the types. */
function openModels(schema: unknown, key = ""): unknown {
  if (Array.isArray(schema)) return schema.map((item) => openModels(item));
  if (!isRecord(schema)) return schema;
  if (key === "model" && Object.hasOwn(schema, "enum")) return { type: "string" };
  return Object.fromEntries(Object.entries(schema).map(([name, item]) => [name, openModels(item, name)]));
}
