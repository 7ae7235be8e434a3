import type { JsonObject } from "../../../src/values/mod.ts";
import { ownKeys } from "../shared/mod.ts";

/** The key of a node's `metadata.retell` that says which component it came from, and of a component node where that ends. */
export const COMPONENT = "component";

/** Which local component a node runs: real files have ids, the SDK's own shape has only names. */
export function componentOf(metadata: unknown, components: readonly JsonObject[]): number {
  const { type, component_id: id, component_type: kind } = ownKeys(metadata);
  if (type !== "component" || kind === "shared" || typeof id !== "string") return -1;
  const byId = components.findIndex((each) => each.conversation_flow_component_id === id);
  if (byId >= 0) return byId;
  return components.findIndex((each) => !each.conversation_flow_component_id && each.name === id);
}
