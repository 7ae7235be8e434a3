import type { ToolDefinition, Transition } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject, omit } from "../../../src/values/mod.ts";
import { type Directory, refOf } from "./directory.ts";
import { dropAt, getAt, isText } from "./json_path.ts";
import { importTool } from "./tool.ts";
import { TOOL_LISTS, type ToolList } from "./tool_lists.ts";

/** What was found in the lists of one member. */
export interface ListsRead {
  readonly tools: readonly ToolDefinition[];
  readonly transitions: readonly Transition[];
  /** What stays with the node of each list: handoff tools without their destinations, and what is no tool at all. */
  readonly lists: readonly JsonObject[];
  /** The member without the lists. */
  readonly rest: JsonObject;
}

/**
 * Reads the tools and handoffs of a member from wherever they stand.
 *
 * @param place Number of the member in its squad: it makes the keys of handoff tools differ between members.
 */
export function readLists(home: JsonObject, place: number, directory: Directory): ListsRead {
  const tools: ToolDefinition[] = [];
  const transitions: Transition[] = [];
  const lists: JsonObject[] = [];
  let rest = home;
  for (const list of TOOL_LISTS) {
    const items = getAt(home, list.path);
    if (!Array.isArray(items)) continue;
    rest = dropAt(rest, list.path);
    const kept: JsonObject[] = [];
    for (const [index, item] of items.entries()) {
      if (list.holds === "destinations") {
        const target = targetOf(item, directory);
        if (target === undefined || !isRecord(item)) kept.push({ index, value: item });
        else transitions.push(readDestination(item, target, { list: list.key, index }));
      } else if (isRecord(item)) {
        const handoff = readHandoff(item, `${place}/${list.key}/${index}`, directory);
        if (handoff) {
          transitions.push(...handoff.transitions);
          kept.push({ index, ...handoff.shell });
        } else tools.push(importTool(item, { list: list.key, index }));
      } else kept.push({ index, value: item });
    }
    lists.push(listRest(list, kept));
  }
  return { tools, transitions, lists, rest };
}

function listRest({ key }: ToolList, kept: readonly JsonObject[]): JsonObject {
  return { list: key, ...(kept.length > 0 ? { kept } : {}) };
}

/** The node that a destination leads to, when it is an assistant of this document. */
function targetOf(destination: unknown, directory: Directory): string | undefined {
  if (!isRecord(destination)) return undefined;
  const { type } = destination;
  if (type !== "assistant" && type !== undefined) return undefined;
  return directory.resolve(refOf(destination));
}

/**
 * A tool that hands over to members of this document. A `transferCall` did so before there were handoffs; one that also
 * dials numbers stays a tool, and so does a handoff to nobody who is here.
 */
export function readHandoff(
  tool: JsonObject,
  key: string,
  directory: Directory,
): { transitions: Transition[]; shell: JsonObject } | undefined {
  const { destinations } = tool;
  if (!Array.isArray(destinations)) return undefined;
  const targets = destinations.map((destination) => targetOf(destination, directory));
  const found = targets.filter((target) => target !== undefined).length;
  if (found === 0) return undefined;
  if (tool.type !== "handoff" && (tool.type !== "transferCall" || found < targets.length)) return undefined;

  let shell = omit(tool, ["destinations"]);
  const kept: JsonObject[] = [];
  const transitions: Transition[] = [];
  const alone = destinations.length === 1;
  const told = getAt(tool, ["function", "description"]);
  for (const [index, destination] of destinations.entries()) {
    const target = targets[index];
    if (target === undefined || !isRecord(destination)) {
      kept.push({ index, value: destination });
      continue;
    }
    if (alone && isText(told)) shell = dropAt(shell, ["function", "description"]);
    transitions.push(
      readDestination(destination, target, { tool: key, index }, isText(told) ? told : undefined, alone),
    );
  }
  return { transitions, shell: { key, tool: shell, ...(kept.length > 0 ? { destinations: kept } : {}) } };
}

/**
 * @param told Description of the tool: it speaks for each destination that says nothing itself.
 * @param alone Whether it is the tool's only destination, so that the description can belong to nothing else.
 */
function readDestination(
  destination: JsonObject,
  target: string,
  place: JsonObject,
  told?: string,
  alone = true,
): Transition {
  const ref = refOf(destination);
  const said = isText(destination.description) ? destination.description : undefined;
  const taken = [...Object.keys(ref), ...(said === undefined ? [] : ["description"])];
  const both = alone && said !== undefined && said === told;
  const description = alone && said !== undefined && !both ? told : undefined;
  const spelling = both ? { said: "twice" } : said === undefined && told !== undefined ? { said: "by-tool" } : {};
  return {
    target_node_id: target,
    condition: { type: "llm_prompt", value: said ?? told ?? "" },
    ...(description === undefined ? {} : { description }),
    metadata: { vapi: { ...place, ref, ...spelling, destination: omit(destination, taken) } },
  };
}
