import { clauseText } from "../../../document/expressions/mod.ts";
import type { Transition, TransitionCondition } from "../../../document/graph/mod.ts";

/** Maximum length of a quoted text in a sentence, in characters. */
const LONGEST = 70;

/** A text in quotes on one line, shortened between words. */
export function shortQuote(text: string): string {
  return `"${shortened(text)}"`;
}

function shortened(text: string): string {
  const line = [...text.replace(/\s+/g, " ").trim()];
  if (line.length <= LONGEST) return line.join("");
  const head = line.slice(0, LONGEST - 1).join("");
  return `${head.replace(/\s+\S*$/, "") || head}…`;
}

/** Formats a JSON value for a sentence: texts in quotes, everything else as JSON, shortened. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? shortQuote(value) : shortened(JSON.stringify(value) ?? "nothing");
}

/** Names in quotes with commas, as in `"a", "b" and 3 more`. */
export function listedNames(names: readonly string[]): string {
  const most = 5;
  const shown = names.slice(0, most).map(shortQuote);
  const left = names.length - shown.length;
  if (left > 0) return `${shown.join(", ")} and ${left} more`;
  return [shown.slice(0, -1).join(", "), shown.at(-1)].filter(Boolean).join(" and ");
}

/** Equations as code, joined by their operator: `balance < 0` and `plan == "gold"`, each in backticks. */
export function equationCode({ equations, logical_operator: operator }: TransitionCondition): string {
  const clauses = (equations ?? []).map((clause) => code(clauseText(clause)));
  return clauses.length === 0 ? "no equation" : clauses.join(` ${operator ?? "and"} `);
}

/** A text in backticks. */
export function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

/** When a condition holds, as the end of a sentence. */
export function conditionPhrase(condition: TransitionCondition): string {
  switch (condition.type) {
    case "llm_prompt":
      return `when ${shortQuote(condition.value)}`;
    case "equation":
      return `when ${equationCode(condition)}`;
    case "tool_call": {
      const outcome = condition.outcome === "failed" ? "fails" : condition.outcome ? "succeeds" : "has answered";
      return `when ${condition.value ? `tool ${shortQuote(condition.value)}` : "the tool"} ${outcome}`;
    }
    case "always":
      return "always";
  }
}

/** When a transition is taken, as the end of a sentence. */
export function transitionPhrase({ condition, timing }: Transition): string {
  if (condition.type !== "always") return conditionPhrase(condition);
  if (timing === "else") return "otherwise";
  return timing === "skip_response" ? "at once" : "always";
}

/** The ends of an edge in quotes, for sentences: `"ask" → "pay"`. */
export function edge(from: string, to: string): string {
  return `${shortQuote(from)} → ${shortQuote(to)}`;
}
