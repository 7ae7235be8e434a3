import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { type AgentGraph, type Conversation, conversation, type Message, offline } from "../../../mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";

/** What the agent behind a test's server does in a turn, in order. */
export type BrainEvent =
  | { readonly kind: "says"; readonly text: string }
  | { readonly kind: "moves"; readonly from: string; readonly to: string }
  | {
      readonly kind: "calls";
      readonly name: string;
      readonly arguments: object;
      readonly result: unknown;
      readonly failed: boolean;
    };

export interface BrainTurn {
  readonly events: readonly BrainEvent[];
  /** The node after the turn. */
  readonly node: string;
  /** All variables after the turn. */
  readonly variables: { readonly [name: string]: string };
  readonly ended?: "agent_ended" | "agent_transferred";
}

/** The agent behind a test's server: the help desk, played by rules, so that it always does the same. */
export interface Brain {
  open(): Promise<BrainTurn>;
  hear(text: string): Promise<BrainTurn>;
}

export interface BrainOptions {
  readonly graph?: AgentGraph;
  readonly mocks?: readonly ToolMock[];
  readonly variables?: { readonly [name: string]: unknown };
}

export function startBrain({ graph = helpDesk, mocks = [], variables = {} }: BrainOptions = {}): Brain {
  const call = conversation(graph, { models: { agent: offline() }, mocks, variables: { ...variables } });
  return {
    open: async () => turnOf(call, (await call.open()).messages),
    hear: async (text) => turnOf(call, (await call.hear(text)).messages),
  };
}

/** The turn after the given words of the caller, for servers that get the whole history with each request. */
export async function replayTurn(said: readonly string[], options: BrainOptions): Promise<BrainTurn> {
  const brain = startBrain(options);
  let turn = await brain.open();
  for (const text of said) turn = await brain.hear(text);
  return turn;
}

function turnOf(call: Conversation, messages: readonly Message[]): BrainTurn {
  const { endReason } = call;
  return {
    events: messages.flatMap((message): readonly BrainEvent[] => {
      const { role, content, metadata } = message;
      if (role === "assistant") return [{ kind: "says", text: content }];
      const { kind, from, to, name, arguments: args, result, outcome } = metadata;
      if (kind === "transition") return [{ kind: "moves", from: String(from), to: String(to) }];
      if (kind !== "tool_call") return [];
      const called = { name: String(name), arguments: Object(args), result, failed: outcome === "failed" };
      return [{ kind: "calls", ...called }];
    }),
    node: call.nodesVisited.at(-1) ?? "",
    variables: call.variables,
    ...(endReason === "agent_ended" || endReason === "agent_transferred" ? { ended: endReason } : {}),
  };
}
