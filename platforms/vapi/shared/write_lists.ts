import type { AgentNode, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { type AssistantRef, type Directory, recordOr, refOf } from "./directory.ts";
import { dropAt, getAt, isText, type JsonPath, setAt } from "./json_path.ts";
import { freeNames } from "./names.ts";
import { interleave, type Placed, readIndex } from "./order.ts";
import { emitTool, toolPlace } from "./tool.ts";
import { APPENDED, assignRanks, rankOf, TOOL_LISTS } from "./tool_lists.ts";

const DESCRIPTION: JsonPath = ["function", "description"];

/** Transitions that are written as one handoff tool, or as one destination of the older list. */
interface Group {
  readonly transitions: Transition[];
  readonly shell?: Shell | undefined;
  readonly rank?: number | undefined;
  readonly index?: number | undefined;
}

/** A handoff tool as it was read, without the destinations that became transitions. */
interface Shell {
  readonly key: string;
  readonly rank: number;
  readonly index: number | undefined;
  readonly tool: JsonObject;
  readonly destinations: readonly Placed<unknown>[];
}

/**
 * Writes the tools and transitions of a node back into the lists they came from; new ones go where their neighbours are.
 *
 * @param home The member without its lists.
 * @param kept What {@link readLists} left with the node.
 */
export function writeLists(
  node: Pick<AgentNode, "tools" | "transitions">,
  home: JsonObject,
  kept: unknown,
  directory: Directory,
): JsonObject {
  const records = (Array.isArray(kept) ? kept : []).filter(isRecord);
  const shells = readShells(records);
  const groups = groupTransitions(node.transitions, shells);
  const groupRanks = assignRanks(
    groups.map((group) => group.rank),
    APPENDED,
  );
  const toolRanks = assignRanks(
    node.tools.map((tool) => rankOf(toolPlace(tool).list)),
    newToolRank(home),
  );
  const names = freeNames(
    node.tools,
    [...shells.values()].map(({ tool }) => getAt(tool, ["function", "name"])),
  );
  let written = home;
  for (const [rank, list] of TOOL_LISTS.entries()) {
    const rest = records.find((record) => record.list === list.key);
    const tools = node.tools.flatMap((tool, position) => {
      if (toolRanks[position] !== rank) return [];
      const place = toolPlace(tool);
      return [{ index: place.list === list.key ? place.index : undefined, item: emitTool(tool) as unknown }];
    });
    const handoffs = groups.flatMap((group, position) => {
      if (groupRanks[position] !== rank) return [];
      const index = group.rank === rank ? group.index : undefined;
      if (list.holds === "destinations")
        return group.transitions.map((item) => ({ index, item: destinationOf(item, directory, false) as unknown }));
      return [{ index, item: handoffOf(group, directory, names) as unknown }];
    });
    const items = interleave([tools, handoffs, keptItems(rest, groups)]);
    if (rest || items.length > 0) written = setAt(written, list.path, items);
  }
  return written;
}

function newToolRank(home: JsonObject): number {
  const assistant = home.assistant;
  if (!isRecord(assistant)) return APPENDED;
  const beside = Object.hasOwn(assistant, "model") && !isRecord(assistant.model);
  return rankOf(beside ? "assistant.tools" : "assistant.model.tools") ?? APPENDED;
}

function readShells(records: readonly JsonObject[]): Map<string, Shell> {
  const shells = new Map<string, Shell>();
  for (const record of records)
    for (const item of (Array.isArray(record.kept) ? record.kept : []).filter(isRecord)) {
      const rank = rankOf(record.list);
      if (typeof item.key !== "string" || !isRecord(item.tool) || rank === undefined) continue;
      const { key, tool } = item;
      shells.set(key, { key, rank, index: readIndex(item.index), tool, destinations: placedValues(item.destinations) });
    }
  return shells;
}

/** What is no handoff to a node of the graph; a handoff tool without any node left keeps its other destinations. */
function keptItems(rest: JsonObject | undefined, groups: readonly Group[]): Placed<unknown>[] {
  const used = new Set(groups.map((group) => group.shell?.key));
  return (Array.isArray(rest?.kept) ? rest.kept : []).filter(isRecord).flatMap((item) => {
    if (!Object.hasOwn(item, "key")) return [{ index: readIndex(item.index), item: item.value }];
    const destinations = placedValues(item.destinations);
    if (used.has(String(item.key)) || destinations.length === 0 || !isRecord(item.tool)) return [];
    return [
      {
        index: readIndex(item.index),
        item: { ...item.tool, destinations: destinations.map(({ item: value }) => value) },
      },
    ];
  });
}

function placedValues(value: unknown): Placed<unknown>[] {
  return (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map(({ index, value: item }) => ({ index: readIndex(index), item }));
}

/** Neighbours that came from one tool stay one; whatever was moved away from it, or says more, gets a tool of its own. */
function groupTransitions(transitions: readonly Transition[], shells: ReadonlyMap<string, Shell>): readonly Group[] {
  const groups: Group[] = [];
  const used = new Set<string>();
  for (const transition of transitions) {
    const meta = recordOr(transition.metadata?.vapi);
    const shell = typeof meta.tool === "string" ? shells.get(meta.tool) : undefined;
    const last = groups.at(-1);
    if (!shell) {
      // a destination of the older list has no place for what a tool of its own can say
      const rank = transition.description
        ? APPENDED
        : meta.list === "assistantDestinations"
          ? rankOf(meta.list)
          : undefined;
      groups.push({ transitions: [transition], rank, index: readIndex(meta.index) });
    } else if (last?.shell === shell && !transition.description && !last.transitions[0]?.description) {
      last.transitions.push(transition);
    } else if (!used.has(shell.key)) {
      used.add(shell.key);
      groups.push({ transitions: [transition], shell, rank: shell.rank, index: shell.index });
    } else groups.push({ transitions: [transition] });
  }
  return groups;
}

/** Writes one handoff on its own: into the tool that it came from, or anew. */
export function writeHandoff(
  transition: Transition,
  shell: JsonObject | undefined,
  directory: Directory,
  names: (wanted: string) => string,
): JsonObject {
  const own = shell && { key: "", rank: APPENDED, index: undefined, tool: shell, destinations: [] };
  return handoffOf({ transitions: [transition], shell: own }, directory, names);
}

function handoffOf({ transitions, shell }: Group, directory: Directory, names: (wanted: string) => string): JsonObject {
  const [first] = transitions;
  const alone = transitions.length + (shell?.destinations.length ?? 0) === 1;
  const placed = transitions.map((transition) => ({
    index: readIndex(recordOr(transition.metadata?.vapi).index),
    item: destinationOf(transition, directory, alone, shell) as unknown,
  }));
  if (!shell) {
    const { assistantName, assistantId } = refOf(recordOr(placed[0]?.item));
    const description = first?.description || first?.condition.value;
    const name = names(`handoff_to_${assistantName ?? first?.target_node_id ?? assistantId ?? "assistant"}`);
    return {
      type: "handoff",
      function: { name, ...(description ? { description } : {}) },
      destinations: placed.map(({ item }) => item),
      messages: [],
    };
  }
  const destinations = interleave([placed, shell.destinations]);
  const tool: JsonObject = { ...shell.tool, destinations };
  if (!alone || !first) return tool;
  const told = toldByTool(first, shell);
  return told === "" ? dropAt(tool, DESCRIPTION) : told === undefined ? tool : setAt(tool, DESCRIPTION, told);
}

/**
 * What a tool's own description says of its only destination; a description that spoke for others besides is brought
 * in line with what is left. `undefined`: the tool says nothing.
 */
function toldByTool(transition: Transition, shell: Shell): string | undefined {
  if (transition.description) return transition.description;
  const { said } = recordOr(transition.metadata?.vapi);
  const speaks = said === "twice" || said === "by-tool" || isText(getAt(shell.tool, DESCRIPTION));
  return speaks ? transition.condition.value : undefined;
}

/** @param shell The tool that it is a destination of, if it came from one; its description may speak for it. */
function destinationOf(transition: Transition, directory: Directory, alone: boolean, shell?: Shell): JsonObject {
  const meta = recordOr(transition.metadata?.vapi);
  const target = transition.target_node_id;
  const kept = isRecord(meta.destination) ? meta.destination : { type: "assistant" };
  const earlier: AssistantRef = refOf(recordOr(meta.ref));
  const ref = directory.resolve(earlier) === target ? earlier : directory.refTo(target, earlier);
  const { value } = transition.condition;
  const spokenFor = alone ? !transition.description : getAt(shell?.tool, DESCRIPTION) === value;
  const byTool = shell !== undefined && meta.said === "by-tool" && spokenFor;
  return { ...kept, ...ref, ...(value && !byTool ? { description: value } : {}) };
}
