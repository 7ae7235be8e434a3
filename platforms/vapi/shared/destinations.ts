import { isRecord, type JsonObject, omit, pick, recordAt } from "../../../src/base/values/mod.ts";
import type { TransferFacts } from "../../facts.ts";
import {
  ADDRESS_KEYS,
  ALL_TRAITS,
  destinationsIn,
  destinationsOf,
  isE164,
  NEUTRAL,
  type Transfer,
  withoutDestinations,
} from "../../known/mod.ts";

/** Owners of destinations in Vapi's JSON, and the other platforms. */
const OWN: readonly string[] = ["vapi", NEUTRAL];
const OTHERS = Object.keys(ALL_TRAITS).filter((owner) => !OWN.includes(owner));

const isSip = (to: string) => /^sips?:/i.test(to);

/** How Vapi writes the destination of a transfer. */
export const vapiTransfers: TransferFacts = {
  takesSeveral: true,
  reportsSettings: true,
  nowhere: "a transferCall tool without destinations: Vapi asks your server for one (transfer-destination-request)",
  write: (metadata, { owner, to, extension }, isImported) => {
    if (owner !== "graph") return metadata; // the emitters read all owners
    if (isImported && isRecord(metadata.vapi))
      return { ...metadata, vapi: replaceVapiDestination(recordAt(metadata, "vapi"), to) };
    const rest = omit(recordAt(metadata, NEUTRAL), ["destination"]);
    return { ...metadata, [NEUTRAL]: { ...rest, destinations: [vapiDestination(to, extension)] } };
  },
};

/** Writes a destination in Vapi's JSON. `before`: the destination that it replaces. */
function vapiDestination(to: string, extension?: string, before: JsonObject = {}): JsonObject {
  const rest = omit(before, ADDRESS_KEYS);
  if (isSip(to)) return { type: "sip", sipUri: to, ...rest };
  const unchecked = isE164(to) ? {} : { numberE164CheckEnabled: false };
  return { type: "number", number: to, ...(extension ? { extension } : {}), ...unchecked, ...rest };
}

/** Returns the destinations of a transfer in Vapi's JSON: Vapi's own, else those of another platform. */
export function destinationsFor(transfer: Transfer): readonly JsonObject[] {
  const found = [...OWN, ...OTHERS].map((owner) => destinationsOf(transfer, owner));
  return (found.find((list) => list.some(({ to, owner }) => to || owner === "vapi")) ?? []).flatMap(
    ({ owner, json, to, extension }) => {
      if (!OWN.includes(owner)) return to ? [vapiDestination(to, extension)] : [];
      return [to ? { ...json, ...vapiDestination(to, extension), ...pick(json, ["numberE164CheckEnabled"]) } : json];
    },
  );
}

/** Replaces the destinations in Vapi's settings of an imported node. */
function replaceVapiDestination(settings: JsonObject, to: string): JsonObject {
  const [owned] = destinationsIn({ vapi: settings }, "vapi");
  const tool = isRecord(settings.tool) ? settings.tool : undefined;
  const holder = tool ?? settings;
  const written = vapiDestination(to, undefined, owned?.json);
  const isAlone = isRecord(holder.destination);
  const bare = recordAt(withoutDestinations({ vapi: settings }, "vapi"), "vapi");
  const place = isAlone ? { destination: written } : { destinations: [written] };
  return tool ? { ...bare, tool: { ...recordAt(bare, "tool"), ...place } } : { ...bare, ...place };
}
