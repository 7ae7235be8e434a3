import { scryptSync } from "node:crypto";
import type { Path } from "../errors.ts";
import type { AgentGraph } from "../graph/mod.ts";
import { isRecord, own } from "../values/mod.ts";

/** Key of `source_metadata` under which a graph says what was taken out of it. */
const OWNER = "callweave";

/**
 * What a graph says of one secret that was taken out of it: where its value may be put back. The proof is made from the
 * value, so that nobody who does not know the value can write a record that lets a document have it.
 */
export interface TakenOut {
  /** Of the variable. */
  readonly name: string;
  /** Under which the reference stands: `Authorization`, `cal_api_key`, `url`. */
  readonly key: string;
  /** Hosts that the value is sent to, with their scheme unless it is https; empty where no URL is near. */
  readonly host: string;
  /** 8 hexadecimal digits. */
  readonly proof: string;
}

/** What a graph says was taken out of it. Of two records for one place the first counts, so that none can be guessed. */
export function takenOutOf(graph: AgentGraph): readonly TakenOut[] {
  const record = own(graph.source_metadata, OWNER);
  const list: unknown = isRecord(record) ? record.taken_out : undefined;
  return Array.isArray(list) ? list.filter(isTakenOut) : [];
}

function isTakenOut(value: unknown): value is TakenOut {
  return isRecord(value) && ["name", "key", "host", "proof"].every((key) => typeof value[key] === "string");
}

/** The graph with other records; without any, it has none left of them. */
export function withTakenOut(graph: AgentGraph, records: readonly TakenOut[]): AgentGraph {
  const { [OWNER]: before, ...metadata } = graph.source_metadata;
  if (before === undefined && records.length === 0) return graph;
  const { taken_out: _, ...others } = isRecord(before) ? before : {};
  const kept = records.length === 0 ? others : { ...others, taken_out: records };
  return { ...graph, source_metadata: { ...metadata, ...(Object.keys(kept).length > 0 ? { [OWNER]: kept } : {}) } };
}

/** Where a reference stands, as far as it says what becomes of the value; moving a tool or renaming a node changes nothing. */
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

/** A text that is a URL, and not one that mentions some. */
const ONE_URL = /^\s*[a-z][a-z0-9+.-]{1,30}:\S+\s*$/i;
/** As lenient as programs that read URLs: those take `https:/host` and `https:\host` for `https://host`. */
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

/** Cost of a guess; a few milliseconds for whoever knows the value. */
const COST = { N: 256, r: 8, p: 1 };
/** Enough that a stranger's guess fails, and too short to tell the one value from all others that fit. */
const PROOF_BYTES = 4;

/** What only somebody who knows the value can write down for this name and destination. */
export function proofOf(value: string, name: string, { key, host }: Destination): string {
  const place = JSON.stringify(["callweave", name, key, host]);
  return scryptSync(value, place, PROOF_BYTES, COST).toString("hex");
}
