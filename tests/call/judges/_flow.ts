import assert from "node:assert/strict";
import { type JudgedCall, judgeFlow } from "../../../src/call/judges/mod.ts";
import { type FlowInput, scripted } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { Message, Verdict } from "../../../src/document/transcript/mod.ts";
import { finishedCall, line } from "./_fixtures.ts";

export const llm = (target_node_id: string, value = "Caller wants it") => ({
  target_node_id,
  condition: { type: "llm_prompt", value },
});
export const always = (target_node_id: string) => ({ target_node_id, condition: { type: "always" } });
export const toolCalled = (target_node_id: string, outcome?: "succeeded" | "failed") => ({
  target_node_id,
  condition: { type: "tool_call", outcome },
});
export const equation = (target_node_id: string) => ({
  target_node_id,
  condition: { type: "equation", equations: [{ left: "x", operator: "==", right: "y" }] },
});

/** A graph of these nodes, whose prompts and other keys have their defaults. */
export function flowGraph(nodes: { readonly [id: string]: object }): AgentGraph {
  return parseGraph({ entry_node_id: Object.keys(nodes)[0], nodes });
}

/** The record of a transition, without words for why it was taken. */
export function moved(from: string, to: string, metadata: Message["metadata"] = {}): Message {
  return { ...line("tool", `${from} -> ${to}`, from), metadata: { kind: "transition", from, to, ...metadata } };
}

interface Answer {
  readonly score?: number;
  readonly reasoning?: string;
  /** What the judge says of the steps, in order; without it every step is right and nothing is quoted. */
  readonly steps?: readonly {
    readonly quote?: string;
    readonly instead?: string;
    readonly reasoning?: string;
  }[];
}

/** Judges a call by a scripted answer. Returns what the judge was shown, and its verdict. */
export async function asked(
  graph: AgentGraph,
  transcript: readonly Message[],
  { score = 1, reasoning = "", steps = [] }: Answer = {},
  variables: JudgedCall["variables"] = {},
): Promise<{ readonly input: FlowInput; readonly verdict: Verdict }> {
  const inputs: FlowInput[] = [];
  const answer = (input: FlowInput) => {
    inputs.push(input);
    const numbered = input.call.flatMap((entry) => ("took" in entry && entry.step !== null ? entry : []));
    return {
      score,
      confidence: 0.9,
      reasoning,
      steps: numbered.map(({ step, took }, index) => ({
        step,
        evidence: { role: "user", quote: steps[index]?.quote ?? "" },
        reasoning: steps[index]?.reasoning ?? "",
        right: steps[index]?.instead === undefined,
        should_have_taken: steps[index]?.instead ?? took,
      })),
    };
  };
  const call = finishedCall({ transcript, nodesVisited: [], variables });
  const verdict = await judgeFlow(graph, call, { model: scripted({ flow: [answer] }), retry: { retries: 0 } });
  const [input] = inputs;
  assert.ok(input && verdict, "the judge was not asked");
  return { input, verdict };
}
