import { type JsonObject, omit, recordAt } from "../../src/base/values/mod.ts";
import type { DeployFacts, PlatformFacts, TransferFacts } from "../facts.ts";
import { ADDRESS_KEYS, isE164 } from "../known/mod.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { retellFlow } from "./flow/mod.ts";
import { retellLlm } from "./llm/mod.ts";
import { NAME_LIMIT, RETELL_MODELS, retellTables } from "./shared/mod.ts";
import { RETELL_TRAITS } from "./traits/mod.ts";
import { retellCarried, retellVoiceFrom } from "./voices.ts";

/** The record, with the names of its formats. */
export interface RetellFacts extends PlatformFacts<"retell"> {
  readonly formats: readonly [typeof retellFlow, typeof retellLlm];
  readonly deploy: DeployFacts<"retell"> & {
    readonly local: () => Promise<(options: LocalOptions) => LocalPlatform>;
  } & { readonly formats: readonly ["retell", "retell-llm"] };
}

const KEY = "transfer_destination";

/** How Retell writes the destination of a transfer. */
const retellTransfers: TransferFacts = {
  takesSeveral: false,
  reportsSettings: false,
  nowhere: "an empty number, which Retell refuses",
  write: (metadata, { to, extension }, isImported) => {
    const own = recordAt(metadata, "retell");
    const written = retellDestination(to, extension, recordAt(isImported ? own : {}, KEY));
    return { ...metadata, retell: { ...own, ...written } };
  },
};

/** Everything that shared code knows of Retell. */
export const RETELL: RetellFacts = {
  ...RETELL_TRAITS,
  formats: [retellFlow, retellLlm],
  settings: {
    key: "agent",
    languages: () => retellTables().languages,
    language: (language) => ({ language }),
    voiceKind: "text",
    voice: (voice) => ({ voice_id: voice }),
    voiceFrom: retellVoiceFrom,
    carried: retellCarried,
    models: RETELL_MODELS,
    // a tool of an MCP server has the server's name
    toolNameLimit: ({ type }) => (type === "mcp" ? undefined : NAME_LIMIT),
    container: "agent",
  },
  transfers: retellTransfers,
  deploy: {
    formats: ["retell", "retell-llm"],
    roots: ["agent"],
    publishes: true,
    adapter: async () => (await import("./deploy/mod.ts")).retellAdapter,
    local: async () => {
      const { LocalRetell } = await import("./local/mod.ts");
      return (options) => new LocalRetell(options);
    },
  },
  calls: {
    hasUniqueIds: true,
    words: "call objects, and webhook events `call_ended` and `call_analyzed`",
    reader: async () => (await import("./calls/mod.ts")).retellCallReader,
  },
};

/** Writes Retell's settings for a destination. `before`: the destination that it replaces. */
function retellDestination(to: string, extension: string | undefined, before: JsonObject): JsonObject {
  const rest = omit(before, ADDRESS_KEYS);
  const destination = { type: "predefined", number: to, ...(extension ? { extension } : {}), ...rest };
  const isUnchecked = !isE164(to) && !to.includes("{{");
  return { [KEY]: destination, ...(isUnchecked ? { ignore_e164_validation: true } : {}) };
}
