import { parsedJson, sameJson } from "../../../base/values/mod.ts";
import type { ToolMock } from "../../../document/scenario/mod.ts";
import type { PathStep } from "../paths/mod.ts";

/** Mocks that answer the tool calls and transfers of a path as the path says, each as often as it is needed. */
export function toolMocks(steps: readonly PathStep[]): readonly ToolMock[] {
  const runs: { readonly mock: ToolMock; times: number }[] = [];
  const failing = new Set(steps.flatMap((step) => (isFailed(step) ? [step.node] : [])));
  for (const step of steps) {
    const mock = mockOf(step, failing);
    if (!mock) continue;
    const last = runs.findLast((run) => run.mock.tool_name === mock.tool_name);
    if (last && sameJson(last.mock, mock)) last.times += 1;
    else runs.push({ mock, times: 1 });
  }
  return runs.map(({ mock, times }) => {
    const isOnly = runs.filter((run) => run.mock.tool_name === mock.tool_name).length === 1;
    return isOnly ? mock : { ...mock, times };
  });
}

function isFailed(step: PathStep): step is Extract<PathStep, { kind: "transfer" }> {
  return step.kind === "transfer" && step.outcome === "failed";
}

/** A transfer goes through without a mock, except at a node where another one fails. */
function mockOf(step: PathStep, failing: ReadonlySet<string>): ToolMock | undefined {
  const any = { type: "any" } as const;
  if (step.kind === "tool") {
    const { tool, outcome, result } = step;
    return { tool_name: tool, input_match_rule: any, output: asOutput(result), result: outcome === "succeeded" };
  }
  if (step.kind !== "transfer" || !failing.has(step.node)) return undefined;
  const output = step.outcome === "failed" ? "the transfer failed" : "";
  return { tool_name: step.node, input_match_rule: any, output, result: step.outcome === "succeeded" };
}

/** A result as a mock's output, whose texts are read as JSON. */
function asOutput(result: unknown): unknown {
  if (typeof result !== "string") return result ?? "";
  return parsedJson(result) === undefined ? result : JSON.stringify(result);
}
