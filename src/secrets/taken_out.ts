import { scryptSync } from "node:crypto";
import type { Path } from "../errors.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { isRecord, own } from "../values/mod.ts";

/** Key of `source_metadata` for the records. */
const OWNER = "callweave";

/**
 * A record of a secret that was removed from a graph: where its value may be restored. The proof is derived from the
 * value, so that nobody without the value can forge a record.
 */
export interface TakenOut {
  /** Name of the variable. */
  readonly name: string;
  /** Key of the reference: `Authorization`, `cal_api_key`, `url`. */
  readonly key: string;
  /** Hosts that the value is sent to, with their scheme unless it is https; empty where no URL is near. */
  readonly host: string;
  /** 8 hexadecimal digits. */
  readonly proof: string;
}

/**
 * The records of a graph. Of two records for one place the first counts, so that trying several does not help a forger.
 */
export function takenOutOf(graph: AgentGraph): readonly TakenOut[] {
  const record = own(graph.source_metadata, OWNER);
  const list: unknown = isRecord(record) ? record.taken_out : undefined;
  return Array.isArray(list) ? list.filter(isTakenOut) : [];
}

function isTakenOut(value: unknown): value is TakenOut {
  return isRecord(value) && ["name", "key", "host", "proof"].every((key) => typeof value[key] === "string");
}

/** Replaces the records of a graph. */
export function withTakenOut(graph: AgentGraph, records: readonly TakenOut[]): AgentGraph {
  const { [OWNER]: before, ...metadata } = graph.source_metadata;
  if (before === undefined && records.length === 0) return graph;
  const { taken_out: _, ...others } = isRecord(before) ? before : {};
  const kept = records.length === 0 ? others : { ...others, taken_out: records };
  return { ...graph, source_metadata: { ...metadata, ...(Object.keys(kept).length > 0 ? { [OWNER]: kept } : {}) } };
}

/** Where a value is sent. Moving a tool or renaming a node does not change it. */
export type Destination = Pick<TakenOut, "key" | "host">;

/**
 * The destination of a text in a graph: the hosts of the URLs in it, else of the nearest object around it that has a URL.
 */
export function destinationOf(graph: AgentGraph, path: Path, text: string): Destination {
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

/** A text that is a URL, as opposed to one that mentions URLs. */
const ONE_URL = /^\s*[a-z][a-z0-9+.-]{1,30}:\S+\s*$/i;
/** As lenient as URL parsers, which accept `https:/host` and `https:\host` for `https://host`. */
const HOST = /(?:(https?|wss?|ftp):[\\/]*|([a-z][a-z0-9+.-]{1,30}):\/\/)(?:[^\s/?#\\]*@)?([^\s/?#@"'<>\\]+)/gi;

function hostsIn(text: string): readonly string[] {
  // which programs that read URLs leave out as well
  const found = text.replaceAll(/[\t\n\r]/g, "").matchAll(HOST);
  // a value must not go unencrypted where it was encrypted before
  return [...found].map(([, known, other, host = ""]) => {
    const scheme = (known ?? other ?? "").toLowerCase();
    return scheme === "https" ? host.toLowerCase() : `${scheme}://${host.toLowerCase()}`;
  });
}

/** Cost of the hash: a few milliseconds. */
const COST = { N: 256, r: 8, p: 1 };
/** Long enough that a guess fails, and too short to identify the value. */
const PROOF_BYTES = 4;

/** Derives the proof from the value, the name and the destination. */
export function proofOf(value: string, name: string, { key, host }: Destination): string {
  const place = JSON.stringify(["callweave", name, key, host]);
  return scryptSync(value, place, PROOF_BYTES, COST).toString("hex");
}
