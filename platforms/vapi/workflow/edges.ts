import { type JsonObject, omit, own, recordAt } from "../../../src/base/values/mod.ts";
import type { Transition } from "../../../src/document/graph/mod.ts";
import { isText } from "../shared/mod.ts";
import { keptCondition, readCondition, writeCondition } from "./condition.ts";

/** Keys for the source and target of an edge; the second of each is from exports of other tools. */
const FROM = ["from", "source"];
const TO = ["to", "target"];

/** An edge of the document, with the ids of its nodes in the graph. */
export interface WorkflowEdge {
  readonly raw: JsonObject;
  readonly from: string;
  readonly to: string;
}

/** Returns the names by which an edge refers to its source and target. */
export function endNames(raw: JsonObject): readonly (string | undefined)[] {
  return [FROM, TO].map((keys) => keys.map((key) => own(raw, key)).find(isText));
}

/** Returns the edge if both of its nodes are in the document. */
export function readEnds(raw: JsonObject, byName: ReadonlyMap<string, string>): WorkflowEdge | undefined {
  const [from, to] = endNames(raw).map((name) => (name === undefined ? undefined : byName.get(name)));
  return from === undefined || to === undefined ? undefined : { raw, from, to };
}

/** Reads an edge as a transition, without its target. */
export function readEdge({ raw, from, to }: WorkflowEdge): Omit<Transition, "target_node_id"> {
  const condition = keptCondition(raw.condition);
  const settings = {
    ...omit(raw, [...FROM, ...TO, "condition", "label"]),
    ...keptEnd(raw, FROM, from),
    ...keptEnd(raw, TO, to),
    ...(condition === undefined ? {} : { condition }),
  };
  return {
    condition: readCondition(raw.condition),
    ...(isText(raw.label) ? { description: raw.label } : {}),
    ...(Object.keys(settings).length > 0 ? { metadata: { vapi: settings } } : {}),
  };
}

/** Returns an edge's reference to a node, unless it is the node's name under the current key. */
function keptEnd(raw: JsonObject, keys: readonly string[], id: string): JsonObject {
  const key = keys.find((each) => isText(own(raw, each)));
  const name = key === undefined ? id : raw[key];
  return key === undefined || (key === keys[0] && name === id) ? {} : { [key]: name === id ? "" : name };
}

/**
 * Writes an edge.
 *
 * @param nameOf Returns a node's name in the document; preferably the wanted one, which the edge used before.
 */
export function writeEdge(
  transition: Transition,
  ends: { readonly from: string; readonly to: string },
  nameOf: (id: string, wanted: unknown) => string,
): JsonObject {
  const settings = recordAt(transition.metadata ?? {}, "vapi");
  const end = (keys: readonly string[], id: string) => {
    const key = keys.find((each) => typeof own(settings, each) === "string") ?? keys[0] ?? "";
    return [key, nameOf(id, own(settings, key))] as const;
  };
  const condition = writeCondition(transition.condition, settings.condition);
  return {
    ...omit(settings, ["condition"]),
    ...Object.fromEntries([end(FROM, ends.from), end(TO, ends.to)]),
    ...(condition === undefined ? {} : { condition }),
    ...(transition.description ? { label: transition.description } : {}),
  };
}
