import type { Path } from "../../../../src/base/errors.ts";
import { isRecord, type JsonObject, own, recordAt, recordsAt } from "../../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../../src/document/graph/mod.ts";
import type { Report } from "../../../platform.ts";
import { idsOf, nameOf, refOf } from "../directory.ts";
import { readOpening } from "../opening.ts";
import { TOOL_LISTS } from "../tool_lists.ts";

/**
 * Reports handoffs back to the first member that repeat its first message. Vapi speaks the message again unless the
 * handoff overrides it, as handoffs that Callweave emits do.
 */
export function checkGreeting(
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
