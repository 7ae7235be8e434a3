import type { Path } from "../../../src/base/errors.ts";
import { isRecord, type JsonObject, records } from "../../../src/base/values/mod.ts";

/** A part of an agent in a file of its own. */
export interface Part {
  readonly name: string;
  readonly path: Path;
  readonly content: JsonObject;
}

export interface Flow extends Part {
  readonly pages: readonly Part[];
  readonly groups: readonly Part[];
}

export interface Agent {
  readonly head: Part;
  readonly flows: readonly Flow[];
  readonly intents: readonly Part[];
  /** Training phrases by the folder of their intent, in all languages. */
  readonly phrases: ReadonlyMap<string, readonly JsonObject[]>;
  readonly entityTypes: readonly Part[];
  /** Values of entity types by their folder, in all languages. */
  readonly entities: ReadonlyMap<string, readonly JsonObject[]>;
  readonly webhooks: readonly Part[];
  /** Groups of routes that all flows may use. */
  readonly groups: readonly Part[];
  /** Folders and files that are not read. */
  readonly others: readonly { readonly name: string; readonly path: Path }[];
}

/** Reads the files of an exported agent; `undefined` for others. Names in paths are encoded, those in files are not. */
export function readAgent(document: unknown): Agent | undefined {
  const files = isRecord(document) && isRecord(document.files) ? document.files : {};
  const names = Object.keys(files);
  const heads = names.filter((name) => /(?:^|\/)agent\.json$/.test(name)).sort((a, b) => a.length - b.length);
  const headName = heads[0];
  if (headName === undefined) return undefined;
  const root = headName.slice(0, -"agent.json".length);
  const inside = names.filter((name) => name.startsWith(root));
  const parts = (pattern: RegExp): readonly (Part & { readonly folder: string })[] =>
    inside.flatMap((name) => {
      const [, folder = "", file = ""] = pattern.exec(name.slice(root.length)) ?? [];
      const content = files[name];
      if (folder === "" || !isRecord(content)) return [];
      const { displayName } = content;
      const own = typeof displayName === "string" && displayName !== "" ? displayName : decoded(file || folder);
      return [{ name: own, path: ["files", name], content, folder }];
    });
  const flows = parts(/^flows\/([^/]+)\/\1\.json$/).map((flow) => ({
    ...flow,
    pages: parts(/^flows\/([^/]+)\/pages\/([^/]+)\.json$/).filter(({ folder }) => folder === flow.folder),
    groups: parts(/^flows\/([^/]+)\/transitionRouteGroups\/([^/]+)\.json$/).filter(
      ({ folder }) => folder === flow.folder,
    ),
  }));
  if (flows.length === 0) return undefined;
  const head = files[headName];
  return {
    head: { name: "agent", path: ["files", headName], content: isRecord(head) ? head : {} },
    flows,
    intents: parts(/^intents\/([^/]+)\/\1\.json$/),
    phrases: listsIn(parts(/^intents\/([^/]+)\/trainingPhrases\/([^/]+)\.json$/), "trainingPhrases"),
    entityTypes: parts(/^entityTypes\/([^/]+)\/\1\.json$/),
    entities: listsIn(parts(/^entityTypes\/([^/]+)\/entities\/([^/]+)\.json$/), "entities"),
    webhooks: parts(/^webhooks\/(([^/]+))\.json$/),
    groups: parts(/^agentTransitionRouteGroups\/(([^/]+))\.json$/),
    others: others(inside, root),
  };
}

const READ = ["flows", "intents", "entityTypes", "webhooks", "agentTransitionRouteGroups", "agent.json"];

function others(names: readonly string[], root: string) {
  const firsts = new Map(names.map((name) => [name.slice(root.length).split("/")[0] ?? "", name]));
  return [...firsts]
    .filter(([first]) => !READ.includes(first))
    .map(([name, file]) => ({ name, path: ["files", file] }));
}

function listsIn(parts: readonly (Part & { readonly folder: string })[], key: string) {
  const lists = new Map<string, JsonObject[]>();
  for (const { folder, content } of parts) {
    const list = lists.get(folder) ?? [];
    list.push(...records(content[key]));
    lists.set(folder, list);
  }
  return lists;
}

/** The folder of a part, which is its name as it is written in paths. */
export const folderOf = ({ path }: Part): string => String(path[1]).split("/").at(-2) ?? "";

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
