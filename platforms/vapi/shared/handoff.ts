import { dropAt, getAt, isRecord, type JsonObject, omit, recordAt, setAt } from "../../../src/base/values/mod.ts";
import type { Transition } from "../../../src/document/graph/mod.ts";
import { type Directory, refOf } from "./directory.ts";
import { isText } from "./prompt.ts";

const DESCRIPTION = ["function", "description"] as const;
const REFS = ["assistantId", "assistantName"];

/** Vapi's JSON for an imported transition, under `metadata.vapi`, with blanks for values of the graph. */
interface Kept {
  /** Key of the list that contains it. */
  readonly list?: unknown;
  /** The handoff tool, without its destinations. */
  readonly tool: JsonObject | undefined;
  /** Id of a tool with several destinations, unique within its member. Absent for a tool with one destination. */
  readonly handoff?: unknown;
  readonly destination: JsonObject;
}

/** A handoff tool as transitions. */
export interface HandoffRead {
  readonly transitions: readonly Transition[];
  /** The tool with only the destinations that are not in the document, if there are any. */
  readonly rest?: JsonObject;
}

/** Returns what a transition keeps of its handoff; empty for a new transition. */
export function keptHandoff(transition: Transition): Kept {
  const { list, handoff, tool, destination } = recordAt(transition.metadata ?? {}, "vapi");
  return {
    list,
    handoff,
    tool: isRecord(tool) ? tool : undefined,
    destination: isRecord(destination) ? destination : { type: "assistant" },
  };
}

/** Returns the node that a destination leads to, if its assistant is in the document. */
export function handoffTarget(destination: unknown, directory: Directory): string | undefined {
  if (!isRecord(destination)) return undefined;
  const { type } = destination;
  return type === "assistant" || type === undefined ? directory.resolve(refOf(destination)) : undefined;
}

/**
 * Reads a tool that hands off to members of the document. Older documents use `transferCall` for it. A `transferCall`
 * that also dials numbers stays a tool, as does a handoff to only other assistants.
 *
 * @param place List and id of the tool, which the transitions keep.
 * @returns `undefined` for any other tool.
 */
export function readHandoff(
  tool: JsonObject,
  directory: Directory,
  place: { readonly list: string; readonly handoff: string },
): HandoffRead | undefined {
  const { destinations } = tool;
  if (!Array.isArray(destinations)) return undefined;
  const others: readonly unknown[] = destinations.filter((item) => handoffTarget(item, directory) === undefined);
  if (others.length === destinations.length) return undefined;
  if (tool.type !== "handoff" && (tool.type !== "transferCall" || others.length > 0)) return undefined;

  const isAlone = destinations.length === 1;
  const told = getAt(tool, DESCRIPTION);
  const bare = omit(tool, ["destinations"]);
  const kept = isAlone
    ? { list: place.list, tool: isText(told) ? setAt(bare, DESCRIPTION, "") : bare }
    : { ...place, tool: bare };
  const transitions = destinations.flatMap((item: unknown) => {
    const target = handoffTarget(item, directory);
    if (target === undefined || !isRecord(item)) return [];
    return [readDestination(item, target, kept, isText(told) ? told : undefined, isAlone)];
  });
  return { transitions, ...(others.length > 0 ? { rest: { ...tool, destinations: others } } : {}) };
}

/**
 * Reads a destination as a transition.
 *
 * @param kept Metadata of the transition besides the destination.
 * @param told Description of the tool, the default for destinations without one.
 * @param isAlone Whether it is the tool's only destination.
 */
export function readDestination(
  destination: JsonObject,
  target: string,
  kept: JsonObject,
  told?: string,
  isAlone = true,
): Transition {
  const said = isText(destination.description) ? destination.description : undefined;
  const taken = [...Object.keys(refOf(destination)), ...(said === undefined ? [] : ["description"])];
  const blanks = Object.fromEntries(taken.map((key) => [key, ""]));
  const hasMore = isAlone && said !== undefined && told !== undefined && said !== told;
  return {
    target_node_id: target,
    condition: { type: "llm_prompt", value: said ?? told ?? "" },
    ...(hasMore ? { description: told } : {}),
    metadata: { vapi: { ...kept, destination: { ...destination, ...blanks } } },
  };
}

/**
 * Writes transitions as one handoff tool.
 *
 * @param others Destinations of the tool that are not in the graph.
 * @param names Returns the name of a new tool.
 */
export function writeHandoff(
  transitions: readonly Transition[],
  others: readonly unknown[],
  directory: Directory,
  names: (wanted: string) => string,
): JsonObject {
  const [first] = transitions;
  const kept = first && keptHandoff(first).tool;
  const isAlone = transitions.length + others.length === 1;
  const told = kept && getAt(kept, DESCRIPTION);
  const text = first?.description || first?.condition.value;
  const destinations = transitions.map((transition) => {
    const { value } = transition.condition;
    const speaks = typeof told === "string" && (isAlone ? !transition.description : told === value);
    return writeDestination(transition, directory, speaks);
  });
  if (!kept) {
    const { assistantName, assistantId } = refOf(destinations[0] ?? {});
    const name = names(`handoff_to_${assistantName ?? first?.target_node_id ?? assistantId ?? "assistant"}`);
    return { type: "handoff", function: { name, ...(text ? { description: text } : {}) }, destinations, messages: [] };
  }
  const tool: JsonObject = { ...kept, destinations: [...destinations, ...others] };
  if (!isAlone || (typeof told !== "string" && !first?.description)) return tool;
  return text ? setAt(tool, DESCRIPTION, text) : dropAt(tool, DESCRIPTION);
}

/** @param speaks Whether the tool's description already contains the condition. */
export function writeDestination(transition: Transition, directory: Directory, speaks = false): JsonObject {
  const kept = keptHandoff(transition).destination;
  const { value } = transition.condition;
  const isSaid = typeof kept.description === "string" || !speaks;
  const blanks = [...REFS, "description"].filter((key) => typeof kept[key] === "string");
  return {
    ...omit(kept, blanks),
    ...directory.refTo(transition.target_node_id, kept),
    ...(value && isSaid ? { description: value } : {}),
  };
}
