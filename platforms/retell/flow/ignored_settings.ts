import { isRecord, type JsonObject, omit, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { bodyKeys, type Losses, OWNER } from "../shared/mod.ts";
import { COMPONENT_KEY } from "./inline_components.ts";

/** Keys of an edge that are made of the transition. */
const EDGE_KEYS = ["destination_node_id", "transition_condition"];

/** Reports settings in the `retell` option that are not in what is sent, because the flow itself says something else. */
export function loseIgnored(graph: AgentGraph, body: JsonObject, { add }: Losses<"setting-ignored">): void {
  const compare = (path: readonly (string | number)[], settings: JsonObject, sent: JsonObject) => {
    for (const [key, value] of Object.entries(settings))
      if (!holds(sent[key], value))
        add("setting-ignored", [...path, OWNER, key], `Retell gets another "${key}", which the flow itself says`);
  };
  compare(["source_metadata"], omit(bodyKeys(graph), ["components", "s2s_model"]), body);
  const nodes = new Map(records(body.nodes).map((node) => [String(node.id), node]));
  for (const { id, metadata, transitions } of Object.values(graph.nodes)) {
    const [sent, path] = [nodes.get(id), ["nodes", id]];
    if (sent) compare([...path, "metadata"], omit(recordAt(metadata, OWNER), [COMPONENT_KEY, "type"]), sent);
    for (const [index, { metadata: edge }] of transitions.entries()) {
      const own = Object.entries(recordAt(edge ?? {}, OWNER)).filter(([key]) => EDGE_KEYS.includes(key));
      compare([...path, "transitions", index, "metadata"], Object.fromEntries(own), {});
    }
  }
}

/** Whether a value that is sent contains a setting; objects may have more keys. */
function holds(sent: unknown, setting: unknown): boolean {
  if (!isRecord(setting)) return setting === null || sameJson(sent, setting);
  return isRecord(sent) && Object.entries(setting).every(([key, value]) => holds(sent[key], value));
}
