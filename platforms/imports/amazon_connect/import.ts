import { Names } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import { GraphDraft } from "../shared/mod.ts";
import { addBlock } from "./blocks.ts";
import { flowIn, References, readAction } from "./document.ts";

/** Reads a flow: blocks become nodes, and their branches transitions. */
export function importFlow(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const whole = flowIn(document);
  if (!whole)
    throw unknownShape("Amazon Connect flow", "it has no actions", ["Actions"], 'Pass "StartAction" and "Actions"');
  const { flow, root, name } = whole;
  const { Actions: given, StartAction: start } = flow;
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const found = list.map((value, index) => readAction(value, [...root, "Actions", index]));
  const actions = found.filter((action) => action !== undefined);
  const draft = new GraphDraft(
    "amazon-connect",
    actions.map(({ id }) => id),
    report,
  );
  for (const [index, action] of found.entries())
    if (!action)
      draft.warn("unread-part", [...root, "Actions", index], "It is no block with an Identifier", "Give it one");
  const references = new References(JSON.stringify(list));
  const tools = new Names([], { joint: "_", limit: 60 });
  for (const action of actions) addBlock(action, { draft, references, tools });
  return draft.graph(
    typeof start === "string" ? start : undefined,
    [...root, "StartAction"],
    typeof name === "string" && name !== "" ? { name } : {},
  );
}
