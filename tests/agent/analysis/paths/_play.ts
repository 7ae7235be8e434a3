import type { CallPath, PathStep } from "../../../../src/agent/analysis/mod.ts";
import { type Conversation, conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../../src/document/scenario/mod.ts";

/** Runs the call of a path in the engine, with a model that follows the path. */
export async function play(graph: AgentGraph, { variables, steps }: CallPath): Promise<Conversation> {
  const call = conversation(graph, { models: { agent: scripted(answersOf(steps)) }, variables, mocks: mocksOf(steps) });
  await call.open();
  for (const step of steps) if (step.kind === "hear") await call.hear("Yes");
  return call;
}

/** The model's answers, by signature. */
export function answersOf(steps: readonly PathStep[]) {
  const respond: unknown[] = [];
  let toolCalls: { name: string; arguments: object }[] = [];
  for (const step of steps) {
    if (step.kind === "tool" && step.by === "reply")
      toolCalls.push({ name: step.tool, arguments: { call: toolCalls.length } });
    if (step.kind !== "speak" || step.verbatim) continue;
    if (toolCalls.length > 0) respond.push({ toolCalls });
    respond.push("Well.");
    toolCalls = [];
  }
  return {
    respond,
    transition: steps.flatMap((step) =>
      step.kind === "decide"
        ? [{ objectives_complete: step.objectivesComplete, transition_to: step.target ?? "" }]
        : [],
    ),
    extract: steps.flatMap((step) =>
      step.kind === "extract"
        ? [
            ({ variables }: { variables: { name: string }[] }) =>
              Object.fromEntries(
                variables.map(({ name }) => [name, new Map(Object.entries(step.values)).get(name) ?? null]),
              ),
          ]
        : [],
    ),
    arguments: steps.flatMap((step) => (step.kind === "tool" && step.asksArguments ? [{}] : [])),
  };
}

/** Mocks that answer each call of a tool, and each transfer, in turn. */
export function mocksOf(steps: readonly PathStep[]): readonly ToolMock[] {
  return steps.flatMap((step): ToolMock[] => {
    if (step.kind !== "tool" && step.kind !== "transfer") return [];
    const name = step.kind === "tool" ? step.tool : step.node;
    const output = step.kind === "tool" ? JSON.stringify(step.result) : "";
    const result = step.outcome === "succeeded";
    return [{ tool_name: name, input_match_rule: { type: "any" }, output, result, times: 1 }];
  });
}

/** The nodes that a path visits. */
export function visitedOn({ steps }: CallPath): readonly string[] {
  return steps.flatMap((step) => (step.kind === "open" ? [step.node] : step.kind === "move" ? [step.to] : []));
}
