import { scryptSync } from "node:crypto";
import type { Path } from "../../base/errors.ts";
import { isRecord, own } from "../../base/values/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";

/** Key of the records in `source_metadata`. */
const RECORDS_OWNER = "callweave";

/**
 * A record of a secret that was removed from a graph, with where its value may be restored. The proof is derived from
 * the value, so that a record cannot be forged without knowing it.
 */
export interface TakenOut {
  /** Name of the variable. */
  readonly name: string;
  /** Key of the reference: `Authorization`, `cal_api_key`, `url`. */
  readonly key: string;
  /** Hosts that the value is sent to, with their scheme unless it is https. Empty when no URL is nearby. */
  readonly host: string;
  /** 8 hexadecimal digits. */
  readonly proof: string;
}

/**
 * Returns the records of a graph. The first of two records for one place counts, so that a forger has only one try.
 */
export function takenOutOf(graph: AgentGraph): readonly TakenOut[] {
  const record = own(graph.source_metadata, RECORDS_OWNER);
  const list: unknown = isRecord(record) ? record.taken_out : undefined;
  return Array.isArray(list) ? list.filter(isTakenOut) : [];
}

function isTakenOut(value: unknown): value is TakenOut {
  return isRecord(value) && ["name", "key", "host", "proof"].every((key) => typeof value[key] === "string");
}

/** Sets the records of a graph. */
export function withTakenOut(graph: AgentGraph, records: readonly TakenOut[]): AgentGraph {
  const { [RECORDS_OWNER]: before, ...metadata } = graph.source_metadata;
  if (before === undefined && records.length === 0) return graph;
  const { taken_out: _, ...others } = isRecord(before) ? before : {};
  const kept = records.length === 0 ? others : { ...others, taken_out: records };
  return {
    ...graph,
    source_metadata: { ...metadata, ...(Object.keys(kept).length > 0 ? { [RECORDS_OWNER]: kept } : {}) },
  };
}

/** The destination of a value. Moving a tool or renaming a node does not change it. */
export type SecretDestination = Pick<TakenOut, "key" | "host">;

/**
 * Returns the destination of a text in a graph: the hosts of its own URLs, or those of the nearest enclosing object
 * that has a URL.
 */
export function destinationOf(graph: AgentGraph, path: Path, text: string): SecretDestination {
  const key = String(path.findLast((part) => typeof part === "string") ?? "");
  const around: unknown[] = [graph];
  for (const part of path) {
    const parent = around.at(-1);
    around.push(isRecord(parent) || Array.isArray(parent) ? Reflect.get(parent, part) : undefined);
  }
  const nearest = [hostsIn(text), ...around.reverse().map(hostsOf)].find((hosts) => hosts.length > 0) ?? [];
  return { key, host: [...new Set(nearest)].toSorted().join(" ") };
}

function hostsOf(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  return Object.values(value).flatMap((item) => (typeof item === "string" && ONE_URL.test(item) ? hostsIn(item) : []));
}

/** Matches a text that is a URL, as opposed to one that mentions URLs. */
const ONE_URL = /^\s*[a-z][a-z0-9+.-]{1,30}:\S+\s*$/i;
/** Matches hosts as leniently as URL parsers, which accept `https:/host` and `https:\host`. */
const HOST = /(?:(https?|wss?|ftp):[\\/]*|([a-z][a-z0-9+.-]{1,30}):\/\/)(?:[^\s/?#\\]*@)?([^\s/?#@"'<>\\]+)/gi;

function hostsIn(text: string): readonly string[] {
  // URL parsers ignore these characters too
  const found = text.replaceAll(/[\t\n\r]/g, "").matchAll(HOST);
  // a value must not be sent unencrypted where it was encrypted before
  return [...found].map(([, known, other, host = ""]) => {
    const scheme = (known ?? other ?? "").toLowerCase();
    return scheme === "https" ? host.toLowerCase() : `${scheme}://${host.toLowerCase()}`;
  });
}

/** Parameters of the hash, which takes a few milliseconds. */
const COST = { N: 256, r: 8, p: 1 };
/** Long enough that guessing fails, and too short to identify the value. */
const PROOF_BYTES = 4;

/** Derives the proof of a value from the value, its name and its destination. */
export function proofOf(value: string, name: string, { key, host }: SecretDestination): string {
  const place = JSON.stringify(["callweave", name, key, host]);
  return scryptSync(value, place, PROOF_BYTES, COST).toString("hex");
}
