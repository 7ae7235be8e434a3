import type { JsonObject } from "../../../src/base/values/mod.ts";
import { isTerminal } from "../../lower/mod.ts";
import { bodyKeys, loseForeignSettings, ownKeys } from "../shared/mod.ts";
import { RETELL_SERVER_KEYS } from "../traits/mod.ts";
import { functionSettings } from "./emit_tools.ts";
import type { LlmContext } from "./exits.ts";
import { CALL_TOOLS, callKeys, sharedSettings } from "./schema.ts";

/** Settings of a flow that do not affect calls, or that an LLM has in another place. */
const SILENT = new Set([
  ...RETELL_SERVER_KEYS,
  ...["begin_tag_display_position", "display_position", "is_transfer_llm", "model_choice"],
  ...["model_high_priority", "name", "notes", "s2s_model", "start_speaker", "type"],
]);

/** Reports settings and nodes that an LLM does not support. */
export function reportUnsupported({ graph, plan, losses, native }: LlmContext): void {
  const carried = new Set([...SILENT, ...sharedSettings(), ...Object.keys(CALL_TOOLS).flatMap(callKeys)]);
  const leftOver = (own: JsonObject) => Object.keys(own).filter((key) => !carried.has(key));
  const body = bodyKeys(graph);
  const flow = leftOver(body).filter((key) => key !== "is_transfer_cf" || body[key] === true);
  if (flow.length > 0 && !native)
    losses.add("flow-settings", ["source_metadata", "retell"], `An LLM does not support ${flow.join(", ")}`);
  loseForeignSettings(graph, losses);

  const reached = new Set(plan.states.flatMap((node) => node.transitions.map(({ target_node_id: target }) => target)));
  for (const node of Object.values(graph.nodes)) {
    const path = ["nodes", node.id];
    const own = ownKeys(node);
    const runs = node.node_type === "function" ? functionSettings() : [];
    const settings = leftOver(own).filter(
      (key) => !runs.includes(key) || (key === "wait_for_result" && own[key] === false),
    );
    if (settings.length > 0)
      losses.add("node-settings", [...path, "metadata", "retell"], `A state does not support ${settings.join(", ")}`);
    const globalKeys = ownKeys(node.global_node_setting ?? {});
    const ofGlobal = Object.keys(globalKeys).filter((key) => globalKeys[key] !== null);
    if (ofGlobal.length > 0) {
      const at = [...path, "global_node_setting", "metadata", "retell"];
      losses.add("node-settings", at, `An LLM does not support ${ofGlobal.join(", ")} of a global node`);
    }
    const name = plan.names.get(node.id);
    if (name !== undefined && name !== node.id && !native)
      losses.add("name-changed", path, `Retell does not accept the name "${node.id}"`, `"${name}"`);
    if (isTerminal(node) && !reached.has(node.id) && !node.global_node_setting && node.id !== graph.entry_node_id)
      losses.add("unreachable-node", path, `No state leads to "${node.id}"`);
  }
}
