import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, own, recordAt } from "../../../src/values/mod.ts";
import { idsOf, nameOf, refOf } from "./directory.ts";
import type { FindingList } from "./findings.ts";
import { getAt } from "./json_path.ts";
import { readOpening } from "./opening.ts";
import { TOOL_LISTS } from "./tool_lists.ts";

/**
 * Vapi speaks the first member's first message again when the call is handed back to it, unless the handoff overrides
 * the message, as those that Callweave emits do.
 */
export function checkGreeting(
  squad: JsonObject,
  homes: readonly JsonObject[],
  graph: AgentGraph,
  path: Path,
  found: FindingList,
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
  const message = `"${words.slice(0, 40)}" is spoken again each time the call is handed back to "${graph.entry_node_id}"`;
  found.warning("repeated-greeting", path, message, "Override firstMessage in the handoffs that lead back");
}

/** Where the handoffs of a member lead, each as it is written. */
function handoffsOf(home: JsonObject): readonly JsonObject[] {
  return TOOL_LISTS.flatMap(({ path, holds }) => {
    const items = getAt(home, path);
    const list = (Array.isArray(items) ? items : []).filter(isRecord);
    if (holds === "destinations") return list;
    return list.flatMap(({ type, destinations }) =>
      type === "handoff" && Array.isArray(destinations) ? destinations.filter(isRecord) : [],
    );
  });
}
