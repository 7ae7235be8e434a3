import type { Transition } from "../../../src/graph/mod.ts";
import { type JsonObject, omit, own, recordAt } from "../../../src/values/mod.ts";
import { isText } from "../shared/mod.ts";
import { keptCondition, readCondition, writeCondition } from "./condition.ts";

/** Keys under which an edge names its ends; those of other tools' exports come second. */
const FROM = ["from", "source"];
const TO = ["to", "target"];

/** An edge of the document that leads from a node to another, by their ids in the graph. */
export interface Edge {
  readonly raw: JsonObject;
  readonly from: string;
  readonly to: string;
}

/** What an edge calls its two ends. */
export function endNames(raw: JsonObject): readonly (string | undefined)[] {
  return [FROM, TO].map((keys) => keys.map((key) => own(raw, key)).find(isText));
}

/** The edge, when both ends are nodes of the document. */
export function readEnds(raw: JsonObject, byName: ReadonlyMap<string, string>): Edge | undefined {
  const [from, to] = endNames(raw).map((name) => (name === undefined ? undefined : byName.get(name)));
  return from === undefined || to === undefined ? undefined : { raw, from, to };
}

/** Reads what an edge says; which node of the graph it leads to is known to the caller. */
export function readEdge({ raw, from, to }: Edge): Omit<Transition, "target_node_id"> {
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

/** How an edge names its end where that is not by the node's own name, under the key that is used today. */
function keptEnd(raw: JsonObject, keys: readonly string[], id: string): JsonObject {
  const key = keys.find((each) => isText(own(raw, each)));
  const name = key === undefined ? id : raw[key];
  return key === undefined || (key === keys[0] && name === id) ? {} : { [key]: name === id ? "" : name };
}

/**
 * Writes an edge.
 *
 * @param nameOf What the document calls a node, by the name that an edge has had for it or by its own one.
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
