import { UsageError } from "../../base/errors.ts";
import { formatDollars, isRecord } from "../../base/values/mod.ts";
import { errorText } from "./answer.ts";
import { runTool, type ToolResult } from "./run_tool.ts";
import type { ToolContext } from "./settings.ts";
import type { Tool } from "./tool.ts";

/** Work that waits for others, at most. */
const MOST_WAITING = 32;
/** Tools that work at the same time. */
const MOST_AT_ONCE = 2;

/** Runs tools: a few at a time, and those that use models one after the other, as far as their money goes. */
export type Runner = (
  tool: Tool,
  input: unknown,
  context: Omit<ToolContext, "costUsd" | "onCost">,
) => Promise<ToolResult>;

/** Makes the runner of a server. */
export async function createRunner(): Promise<Runner> {
  const { default: pLimit } = await import("p-limit");
  const [places, paying] = [pLimit(MOST_AT_ONCE), pLimit(1)];
  let spentUsd = 0;

  const paid: Runner = async (tool, input, context) => {
    const { costUsd: limit } = context.settings.limits;
    const left = limit - spentUsd;
    if (left <= 0) return { text: errorText(spent(limit), context.env), isError: true };
    let cost: number | null | undefined;
    const onCost = (costUsd: number | null) => {
      cost = costUsd;
    };
    const result = await runTool(tool, input, { ...context, costUsd: left, onCost });
    // without a known cost, all of it may be gone
    if (cost !== undefined) spentUsd += cost ?? left;
    return result;
  };

  return async (tool, input, context) => {
    if (places.pendingCount + paying.pendingCount >= MOST_WAITING)
      return { text: errorText(busy(), context.env), isError: true };
    const isPaid = isRecord(input) && tool.usesModels(input);
    const work = () => {
      if (context.signal.aborted)
        return Promise.resolve({ text: errorText(context.signal.reason, context.env), isError: true });
      return isPaid ? paid(tool, input, context) : runTool(tool, input, { ...context, costUsd: 0, onCost: () => {} });
    };
    return await (isPaid ? paying(() => places(work)) : places(work));
  };
}

function spent(limit: number): UsageError {
  return new UsageError(`Cannot use a model: the limit of ${formatDollars(limit)} is reached`, {
    code: "limit-reached",
    path: ["use_model"],
    hint: "Leave out use_model, or ask the person to start callweave mcp again with a higher --max-cost",
  });
}

function busy(): UsageError {
  return new UsageError(`Cannot start the tool: ${MOST_WAITING} others wait`, {
    code: "limit-reached",
    hint: "Wait for the answers of the others",
  });
}
