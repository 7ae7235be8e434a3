import type { Path } from "../../../src/errors.ts";
import type { AgentNode } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { limits, namePatterns } from "../api/mod.ts";
import { refOf } from "./directory.ts";
import type { FindingList } from "./findings.ts";
import { getAt, isText } from "./json_path.ts";
import { TOOL_LISTS } from "./tool_lists.ts";

/** The assistants that a handoff can name. */
export interface KnownAssistants {
  readonly names: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** Whether every name is known: of a member that is given by its id alone it is not. */
  readonly isComplete: boolean;
}

/** Checks the tools of a member, wherever they stand. */
export function checkTools(
  home: JsonObject,
  node: AgentNode | undefined,
  known: KnownAssistants,
  found: FindingList,
): void {
  const seen = new Set<string>();
  for (const list of TOOL_LISTS) {
    const items = getAt(home, list.path);
    for (const item of (Array.isArray(items) ? items : []).filter(isRecord)) {
      const name = toolName(item);
      const path = toolPath(node, name);
      if (list.holds === "destinations") checkDestination(item, undefined, path, known, found);
      else checkTool(item, name, path, known, found);
      if (name === undefined) continue;
      if (seen.has(name)) {
        const message = `Two tools of one assistant are called "${name}": Vapi keeps only one of them`;
        found.warning("tool-duplicate", path, message, "Give each tool a name of its own");
      }
      seen.add(name);
    }
  }
}

function checkTool(
  tool: JsonObject,
  name: string | undefined,
  path: Path,
  known: KnownAssistants,
  found: FindingList,
): void {
  const isRequest = tool.type === "apiRequest" && !isRecord(tool.function);
  const rule = isRequest ? namePatterns().request : namePatterns().function;
  if (name !== undefined && !rule.test(name)) {
    const most = isRequest ? limits().requestName : limits().functionName;
    const message = `"${name}" is no name for a tool: letters, digits, "_" and "-" only, at most ${most}`;
    found.error("function-name", path, message, "Rename the tool");
  }
  const description = getAt(tool, ["function", "description"]) ?? tool.description;
  if (isText(description) && description.length > limits().message) {
    const message = `A description of ${description.length} characters is longer than the ${limits().message} that Vapi takes`;
    found.warning("description-length", path, message, "Shorten the description; details belong in the prompt");
  }
  if (isText(tool.code) && tool.code.length > limits().code)
    found.error("code-length", path, `The code is longer than ${limits().code} characters`, "Move it behind a URL");
  checkMessages(tool.messages, path, found);
  checkAliases(tool, path, found);
  if (tool.type !== "handoff" && tool.type !== "transferCall") return;
  for (const destination of (Array.isArray(tool.destinations) ? tool.destinations : []).filter(isRecord)) {
    checkDestination(destination, description, path, known, found);
    checkAliases(destination, path, found);
  }
}

function checkMessages(messages: unknown, path: Path, found: FindingList): void {
  for (const message of (Array.isArray(messages) ? messages : []).filter(isRecord))
    if (isText(message.content) && message.content.length > limits().message) {
      const state = `A tool's message of ${message.content.length} characters is longer than ${limits().message}`;
      found.error("message-length", path, state, "Shorten the message");
    }
}

function checkAliases(owner: JsonObject, path: Path, found: FindingList): void {
  const aliases = getAt(owner, ["variableExtractionPlan", "aliases"]);
  for (const { key, value } of (Array.isArray(aliases) ? aliases : []).filter(isRecord)) {
    if (typeof key === "string" && !(namePatterns().alias.test(key) && key.length <= limits().alias)) {
      const message = `"${key}" is no name for a variable: a letter, then letters, digits and "_", at most ${limits().alias}`;
      found.error("alias-name", path, message, "Rename the variable");
    }
    if (isText(value) && value.length > limits().aliasValue)
      found.error(
        "alias-length",
        path,
        `The value of "${String(key)}" is longer than ${limits().aliasValue}`,
        "Shorten it",
      );
  }
}

function checkDestination(
  destination: JsonObject,
  told: unknown,
  path: Path,
  known: KnownAssistants,
  found: FindingList,
): void {
  const { type } = destination;
  if (type !== "assistant" && type !== undefined) return;
  const { assistantId, assistantName } = refOf(destination);
  const isKnown =
    (assistantId !== undefined && known.ids.has(assistantId)) ||
    (assistantName !== undefined && known.names.has(assistantName));
  if (!isKnown && (assistantId !== undefined || (assistantName !== undefined && !known.isComplete))) {
    const name = assistantId ?? assistantName;
    const message = `The assistant "${name}" is not in this document: only Vapi knows whether there is one`;
    found.warning("unknown-assistant", path, message, "Add the assistant to the squad, or make sure that it is saved");
  } else if (!isKnown && assistantName !== undefined) {
    const message = `No member of the squad is called "${assistantName}": the call would stay where it is`;
    found.error("unknown-assistant", path, message, "Add the member, or name one that is there");
  }
  if (!isText(destination.description) && !isText(told)) {
    const message = "A handoff without a description: Vapi then tells the model not to use it unless it is told to";
    found.warning("handoff-undescribed", path, message, "Say when to hand off, in the transition's condition");
  }
}

function toolName(tool: JsonObject): string | undefined {
  return [getAt(tool, ["function", "name"]), tool.name].find(isText);
}

/** The tool's place in the graph, where the node has it; else the node. */
function toolPath(node: AgentNode | undefined, name: string | undefined): Path {
  if (!node) return [];
  const index = node.tools.findIndex((tool) => tool.name === name);
  return index < 0 ? ["nodes", node.id] : ["nodes", node.id, "tools", index];
}
