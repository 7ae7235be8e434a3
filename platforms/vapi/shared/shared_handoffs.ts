import type { Path } from "../../../src/base/errors.ts";
import { getAt, isRecord, type JsonObject, setAt } from "../../../src/base/values/mod.ts";
import type { AgentNode, GlobalNodeSetting } from "../../../src/document/graph/mod.ts";
import type { Directory } from "./directory.ts";
import { keptHandoff, readHandoff, writeHandoff } from "./handoff.ts";
import { freeNames } from "./lists.ts";

/** Lists in `membersOverrides`, which apply to every member. New tools go to the last list. */
const SHARED_LISTS: readonly Path[] = [["model", "tools"], ["tools:append"]];
const listKey = (path: Path) => path.join(".");
const APPENDED = "tools:append";

/** Settings of global nodes by node id. The target of a handoff that every member has is a global node. */
export interface SharedRead {
  readonly settings: ReadonlyMap<string, GlobalNodeSetting>;
  readonly rest: JsonObject;
}

/** Reads the handoffs in `membersOverrides` and removes them from it. */
export function readShared(overrides: JsonObject, directory: Directory): SharedRead {
  const settings = new Map<string, GlobalNodeSetting>();
  let rest = overrides;
  for (const path of SHARED_LISTS) {
    const items = getAt(overrides, path);
    if (!Array.isArray(items)) continue;
    const left = items.filter((item: unknown) => {
      const found = readEntry(item, listKey(path), directory);
      if (!found || settings.has(found.target)) return true;
      settings.set(found.target, found.setting);
      return false;
    });
    rest = setAt(rest, path, left);
  }
  return { settings, rest };
}

/** Reads a handoff to exactly one member of the document. */
function readEntry(item: unknown, list: string, directory: Directory) {
  const found = isRecord(item) ? readHandoff(item, directory, { list, handoff: list }) : undefined;
  const [transition, ...others] = found?.transitions ?? [];
  if (!transition || others.length > 0 || transition.description || found?.rest) return undefined;
  const { condition, metadata } = transition;
  const setting: GlobalNodeSetting = {
    condition: condition.value,
    go_back_conditions: [],
    ...(metadata ? { metadata } : {}),
  };
  return { target: transition.target_node_id, setting };
}

/** Writes the entry conditions of global nodes as handoffs that every member has. */
export function writeShared(overrides: JsonObject, globals: readonly AgentNode[], directory: Directory): JsonObject {
  const names = freeNames([], []);
  const isGlobal = new Set(globals.map(({ id }) => id));
  let written = overrides;
  for (const path of SHARED_LISTS) {
    const list = listKey(path);
    const handoffs = globals.flatMap((node) => {
      const { condition, metadata } = node.global_node_setting ?? {};
      if (condition === undefined) return [];
      const transition = {
        target_node_id: node.id,
        condition: { type: "llm_prompt" as const, value: condition },
        ...(metadata ? { metadata } : {}),
      };
      const kept = keptHandoff(transition).list;
      const isHere = SHARED_LISTS.map(listKey).find((key) => key === kept) ?? APPENDED;
      return isHere === list ? [writeHandoff([transition], [], directory, names)] : [];
    });
    const found = getAt(overrides, path);
    // keep a second handoff to the same node only if the node is still global
    const others = (Array.isArray(found) ? found : []).filter((item: unknown) => {
      const target = readEntry(item, list, directory)?.target;
      return target === undefined || isGlobal.has(target);
    });
    if (Array.isArray(found) || handoffs.length > 0) written = setAt(written, path, [...handoffs, ...others]);
  }
  return written;
}
