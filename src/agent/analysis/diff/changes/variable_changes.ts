import { omit } from "../../../../base/values/mod.ts";
import type { VariableExtraction } from "../../../../document/graph/mod.ts";
import { changeOf, type GraphChange, type NewChange } from "../change.ts";
import { comparisonKey, isReordered, isSame, pairItems, unpaired } from "../matching/mod.ts";
import { textParts } from "../text_parts.ts";
import { listedNames, shortQuote } from "../words.ts";
import { otherChanges } from "./other_changes.ts";
import { choicesWords } from "./schema_changes.ts";
import type { NodePair } from "./transition_changes.ts";

const KNOWN = ["name", "description", "type", "choices"];

/** The changes of the variables that a node fills. */
export function variableChanges({ before, after, earlierId, id, nodes }: NodePair): readonly GraphChange[] {
  const [earlier, later] = [before.variables_to_extract, after.variables_to_extract];
  if (isSame(earlier, later)) return [];
  const pairs = pairItems<VariableExtraction>(earlier, later, [comparisonKey, ({ name }) => name]);
  const removed = unpaired(earlier.length, pairs).map((index) => {
    const variable = earlier[index];
    const message = `Node ${shortQuote(id)} no longer fills variable ${shortQuote(variable?.name ?? "")}`;
    const path = ["nodes", earlierId, "variables_to_extract", index];
    return changeOf({ kind: "variable-removed", path, node: earlierId, before: variable, nodes, message });
  });
  const others = later.flatMap((variable, index): readonly GraphChange[] => {
    const path = ["nodes", id, "variables_to_extract", index];
    const match = pairs[index];
    const old = match === undefined ? undefined : earlier[match];
    if (old) return oneVariable(old, variable, { path, node: id, nodes });
    const message = `Node ${shortQuote(id)} fills the new variable ${shortQuote(variable.name)} (${variable.type})`;
    return [changeOf({ kind: "variable-added", path, node: id, after: variable, nodes, message })];
  });
  if (!isReordered(pairs)) return [...removed, ...others];
  const names = (variables: readonly VariableExtraction[]) => variables.map(({ name }) => name);
  const order = changeOf({
    kind: "variables-reordered",
    path: ["nodes", id, "variables_to_extract"],
    node: id,
    nodes,
    before: names(earlier),
    after: names(later),
    message: `Node ${shortQuote(id)} fills its variables in another order: ${listedNames(names(later))}`,
  });
  return [...removed, ...others, order];
}

type VariableChangePlace = Required<Pick<NewChange, "path" | "node" | "nodes">>;

function oneVariable(
  before: VariableExtraction,
  after: VariableExtraction,
  { path, ...more }: VariableChangePlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const subject = `Variable ${shortQuote(after.name)} of ${shortQuote(more.node)}`;
  const change = (kind: NewChange["kind"], key: "description" | "type" | "choices", message: string) =>
    changeOf({ kind, path: [...path, key], ...more, before: before[key], after: after[key], message });
  const found: GraphChange[] = [];
  if (before.type !== after.type)
    found.push(
      change(
        "variable-changed",
        "type",
        `${subject} is ${shortQuote(after.type)} instead of ${shortQuote(before.type)}`,
      ),
    );
  if (!isSame(before.choices, after.choices)) {
    const words = choicesWords(before.choices ?? [], after.choices ?? []);
    found.push(change("variable-changed", "choices", `${subject} can be ${words}`));
  }
  if (before.description !== after.description) {
    const message = `${subject} has another description: ${shortQuote(after.description)} instead of ${shortQuote(before.description)}`;
    const words = textParts(before.description, after.description);
    found.push({ ...change("variable-reworded", "description", message), words });
  }
  return [...found, ...otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), { path, more })];
}
