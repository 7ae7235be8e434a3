import { flow } from "../../dsl/mod.ts";
import type { AgentGraph } from "../../src/document/graph/mod.ts";

/** What the agent says at its nodes, and whether it has a node for returns. */
export interface ShopTexts {
  readonly greet?: string;
  readonly order?: string;
  readonly hasReturns?: boolean;
}

/** A small agent: two or three nodes that speak, and an end. */
export function shop({ greet, order, hasReturns = false }: ShopTexts = {}): AgentGraph {
  const start = flow("shop", { prompt: "You sell lamps.", beginMessage: "Hello." }).conversation("greet", {
    prompt: greet ?? "Ask what the caller wants.",
    next: ({ to }) => [
      to("order", "Caller wants to order"),
      ...(hasReturns ? [to("give_back", "Caller wants to return a lamp")] : []),
    ],
  });
  const whole = start.conversation("order", {
    prompt: order ?? "Take the order.",
    next: ({ to }) => [to("bye", "Order is complete")],
  });
  const returns = whole.conversation("give_back", {
    prompt: "Take the return.",
    next: ({ to }) => [to("bye", "Return is noted")],
  });
  const graph = returns.end("bye", { prompt: "Say goodbye." }).compile();
  if (hasReturns) return graph;
  const { give_back: _, ...nodes } = graph.nodes;
  return { ...graph, nodes };
}
