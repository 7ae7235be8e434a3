import type { Path } from "../../../src/base/errors.ts";
import {
  getAt,
  isRecord,
  type JsonObject,
  omit,
  own,
  quotedList,
  recordAt,
  recordsAt,
  sameJson,
} from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import { findingsOf } from "../../findings.ts";
import type { Finding, Report } from "../../platform.ts";
import { limits, modelNames, named, publishedOn, type Refused, vapiRefusals } from "../api/mod.ts";
import { VAPI_SERVER_KEYS } from "../traits/mod.ts";
import { idsOf, nameOf, nodeIds, refOf } from "./directory.ts";
import { TOOL_LISTS } from "./lists.ts";
import { type OpenedSquad, readOpening } from "./members.ts";
import { isText, readPrompt } from "./prompt.ts";

/** A placeholder that Liquid can parse: a path (with dots and brackets) or a literal, then filters. */
const PLACEHOLDER =
  /^\s*(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$-]*\??(?:\.[\w$-]+|\[[^\]]*\])*)\s*(?:\|.*)?$/s;

/**
 * Checks an emitted squad for parts that Vapi rejects, or runs differently than expected.
 *
 * @param opened The emitted squad with the assistants of its members.
 */
export function checkSquad({ squad, homes }: OpenedSquad, graph: AgentGraph): readonly Finding[] {
  return findingsOf((report) => {
    const ids = nodeIds(homes);
    const names = homes.map(nameOf).filter(isText);
    const isComplete = homes.every((home) => nameOf(home) !== undefined);
    const known = { names: new Set(names), ids: new Set(homes.flatMap(idsOf)), isComplete };
    const placeOf = ([key, index, ...rest]: Path): Path => {
      if (key !== "members" || typeof index !== "number")
        return ["source_metadata", "vapi", "squad", ...[key ?? [], index ?? [], rest].flat()];
      return placeIn(homes[index] ?? {}, rest, ids[index] ?? "", graph);
    };
    checkSchema("squad", { ...asSent(squad), members: homes.map(memberAsSent) }, placeOf, report);
    const seen = new Set<string>();
    for (const [index, home] of homes.entries()) {
      const id = ids[index] ?? "";
      checkHome(home, id, known, graph, report);
      const name = nameOf(home);
      if (name === undefined) continue;
      const message = `Two members are named "${name}": handoffs by name reach only the first`;
      if (seen.has(name)) report("assistant-name-duplicate", pathOf(id, graph), message, "Rename one of the nodes");
      seen.add(name);
    }
    checkGreeting(squad, homes, graph, pathOf(graph.entry_node_id, graph), report);
  });
}

/** A single assistant cannot hand off by name. */
const NOBODY: KnownAssistants = { names: new Set(), ids: new Set(), isComplete: true };

/** Checks an emitted assistant, like {@link checkSquad}. */
export function checkAssistant(assistant: JsonObject, graph: AgentGraph): readonly Finding[] {
  return findingsOf((report) => {
    const id = graph.entry_node_id;
    const placeOf = ([, , ...rest]: Path) => placeIn({ assistant }, rest, id, graph);
    checkSchema("squad", { members: [memberAsSent({ assistant })] }, placeOf, report);
    checkHome({ assistant }, id, NOBODY, graph, report);
  });
}

/** Checks what the schemas do not say of a member: its Liquid, its tools, and tools in places of older versions. */
function checkHome(home: JsonObject, id: string, known: KnownAssistants, graph: AgentGraph, report: Report): void {
  const node = own(graph.nodes, id);
  checkLiquid(readPrompt(home).text, [...pathOf(id, graph), "state_prompt"], report);
  checkTools(home, node, known, report);
  for (const owner of ["assistant", "assistantOverrides"])
    checkModelOf(recordAt(recordAt(home, owner), "model"), pathOf(id, graph), report);
  for (const { path, holds } of TOOL_LISTS.filter(({ key }) => OLD_LISTS.includes(key)))
    for (const tool of holds === "tools" ? recordsAt(home, path) : []) {
      const whole = isText(tool.type) ? tool : { type: "function", function: tool };
      checkSchema("tool", whole, () => toolPath(node, tool), report);
    }
}

/** Warns about a model that Vapi does not list for its provider; its API may have newer ones. */
function checkModelOf({ provider, model }: JsonObject, path: Path, report: Report): void {
  const known = own(modelNames(), String(provider));
  if (!isText(model) || !known || known.includes(model)) return;
  const message = `Vapi does not list the model "${model}" of the provider "${String(provider)}"`;
  report("unknown-model", path, message, `Use one of ${quotedList(known, 12)}`, "warning");
}

/** Lists of tools that the schemas do not have. */
const OLD_LISTS = ["assistant.model.functions", "assistant.tools", "assistant.functions", "assistantOverrides.tools"];

/** Returns the place in the graph of a place in a member: that of the tool, or the node and the keys. */
function placeIn(home: JsonObject, at: Path, id: string, graph: AgentGraph): Path {
  const list = TOOL_LISTS.find(({ path, holds }) => holds === "tools" && sameJson(at.slice(0, path.length), path));
  const tool = list && getAt(home, at.slice(0, list.path.length + 1));
  const node = own(graph.nodes, id);
  return isRecord(tool) && node ? toolPath(node, tool) : [...pathOf(id, graph), ...at];
}

/** Removes what Vapi's servers add and do not accept back. */
const asSent = (document: JsonObject): JsonObject => omit(document, VAPI_SERVER_KEYS);

function memberAsSent(home: JsonObject): JsonObject {
  return isRecord(home.assistant) ? { ...home, assistant: asSent(home.assistant) } : home;
}

function checkLiquid(text: string, path: Path, report: Report): void {
  const wrong = [...text.matchAll(/\{\{-?([^{}]*?)-?\}\}/g)].filter(([, inside = ""]) => !PLACEHOLDER.test(inside));
  for (const placeholder of new Set(wrong.map(([whole]) => whole))) {
    const message = `Vapi cannot parse "${placeholder}" as Liquid`;
    report("malformed-liquid", path, message, "Use one variable's name and filters", "warning");
  }
}

function pathOf(id: string, graph: AgentGraph): Path {
  return Object.hasOwn(graph.nodes, id) ? ["nodes", id] : ["nodes"];
}

/** The assistants that a handoff can refer to. */
export interface KnownAssistants {
  readonly names: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** Whether all names are known. The name of a member that is referred to by id is not. */
  readonly isComplete: boolean;
}

/** Checks the tools of a member, in all of its lists. */
function checkTools(home: JsonObject, node: AgentNode | undefined, known: KnownAssistants, report: Report): void {
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
function toolPath(node: AgentNode | undefined, item: JsonObject): Path {
  if (!node) return [];
  const index = node.tools.findIndex((tool) => tool.name === toolName(item));
  return index < 0 ? ["nodes", node.id] : ["nodes", node.id, "tools", index];
}

/** Code and hint of a value that Vapi limits, by the end of its path. */
const LIMITS: readonly (readonly [end: RegExp, code: string, hint: string])[] = [
  [/(?:^|\.)(?:assistant|assistantOverrides|membersOverrides)\.name$/, "assistant-name-length", "Rename the node"],
  [/(?:voicemailMessage|endCallMessage|messages\.\d+\.content)$/, "message-length", "Shorten the message"],
  [/endCallPhrases\.\d+$/, "end-call-phrase", "Change or remove the phrase"],
  [/aliases\.\d+\.key$/, "alias-name", "Rename the variable"],
  [/aliases\.\d+\.value$/, "alias-length", "Shorten it"],
  [/tools(?::append)?\.\d+\.(?:function\.)?name$/, "function-name", "Rename the tool"],
  [/\.code$/, "code-length", "Move the code to a server and call it by URL"],
];

/** End of the hint for a number out of its range. */
const NEAREST = "the nearest allowed value";

/**
 * Reports what Vapi's published schemas do not allow in an assistant, a squad or a tool: a limit is an error, everything
 * else a warning, because the API accepts more than its schemas.
 *
 * @param placeOf Returns the place in the graph for a path in the body.
 */
function checkSchema(kind: "squad" | "tool", body: JsonObject, placeOf: (at: Path) => Path, report: Report): void {
  for (const refused of vapiRefusals(kind, body)) {
    const { path, hint } = refused;
    const at = path.join(".");
    if (refused.isUnknown) {
      const message = `"${named(path).replace(/^members\.\d+\./, "")}" is not in Vapi's published schema of ${publishedOn()}`;
      report("unknown-key", placeOf(path), message, hint, "warning");
      continue;
    }
    const value = getAt(body, path);
    const isLimited = typeof value === "number" || typeof value === "string";
    const [, code, words] = LIMITS.find(([end]) => isLimited && end.test(at)) ?? [];
    if (value === "" && code !== undefined) continue; // a value that is not set yet
    if (code !== undefined) report(code, placeOf(path), refused.message, words ?? hint);
    else if (typeof value === "number" && hint.endsWith(NEAREST))
      report("number-range", placeOf(path), refused.message, "Change the number");
    else report("refused-value", placeOf(path), saidBySchema(refused), hint, "warning");
  }
}

function saidBySchema({ message }: Refused): string {
  return message.replace(/^Vapi (does not accept|needs)/, `Vapi's published schema of ${publishedOn()} $1`);
}

/**
 * Reports handoffs back to the first member that repeat its first message. Vapi speaks the message again unless the
 * handoff overrides it, as handoffs that Callweave emits do.
 */
function checkGreeting(
  squad: JsonObject,
  homes: readonly JsonObject[],
  graph: AgentGraph,
  path: Path,
  report: Report,
): void {
  const [first] = homes;
  const words = first && readOpening(first).opening.begin_message;
  if (!words || own(graph.nodes, graph.entry_node_id)?.instruction_type === "static_text") return;
  const [name, ids] = [nameOf(first), idsOf(first)];
  const shared = {
    assistantOverrides: recordAt(squad, isRecord(squad.membersOverrides) ? "membersOverrides" : "memberOverrides"),
  };
  const repeats = [...homes, shared].flatMap(handoffsOf).some((handoff) => {
    const overrides = recordAt(handoff, "assistantOverrides");
    if (Object.hasOwn(overrides, "firstMessage") || Object.hasOwn(overrides, "firstMessageMode")) return false;
    const { assistantId, assistantName } = refOf(handoff);
    return assistantId === undefined ? name !== undefined && assistantName === name : ids.includes(assistantId);
  });
  if (!repeats) return;
  const message = `"${words.slice(0, 40)}" is spoken again after every handoff back to "${graph.entry_node_id}"`;
  report("repeated-greeting", path, message, "Override firstMessage in the handoffs that lead back", "warning");
}

/** Returns the destinations of a member's handoffs. */
function handoffsOf(home: JsonObject): readonly JsonObject[] {
  return TOOL_LISTS.flatMap(({ path, holds }) => {
    const list = recordsAt(home, path);
    if (holds === "destinations") return list;
    return list.flatMap((tool) => (tool.type === "handoff" ? recordsAt(tool, ["destinations"]) : []));
  });
}
