import type { Path } from "../../../../base/errors.ts";
import { omit } from "../../../../base/values/mod.ts";
import type { TransitionCondition } from "../../../../document/graph/mod.ts";
import { changeOf, type GraphChange, type NewChange } from "../change.ts";
import { equationTail } from "../equation_tail.ts";
import { clauseKey, implies } from "../implies.ts";
import { isSame } from "../matching/mod.ts";
import { textParts } from "../text_parts.ts";
import { conditionPhrase, shortQuote } from "../words.ts";
import { otherChanges } from "./other_changes.ts";

/** The owner of a condition. */
export interface ConditionPlace {
  readonly path: Path;
  /** As the beginning of a sentence: `Transition "greet" → "pay"`. */
  readonly subject: string;
  readonly more: Pick<NewChange, "node" | "transition" | "nodes">;
}

const KNOWN = ["type", "value", "equations", "logical_operator", "outcome"];

export function conditionChanges(
  before: TransitionCondition,
  after: TransitionCondition,
  { path, subject, more }: ConditionPlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const change = (kind: NewChange["kind"], message: string, rest: Partial<NewChange> = {}) => [
    changeOf({ kind, path, ...more, before, after, message: `${subject} ${message}`, ...rest }),
  ];
  const extra = otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), { path, more });
  if (isSame(omit({ ...before }, extraKeys(before)), omit({ ...after }, extraKeys(after)))) return extra;
  const words = `${conditionPhrase(after)} instead of ${conditionPhrase(before)}`;
  if (before.type !== after.type) return [...change("condition-changed", `is taken ${words}`), ...extra];
  const known = ((): readonly GraphChange[] => {
    switch (after.type) {
      case "llm_prompt":
        return before.value === after.value
          ? change("rewritten", "has other equations or outcomes, which an LLM condition does not use")
          : change("condition-reworded", `asks ${shortQuote(after.value)} instead of ${shortQuote(before.value)}`, {
              words: textParts(before.value, after.value),
            });
      case "equation":
        return equationChange(before, after, change);
      case "tool_call":
        return before.value === after.value && isSame(before.outcome, after.outcome)
          ? change("rewritten", "has other equations, which a tool outcome does not use")
          : change("condition-changed", `is taken ${words}`);
      case "always":
        return change("rewritten", "has another text, which a transition without condition does not use");
    }
  })();
  return [...known, ...extra];
}

function extraKeys(condition: TransitionCondition): readonly string[] {
  return Object.keys(condition).filter((key) => !KNOWN.includes(key));
}

function equationChange(
  before: TransitionCondition,
  after: TransitionCondition,
  change: (kind: NewChange["kind"], message: string) => readonly GraphChange[],
): readonly GraphChange[] {
  const [wider, narrower] = [implies(before, after), implies(after, before)];
  if (wider && narrower) {
    const isTextAlone = isSame(before.equations?.map(clauseKey), after.equations?.map(clauseKey));
    return change("rewritten", `has the same equations, ${isTextAlone ? "with another spelling" : "in another form"}`);
  }
  const tail = equationTail(before, after);
  if (wider) return change("equation-wider", tail);
  return change(narrower ? "equation-narrower" : "equation-changed", tail);
}
