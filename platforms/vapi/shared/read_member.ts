import type { AgentNode } from "../../../src/graph/mod.ts";
import type { JsonObject } from "../../../src/values/mod.ts";
import { type Directory, NODE_HINT, nameOf } from "./directory.ts";
import { splitGuide } from "./guide.ts";
import { dropAt, getAt, isText } from "./json_path.ts";
import { readPrompt } from "./prompt.ts";
import { readLists } from "./read_lists.ts";

/**
 * Reads a member (or an assistant, as `{ assistant }`) as one conversation node.
 *
 * @param place Number of the member in its squad.
 * @param kept What else is to be kept with the node.
 */
export function readMember(
  id: string,
  home: JsonObject,
  place: number,
  directory: Directory,
  kept: JsonObject,
): AgentNode {
  const prompt = readPrompt(home);
  const hint = getAt(home, NODE_HINT);
  const { text, guide } = isText(hint) ? splitGuide(prompt.text, home) : { text: prompt.text, guide: undefined };
  const lists = readLists(prompt.rest, place, directory);
  const named = namePath(home);
  const isNamed = getAt(home, named) === id;
  const unnamed = isNamed ? dropAt(lists.rest, named) : lists.rest;
  const rest = hint === id ? dropAt(unnamed, NODE_HINT) : unnamed;
  return {
    id,
    node_type: "conversation",
    state_prompt: text,
    tools: lists.tools,
    transitions: lists.transitions,
    variables_to_extract: [],
    metadata: {
      vapi: {
        ...kept,
        place,
        home: rest,
        ...(isNamed ? { name_at: named } : {}),
        ...(hint === id ? { hinted: true } : {}),
        ...(guide ? { guide } : {}),
        ...(prompt.at ? { prompt_at: prompt.at } : {}),
        ...(lists.lists.length > 0 ? { lists: lists.lists } : {}),
      },
    },
  };
}

/** Where the name of a member's assistant stands: the override's, when there is one. */
export function namePath(home: JsonObject): readonly string[] {
  const overriding = getAt(home, ["assistantOverrides", "name"]);
  return overriding !== undefined && overriding === nameOf(home)
    ? ["assistantOverrides", "name"]
    : ["assistant", "name"];
}
