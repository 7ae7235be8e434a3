import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { freeNames, getAt, isText, setAt } from "../shared/mod.ts";
import type { Extra } from "./added.ts";

/**
 * Renames what is added to a member where the member has a tool of that name already: of two, Vapi would keep one.
 */
export function withFreeNames(extra: Extra | undefined, node: AgentNode): Extra | undefined {
  if (!extra || extra.tools.length === 0) return extra;
  const others = node.transitions.map(({ metadata }) => getAt(metadata, ["vapi", "tool", "function", "name"]));
  const free = freeNames(node.tools, others);
  const renamed = new Map<string, string>();
  const tools = extra.tools.map((tool): JsonObject => {
    const path = isRecord(tool.function) ? ["function", "name"] : ["name"];
    const name = getAt(tool, path);
    if (!isText(name)) return tool;
    const given = free(name);
    if (given !== name) renamed.set(name, given);
    return given === name ? tool : setAt(tool, path, given);
  });
  const guide = extra.guide.replace(/(?<=\b[Cc]all )([\w-]+)/g, (name) => renamed.get(name) ?? name);
  return { ...extra, tools, guide };
}
