import { isRecord, type JsonObject, recordAt } from "../../src/base/values/mod.ts";
import type { DeployFacts, PlatformFacts, TransferFacts } from "../facts.ts";
import { destinationsIn } from "../known/mod.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { telnyxAssistant, toolType } from "./flow/mod.ts";
import { OWNER } from "./shared/mod.ts";
import { LANGUAGES, MODELS, NAMED_TOOLS, TELNYX_TRAITS } from "./traits/mod.ts";
import { telnyxCarried, telnyxVoiceFrom } from "./voices.ts";

/** The record, with the names of its formats. */
export interface TelnyxFacts extends PlatformFacts<"telnyx"> {
  readonly formats: readonly [typeof telnyxAssistant];
  readonly deploy: DeployFacts<"telnyx"> & {
    readonly local: () => Promise<(options: LocalOptions) => LocalPlatform>;
  } & { readonly formats: readonly ["telnyx"] };
}

/** How Telnyx writes the destination of a transfer: a list of targets. */
const telnyxTransfers: TransferFacts = {
  takesSeveral: true,
  reportsSettings: false,
  nowhere: "a transfer without targets, which Telnyx refuses",
  write: (metadata, chosen) => {
    const found = destinationsIn(metadata, chosen.owner).flatMap(({ to, extension }) =>
      to ? [{ to, extension }] : [],
    );
    const all = found.some(({ to }) => to === chosen.to) ? found : [{ to: chosen.to, extension: chosen.extension }];
    const targets = all.map(({ to, extension }): JsonObject => ({ to, ...(extension ? { extension } : {}) }));
    return { ...metadata, [OWNER]: { ...recordAt(metadata, OWNER), targets } };
  },
};

/** Everything that shared code knows of Telnyx. */
export const TELNYX: TelnyxFacts = {
  ...TELNYX_TRAITS,
  formats: [telnyxAssistant],
  settings: {
    key: "agent",
    languages: () => LANGUAGES,
    language: (language) => ({ language }),
    voiceKind: "text",
    // a flow's voice is a name; an object is written as it is
    voice: (voice) => ({ voice: isRecord(voice) && typeof voice.voice === "string" ? voice.voice : voice }),
    voiceFrom: telnyxVoiceFrom,
    carried: telnyxCarried,
    // names with a provider are free: Telnyx routes them
    models: () => ({ models: MODELS, providerOf: () => undefined }),
    toolNameLimit: (tool) => (NAMED_TOOLS.includes(toolType(tool)) ? 64 : undefined),
    container: null,
  },
  transfers: telnyxTransfers,
  deploy: {
    formats: ["telnyx"],
    roots: ["assistant"],
    publishes: true,
    environmentKeys: ["canary", "publish"],
    adapter: async (environment) => (await import("./deploy/mod.ts")).telnyxAdapterIn(environment),
    local: async () => {
      const { LocalTelnyx } = await import("./local/mod.ts");
      return (options) => new LocalTelnyx(options);
    },
  },
  calls: {
    hasUniqueIds: true,
    words: "conversations with their messages",
    reader: async () => (await import("./calls/mod.ts")).telnyxCallReader,
  },
};
