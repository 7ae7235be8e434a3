import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { isRecord, own } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, isSilent, parseGraph, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { graphs } from "../../retell/flow/graphs.ts";
import { engineCall, LINES, Oracle, startValues } from "../../scripted_call.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { comparedCall } from "../../vapi/compile/squads/random_graph.ts";
import { PathwayCall } from "./_call.ts";

const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["no-edge", "edge-taken", "tool-condition", "function-without-tool", "equation-words", "outcome-first"],
  ...["transition-timing", "function-tools", "variable-type", "parameters"],
];

/** What both know: our calls extract at extract nodes alone, and globals have tests of their own. */
function comparable(graph: AgentGraph): AgentGraph {
  const { graph: bare } = lower(graph, [expandSnippets]);
  const nodes = Object.values(bare.nodes).map((node) => [
    node.id,
    {
      ...node,
      global_node_setting: null,
      ...(node.node_type === "conversation" ? { variables_to_extract: [] } : {}),
    },
  ]);
  return parseGraph(JSON.parse(JSON.stringify({ ...bare, nodes: Object.fromEntries(nodes) })));
}

/** A route behind a node leads back to it, and is no visit of its own. */
const once = (ids: readonly string[]) => ids.filter((id, index) => id !== ids[index - 1]);

/** Holds a call of the engine against one of the pathway. Returns how many nodes both visited. */
async function compareCalls(given: AgentGraph, seed: number): Promise<number> {
  const graph = comparable(given);
  const { config, losses } = emit(graph, "bland");
  const variables = startValues(graph, seed);
  const oracle = new Oracle(graph, seed);
  const engine = await engineCall(graph, variables, oracle);
  const again = new Oracle(graph, seed);
  const toolOf = (id: string) => own(graph.nodes, id)?.tools[0]?.name ?? "";
  const pathway = new PathwayCall(isRecord(config) ? config : {}, variables, again, toolOf);
  pathway.open();
  for (let line = 0; line < LINES && !pathway.ended; line++) {
    again.turn++;
    pathway.hear();
  }
  const isOther = new Set(losses.flatMap(({ code, path }) => (OTHER_WAYS.includes(code) ? [String(path[1])] : [])));
  // the node that says the begin message stands for the first one, and has its ways out
  const [first = "", ...others] = pathway.visited;
  const start = Object.hasOwn(graph.nodes, first) ? first : graph.entry_node_id;
  const visited = once([start, ...others.filter((id) => Object.hasOwn(graph.nodes, id))]);
  const expected = once(engine.visited);
  const stuck = expected.findIndex((id, index) => {
    const node = own(graph.nodes, id);
    return isOther.has(id) || (node && isSilent(node) && index === expected.length - 1);
  });
  const length = stuck >= 0 ? stuck + 1 : engine.endReason === "hop_limit" ? 10 : undefined;
  assert.deepEqual(visited.slice(0, length), expected.slice(0, length), JSON.stringify({ seed, variables }));
  return Math.min(expected.length, length ?? expected.length);
}

test("pathways visit the nodes that calls visit, on the examples", { timeout: 300_000 }, async () => {
  let steps = 0;
  for (const graph of await exampleGraphs())
    for (let seed = 0; seed < 5; seed++) steps += await compareCalls(graph, seed);
  assert.ok(steps > 20, `${steps} nodes`);
});

test("pathways visit the nodes that calls visit, on random graphs", { timeout: 300_000 }, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), graphs(), async (seed, graph) => {
      steps += await compareCalls(comparedCall(seed).graph, seed);
      steps += await compareCalls(graph, seed);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(steps > fc.sampled(200), `${steps} nodes`);
});

test("pathways visit the nodes that calls visit, on the corpora of other platforms", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
  timeout: 300_000,
}, async () => {
  let steps = 0;
  for (const folder of ["retell/", "vapi/", "telnyx/", "elevenlabs/", "pipecat/"].map((name) => new URL(name, CORPUS)))
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      try {
        const graph = withoutOriginal(
          importAgent(readFileSync(new URL(name, folder), "utf8").replace(/^\uFEFF/, "")).graph,
        );
        if (Object.keys(graph.nodes).length <= 60)
          for (let seed = 0; seed < 2; seed++) steps += await compareCalls(graph, seed);
      } catch (error) {
        if (!isCallweaveError(error)) throw new Error(name, { cause: error });
      }
    }
  assert.ok(steps > 200, `${steps} nodes`);
});
