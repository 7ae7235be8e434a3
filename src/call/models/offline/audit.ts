import type { AuditInput, AuditOutput } from "../signatures/mod.ts";
import { questionsIn } from "./words.ts";

/** Matches a question that a caller may leave open: "Is there anything else?". */
const CLOSING = /\b(?:anything|something) (?:else|more)\b|\bhelp you with\b/i;

/**
 * Audits a caller by the agent's last line: a question that is still open leaves the goal undecided. Facts need a
 * language model, except for those that the run finds by their form.
 */
export function auditByWords({ conversation_history: history }: AuditInput): AuditOutput {
  const heard = history.findLast(({ role }) => role === "assistant")?.content ?? "";
  const open = questionsIn(heard).filter((question) => !CLOSING.test(question));
  return {
    invented_facts: [],
    goal: "what the persona wants",
    goal_decided: open.length === 0,
    reasoning:
      open.length === 0
        ? "The offline model looks at the agent's last line only: it leaves no question open."
        : `The offline model looks at the agent's last line only: it asks "${open.at(-1)?.trim()}".`,
  };
}
