import type { Path } from "../../../../src/errors.ts";
import type { AgentGraph } from "../../../../src/graph/mod.ts";
import { type JsonObject, own, quotedList, recordAt, recordsAt } from "../../../../src/values/mod.ts";
import { findingsOf } from "../../../findings.ts";
import type { Finding, Report } from "../../../platform.ts";
import { VAPI_SERVER_KEYS } from "../../../server_keys.ts";
import { keysOf } from "../../api/mod.ts";
import { idsOf, nameOf, nodeIds } from "../directory.ts";
import { readPrompt } from "../prompt.ts";
import { isText } from "../texts.ts";
import { checkGreeting } from "./check_greeting.ts";
import { ASSISTANT_LIMITS, checkLimits } from "./check_limits.ts";
import { checkTools, type KnownAssistants } from "./check_tools.ts";

/** A placeholder that Liquid can parse: a path (with dots and brackets) or a literal, then filters. */
const PLACEHOLDER =
  /^\s*(?:"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$-]*\??(?:\.[\w$-]+|\[[^\]]*\])*)\s*(?:\|.*)?$/s;

/**
 * Checks an emitted squad for parts that Vapi rejects, or runs differently than expected.
 *
 * @param squad The emitted squad, without an envelope.
 */
export function checkSquad(squad: JsonObject, graph: AgentGraph): readonly Finding[] {
  return findingsOf((report) => {
    const homes = recordsAt(squad, ["members"]);
    const head = ["source_metadata", "vapi"];
    checkKeys(squad, "CreateSquadDTO", "squad", head, report);
    const ids = nodeIds(homes);
    const names = homes.map(nameOf).filter(isText);
    const isComplete = homes.every((home) => nameOf(home) !== undefined);
    const known = { names: new Set(names), ids: new Set(homes.flatMap(idsOf)), isComplete };
    checkKeys(recordAt(squad, "membersOverrides"), "AssistantOverrides", "override", head, report);
    const seen = new Set<string>();
    for (const [index, home] of homes.entries()) {
      const path = pathOf(ids[index] ?? "", graph);
      checkKeys(home, "SquadMemberDTO", "member of a squad", path, report);
      checkKeys(recordAt(home, "assistantOverrides"), "AssistantOverrides", "override", path, report);
      checkHome(home, path, report);
      checkTools(home, own(graph.nodes, ids[index] ?? ""), known, report);
      const name = nameOf(home);
      if (name === undefined) continue;
      const message = `Two members are named "${name}": handoffs by name reach only the first`;
      if (seen.has(name)) report("assistant-name-duplicate", path, message, "Rename one of the nodes");
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
    checkHome({ assistant }, pathOf(graph.entry_node_id, graph), report);
    checkTools({ assistant }, own(graph.nodes, graph.entry_node_id), NOBODY, report);
  });
}

function checkHome(home: JsonObject, path: Path, report: Report): void {
  const assistant = recordAt(home, "assistant");
  checkKeys(assistant, "CreateAssistantDTO", "assistant", path, report);
  for (const owner of [assistant, recordAt(home, "assistantOverrides")])
    checkLimits(owner, ASSISTANT_LIMITS, path, report);
  checkLiquid(readPrompt(home).text, [...path, "state_prompt"], report);
}

function checkKeys(owner: JsonObject, schema: string, thing: string, path: Path, report: Report): void {
  const known = keysOf(schema);
  const unknown = Object.keys(owner).filter((key) => !known.includes(key) && !VAPI_SERVER_KEYS.includes(key));
  if (unknown.length === 0) return;
  const keys = quotedList(unknown);
  const message = `Vapi's ${thing} has no ${keys}, and its API rejects unknown keys`;
  const hint = "Remove the keys before you send the document";
  report("unknown-key", path, message, hint, "warning");
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
