import type { Path } from "../../../src/errors.ts";
import type { AgentGraph } from "../../../src/graph/mod.ts";
import { settingNames } from "../../foreign_settings.ts";
import { bodyKeys, ownKeys } from "../shared/mod.ts";
import { functionSettings } from "./emit_function.ts";
import type { Losses } from "./losses.ts";
import { isCall, type Plan } from "./plan.ts";
import { CALL_TOOL_TYPES, callTool, OWNER, sharedSettings } from "./schema.ts";

/** What an LLM has no place for and nobody misses: pictures, and ids that are the flow's own. */
const SILENT = new Set([
  "begin_tag_display_position",
  "conversation_flow_id",
  "display_position",
  "is_published",
  "is_transfer_cf",
  "is_transfer_llm",
  "last_modification_timestamp",
  "model_choice",
  "model_high_priority",
  "name",
  "notes",
  "s2s_model",
  "start_speaker",
  "type",
  "version",
]);

/** Owners that are the graph's or this platform's. */
const KNOWN = new Set([
  "retell",
  OWNER,
  "voicetest",
  "general_prompt",
  "begin_message",
  "start_speaker",
  "default_dynamic_variables",
  "name",
  "description",
]);

/** Says which settings, and which nodes, are left behind. */
export function settingsLosses(graph: AgentGraph, plan: Plan, losses: Losses, native: boolean): void {
  const carried = new Set<string>([...sharedSettings(), ...CALL_TOOL_TYPES.flatMap((type) => callTool(type).keys)]);
  const leftOver = (keys: readonly string[]) => keys.filter((key) => !SILENT.has(key) && !carried.has(key));
  const flow = leftOver(Object.keys(bodyKeys(graph)));
  if (flow.length > 0 && !native)
    losses.add("flow-settings", ["source_metadata", "retell"], `An LLM has no ${flow.join(", ")}`);
  for (const [owner, value] of Object.entries(graph.source_metadata))
    if (!KNOWN.has(owner)) loseForeign(["source_metadata", owner], owner, value, losses);

  const reached = new Set(plan.states.flatMap((node) => node.transitions.map(({ target_node_id: target }) => target)));
  for (const node of Object.values(graph.nodes)) {
    const own = ownKeys(node.metadata);
    const runs = node.node_type === "function" ? functionSettings() : [];
    const settings = leftOver(Object.keys(own)).filter(
      (key) => !runs.includes(key) || (key === "wait_for_result" && own[key] === false),
    );
    const path = ["nodes", node.id];
    if (settings.length > 0)
      losses.add("node-settings", [...path, "metadata", "retell"], `A state has no ${settings.join(", ")}`);
    for (const [owner, value] of Object.entries(node.metadata))
      if (!KNOWN.has(owner)) loseForeign([...path, "metadata", owner], owner, value, losses);
    const name = plan.names.get(node.id);
    if (name !== undefined && name !== node.id && !native)
      losses.add("name-changed", path, `Retell takes no name like "${node.id}"`, `"${name}"`);
    if (isCall(node) && !reached.has(node.id) && !node.global_node_setting && node.id !== graph.entry_node_id)
      losses.add("unreachable-node", path, `No state leads to "${node.id}"`);
  }
}

function loseForeign(path: Path, owner: string, settings: unknown, losses: Losses): void {
  const names = settingNames(owner, settings);
  if (names.length > 0)
    losses.add("foreign-settings", path, `Settings of another platform have no place at Retell: ${names.join(", ")}`);
}
