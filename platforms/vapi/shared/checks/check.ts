import type { Path } from "../../../../src/base/errors.ts";
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
} from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import { findingsOf } from "../../../findings.ts";
import type { Finding, Report } from "../../../platform.ts";
import { modelNames } from "../../api/mod.ts";
import { VAPI_SERVER_KEYS } from "../../traits/mod.ts";
import { idsOf, nameOf, nodeIds } from "../directory.ts";
import type { OpenedSquad } from "../members.ts";
import { readPrompt } from "../prompt.ts";
import { isText } from "../texts.ts";
import { TOOL_LISTS } from "../tool_lists.ts";
import { checkGreeting } from "./check_greeting.ts";
import { checkSchema } from "./check_schema.ts";
import { checkTools, type KnownAssistants, toolPath } from "./check_tools.ts";

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
