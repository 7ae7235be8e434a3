import type { DeployFacts, PlatformFacts } from "../../../platforms/facts.ts";
import { recordAt } from "../../../src/base/values/mod.ts";
import { acme } from "./format.ts";
import { ACME_TRAITS } from "./traits/mod.ts";

/** The record, with the names of its formats. */
export interface AcmeFacts extends PlatformFacts<"acme"> {
  readonly formats: readonly [typeof acme];
  readonly deploy: DeployFacts<"acme"> & { readonly formats: readonly ["acme"] };
}

/** Everything that shared code knows of Acme. */
export const ACME: AcmeFacts = {
  ...ACME_TRAITS,
  formats: [acme],
  settings: {
    key: "agent",
    languages: () => ["en-US", "de-DE"],
    language: (language) => ({ language }),
    voiceKind: "text",
    voice: (voice) => ({ voice }),
    voiceFrom: ({ id }) => id,
    carried: () => [],
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
      return { ...metadata, acme: { ...recordAt(metadata, "acme"), destination } };
    },
  },
  deploy: {
    formats: ["acme"],
    roots: ["agent"],
    publishes: false,
    adapter: async () => (await import("./deploy/mod.ts")).acmeAdapter,
    local: null,
  },
  calls: {
    hasUniqueIds: true,
    words: "objects with an `acme_call`",
    reader: async () => (await import("./calls/mod.ts")).acmeCallReader,
  },
};
