import type { AgentGraph } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { settingNames } from "../../foreign_settings.ts";
import type { Loss } from "../../platform.ts";
import { OWNER } from "../shared/mod.ts";
import { loss } from "./losses.ts";

/** What of the source metadata is the graph's own. */
const KNOWN = ["general_prompt", "begin_message", "start_speaker", "default_dynamic_variables", "name", "description"];

/** Where an import of a single or multi prompt agent keeps settings that only such an agent has. */
const SISTER = "retell_llm";
const NO_SETTINGS = [
  ...["general", "repeated"],
  ...["llm_id", "version", "is_published", "last_modification_timestamp"],
  ...["begin_message", "model_high_priority"],
];

/**
 * Says which settings of other platforms stay behind. In a flow that was written in code they are meant for those
 * platforms, so that nothing is lost.
 */
export function settingsLosses(graph: AgentGraph, lose: (loss: Loss) => void): void {
  if (graph.source_type === "custom") return;
  for (const [owner, settings] of Object.entries(graph.source_metadata))
    if (!KNOWN.includes(owner) && owner !== OWNER && isRecord(settings))
      for (const what of owner === SISTER ? sisterSettings(settings) : namesOf(owner, settings))
        lose(loss("foreign-settings", ["source_metadata", owner], what));
  for (const node of Object.values(graph.nodes)) {
    for (const [index, { metadata }] of node.transitions.entries())
      for (const what of sisterSettings(settingsOf(metadata)))
        lose(loss("foreign-settings", ["nodes", node.id, "transitions", index, "metadata", SISTER], what));
    for (const [owner, settings] of Object.entries(node.metadata))
      if (owner !== OWNER && owner !== SISTER)
        for (const what of namesOf(owner, settings))
          lose(loss("foreign-settings", ["nodes", node.id, "metadata", owner], what));
  }
}

/** All settings of another platform in one text, or none. */
function namesOf(owner: string, settings: unknown): readonly string[] {
  const names = settingNames(owner, settings);
  return names.length > 0 ? [names.join(", ")] : [];
}

/** Whether a prompt agent that became this flow is to be answered with priority. */
export function hadPriority(graph: AgentGraph): boolean {
  return settingsOf(graph.source_metadata).model_high_priority === true;
}

function settingsOf(metadata: JsonObject | null | undefined): JsonObject {
  const settings = metadata?.[SISTER];
  return isRecord(settings) ? settings : {};
}

function sisterSettings(settings: JsonObject): string[] {
  return Object.keys(settings).filter((key) => !NO_SETTINGS.includes(key) && settings[key] !== null);
}
