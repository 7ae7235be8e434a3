import { addressOf, type DocumentShape, destinationsIn, isOwner, type Resource } from "../../../platforms/mod.ts";
import { isCallweaveError, type Path } from "../../base/errors.ts";
import {
  dropAt,
  getAt,
  isRecord,
  isWithin,
  type JsonObject,
  matchItems,
  omit,
  own,
  sameJson,
  setAt,
  valueOfKey,
} from "../../base/values/mod.ts";
import { type AgentGraph, ORIGINAL } from "../../document/graph/mod.ts";

/** A key of a resource on the platform that the code does not write. */
interface ExtraKey {
  readonly address: string;
  /** Where it is on the platform. */
  readonly from: Path;
  /** Where it belongs in what the code writes: list items may have other places. */
  readonly to: Path;
}

/** How resources are read and compared. */
interface KeptSettingsOptions {
  readonly shape: DocumentShape;
  readonly graphOf: (resources: readonly Resource[]) => AgentGraph;
}

/**
 * Keeps settings of the platform that the code does not set, such as defaults added by the server, at any depth. Keys that
 * mean something to the graph are not kept: for those, the code leaves the key out on purpose.
 *
 * @param written Resources as the code has them.
 * @param there The same resources on the platform.
 */
export function withKeptSettings<Kind extends Resource>(
  written: readonly Kind[],
  there: readonly Resource[],
  { shape, graphOf }: KeptSettingsOptions,
): readonly Kind[] {
  const remotes = new Map(there.map((resource) => [addressOf(resource), resource.body]));
  const extra = written.flatMap((resource) => {
    const address = addressOf(resource);
    const remote = remotes.get(address);
    return remote ? extraKeys(resource.body, remote, shape).map((each) => ({ address, ...each })) : [];
  });
  if (extra.length === 0) return written;
  const meaningWithout = (keys: readonly ExtraKey[]) =>
    meaningOf(
      graphOf(
        there.map((resource) => {
          const gone = keys.filter(({ address }) => address === addressOf(resource));
          return { ...resource, body: gone.reduce((body, { from }) => dropAt(body, from), resource.body) };
        }),
      ),
    );
  const meaning = meaningWithout([]);
  const kept = settingsAmong(extra, (keys) => {
    try {
      return sameJson(meaningWithout(keys), meaning);
    } catch (error) {
      if (isCallweaveError(error)) return false; // without them, the document cannot be read
      throw error;
    }
  });
  return written.map((resource) => {
    const address = addressOf(resource);
    const remote = remotes.get(address);
    const mine = kept.filter((each) => each.address === address);
    return {
      ...resource,
      body: mine.reduce((body, { from, to }) => setAt(body, to, getAt(remote, from)), resource.body),
    };
  });
}

/** Returns the keys that are settings, by halves: most often all are, or few are not. */
function settingsAmong(
  keys: readonly ExtraKey[],
  areSettings: (keys: readonly ExtraKey[]) => boolean,
): readonly ExtraKey[] {
  if (keys.length === 0 || areSettings(keys)) return keys;
  if (keys.length === 1) return [];
  const middle = keys.length >> 1;
  return [keys.slice(0, middle), keys.slice(middle)].flatMap((half) => settingsAmong(half, areSettings));
}

/** Keys that say what kind of thing an object is, on all platforms: one of another kind has other settings. */
const KIND_KEYS = ["type", "provider"];

type Extra = Omit<ExtraKey, "address">;

function extraKeys(
  mine: unknown,
  remote: unknown,
  shape: DocumentShape,
  at: Extra = { from: [], to: [] },
): readonly Extra[] {
  const into = (from: string | number, to: string | number): Extra => ({
    from: [...at.from, from],
    to: [...at.to, to],
  });
  if (isRecord(mine) && isRecord(remote)) {
    const isOther = KIND_KEYS.some(
      (key) => own(mine, key) !== undefined && !sameJson(own(mine, key), own(remote, key)),
    );
    if (isOther) return [];
    return Object.keys(remote).flatMap((key) =>
      Object.hasOwn(mine, key) ? extraKeys(mine[key], remote[key], shape, into(key, key)) : [into(key, key)],
    );
  }
  if (!Array.isArray(mine) || !Array.isArray(remote)) return [];
  const pairs = matchItems(remote, mine, shape.keys, shape.kindOf);
  return mine.flatMap((item: unknown, index) => {
    const match = pairs[index];
    const isSame = match !== undefined && (hasIdentity(item, remote[match], shape) || isWithin(item, remote[match]));
    return isSame ? extraKeys(item, remote[match], shape, into(match, index)) : [];
  });
}

function hasIdentity(one: unknown, other: unknown, { keys }: DocumentShape): boolean {
  const key = keys.find((each) => valueOfKey(one, each) !== undefined);
  return key !== undefined && sameJson(valueOfKey(one, key), valueOfKey(other, key));
}

/** A graph without the settings of its platforms, but with where its transfers lead. A model is one of these settings. */
function meaningOf(graph: AgentGraph): unknown {
  const { source_metadata: source, default_model: _, ...rest } = graph;
  return { ...withoutSettings(rest), source_metadata: omit(withoutOwners(source), [ORIGINAL]) };
}

function withoutSettings(value: JsonObject): JsonObject;
function withoutSettings(value: unknown): unknown;
function withoutSettings(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withoutSettings(each));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, each]): (readonly [string, unknown])[] => {
    if (key !== "metadata" || !isRecord(each)) return [[key, withoutSettings(each)]];
    const leads = Object.keys(each).flatMap((owner) =>
      destinationsIn(each, owner).map(({ json, to, extension }) => ({ to: to ?? json, extension })),
    );
    const rest = withoutOwners(each);
    return Object.keys(rest).length + leads.length > 0 ? [[key, { ...rest, leads }]] : [];
  });
  return Object.fromEntries(entries);
}

const withoutOwners = (metadata: JsonObject) => omit(metadata, Object.keys(metadata).filter(isOwner));
