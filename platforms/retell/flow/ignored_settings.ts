import { isRecord, type JsonObject, omit, own, recordAt, records, sameJson } from "../../../src/base/values/mod.ts";
import type { AgentGraph } from "../../../src/document/graph/mod.ts";
import { bodyKeys, type Losses, OWNER, ownKeys } from "../shared/mod.ts";
import { COMPONENT } from "./inline_components.ts";

/** Keys of an edge that are made of the transition. */
const EDGE_KEYS = ["destination_node_id", "transition_condition"];

/** Reports settings in the `retell` option that are not in what is sent, because the flow itself says something else. */
export function loseIgnored(graph: AgentGraph, body: JsonObject, { add }: Losses<"setting-ignored">): void {
  const compare = (path: readonly (string | number)[], settings: JsonObject, sent: JsonObject) => {
    for (const [key, value] of Object.entries(settings))
      if (!holds(sent[key], value))
        add("setting-ignored", [...path, OWNER, key], `Retell gets another "${key}", which the flow itself says`);
  };
  const settings = omit(bodyKeys(graph), [
    "components",
    "s2s_model",
    ...(body.kb_config === undefined ? ["kb_config"] : []),
  ]);
  compare(["source_metadata"], settings, body);
  const nodes = new Map(records(body.nodes).map((node) => [String(node.id), node]));
  for (const node of Object.values(graph.nodes)) {
    const sent = nodes.get(node.id);
    if (sent) compare(["nodes", node.id, "metadata"], omit(ownKeys(node), [COMPONENT, "type"]), sent);
    for (const [index, transition] of node.transitions.entries())
      for (const key of EDGE_KEYS.filter(
        (each) => own(recordAt(transition.metadata ?? {}, OWNER), each) !== undefined,
      )) {
        const path = ["nodes", node.id, "transitions", index, "metadata", OWNER, key];
        add("setting-ignored", path, `Retell gets another "${key}", which the transition itself says`);
      }
  }
}

/** Whether a value that is sent contains a setting; objects may have more keys. */
function holds(sent: unknown, setting: unknown): boolean {
  if (!isRecord(setting)) return sameJson(sent, setting);
  return isRecord(sent) && Object.entries(setting).every(([key, value]) => holds(sent[key], value));
}
