import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, Names, omit, sameJson, setAt } from "../../../src/base/values/mod.ts";
import type { AgentNode, ToolDefinition, Transition } from "../../../src/document/graph/mod.ts";
import type { Directory } from "./directory.ts";
import { handoffTarget, keptHandoff, readDestination, readHandoff, writeDestination, writeHandoff } from "./handoff.ts";
import { emitTool, importTool, listOf } from "./tool.ts";

/** Tools and handoffs of a member. */
export interface ListsRead {
  readonly tools: readonly ToolDefinition[];
  readonly transitions: readonly Transition[];
  /** The member without the items that were read. Destinations that are not in the document remain. */
  readonly rest: JsonObject;
}

/** Reads the tools and handoffs of a member from all of its lists. */
export function readLists(home: JsonObject, directory: Directory): ListsRead {
  const tools: ToolDefinition[] = [];
  const transitions: Transition[] = [];
  let rest = home;
  for (const { key: list, path, holds } of TOOL_LISTS) {
    const items = getAt(home, path);
    if (!Array.isArray(items)) continue;
    const left: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const target = holds === "destinations" ? handoffTarget(item, directory) : undefined;
      if (!isRecord(item) || (holds === "destinations" && target === undefined)) left.push(item);
      else if (target !== undefined) transitions.push(readDestination(item, target, { list }));
      else {
        const handoff = readHandoff(item, directory, { list, handoff: `${list}/${index}` });
        if (handoff) transitions.push(...handoff.transitions);
        else tools.push(importTool(item, list));
        if (handoff?.rest) left.push(handoff.rest);
      }
    }
    rest = setAt(rest, path, left);
  }
  return { tools, transitions, rest };
}

/** Transitions of one handoff tool, or of one item of `assistantDestinations`. */
interface Group {
  readonly list?: unknown;
  readonly handoff?: unknown;
  readonly transitions: Transition[];
}

/**
 * Writes the tools and transitions of a node into the lists of its member. New ones go to the list of their neighbour.
 *
 * @param home The member as `rest` of {@link readLists}.
 */
export function writeLists(
  node: Pick<AgentNode, "tools" | "transitions">,
  home: JsonObject,
  directory: Directory,
): JsonObject {
  const groups = groupTransitions(node.transitions);
  const shells = node.transitions.map((transition) => keptHandoff(transition).tool);
  const names = freeNames(
    node.tools,
    shells.map((tool) => getAt(tool, ["function", "name"])),
  );
  const kinds = [node.tools.filter((tool) => !isCall(tool)), node.tools.filter(isCall)];
  const tools = kinds.flatMap((each) => rankItems(each, listOf, newToolRank(home)));
  const handoffs = rankItems(groups, ({ list }) => list, APPENDED);
  let written = home;
  for (const [rank, { path, holds }] of TOOL_LISTS.entries()) {
    const found = getAt(home, path);
    const left: unknown[] = Array.isArray(found) ? [...found] : [];
    const here = handoffs.flatMap((each) => (each.rank === rank ? [each.item.transitions] : []));
    const items = [
      ...tools.flatMap((each) => (each.rank === rank ? [emitTool(each.item)] : [])),
      ...(holds === "destinations"
        ? here.flat().map((transition) => writeDestination(transition, directory))
        : here.map((group) => writeHandoff(group, takeOthers(left, group), directory, names))),
    ];
    if (Array.isArray(found) || items.length > 0) written = setAt(written, path, [...items, ...left]);
  }
  return written;
}

/** Whether a tool is a node in the graph. Its order among other tools is irrelevant. */
const isCall = ({ type }: ToolDefinition) => type === "end_call" || type === "transfer_call";

function newToolRank(home: JsonObject): number {
  const assistant = home.assistant;
  if (!isRecord(assistant)) return APPENDED;
  const isBeside = Object.hasOwn(assistant, "model") && !isRecord(assistant.model);
  return rankOf(isBeside ? "assistant.tools" : "assistant.model.tools") ?? APPENDED;
}

/** Groups adjacent transitions of one tool. Transitions that moved away, or have a description, get a new tool. */
function groupTransitions(transitions: readonly Transition[]): readonly Group[] {
  const groups: Group[] = [];
  const used = new Set<unknown>();
  for (const transition of transitions) {
    const { list, handoff } = keptHandoff(transition);
    const last = groups.at(-1);
    const isShared = handoff !== undefined && !transition.description;
    if (isShared && last?.handoff === handoff) last.transitions.push(transition);
    else if (handoff !== undefined && (used.has(handoff) || !isShared))
      groups.push({ transitions: [bare(transition)] });
    else if (list === "assistantDestinations" && transition.description)
      // `assistantDestinations` cannot store the description of a tool
      groups.push({ list: TOOL_LISTS[APPENDED]?.key, transitions: [transition] });
    else groups.push({ list, handoff, transitions: [transition] });
    used.add(handoff);
  }
  return groups;
}

/** Removes the reference to a shared tool from a transition. */
function bare(transition: Transition): Transition {
  return { ...transition, metadata: { vapi: { destination: keptHandoff(transition).destination } } };
}

/** Removes and returns the destinations of a tool that are not in the graph. */
function takeOthers(left: unknown[], [first]: readonly Transition[]): readonly unknown[] {
  const { tool, handoff } = first ? keptHandoff(first) : {};
  const at = left.findIndex((item) => isRecord(item) && sameJson(omit(item, ["destinations"]), tool));
  const [found] = handoff === undefined || at < 0 ? [] : left.splice(at, 1);
  return isRecord(found) && Array.isArray(found.destinations) ? found.destinations : [];
}

/** Creates a function that returns unique tool names that Vapi accepts. */
export function freeNames(tools: readonly ToolDefinition[], others: readonly unknown[]): (wanted: string) => string {
  const names = new Names([...tools.map(({ name }) => name), ...others.filter((each) => typeof each === "string")], {
    joint: "_",
  });
  return (wanted) => names.take(wanted.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 60) || "tool");
}

/** A list of tools or handoffs in a member, or in `{ assistant }` for a single assistant. */
export interface ToolList {
  readonly key: string;
  readonly path: Path;
  readonly holds: "tools" | "destinations";
}

/**
 * All lists, in the order of their items in the graph. `functions`, and tools outside of the model, are from older API
 * versions. Vapi's dashboard now writes handoffs to `tools:append`.
 */
export const TOOL_LISTS: readonly ToolList[] = [
  { key: "assistantDestinations", path: ["assistantDestinations"], holds: "destinations" },
  ...(
    [
      ["assistant", "model", "tools"],
      ["assistant", "model", "functions"],
      ["assistant", "tools"],
      ["assistant", "functions"],
      ["assistant", "tools:append"],
      ["assistantOverrides", "model", "tools"],
      ["assistantOverrides", "tools"],
      ["assistantOverrides", "tools:append"],
    ] as const
  ).map((path) => ({ key: path.join("."), path, holds: "tools" as const })),
];

/** Returns the index of a list in {@link TOOL_LISTS}, or `undefined` for an unknown key. */
function rankOf(key: unknown): number | undefined {
  const rank = TOOL_LISTS.findIndex((list) => list.key === key);
  return rank < 0 ? undefined : rank;
}

/** Index of the list that the dashboard uses. */
const APPENDED = TOOL_LISTS.length - 1;

/**
 * Assigns each item the index (rank) of the list that it is written to: its original list, or for a new item the list
 * of the item before it. Ranks never decrease, so that importing keeps the order.
 *
 * @param listOf Returns the key of an item's original list; any other value for a new item.
 * @param fallback Rank of new items without a neighbour.
 */
function rankItems<Item>(
  items: readonly Item[],
  listOf: (item: Item) => unknown,
  fallback: number,
): readonly { readonly item: Item; readonly rank: number }[] {
  const ranks = items.map((item) => rankOf(listOf(item)));
  let before = ranks.find((rank) => rank !== undefined) ?? fallback;
  let least = 0;
  return items.map((item, index) => {
    before = ranks[index] ?? before;
    least = Math.max(least, before);
    return { item, rank: least };
  });
}
