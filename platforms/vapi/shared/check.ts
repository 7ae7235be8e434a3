import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own, recordAt } from "../../../src/values/mod.ts";
import type { Finding } from "../../platform.ts";
import { keysOf, limits, SERVER_KEYS } from "../api/mod.ts";
import { checkGreeting } from "./check_greeting.ts";
import { checkTools, type KnownAssistants } from "./check_tools.ts";
import { idsOf, nameOf, nodeIds } from "./directory.ts";
import { FindingList } from "./findings.ts";
import { getAt, isText } from "./json_path.ts";
import { readPrompt } from "./prompt.ts";

/** A placeholder that Liquid can read: a path or a literal, then filters. Vapi's own variables have dots and brackets. */
const PLACEHOLDER =
  /^\s*(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$-]*\??(?:\.[\w$-]+|\[[^\]]*\])*)\s*(?:\|.*)?$/s;

/**
 * What Vapi is known to refuse, or to do otherwise than one would think, in a squad that is to be emitted.
 *
 * @param squad The emitted squad, out of its envelope.
 */
export function checkSquad(squad: JsonObject, graph: AgentGraph): readonly Finding[] {
  const found = new FindingList();
  const homes = (Array.isArray(squad.members) ? squad.members : []).filter(isRecord);
  checkKeys(squad, "CreateSquadDTO", "squad", ["source_metadata", "vapi"], found);
  const ids = nodeIds(homes);
  const names = homes.map(nameOf).filter(isText);
  const isComplete = homes.every((home) => nameOf(home) !== undefined);
  const known = { names: new Set(names), ids: new Set(homes.flatMap(idsOf)), isComplete };
  checkKeys(recordAt(squad, "membersOverrides"), "AssistantOverrides", "override", ["source_metadata", "vapi"], found);
  const seen = new Set<string>();
  for (const [index, home] of homes.entries()) {
    const path = pathOf(ids[index] ?? "", graph);
    checkKeys(home, "SquadMemberDTO", "member of a squad", path, found);
    checkKeys(recordAt(home, "assistantOverrides"), "AssistantOverrides", "override", path, found);
    checkHome(home, path, found);
    checkTools(home, own(graph.nodes, ids[index] ?? ""), known, found);
    const name = nameOf(home);
    if (name === undefined) continue;
    if (seen.has(name)) {
      const message = `Two members are called "${name}": a handoff by name would find only the first`;
      found.error("assistant-name-duplicate", path, message, "Rename one of the nodes");
    }
    seen.add(name);
  }
  checkGreeting(squad, homes, graph, pathOf(graph.entry_node_id, graph), found);
  return found.all();
}

/** An assistant of its own has nobody to hand over to by name. */
const NOBODY: KnownAssistants = { names: new Set(), ids: new Set(), isComplete: true };

/** What Vapi is known to refuse, or to do otherwise than one would think, in an assistant that is to be emitted. */
export function checkAssistant(assistant: JsonObject, graph: AgentGraph): readonly Finding[] {
  const found = new FindingList();
  const path = pathOf(graph.entry_node_id, graph);
  const home = { assistant };
  checkHome(home, path, found);
  checkTools(home, own(graph.nodes, graph.entry_node_id), NOBODY, found);
  return found.all();
}

function checkHome(home: JsonObject, path: Path, found: FindingList): void {
  const assistant = recordAt(home, "assistant");
  checkKeys(assistant, "CreateAssistantDTO", "assistant", path, found);
  const name = nameOf(home);
  if (name !== undefined && name.length > limits().assistantName) {
    const message = `The name "${name}" is longer than ${limits().assistantName} characters`;
    found.error("assistant-name-length", path, message, "Rename the node");
  }
  for (const owner of [assistant, recordAt(home, "assistantOverrides")]) {
    checkTexts(owner, path, found);
    checkRange("maxDurationSeconds", owner.maxDurationSeconds, path, found);
    checkRange("temperature", getAt(owner, ["model", "temperature"]), path, found);
    checkRange("maxTokens", getAt(owner, ["model", "maxTokens"]), path, found);
  }
  checkLiquid(readPrompt(home).text, [...path, "state_prompt"], found);
}

function checkTexts(owner: JsonObject, path: Path, found: FindingList): void {
  for (const key of ["voicemailMessage", "endCallMessage"]) {
    const text = owner[key];
    if (isText(text) && text.length > limits().message)
      found.error(
        "message-length",
        path,
        `"${key}" is longer than ${limits().message} characters`,
        "Shorten the message",
      );
  }
  const [least, most] = limits().endCallPhrase;
  for (const phrase of Array.isArray(owner.endCallPhrases) ? owner.endCallPhrases : [])
    if (typeof phrase === "string" && (phrase.length < least || phrase.length > most)) {
      const message = `The phrase "${phrase.slice(0, 40)}" that ends a call is not ${least} to ${most} characters long`;
      found.error("end-call-phrase", path, message, "Change or remove the phrase");
    }
}

function checkRange(
  key: "maxDurationSeconds" | "temperature" | "maxTokens",
  value: unknown,
  path: Path,
  found: FindingList,
): void {
  const [least, most] = limits()[key];
  if (typeof value !== "number" || (value >= least && value <= most)) return;
  found.error("number-range", path, `"${key}" is ${value}, and Vapi takes ${least} to ${most}`, `Change "${key}"`);
}

function checkKeys(owner: JsonObject, schema: string, thing: string, path: Path, found: FindingList): void {
  const known = keysOf(schema);
  const unknown = Object.keys(owner).filter((key) => !known.includes(key) && !SERVER_KEYS.includes(key));
  if (unknown.length === 0) return;
  const keys = unknown.map((key) => `"${key}"`).join(", ");
  const message = `Vapi's ${thing} has no ${keys} any more, and answers an unknown key with an error`;
  found.warning("unknown-key", path, message, "Leave the keys out when you send the document, or move what they hold");
}

function checkLiquid(text: string, path: Path, found: FindingList): void {
  const wrong = [...text.matchAll(/\{\{-?([^{}]*?)-?\}\}/g)].filter(([, inside = ""]) => !PLACEHOLDER.test(inside));
  for (const placeholder of new Set(wrong.map(([whole]) => whole))) {
    const message = `"${placeholder}" is no Liquid that Vapi can read`;
    found.warning("malformed-liquid", path, message, "Use one variable's name, and filters behind it");
  }
}

function pathOf(id: string, graph: AgentGraph): Path {
  return Object.hasOwn(graph.nodes, id) ? ["nodes", id] : ["nodes"];
}
