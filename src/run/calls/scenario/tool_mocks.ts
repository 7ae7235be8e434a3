import { canonicalJson, groupBy, type JsonObject } from "../../../base/values/mod.ts";
import { type AgentGraph, endingOf, type ToolDefinition } from "../../../document/graph/mod.ts";
import type { ExpectedToolCall, ToolMock } from "../../../document/scenario/mod.ts";
import type { Call, ToolCall } from "../../../document/transcript/mod.ts";

/** Mocks and expectations of the tools that a call used. */
export interface RecordedToolUse {
  readonly mocks: readonly ToolMock[];
  readonly calls: readonly ExpectedToolCall[];
  /** Tools of the call that the graph does not have. */
  readonly unknown: readonly string[];
}

/**
 * Mocks that repeat the recorded tool results: one for all arguments if a tool always gave the same result; else one per
 * arguments, and a sequence if the same arguments got different results.
 */
export function recordedToolUse(call: Call, graph: AgentGraph | undefined): RecordedToolUse {
  const known = graph && new Map(toolsOf(graph).map((tool) => [tool.name, tool] as const));
  const used = call.toolsCalled.filter(({ name }) => {
    const tool = known?.get(name);
    return (!known || tool) && !(tool && endingOf(tool));
  });
  const unknown = call.toolsCalled.filter(({ name }) => known && !known.has(name)).map(({ name }) => name);
  return {
    mocks: [...[...groupBy(used, ({ name }) => name).values()].flatMap(mocksOf), ...failedTransfers(call, graph)],
    calls: used.map(({ name, arguments: args }) => ({ tool: name, args: plain(args) })),
    unknown: [...new Set(unknown)],
  };
}

function toolsOf({ nodes }: AgentGraph): readonly ToolDefinition[] {
  return Object.values(nodes).flatMap(({ tools }) => tools);
}

function mocksOf(calls: readonly ToolCall[]): readonly ToolMock[] {
  if (new Set(calls.map(answerKey)).size === 1) return calls.slice(0, 1).map((call) => mockOf(call, { type: "any" }));
  const groups = [...groupBy(calls, ({ arguments: args }) => canonicalJson(plain(args))).values()];
  // a mock also matches calls with more arguments, so those with the most come first
  const ordered = groups.sort((a, b) => argumentsOf(b) - argumentsOf(a));
  return ordered.flatMap((group) => {
    const runs = answerRuns(group);
    return runs.map(([call, times], index) => ({
      ...mockOf(call, { type: "partial_match", args: plain(call.arguments) }),
      ...(index < runs.length - 1 ? { times } : {}),
    }));
  });
}

/** Consecutive calls with the same result, and their number. */
function answerRuns(calls: readonly ToolCall[]): readonly (readonly [ToolCall, number])[] {
  const runs: [ToolCall, number][] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    if (last && answerKey(last[0]) === answerKey(call)) last[1] += 1;
    else runs.push([call, 1]);
  }
  return runs;
}

function mockOf({ name, result, outcome }: ToolCall, rule: ToolMock["input_match_rule"]): ToolMock {
  return { tool_name: name, input_match_rule: rule, output: result ?? null, result: outcome === "succeeded" };
}

/** Transfers that failed: a mock named after the node lets them fail again. */
function failedTransfers({ transcript, nodesVisited, endReason }: Call, graph: AgentGraph | undefined) {
  const failed = transcript.flatMap(({ node_id: id, metadata }) => {
    const isTransfer = graph && Object.hasOwn(graph.nodes, id) && graph.nodes[id]?.node_type === "transfer";
    return isTransfer && metadata.kind === "transition" ? [id] : [];
  });
  const last = endReason === "agent_transferred" ? nodesVisited.at(-1) : undefined;
  return [...groupBy(failed, (id) => id)].map(
    ([id, times]): ToolMock => ({
      tool_name: id,
      input_match_rule: { type: "any" },
      output: "the transfer failed",
      result: false,
      ...(last === id ? { times: times.length } : {}),
    }),
  );
}

function answerKey({ outcome, result }: ToolCall): string {
  return canonicalJson([outcome, result ?? null]);
}

function argumentsOf([first]: readonly ToolCall[]): number {
  return Object.keys(first?.arguments ?? {}).length;
}

/** Arguments as plain JSON. */
function plain(args: ToolCall["arguments"]): JsonObject {
  return JSON.parse(JSON.stringify(args));
}
