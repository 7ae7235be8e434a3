import type { DeployFacts, PlatformFacts } from "../facts.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { choicesAt, modelNames, modelProvider } from "./api/mod.ts";
import { vapiAssistant } from "./assistant/mod.ts";
import { toolNameLimit, vapiTransfers } from "./shared/mod.ts";
import { vapiSquad } from "./squad/mod.ts";
import { VAPI_TRAITS } from "./traits/mod.ts";
import { vapiCarried, vapiVoiceFrom } from "./voices.ts";
import { vapiWorkflow } from "./workflow/mod.ts";

/** The record, with the names of its formats. */
export interface VapiFacts extends PlatformFacts<"vapi"> {
  readonly formats: readonly [typeof vapiSquad, typeof vapiAssistant, typeof vapiWorkflow];
  readonly deploy: DeployFacts<"vapi"> & { readonly local: () => Promise<(options: LocalOptions) => LocalPlatform> } & {
    readonly formats: readonly ["vapi-squad", "vapi-assistant"];
  };
}

/** Everything that shared code knows of Vapi. */
export const VAPI: VapiFacts = {
  ...VAPI_TRAITS,
  formats: [vapiSquad, vapiAssistant, vapiWorkflow],
  settings: {
    key: "membersOverrides",
    // those of Deepgram, Vapi's default transcriber
    languages: () => choicesAt("DeepgramTranscriber", "language"),
    language: (language) => ({ transcriber: { provider: "deepgram", language } }),
    voiceKind: "object",
    voice: (voice) => ({ voice }),
    voiceFrom: vapiVoiceFrom,
    carried: vapiCarried,
    models: () => ({ models: modelNames(), providerOf: modelProvider }),
    toolNameLimit,
    container: null,
  },
  transfers: vapiTransfers,
  deploy: {
    formats: ["vapi-squad", "vapi-assistant"],
    roots: ["squad", "assistant"],
    publishes: false,
    adapter: async () => (await import("./deploy/mod.ts")).vapi,
    local: async () => {
      const { LocalVapi } = await import("./local/mod.ts");
      return (options) => new LocalVapi(options);
    },
  },
  calls: {
    hasUniqueIds: true,
    words: "call objects, and `end-of-call-report` messages",
    reader: async () => (await import("./calls/mod.ts")).vapiCallReader,
  },
};
