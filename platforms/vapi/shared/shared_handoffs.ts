import type { AgentNode, GlobalNodeSetting } from "../../../src/graph/mod.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import { type Directory, recordOr } from "./directory.ts";
import { dropAt, getAt, type JsonPath, setAt } from "./json_path.ts";
import { freeNames } from "./names.ts";
import { interleave, readIndex } from "./order.ts";
import { readHandoff } from "./read_lists.ts";
import { writeHandoff } from "./write_lists.ts";

/** Lists of a squad's `membersOverrides` that add tools to every member. */
const SHARED_LISTS: readonly JsonPath[] = [["model", "tools"], ["tools:append"]];
const APPENDED = "tools:append";

/** What was found in `membersOverrides`: a handoff that every member has leads to a node that is global. */
export interface SharedRead {
  readonly settings: ReadonlyMap<string, GlobalNodeSetting>;
  readonly rest: JsonObject;
  readonly lists: readonly JsonObject[];
}

/** Takes the handoffs that every member has out of `membersOverrides`. */
export function readShared(overrides: JsonObject, directory: Directory): SharedRead {
  const settings = new Map<string, GlobalNodeSetting>();
  const places = new Map<string, string>();
  const lists: JsonObject[] = [];
  let rest = overrides;
  for (const path of SHARED_LISTS) {
    const items = getAt(overrides, path);
    if (!Array.isArray(items)) continue;
    const list = path.join(".");
    const kept: JsonObject[] = [];
    for (const [index, item] of items.entries()) {
      const found = isRecord(item) ? readHandoff(item, `shared/${list}/${index}`, directory) : undefined;
      const [transition, ...others] = found?.transitions ?? [];
      const target = transition?.target_node_id;
      const fits = transition && others.length === 0 && !transition.description && !found?.shell.destinations;
      const first = target === undefined ? undefined : places.get(target);
      if (!fits || target === undefined || first !== undefined) {
        // a second handoff to a node goes with the first one
        kept.push({ index, value: item, ...(fits && first !== undefined ? { again: first } : {}) });
        continue;
      }
      places.set(target, `${list}/${index}`);
      settings.set(target, {
        condition: transition.condition.value,
        go_back_conditions: [],
        metadata: { vapi: { list, place: index, shell: found?.shell.tool, handoff: transition.metadata?.vapi } },
      });
    }
    rest = dropAt(rest, path);
    lists.push({ list, ...(kept.length > 0 ? { kept } : {}) });
  }
  return { settings, rest, lists };
}

/** Writes the entry conditions of global nodes back as handoffs that every member has. */
export function writeShared(
  overrides: JsonObject,
  kept: unknown,
  globals: readonly AgentNode[],
  directory: Directory,
): JsonObject {
  const lists = (Array.isArray(kept) ? kept : []).filter(isRecord);
  const names = freeNames([], []);
  const left = new Set<unknown>(globals.map((node) => `${listOf(node)}/${placeOf(node)}`));
  let written = overrides;
  for (const path of SHARED_LISTS) {
    const list = path.join(".");
    const rest = lists.find((record) => record.list === list);
    const here = globals.filter((node) => listOf(node) === list).sort((a, b) => placeOf(a) - placeOf(b));
    const handoffs = here.flatMap((node) => {
      const setting = node.global_node_setting;
      const meta = recordOr(setting?.metadata?.vapi);
      if (!setting) return [];
      const transition = {
        target_node_id: node.id,
        condition: { type: "llm_prompt" as const, value: setting.condition },
        ...(isRecord(meta.handoff) ? { metadata: { vapi: meta.handoff } } : {}),
      };
      const shell = isRecord(meta.shell) ? meta.shell : undefined;
      return [{ index: readIndex(meta.place), item: writeHandoff(transition, shell, directory, names) as unknown }];
    });
    const others = (Array.isArray(rest?.kept) ? rest.kept : [])
      .filter(isRecord)
      .filter(({ again }) => again === undefined || left.has(again));
    const items = interleave([others.map(({ index, value }) => ({ index: readIndex(index), item: value })), handoffs]);
    if (rest || items.length > 0) written = setAt(written, path, items);
  }
  return written;
}

/** Nodes are in an order of their own; new ones come last. */
function placeOf(node: AgentNode): number {
  return readIndex(recordOr(node.global_node_setting?.metadata?.vapi).place) ?? Number.MAX_SAFE_INTEGER;
}

function listOf(node: AgentNode): string {
  const { list } = recordOr(node.global_node_setting?.metadata?.vapi);
  return SHARED_LISTS.some((path) => path.join(".") === list) ? String(list) : APPENDED;
}
