import type { Path } from "../../../../src/base/errors.ts";
import { getAt, type JsonObject, recordAt, recordsAt } from "../../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import type { Report } from "../../../platform.ts";
import { limits } from "../../api/mod.ts";
import { refOf } from "../directory.ts";
import { isText } from "../texts.ts";
import { TOOL_LISTS } from "../tool_lists.ts";

/** The assistants that a handoff can refer to. */
export interface KnownAssistants {
  readonly names: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** Whether all names are known. The name of a member that is referred to by id is not. */
  readonly isComplete: boolean;
}

/** Checks the tools of a member, in all of its lists. */
export function checkTools(
  home: JsonObject,
  node: AgentNode | undefined,
  known: KnownAssistants,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const list of TOOL_LISTS) {
    for (const item of recordsAt(home, list.path)) {
      const name = toolName(item);
      const path = toolPath(node, item);
      if (list.holds === "destinations") checkDestination(item, undefined, path, known, report);
      else checkTool(item, path, known, report);
      if (name === undefined) continue;
      const message = `Two tools of an assistant are named "${name}": Vapi keeps only one of them`;
      if (seen.has(name)) report("tool-duplicate", path, message, "Give each tool a unique name", "warning");
      seen.add(name);
    }
  }
}

function checkTool(tool: JsonObject, path: Path, known: KnownAssistants, report: Report): void {
  const { description } = { ...tool, ...recordAt(tool, "function") };
  const message = `Vapi does not accept the ${String(description).length} characters of "description"`;
  const hint = "Shorten the description, and move details to the prompt";
  if (isText(description) && description.length > limits().message)
    report("description-length", path, message, hint, "warning");
  if (tool.type !== "handoff" && tool.type !== "transferCall") return;
  for (const destination of recordsAt(tool, ["destinations"])) {
    checkDestination(destination, description, path, known, report);
  }
}

function checkDestination(
  destination: JsonObject,
  told: unknown,
  path: Path,
  known: KnownAssistants,
  report: Report,
): void {
  const { type } = destination;
  if (type !== "assistant" && type !== undefined) return;
  const { assistantId, assistantName } = refOf(destination);
  const isKnown =
    (assistantId !== undefined && known.ids.has(assistantId)) ||
    (assistantName !== undefined && known.names.has(assistantName));
  if (!isKnown && (assistantId !== undefined || (assistantName !== undefined && !known.isComplete))) {
    const name = assistantId ?? assistantName;
    const message = `The assistant "${name}" is not in this document and may not exist`;
    report("unknown-assistant", path, message, "Add the assistant to the squad, or save it in Vapi", "warning");
  } else if (!isKnown && assistantName !== undefined) {
    const message = `No member of the squad is named "${assistantName}": the call would stay with this member`;
    report("unknown-assistant", path, message, "Add the member, or use the name of an existing one");
  }
  if (!isText(destination.description) && !isText(told)) {
    const message = "A handoff has no description: Vapi instructs the model to use it only on request";
    report("handoff-undescribed", path, message, "Set the transition's condition", "warning");
  }
}

function toolName(tool: JsonObject): string | undefined {
  return [getAt(tool, ["function", "name"]), tool.name].find(isText);
}

/** Returns the path of a tool in the graph; the path of the node if the graph does not have the tool. */
export function toolPath(node: AgentNode | undefined, item: JsonObject): Path {
  if (!node) return [];
  const index = node.tools.findIndex((tool) => tool.name === toolName(item));
  return index < 0 ? ["nodes", node.id] : ["nodes", node.id, "tools", index];
}
