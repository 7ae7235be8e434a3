import { omit } from "../../../../base/values/mod.ts";
import type { ToolDefinition } from "../../../../document/graph/mod.ts";
import { changeOf, type GraphChange, type NewChange } from "../change.ts";
import { comparisonKey, isReordered, isSame, pairItems, unpaired } from "../matching/mod.ts";
import { textParts } from "../text_parts.ts";
import { listedNames, shortQuote, shownValue } from "../words.ts";
import { metadataChanges } from "./metadata_changes.ts";
import { otherChanges } from "./other_changes.ts";
import { schemaChanges } from "./schema_changes.ts";
import type { NodePair } from "./transition_changes.ts";

const KNOWN = ["name", "description", "parameters", "type", "url", "tool_id", "response_variables", "metadata"];
const REQUEST = ["type", "url", "tool_id"] as const;

/** Compares the tools of a node: equal tools are paired first, then those with the same name. */
export function toolChanges({ before, after, earlierId, id, nodes }: NodePair): readonly GraphChange[] {
  if (isSame(before.tools, after.tools)) return [];
  const pairs = pairItems<ToolDefinition>(before.tools, after.tools, [comparisonKey, ({ name }) => name]);
  const removed = unpaired(before.tools.length, pairs).map((index) => {
    const tool = before.tools[index];
    const message = `Node ${shortQuote(id)} no longer has tool ${shortQuote(tool?.name ?? "")}`;
    const path = ["nodes", earlierId, "tools", index];
    return changeOf({ kind: "tool-removed", path, node: earlierId, before: tool, nodes, message });
  });
  const others = after.tools.flatMap((tool, index): readonly GraphChange[] => {
    const path = ["nodes", id, "tools", index];
    const match = pairs[index];
    const old = match === undefined ? undefined : before.tools[match];
    if (old) return oneTool(old, tool, { path, node: id, nodes });
    const message = `Node ${shortQuote(id)} has the new tool ${shortQuote(tool.name)}`;
    return [changeOf({ kind: "tool-added", path, node: id, after: tool, nodes, message })];
  });
  if (!isReordered(pairs)) return [...removed, ...others];
  const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);
  const order = changeOf({
    kind: "tools-reordered",
    path: ["nodes", id, "tools"],
    node: id,
    nodes,
    before: names(before.tools),
    after: names(after.tools),
    message: `Tools of ${shortQuote(id)} are offered in another order: ${listedNames(names(after.tools))}`,
  });
  return [...removed, ...others, order];
}

type ToolChangePlace = Required<Pick<NewChange, "path" | "node" | "nodes">>;

function oneTool(
  before: ToolDefinition,
  after: ToolDefinition,
  { path, ...more }: ToolChangePlace,
): readonly GraphChange[] {
  if (isSame(before, after)) return [];
  const subject = `Tool ${shortQuote(after.name)} of ${shortQuote(more.node)}`;
  const found: GraphChange[] = [];
  if (before.description !== after.description) {
    const [old, now] = [before.description, after.description];
    const message = `${subject} has another description: ${shortQuote(now)} instead of ${shortQuote(old)}`;
    const words = textParts(old, now);
    found.push(
      changeOf({
        kind: "tool-reworded",
        path: [...path, "description"],
        ...more,
        before: old,
        after: now,
        message,
        words,
      }),
    );
  }
  found.push(...schemaChanges(before.parameters, after.parameters, { path: [...path, "parameters"], subject, more }));
  for (const key of REQUEST) {
    if (isSame(before[key], after[key])) continue;
    const [old, now] = [before[key] ?? undefined, after[key] ?? undefined];
    const message = `${subject} has ${key} ${shownValue(now ?? "")} instead of ${shownValue(old ?? "")}`;
    found.push(
      changeOf({ kind: "tool-request-changed", path: [...path, key], ...more, before: old, after: now, message }),
    );
  }
  const kind = "tool-request-changed";
  const response = { path: [...path, "response_variables"], more, kind } as const;
  found.push(...otherChanges(before.response_variables ?? {}, after.response_variables ?? {}, response));
  found.push(...metadataChanges(before.metadata, after.metadata, { path: [...path, "metadata"], more }));
  found.push(...otherChanges(omit({ ...before }, KNOWN), omit({ ...after }, KNOWN), { path, more }));
  return found;
}
