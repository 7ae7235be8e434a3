import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { expandSnippets, extractBehind, lower } from "../../../../platforms/lower/mod.ts";
import { emit, importAgent, type Loss } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { own, recordAt } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { graphs } from "../../retell/flow/graphs.ts";
import { engineCall, LINES, Oracle, startValues } from "../../scripted_call.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { comparedCall } from "../../vapi/compile/squads/random_graph.ts";
import { clinicAgent } from "./_clinic.ts";
import { WorkflowCall } from "./_interpreter.ts";

const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  ...["always-timing", "merged-order", "merged-transitions", "tool-condition", "operator", "operator-words"],
  ...["go-back", "variables"],
  ...["function-tool", "function-tools", "transfer-outcome"],
];

/** What the engine and the workflow did in the same call. */
interface Compared {
  /** How many nodes were visited by both. */
  readonly steps: number;
  readonly visited: readonly string[];
  readonly isWhole: boolean;
}

/** Holds a call of the engine against one of the workflow, with the same answers of the model and of the tools. */
async function compareCalls(written: AgentGraph, seed: number): Promise<Compared> {
  const { config, losses } = emit(written, "elevenlabs");
  const graph = extracted(written);
  const given = startValues(graph, seed);
  const oracle = new Oracle(graph, seed);
  const engine = await engineCall(graph, given, oracle);
  const again = new Oracle(graph, seed);
  const workflow = new WorkflowCall(config, given, again);
  workflow.open();
  for (let line = 0; line < LINES && !workflow.ended; line++) {
    again.turn++;
    workflow.hear();
  }
  const isOther = otherNodes(graph, losses);
  const { graph: bare } = lower(graph, [expandSnippets]);
  for (const [id, prompt] of workflow.prompts.flatMap((each) => Object.entries(each)))
    assert.equal(prompt, promptOf(bare, id), `the prompt of ${id}`);
  const visited = workflow.visited.filter((id) => Object.hasOwn(graph.nodes, id));
  const other = engine.visited.findIndex((id) => isOther.has(id)) + 1 || undefined;
  const cut = workflow.isStuck ? Math.min(visited.length, other ?? visited.length) : other;
  const isCut = cut !== undefined || engine.endReason === "hop_limit";
  const expected = engine.visited.slice(0, cut);
  const length = isCut ? Math.min(expected.length, 18) : undefined;
  assert.deepEqual(
    visited.slice(0, length ?? visited.length),
    expected.slice(0, length),
    JSON.stringify({ seed, given }),
  );
  return { steps: length ?? expected.length, visited: expected, isWhole: !isCut };
}

/** The graph whose conversations extract behind them: our calls extract at extract nodes alone. */
function extracted(graph: AgentGraph): AgentGraph {
  const { graph: behind, origins } = extractBehind(graph, graph.source_type !== "elevenlabs");
  return origins.size === 0 ? graph : parseGraph(JSON.parse(JSON.stringify(behind)));
}

/** The nodes at which a call may take another way, by the losses. */
function otherNodes(graph: AgentGraph, losses: readonly Loss[]): ReadonlySet<string> {
  const ids = losses.flatMap(({ code, path: [head, id, part] }) => {
    if (!OTHER_WAYS.includes(code) || head !== "nodes") return [];
    if (part !== "global_node_setting" || code === "go-back") return [String(id)];
    // the edge to a global node from a node that leads there anyway
    const leads = Object.values(graph.nodes).filter(({ transitions }) =>
      transitions.some(({ target_node_id: to }) => to === id),
    );
    return leads.map((node) => node.id);
  });
  return new Set(ids);
}

/** What the model is told at a node: the prompt of the agent, and that of the node, which may replace it. */
function promptOf({ source_metadata: source, nodes }: Pick<AgentGraph, "source_metadata" | "nodes">, id: string) {
  const node = own(nodes, id);
  const replaces = recordAt(node?.metadata ?? {}, "elevenlabs").replaces_prompt === true;
  const general = replaces ? "" : (source.general_prompt ?? "");
  return [general, node?.state_prompt ?? ""].filter((text) => text !== "").join("\n");
}

/** A graph without what ElevenLabs does otherwise, so that calls are compared to their end. */
function exactPart(graph: AgentGraph): AgentGraph {
  const nodes = Object.values(graph.nodes).map((node) => {
    const targets = new Set<string>();
    const isFirst = ({ target_node_id: to }: { target_node_id: string }) => targets.size < targets.add(to).size;
    const isExact = ({ condition, timing }: (typeof node.transitions)[number]) =>
      node.node_type !== "conversation"
        ? node.node_type === "function" || condition.type !== "tool_call"
        : condition.type === "llm_prompt" || condition.type === "equation" || timing === "else";
    const transitions = node.transitions
      .filter((each) => isExact(each) && isFirst(each))
      .map((each) => {
        const { equations } = each.condition;
        if (!equations) return each;
        const said = equations.map((clause) =>
          /contains/.test(clause.operator) ? { ...clause, operator: "==" as const } : clause,
        );
        return { ...each, condition: { ...each.condition, equations: said } };
      });
    const setting = node.global_node_setting && { ...node.global_node_setting, go_back_conditions: [] };
    return [node.id, { ...node, transitions, ...(setting ? { global_node_setting: setting } : {}) }] as const;
  });
  return { ...graph, nodes: Object.fromEntries(nodes) };
}

test("workflows visit the nodes that calls visit, on the examples", async () => {
  let steps = 0;
  for (const graph of await exampleGraphs())
    for (let seed = 0; seed < 30; seed++) steps += (await compareCalls(graph, seed)).steps;
  assert.ok(steps > 200, `${steps} nodes`);
});

test("an agent with a node of each type visits the nodes that calls of its graph visit", async () => {
  const { graph } = importAgent(JSON.stringify(clinicAgent()));
  const visited = new Set<string>();
  for (let seed = 0; seed < 60; seed++) for (const id of (await compareCalls(graph, seed)).visited) visited.add(id);
  const all = ["greet", "book", "vip", "look_up", "note", "sorry", "desk", "bye"];
  assert.deepEqual([...visited].sort(), all.sort());
});

test("workflows visit the nodes that calls visit, on random graphs", { timeout: 300_000 }, async () => {
  let [steps, whole] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const { graph } = comparedCall(seed);
      for (const each of [graph, exactPart(graph)]) {
        const found = await compareCalls(each, seed);
        steps += found.steps;
        whole += found.isWhole ? 1 : 0;
      }
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(steps > 2 * fc.sampled(200) && whole > fc.sampled(200) / 3, `${steps} nodes, ${whole} whole calls`);
});

test("workflows visit the nodes that calls visit, on generated graphs", { timeout: 300_000 }, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(graphs(), fc.nat(), async (graph, seed) => {
      steps += (await compareCalls(graph, seed)).steps;
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(steps > fc.sampled(200), `${steps} nodes`);
});

test("workflows visit the nodes that calls visit, on the corpora of other platforms", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
  timeout: 300_000,
}, async () => {
  let [steps, files] = [0, 0];
  for (const folder of ["retell/", "vapi/", "telnyx/", "bland/", "pipecat/", "elevenlabs/"].map(
    (name) => new URL(name, CORPUS),
  ))
    for (const name of readdirSync(folder).filter((each) => /\.(json|ya?ml)$/.test(each))) {
      const graph = read(readFileSync(new URL(name, folder), "utf8").replace(/^\uFEFF/, ""));
      if (!graph || Object.keys(graph.nodes).length > 60) continue;
      try {
        for (let seed = 0; seed < 3; seed++) steps += (await compareCalls(graph, seed)).steps;
        files++;
      } catch (error) {
        throw new Error(name, { cause: error });
      }
    }
  assert.ok(steps > 300 && files > 20, `${steps} nodes of ${files} files`);
});

function read(text: string): AgentGraph | undefined {
  try {
    return withoutOriginal(importAgent(text).graph);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}
