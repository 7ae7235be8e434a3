import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { expandSnippets, lower } from "../../../../platforms/lower/mod.ts";
import { emit, importAgent } from "../../../../platforms/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject } from "../../../../src/base/values/mod.ts";
import { clauseVariables, equationHolds } from "../../../../src/document/expressions/mod.ts";
import {
  type AgentGraph,
  type AgentNode,
  hasOutcome,
  isSilent,
  isTerminal,
  parseGraph,
  type Transition,
  waysAfterHearing,
  waysAfterSpeech,
  waysAfterWork,
} from "../../../../src/document/graph/mod.ts";
import * as fc from "../../../fast_check.ts";
import { graphs } from "../../retell/flow/graphs.ts";
import { exampleGraphs } from "../../sdk_literals.ts";
import { lawGraphs } from "./_graphs.ts";
import { type Moment, nextOf } from "./_interpreter.ts";

const CORPUS = new URL("../../../../../shared/corpus/", import.meta.url);

/** Losses after which a call may take another way. */
const OTHER_WAYS = [
  "no-edge",
  "edge-taken",
  "tool-condition",
  "function-without-tool",
  "equation-words",
  "outcome-first",
];

/** The way that calls take: what needs no model, then what the model picks, then what is always taken. */
function taken(
  { withoutModel, offered, otherwise }: ReturnType<typeof waysAfterWork>,
  { variables, holds, status }: Moment,
): Transition | undefined {
  const outcome = status < 400 ? "succeeded" : "failed";
  return (
    withoutModel.find(({ condition }) =>
      condition.type === "equation" ? equationHolds(condition, variables) : hasOutcome(condition, outcome),
    ) ??
    offered.find(({ condition }) => holds(condition.value)) ??
    otherwise
  );
}

/** The node after a node, as the engine finds it; `undefined`: the call stays. */
function expectedNext(node: AgentNode, moment: Moment): string | undefined {
  if (isSilent(node)) return taken(waysAfterWork(node), moment)?.target_node_id;
  return (waysAfterSpeech(node).otherwise ?? taken(waysAfterHearing(node), moment))?.target_node_id;
}

/** The node of the flow where a pathway goes on; nodes that are parts of others are passed. */
function nextNode(pathway: JsonObject, { nodes }: AgentGraph, from: string, moment: Moment): string | undefined {
  let at = nextOf(pathway, from, moment);
  for (let hops = 0; at !== undefined && !Object.hasOwn(nodes, at) && hops < 5; hops++)
    at = nextOf(pathway, at, moment);
  return at;
}

/** Holds each node's decisions against the pathway's, with made-up variables and answers. Returns how many were compared. */
function compareDecisions(given: AgentGraph, seed: number): number {
  const { graph } = lower(given, [expandSnippets]);
  const { config, losses } = emit(graph, "bland");
  const pathway = isRecord(config) ? config : {};
  const all = Object.values(graph.nodes);
  const clauses = all.flatMap(({ transitions }) => transitions.flatMap(({ condition }) => condition.equations ?? []));
  const isLost = (id: string) => losses.some(({ code, path }) => OTHER_WAYS.includes(code) && path[1] === id);
  let compared = 0;
  for (const node of all.filter((each) => !isTerminal(each) && !isLost(each.id)))
    for (let round = 0; round < 6; round++) {
      const bit = (text: string) => hash(`${seed} ${node.id} ${round} ${text}`);
      const values = clauses.flatMap((clause) =>
        clauseVariables(clause).map((name) => [name, valueFor(clause.right, bit(name))] as const),
      );
      const variables = Object.fromEntries(values);
      const moment: Moment = {
        variables,
        status: [200, 404][round % 2] ?? 200,
        holds: (label) => bit(label) % 3 === 0,
      };
      // a pathway that stays may go through a route and back
      const stays = (to: string | undefined) => (to === node.id ? undefined : to);
      const found = stays(nextNode(pathway, graph, node.id, moment));
      assert.equal(found, stays(expectedNext(node, moment)), `${node.id} ${JSON.stringify(variables)}`);
      compared++;
    }
  return compared;
}

function valueFor(right: unknown, number: number): unknown {
  const values = [right, `${String(right)}x`, "", number % 7, -3, undefined];
  return values[number % values.length];
}

/** A number for a text, always the same. */
function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) >>> 0;
  return value >>> 3;
}

test("pathways take the same decisions as calls, on the examples", async () => {
  let compared = 0;
  for (const graph of await exampleGraphs()) compared += compareDecisions(graph, 1);
  assert.ok(compared > 50, `${compared} decisions`);
});

test("pathways take the same decisions as calls, on generated graphs", () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.oneof(graphs(), lawGraphs), fc.nat(), (graph, seed) => {
      compared += compareDecisions(graph, seed);
    }),
    { numRuns: 200, endOnFailure: true },
  );
  assert.ok(compared > 100, `${compared} decisions`);
});

test("pathways take the same decisions as calls, on the corpora of other platforms", {
  skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
}, () => {
  let compared = 0;
  for (const folder of ["retell/", "vapi/", "telnyx/", "elevenlabs/"].map((name) => new URL(name, CORPUS)))
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      try {
        const { graph } = importAgent(readFileSync(new URL(name, folder), "utf8").replace(/^\uFEFF/, ""));
        if (Object.keys(graph.nodes).length <= 60) compared += compareDecisions(graph, 3);
      } catch (error) {
        if (!isCallweaveError(error)) throw new Error(name, { cause: error });
      }
    }
  assert.ok(compared > 500, `${compared} decisions`);
});

test("an outcome after comparisons is asked for before them, and a loss says so", () => {
  const both = [
    { left: "day", operator: "==", right: "Monday" },
    { left: "size", operator: ">", right: 5 },
  ];
  const compared = { target_node_id: "bye", condition: { type: "equation", value: "", equations: both } };
  const asked = { target_node_id: "look", condition: { type: "tool_call", value: "", outcome: "failed" } };
  const lossesOf = (transitions: readonly unknown[]) => {
    const tools = [{ name: "book", description: "", type: "custom", url: "https://shop.test/book" }];
    const graph = parseGraph({
      entry_node_id: "look",
      nodes: {
        look: { node_type: "function", state_prompt: "", tools, transitions },
        bye: { node_type: "end", state_prompt: "Say goodbye." },
      },
    });
    return emit(graph, "bland").losses.filter(({ code }) => code === "outcome-first");
  };
  assert.deepEqual(
    lossesOf([compared, asked]).map(({ path }) => path),
    [["nodes", "look", "transitions", 1]],
  );
  assert.deepEqual(lossesOf([asked, compared]), []);
});
