import { offline } from "../../../src/call/models/mod.ts";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { RunOptions, TrialAttempt } from "../../../src/run/runner/mod.ts";

/** An agent that needs no model: it says one line. */
export const LINE: AgentGraph = parseGraph({
  entry_node_id: "line",
  source_metadata: { begin_message: "Hello!" },
  nodes: { line: { node_type: "conversation", instruction_type: "static_text", state_prompt: "Goodbye!" } },
});

/** Scenarios that need no model either. */
export const SCENARIOS = ["a", "b", "c", "d", "e"].map((name) => ({ name, says: ["Hello"], includes: ["Goodbye"] }));

/** Scenarios whose caller hangs up immediately. */
export function manyScenarios(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: `scenario ${index + 1}`,
    ends: "caller_ended" as const,
  }));
}

/** Options of a run that counts its calls in `started`. */
export function counting(started: string[], options: RunOptions): RunOptions {
  return {
    models: { agent: offline() },
    ...options,
    limits: { concurrency: 1, ...options.limits },
    listeners: {
      ...options.listeners,
      onProgress: (event) => {
        if (event.kind === "call-start") started.push(slotName(event));
        options.listeners?.onProgress?.(event);
      },
    },
  };
}

/** Formats a slot: `a 2`, or `a 2.2` for the second attempt. */
export function slotName({
  scenario,
  trial,
  attempt = 1,
}: Omit<TrialAttempt, "attempt"> & { readonly attempt?: number }): string {
  return `${scenario} ${trial}${attempt > 1 ? `.${attempt}` : ""}`;
}
