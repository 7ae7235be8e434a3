import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { extractBehind } from "../../platforms/lower/mod.ts";
import { importAgent } from "../../platforms/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/values/mod.ts";
import { type AgentGraph, parseGraph, withoutOriginal } from "../../src/document/graph/mod.ts";
import * as fc from "../fast_check.ts";
import type { InterpretedCall, Script } from "./interpreted_call.ts";
import { graphs } from "./retell/flow/graphs.ts";
import { engineCall, LINES, Oracle, once, startValues } from "./scripted_call.ts";
import { exampleGraphs } from "./sdk_literals.ts";
import { comparedCall } from "./vapi/compile/squads/random_graph.ts";

const CORPUS = new URL("../../../shared/corpus/", import.meta.url);

/** Most lines of a platform's call, which takes one where ours takes none. */
const MOST_LINES = 4 * LINES;

/** Holds a call of the engine, and one of a platform's document, with the same answers of the model and of the tools. */
export async function bothCalls<Call extends InterpretedCall>(
  graph: AgentGraph,
  seed: number,
  start: (variables: JsonObject, script: Script) => Call,
) {
  const given = startValues(graph, seed);
  const oracle = new Oracle(graph, seed);
  const engine = await engineCall(graph, given, oracle);
  const call: Call = start(
    given,
    oracle.answers(() => call.visited),
  );
  call.open();
  const isDone = () => call.ended || call.visited.length > 2 * engine.visited.length + 2;
  for (let line = 0; line < MOST_LINES && !isDone(); line++) call.hear();
  return { engine, call, given };
}

/** Both calls of {@link bothCalls}, and what is known of their differences. */
export interface BothCalls extends Awaited<ReturnType<typeof bothCalls>> {
  readonly seed: number;
  /** Whether the platform has the node. */
  readonly isThere: (id: string) => boolean;
  /** Whether the platform's call may take another way from a node, as a loss says. */
  readonly isOther: (id: string) => boolean;
}

/** Asserts that both calls visited the same nodes, up to one from which the platform's may take another way. */
export function sameVisits({ engine, call, given, seed, isThere, isOther }: BothCalls) {
  const other = engine.visited.findIndex(isOther) + 1 || undefined;
  const isCut = other !== undefined || call.isStuck || engine.endReason === "hop_limit";
  const expected = once(engine.visited.slice(0, other).filter(isThere));
  const visited = once(call.visited.filter(isThere));
  const length = isCut ? Math.min(expected.length, visited.length) : expected.length;
  const message = JSON.stringify({ seed, given });
  assert.deepEqual(visited.slice(0, length), expected.slice(0, length), message);
  if (!isCut && engine.endReason) assert.equal(visited.length, length, `the call goes on: ${message}`);
  return { steps: length, isWhole: !isCut, visited: expected };
}

/** The graph whose conversations extract behind them: our calls extract at extract nodes alone. */
export function extracted(graph: AgentGraph, isForeign: boolean) {
  const { graph: behind, origins } = extractBehind(graph, isForeign);
  return { graph: origins.size === 0 ? graph : parseGraph(JSON.parse(JSON.stringify(behind))), origins };
}

/** What a platform's calls are held against the engine with. */
export interface Comparison {
  /** The platform's flows, as titles of tests name them. */
  readonly flows: string;
  /** Holds one call against the engine's. Returns how many nodes both visited, and whether that was the whole call. */
  readonly compare: (graph: AgentGraph, seed: number) => Promise<{ readonly steps: number; readonly isWhole: boolean }>;
  /** A part of a graph whose calls are compared to their end. */
  readonly exactPart?: (graph: AgentGraph) => AgentGraph;
}

/** Tests that calls of a platform's documents visit the nodes that the engine's calls visit. */
export function testVisits({ flows, compare, exactPart }: Comparison): void {
  const title = `${flows} visit the nodes that calls visit`;

  /** A graph, and the part of it that is exact. */
  const parts = (graph: AgentGraph) => (exactPart ? [graph, exactPart(graph)] : [graph]);

  test(`${title}, on the examples`, { timeout: 300_000 }, async () => {
    let steps = 0;
    for (const graph of (await exampleGraphs()).flatMap(parts))
      for (let seed = 0; seed < 30; seed++) steps += (await compare(graph, seed)).steps;
    assert.ok(steps > 200, `${steps} nodes`);
  });

  test(`${title}, on random graphs`, { timeout: 300_000 }, async () => {
    let [steps, whole] = [0, 0];
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const { graph } = comparedCall(seed);
      for (const each of parts(graph)) {
        const found = await compare(each, seed);
        steps += found.steps;
        whole += found.isWhole ? 1 : 0;
      }
    });
    await fc.assert(property, { numRuns: 200, endOnFailure: true });
    assert.ok(steps > 2 * fc.sampled(200) && whole > fc.sampled(200) / 3, `${steps} nodes, ${whole} whole calls`);
  });

  test(`${title}, on generated graphs`, { timeout: 300_000 }, async () => {
    let steps = 0;
    const property = fc.asyncProperty(graphs(), fc.nat(), async (graph, seed) => {
      steps += (await compare(graph, seed)).steps;
    });
    await fc.assert(property, { numRuns: 200, endOnFailure: true });
    assert.ok(steps > fc.sampled(200), `${steps} nodes`);
  });

  test(`${title}, on the corpora of all platforms`, {
    skip: existsSync(CORPUS) ? false : "there is no ../shared/corpus",
    timeout: 300_000,
  }, async () => {
    let [steps, files] = [0, 0];
    for (const { name, graph } of corpusGraphs()) {
      files++;
      try {
        for (let seed = 0; seed < 3; seed++) steps += (await compare(graph, seed)).steps;
      } catch (error) {
        throw new Error(name, { cause: error });
      }
    }
    assert.ok(steps > 300 && files > 20, `${steps} nodes of ${files} files`);
  });
}

/** The documents of all platforms as graphs of up to 60 nodes, without their texts. */
function* corpusGraphs(): Iterable<{ readonly name: string; readonly graph: AgentGraph }> {
  for (const folder of ["retell/", "vapi/", "telnyx/", "bland/", "pipecat/", "elevenlabs/"])
    for (const name of readdirSync(new URL(folder, CORPUS)).filter((each) => /\.(json|ya?ml)$/.test(each))) {
      const graph = readGraph(readFileSync(new URL(folder + name, CORPUS), "utf8").replace(/^\uFEFF/, ""));
      if (graph && Object.keys(graph.nodes).length <= 60) yield { name: folder + name, graph };
    }
}

function readGraph(text: string): AgentGraph | undefined {
  try {
    return withoutOriginal(importAgent(text).graph);
  } catch (error) {
    if (isCallweaveError(error)) return undefined;
    throw error;
  }
}
