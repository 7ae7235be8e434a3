import { recordAt } from "../../src/base/values/mod.ts";
import type { DeployFacts, PlatformFacts } from "../facts.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { blandPathway } from "./pathway/mod.ts";
import { BLAND_TRAITS } from "./traits/mod.ts";
import { blandCarried } from "./voices.ts";

/** The record, with the names of its formats. */
export interface BlandFacts extends PlatformFacts<"bland"> {
  readonly formats: readonly [typeof blandPathway];
  readonly deploy: DeployFacts<"bland"> & {
    readonly local: () => Promise<(options: LocalOptions) => LocalPlatform>;
  } & { readonly formats: readonly ["bland"] };
}

/** Everything that shared code knows of Bland. */
export const BLAND: BlandFacts = {
  ...BLAND_TRAITS,
  formats: [blandPathway],
  settings: {
    // calls and personas have a voice and a language, pathways have none
    key: "call",
    languages: () => [],
    language: (language) => ({ language }),
    voiceKind: "text",
    voice: (voice) => ({ voice }),
    // its voices have names of their own
    voiceFrom: () => undefined,
    carried: blandCarried,
    models: () => ({ models: { "": [] }, providerOf: () => undefined }),
    toolNameLimit: () => 64,
    container: null,
  },
  transfers: {
    takesSeveral: false,
    reportsSettings: false,
    nowhere: "no number",
    write: (metadata, { to, extension }) => {
      const destination = { number: to, ...(extension ? { extension } : {}) };
      return { ...metadata, bland: { ...recordAt(metadata, "bland"), destination } };
    },
  },
  deploy: {
    formats: ["bland"],
    roots: ["pathway"],
    publishes: true,
    environmentKeys: ["publishTo"],
    adapter: async (environment) => (await import("./deploy/mod.ts")).blandAdapterIn(environment),
    local: async () => {
      const { LocalBland } = await import("./local/mod.ts");
      return (options) => new LocalBland(options);
    },
  },
  calls: {
    hasUniqueIds: true,
    words: "call objects, which its webhook sends too",
    reader: async () => (await import("./calls/mod.ts")).blandCallReader,
  },
};
