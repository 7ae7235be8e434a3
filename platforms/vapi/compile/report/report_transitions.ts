import { isSilent } from "../../../lower/mod.ts";
import type { EmitContext } from "../plan/mod.ts";
import { awaitedTools, outcomeSource } from "../plan/mod.ts";

/** Reports which transitions of a node the model makes where the graph would. */
export function reportTransitions(id: string, context: EmitContext): void {
  const { source: graph, losses } = context;
  const node = graph.nodes[id];
  if (!node) return;
  const silent = isSilent(node);
  const firstLike = (timing: unknown) =>
    node.transitions.findIndex(
      (each) => each.condition.type === "always" && (silent || (each.timing === "else") === (timing === "else")),
    );
  let decided = 0;
  for (const [index, { condition, timing }] of node.transitions.entries()) {
    const path = ["nodes", id, "transitions", index];
    if (condition.type === "always") {
      const first = firstLike(timing);
      if (index !== first) {
        const before = `"always" transition ${first} comes first`;
        losses.dropped("unreachable-transition", path, before, undefined, "Take this transition out");
      } else if (!silent && timing !== "else") {
        losses.emulated(
          "forced-transition",
          path,
          "Vapi has no transition without a decision of the model",
          "a handoff that the prompt tells the model to make at once",
          "Merge the two nodes, or emit with --contract",
        );
      }
    }
    if (condition.type === "tool_call") reportOutcome(id, index, context);
    if (condition.type !== "equation") continue;
    decided += 1;
    losses.emulated(
      "equation-as-trigger",
      path,
      "Vapi does not move a call when an equation becomes true",
      "a handoff that is rejected while the equation is false; the model makes it when the equation is true",
    );
    if (decided > 1) {
      losses.emulated(
        "edge-priority",
        path,
        "Vapi's handoffs have no order",
        "a handoff that is also rejected while an earlier equation is true",
      );
    }
  }
}

function reportOutcome(id: string, index: number, { source: graph, losses }: EmitContext): void {
  const path = ["nodes", id, "transitions", index];
  if (graph.nodes[id]?.node_type === "transfer") {
    losses.dropped(
      "transfer-failure-routing",
      path,
      "Vapi does not return to the squad when a transfer fails",
      "the end of the call when the transfer fails",
      "Set transferPlan.fallbackPlan under metadata.vapi of the tool",
    );
    return;
  }
  const node = graph.nodes[id];
  const transition = node?.transitions[index];
  const sources = node && transition ? awaitedTools(node, transition).map(outcomeSource) : [];
  if (sources.includes("noted"))
    losses.emulated(
      "tool-outcome",
      path,
      "Vapi does not report that a tool of your server failed",
      "a second tool by which the model notes the failure, open only right after the tool was called",
      "Give the tool a url: then the squad makes the request itself and knows its outcome",
    );
  if (sources.includes("told"))
    losses.emulated(
      "tool-outcome",
      path,
      "Vapi does not report what came of a tool that is kept in the organisation",
      "a handoff whose description names the outcome, which the model judges",
      "Give the tool a url, or route by a variable that it sets",
    );
}
