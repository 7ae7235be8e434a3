import { omit } from "../../../../base/values/mod.ts";
import type { GlobalNodeSetting, GoBackCondition, VariableExtraction } from "../../../../document/graph/mod.ts";
import {
  changeOf,
  conditionPhrase,
  type GraphChange,
  listedNames,
  type NewChange,
  shortQuote,
  shownValue,
  textParts,
} from "../change_kinds.ts";
import { comparisonKey, isReordered, isSame, pairItems, unpaired } from "../matching/mod.ts";
import { otherChanges } from "./other_changes.ts";
import { metadataChanges } from "./rename_changes.ts";
import { choicesWords, toolChanges } from "./tool_changes.ts";
import { conditionChanges, type NodePair, transitionChanges } from "./transition_changes.ts";

const KNOWN = [
  "id",
  "node_type",
  "state_prompt",
  "instruction_type",
  "tools",
  "transitions",
  "variables_to_extract",
  "global_node_setting",
  "transfer_to",
  "metadata",
];

/** The changes of one node, without a new id. */
export function nodeChanges(pair: NodePair): readonly GraphChange[] {
  const { before, after, id, nodes } = pair;
  if (isSame(before, after)) return [];
  const more = { node: id, nodes };
  const path = ["nodes", id];
  const change = (kind: NewChange["kind"], key: keyof typeof after, message: string) =>
    changeOf({ kind, path: [...path, key], ...more, before: before[key], after: after[key], message });
  const found: GraphChange[] = [];
  if (before.node_type !== after.node_type) {
    const message = `Node ${shortQuote(id)} is of type ${shortQuote(after.node_type)} instead of ${shortQuote(before.node_type)}`;
    found.push(change("node-type-changed", "node_type", message));
  }
  if (before.state_prompt !== after.state_prompt) {
    const words = textParts(before.state_prompt, after.state_prompt);
    found.push({
      ...change(
        "prompt-changed",
        "state_prompt",
        `Prompt of ${shortQuote(id)} is ${reworded(before.state_prompt, after.state_prompt)}`,
      ),
      words,
    });
  }
  if (!isSame(before.instruction_type, after.instruction_type)) {
    const [old, now] = [before.instruction_type ?? "prompt", after.instruction_type ?? "prompt"];
    const speaks =
      now === "static_text" ? "is now spoken verbatim" : "is now an instruction, no longer spoken verbatim";
    found.push(
      old === now
        ? change("rewritten", "instruction_type", `Prompt of ${shortQuote(id)} is still an instruction, now by default`)
        : change("speech-changed", "instruction_type", `Prompt of ${shortQuote(id)} ${speaks}`),
    );
  }
  if (!isSame(before.transfer_to, after.transfer_to)) {
    const values = `${shownValue(after.transfer_to ?? "")} instead of ${shownValue(before.transfer_to ?? "")}`;
    found.push(change("transfer-changed", "transfer_to", `Node ${shortQuote(id)} transfers to ${values}`));
  }
  found.push(
    ...globalChanges(pair),
    ...variableChanges(pair),
    ...toolChanges(pair),
    ...transitionChanges(pair),
    ...metadataChanges(before.metadata, after.metadata, { path: [...path, "metadata"], more }),
    ...otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), { path, more }),
  );
  return before.id === after.id
    ? found
    : [...found, change("other-changed", "id", `Node ${shortQuote(id)} has another "id"`)];
}

/** How a text changed, as the end of a sentence. */
export function reworded(before: string, after: string): string {
  if (before.trim() === after.trim() || before.replace(/\s+/g, " ") === after.replace(/\s+/g, " "))
    return "the same with other white space";
  if (before === "") return "new";
  return after === "" ? "gone" : "reworded";
}

const KNOWN_VARIABLE_KEYS = ["name", "description", "type", "choices"];

/** The changes of the variables that a node fills. */
function variableChanges({ before, after, earlierId, id, nodes }: NodePair): readonly GraphChange[] {
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
  return [
    ...found,
    ...otherChanges(omit({ ...before }, KNOWN_VARIABLE_KEYS), omit({ ...after }, KNOWN_VARIABLE_KEYS), { path, more }),
  ];
}

/** The changes of how a global node is entered and left again. A changed entry affects every call. */
function globalChanges(pair: NodePair): readonly GraphChange[] {
  const { before, after, id, nodes } = pair;
  const [earlier, later] = [before.global_node_setting, after.global_node_setting];
  if (isSame(earlier, later)) return [];
  const path = ["nodes", id, "global_node_setting"];
  if (!later) {
    const message = `Node ${shortQuote(id)} is no longer global: callers reach it by transitions alone`;
    return [changeOf({ kind: "global-removed", path, node: id, before: earlier, message })];
  }
  if (!earlier) {
    const message = `Node ${shortQuote(id)} is now global: it is entered from every conversation node when ${shortQuote(later.condition)}`;
    return [changeOf({ kind: "global-added", path, node: id, after: later, message })];
  }
  const found: GraphChange[] = [];
  if (earlier.condition !== later.condition)
    found.push(
      changeOf({
        kind: "condition-reworded",
        path: [...path, "condition"],
        node: id,
        before: earlier.condition,
        after: later.condition,
        message: `Global node ${shortQuote(id)} is entered when ${shortQuote(later.condition)} instead of when ${shortQuote(earlier.condition)}`,
        words: textParts(earlier.condition, later.condition),
      }),
    );
  const more = { node: id, nodes };
  found.push(...goBackChanges(earlier, later, pair));
  found.push(...metadataChanges(earlier.metadata, later.metadata, { path: [...path, "metadata"], more }));
  const known = ["condition", "go_back_conditions", "metadata"];
  return [...found, ...otherChanges(omit({ ...earlier }, known), omit({ ...later }, known), { path, more })];
}

function goBackChanges(
  before: GlobalNodeSetting,
  after: GlobalNodeSetting,
  { earlierId, id, nodes }: NodePair,
): readonly GraphChange[] {
  const [earlier, later] = [before.go_back_conditions, after.go_back_conditions];
  const pathOf = (node: string, index: number) => ["nodes", node, "global_node_setting", "go_back_conditions", index];
  const pairs = pairItems<GoBackCondition>(earlier, later, [
    comparisonKey,
    ({ condition }) => comparisonKey(condition),
    ({ id: name }) => name,
    ({ condition }) => condition.type,
  ]);
  const removed = unpaired(earlier.length, pairs).flatMap((index): GraphChange[] => {
    const back = earlier[index];
    if (!back) return [];
    const message = `Calls no longer return from ${shortQuote(id)} ${conditionPhrase(back.condition)}`;
    const path = pathOf(earlierId, index);
    return [changeOf({ kind: "go-back-removed", path, node: earlierId, before: back, nodes, message })];
  });
  const others = later.flatMap((back, index): readonly GraphChange[] => {
    const path = pathOf(id, index);
    const match = pairs[index];
    const old = match === undefined ? undefined : earlier[match];
    const more = { node: id, nodes };
    if (!old) {
      const message = `Calls now also return from ${shortQuote(id)} ${conditionPhrase(back.condition)}`;
      return [changeOf({ kind: "go-back-added", path, ...more, after: back, message })];
    }
    const subject = `Way back from ${shortQuote(id)}`;
    const known = ["id", "condition"];
    return [
      ...(old.id === back.id
        ? []
        : [
            changeOf({
              kind: "rewritten",
              path: [...path, "id"],
              ...more,
              before: old.id,
              after: back.id,
              message: `${subject} has the id ${shortQuote(back.id)} instead of ${shortQuote(old.id)}`,
            }),
          ]),
      ...conditionChanges(old.condition, back.condition, { path: [...path, "condition"], subject, more }),
      ...otherChanges(omit({ ...old }, known), omit({ ...back }, known), { path, more }),
    ];
  });
  if (!isReordered(pairs)) return [...removed, ...others];
  const ids = (list: readonly GoBackCondition[]) => list.map((each) => each.id);
  const order = changeOf({
    kind: "transitions-reordered",
    path: ["nodes", id, "global_node_setting", "go_back_conditions"],
    node: id,
    nodes,
    before: ids(earlier),
    after: ids(later),
    message: `Go-back conditions of ${shortQuote(id)} are tried in another order`,
  });
  return [...removed, ...others, order];
}
