import { replaceTexts } from "../../src/document/secrets/mod.ts";

/** Ids of the resources of one agent, by address: `agent`, `assistant:welcome`. */
export type ResourceIds = { readonly [address: string]: string };

const PREFIX = "callweave:";

/**
 * A reference in place of the id of another resource of the same agent, so that environments can be compared:
 * `callweave:assistant:welcome`.
 */
export function referenceTo(address: string): string {
  return `${PREFIX}${address}`;
}

/** The address in a reference; `undefined` for other texts. */
export function referencedAddress(text: unknown): string | undefined {
  return typeof text === "string" && text.startsWith(PREFIX) ? text.slice(PREFIX.length) : undefined;
}

/** Replaces ids with references. */
export function unlinkIds<Value>(value: Value, ids: ResourceIds): Value {
  const addresses = new Map(Object.entries(ids).map(([address, id]) => [id, address]));
  return replaceTexts(value, (text) => {
    const address = addresses.get(text);
    return address === undefined ? text : referenceTo(address);
  });
}

/** Replaces references with ids. References to missing resources stay. */
export function linkIds<Value>(value: Value, ids: ResourceIds): Value {
  return replaceTexts(value, (text) => {
    const address = referencedAddress(text);
    return address === undefined ? text : (ids[address] ?? text);
  });
}
