import type { DeployFacts, PlatformFacts } from "../facts.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { retellTransfers } from "./destinations.ts";
import { retellFlow } from "./flow/mod.ts";
import { retellLlm } from "./llm/mod.ts";
import { NAME_LIMIT, RETELL_MODELS, retellTables } from "./shared/mod.ts";
import { RETELL_TRAITS } from "./traits/mod.ts";

/** The record, with the names of its formats. */
export interface RetellFacts extends PlatformFacts<"retell"> {
  readonly formats: readonly [typeof retellFlow, typeof retellLlm];
  readonly deploy: DeployFacts<"retell"> & {
    readonly local: () => Promise<(options: LocalOptions) => LocalPlatform>;
  } & { readonly formats: readonly ["retell", "retell-llm"] };
}

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
    models: RETELL_MODELS,
    // a tool of an MCP server has the server's name
    toolNameLimit: ({ type }) => (type === "mcp" ? undefined : NAME_LIMIT),
    container: "agent",
  },
  transfers: retellTransfers,
  deploy: {
    formats: ["retell", "retell-llm"],
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
