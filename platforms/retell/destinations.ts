import { type JsonObject, omit, recordAt } from "../../src/base/values/mod.ts";
import type { TransferFacts } from "../facts.ts";
import { ADDRESS_KEYS, isE164 } from "../known/mod.ts";

const KEY = "transfer_destination";

/** How Retell writes the destination of a transfer. */
export const retellTransfers: TransferFacts = {
  takesSeveral: false,
  reportsSettings: false,
  nowhere: "an empty number, which Retell refuses",
  write: (metadata, { to, extension }, isImported) => {
    const own = recordAt(metadata, "retell");
    const written = retellDestination(to, extension, recordAt(isImported ? own : {}, KEY));
    return { ...metadata, retell: { ...own, ...written } };
  },
};

/** Writes Retell's settings for a destination. `before`: the destination that it replaces. */
function retellDestination(to: string, extension: string | undefined, before: JsonObject): JsonObject {
  const rest = omit(before, ADDRESS_KEYS);
  const destination = { type: "predefined", number: to, ...(extension ? { extension } : {}), ...rest };
  const isUnchecked = !isE164(to) && !to.includes("{{");
  return { [KEY]: destination, ...(isUnchecked ? { ignore_e164_validation: true } : {}) };
}
