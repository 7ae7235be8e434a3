import { omit } from "../../../../base/values/mod.ts";
import { changeOf, type GraphChange, type NewChange } from "../change.ts";
import { isSame } from "../matching/mod.ts";
import { textParts } from "../text_parts.ts";
import { shortQuote, shownValue } from "../words.ts";
import { globalChanges } from "./global_changes.ts";
import { metadataChanges } from "./metadata_changes.ts";
import { otherChanges } from "./other_changes.ts";
import { toolChanges } from "./tool_changes.ts";
import { type NodePair, transitionChanges } from "./transition_changes.ts";
import { variableChanges } from "./variable_changes.ts";

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
