import { jsonOrText, sameJson } from "../../src/base/values/mod.ts";
import type { ReportedToolCall } from "../../src/call/connection/mod.ts";
import { Mocks } from "../../src/call/turn/mod.ts";
import type { ToolMock } from "../../src/document/scenario/mod.ts";

/** Mocks that a platform gets with its requests, during one call. */
export interface SentMocks {
  /** The mocks that are left, the first match first. */
  left(): readonly ToolMock[];
  /**
   * Counts a tool call of the agent, and returns it with the outcome of the mock that answered it. A result that is not
   * the mock's was made by the tool itself.
   */
  count(call: ReportedToolCall): ReportedToolCall;
}

/**
 * The mocks of a call for a platform that runs tools without a mock. Unless real tools may run, each of the agent's
 * tools has a last mock that fails, as a tool without a mock does in a call with a graph.
 */
export function sentMocks(
  given: readonly ToolMock[],
  { tools, allowRealTools }: { readonly tools: readonly string[]; readonly allowRealTools: boolean },
): SentMocks {
  const names = [...new Set([...tools, ...given.map(({ tool_name: name }) => name)])];
  const mocks = allowRealTools ? given : [...given, ...names.map(noMock)];
  const used = new Mocks(mocks);
  return {
    left: () => {
      const { answered } = used;
      return mocks.filter(({ times }, at) => typeof times !== "number" || (answered[at] ?? 0) < times);
    },
    count: (call) => {
      const mock = used.take(call.name, { ...call.arguments });
      if (!mock || !isAnswerOf(mock, call.result)) return call;
      return { ...call, mocked: mock.result || given.includes(mock), outcome: mock.result ? "succeeded" : "failed" };
    },
  };
}

/** The text that a mock answers with. */
export function mockText({ output }: Pick<ToolMock, "output">): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
}

function isAnswerOf(mock: ToolMock, result: unknown): boolean {
  return sameJson(jsonOrText(mockText(mock)), jsonOrText(result));
}

function noMock(tool: string): ToolMock {
  const output = `tool "${tool}" has no mock`;
  return { tool_name: tool, input_match_rule: { type: "any" }, output, result: false };
}
