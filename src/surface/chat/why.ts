import { recordAt } from "../../base/values/mod.ts";
import { consideredIn, type Decision } from "./decision.ts";
import type { OutputLine } from "./view.ts";

/** Explains the decisions of a turn: the transitions that were considered, and why each was taken or not. */
export function whyLines(decisions: readonly Decision[], nodeId: string): readonly OutputLine[] {
  if (decisions.length === 0)
    return [
      { text: `there was nothing to decide: the call stayed at ${nodeId}, and no transition was offered`, depth: 0 },
    ];
  return decisions.flatMap((decision) => {
    const { message } = decision;
    const { kind, from, to, because } = message.metadata;
    const head =
      kind === "transition"
        ? `${from} → ${to}: ${because}`
        : `stayed at ${message.node_id}: ${message.content.replace(/^no transition taken: /, "").replace(/; reasoning: .*$/, "")}`;
    const ways = consideredIn(decision).map(
      ({ target, kind: way, condition, outcome }): OutputLine => ({
        text: `to ${target} (${way}): ${condition} — ${outcome}`,
        depth: 1,
        mark: outcome === "taken" ? "✓" : "·",
      }),
    );
    return [
      { text: head, depth: 0 },
      ...ways,
      ...answerLines(recordAt(message.metadata, "decision")).map((text) => ({ text, depth: 1, mark: "=" })),
    ];
  });
}

function answerLines(answer: { readonly [key: string]: unknown }): readonly string[] {
  if (Object.keys(answer).length === 0) return ["no model was asked"];
  const { objectives_complete: complete, transition_to: pick, reasoning } = answer;
  return [
    `model: the objectives are ${complete === false ? "not " : ""}complete; it picks ${JSON.stringify(pick)}`,
    ...(typeof reasoning === "string" && reasoning.trim() !== "" ? [`reasoning: ${reasoning.trim()}`] : []),
  ];
}
