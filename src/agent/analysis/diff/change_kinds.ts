import { diffWordsWithSpace } from "diff";
import type { Path } from "../../../base/errors.ts";
import { clauseText } from "../../../document/expressions/mod.ts";
import type { Transition, TransitionCondition } from "../../../document/graph/mod.ts";

/** One difference between two versions of a graph. */
export interface GraphChange {
  readonly kind: ChangeKind;
  readonly risk: ChangeRisk;
  /** Path in the later version; in the earlier one for what was removed. */
  readonly path: Path;
  /** Id of the node that the change belongs to, in the version of `path`. Absent: the change is in the agent's settings. */
  readonly node?: string;
  /** Name of that node in a platform's dashboard, with its id where two have one name. Absent: people know its id. */
  readonly nodeName?: string;
  /** Index of the transition, in the version of `path`. */
  readonly transition?: number;
  /** The earlier value; absent: there was none. */
  readonly before?: unknown;
  /** The later value; absent: there is none. */
  readonly after?: unknown;
  /** One sentence, without keys of the document. */
  readonly message: string;
  /** For texts: the parts that stayed, were added or were removed, in reading order. */
  readonly words?: readonly TextPart[];
  /** Ids, in both versions, of the nodes at which the change affects calls. Empty: none is affected. Absent: every call is. */
  readonly nodes?: readonly string[];
}

/** A change without the fields that follow from its kind. */
export type NewChange = Omit<GraphChange, "risk">;

/** A change with the risk of its kind. */
export function changeOf({ kind, ...rest }: NewChange): GraphChange {
  const { risk } = CHANGE_KINDS[kind];
  return { kind, risk, ...rest, ...(UNNOTICED.has(kind) ? { nodes: [] } : {}) };
}

/** Kinds of changes that affect no call. */
const UNNOTICED: ReadonlySet<ChangeKind> = new Set(["rewritten", "layout-changed", "name-changed"]);

/** A part of a text that stayed, was added or was removed. */
export interface TextPart {
  readonly change: "same" | "added" | "removed";
  readonly text: string;
}

/** Texts with more differing words than this are shown as replaced: comparing them is slow and the result unreadable. */
const MOST_EDITS = 600;

/** Compares two texts word by word. The parts put together are the texts: with `removed` the earlier, with `added` the later. */
export function textParts(before: string, after: string): readonly TextPart[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return replaced(before, after);
  return parts.map(({ value, added, removed }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function replaced(before: string, after: string): readonly TextPart[] {
  const parts: readonly TextPart[] = [
    { change: "removed", text: before },
    { change: "added", text: after },
  ];
  return parts.filter(({ text }) => text !== "");
}

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

/** How a change can affect calls. `high`: they take another way or fail. `medium`: the agent speaks or decides differently. */
export type ChangeRisk = "high" | "medium" | "low";

/** Every kind of change, with its risk and the reason for it. */
export const CHANGE_KINDS = {
  // nodes
  "node-added": {
    risk: "medium",
    rule: "A new node does nothing before a transition or a global condition leads to it",
  },
  "node-removed": { risk: "high", rule: "Calls that went there go elsewhere" },
  "node-renamed": { risk: "low", rule: "Calls take the same way; scenarios need the new name" },
  "node-type-changed": { risk: "high", rule: "The type decides whether a node speaks and which transitions it takes" },
  "entry-moved": { risk: "high", rule: "Every call starts at another node" },
  "transfer-changed": { risk: "high", rule: "Callers reach another number" },
  // what the agent says
  "prompt-changed": { risk: "medium", rule: "The agent speaks differently" },
  "opening-changed": { risk: "medium", rule: "Calls begin differently" },
  "speech-changed": { risk: "medium", rule: "A text is spoken verbatim instead of followed, or the other way round" },
  // transitions
  "transition-added": { risk: "medium", rule: "Calls can leave the node in another way" },
  "transition-removed": { risk: "high", rule: "Calls that took it stay or go elsewhere" },
  "transition-retargeted": { risk: "high", rule: "Calls that take it go elsewhere" },
  "transitions-reordered": { risk: "high", rule: "The first equation, tool outcome or fallback that holds is taken" },
  "options-reordered": { risk: "low", rule: "The model sees the same LLM conditions in another order" },
  "transition-changed": {
    risk: "medium",
    rule: "The model reads another description, or the transition fires at another time",
  },
  // conditions
  "condition-reworded": { risk: "medium", rule: "The model can decide differently" },
  "condition-changed": { risk: "high", rule: "The transition waits for another event: another type, tool or outcome" },
  "equation-wider": { risk: "high", rule: "More calls take the transition" },
  "equation-narrower": { risk: "high", rule: "Fewer calls take the transition" },
  "equation-changed": { risk: "high", rule: "Other calls take the transition" },
  // global nodes
  "global-added": { risk: "high", rule: "Every conversation node can lead to the node" },
  "global-removed": { risk: "high", rule: "Callers no longer reach the node from everywhere" },
  "go-back-added": { risk: "medium", rule: "Calls can return from the global node in another way" },
  "go-back-removed": { risk: "high", rule: "Calls that returned stay or go elsewhere" },
  // variables
  "variable-added": { risk: "medium", rule: "The node asks for one more value" },
  "variable-removed": { risk: "high", rule: "Prompts and equations no longer get the value from this node" },
  "variable-renamed": {
    risk: "medium",
    rule: "Calls that are given the variable or read it afterwards need the new name",
  },
  "variable-changed": { risk: "high", rule: "Another type or other choices: equations can decide differently" },
  "variable-reworded": { risk: "medium", rule: "The model can extract another value" },
  "variables-reordered": { risk: "low", rule: "The same values are extracted in one request" },
  // tools
  "tool-added": { risk: "medium", rule: "The model can call one more tool" },
  "tool-removed": { risk: "high", rule: "The agent can no longer do what the tool did" },
  "tool-renamed": { risk: "medium", rule: "The model sees another name; servers and mocks get it" },
  "tool-schema-changed": { risk: "high", rule: "The server gets other arguments" },
  "tool-request-changed": { risk: "high", rule: "Another server is called, or its answer is read differently" },
  "tool-reworded": { risk: "medium", rule: "The model can call the tool at other times or with other values" },
  "tools-reordered": { risk: "low", rule: "The model sees the same tools in another order" },
  // snippets
  "snippet-added": { risk: "low", rule: "A new snippet does nothing before a prompt uses it" },
  "snippet-removed": { risk: "high", rule: "Prompts that use it show its tag" },
  "snippet-renamed": { risk: "low", rule: "Prompts that use it read the same" },
  "snippet-changed": { risk: "medium", rule: "All prompts that use it change" },
  // settings
  "model-changed": { risk: "high", rule: "Another model speaks and decides in every call" },
  "setting-changed": { risk: "medium", rule: "Language, voice or a default value changes for all calls" },
  "name-changed": { risk: "low", rule: "Callers do not hear the name of the agent" },
  "platform-changed": { risk: "medium", rule: "A platform option can change how calls sound or run" },
  "layout-changed": { risk: "low", rule: "Positions on a canvas do not matter to calls" },
  rewritten: { risk: "low", rule: "The same meaning, written differently" },
  "other-changed": { risk: "medium", rule: "A key that Callweave does not know may matter to others" },
} as const satisfies { readonly [kind: string]: { readonly risk: ChangeRisk; readonly rule: string } };

/** Stable name of what was changed, such as `prompt-changed`; its risk and the reason are in docs/diff.md. */
export type ChangeKind = keyof typeof CHANGE_KINDS;
