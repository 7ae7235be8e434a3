import { type JsonObject, madeOnce, omit, recordAt } from "../../src/base/values/mod.ts";
import type { DeployFacts, PlatformFacts } from "../facts.ts";
import { ADDRESS_KEYS } from "../known/mod.ts";
import type { LocalOptions, LocalPlatform } from "../serving/mod.ts";
import { elevenLabsAgent } from "./agent/mod.ts";
import { ELEVENLABS_API } from "./generated/mod.ts";
import { ELEVENLABS_TRAITS, OWNER } from "./traits/mod.ts";
import { elevenLabsCarried, elevenLabsVoiceFrom } from "./voices.ts";

/** The record, with the names of its formats. */
export interface ElevenlabsFacts extends PlatformFacts<"elevenlabs"> {
  readonly formats: readonly [typeof elevenLabsAgent];
  readonly deploy: DeployFacts<"elevenlabs"> & {
    readonly local: () => Promise<(options: LocalOptions) => LocalPlatform>;
  } & { readonly formats: readonly ["elevenlabs"] };
}

/** What the published document lists. */
interface Tables {
  readonly tables: { readonly models: readonly string[] };
}

const published = madeOnce((): Tables => JSON.parse(ELEVENLABS_API));

/** @see https://elevenlabs.io/docs/agents-platform/customization/language */
const LANGUAGES: readonly string[] = [
  ...["ar", "bg", "zh", "hr", "cs", "da", "nl", "en", "fi", "fr", "de", "el", "hi", "hu", "id", "it", "ja", "ko"],
  ...["ms", "no", "pl", "pt", "pt-br", "ro", "ru", "sk", "es", "sv", "ta", "tr", "uk", "vi"],
];

const KEY = "transfer_destination";

/** Everything that shared code knows of ElevenLabs. */
export const ELEVENLABS: ElevenlabsFacts = {
  ...ELEVENLABS_TRAITS,
  formats: [elevenLabsAgent],
  settings: {
    key: "agent",
    languages: () => LANGUAGES,
    language: (language) => ({ language }),
    voiceKind: "text",
    voice: (voice) => ({ voice_id: voice }),
    voiceFrom: elevenLabsVoiceFrom,
    carried: elevenLabsCarried,
    models: () => ({ models: { "": published().tables.models }, providerOf: () => undefined }),
    toolNameLimit: () => 64,
    container: null,
  },
  transfers: {
    takesSeveral: false,
    reportsSettings: false,
    nowhere: "an empty number, which ElevenLabs refuses",
    write: (metadata, { to, extension }, isImported) => {
      const own = recordAt(metadata, OWNER);
      const rest: JsonObject = omit(recordAt(isImported ? own : {}, KEY), ADDRESS_KEYS);
      const place = /^sips?:/.test(to) ? { sipUri: to } : { number: to };
      return { ...metadata, [OWNER]: { ...own, [KEY]: { ...rest, ...place, ...(extension ? { extension } : {}) } } };
    },
  },
  deploy: {
    formats: ["elevenlabs"],
    roots: ["agent"],
    publishes: false,
    environmentKeys: ["branch"],
    adapter: async (environment) => (await import("./deploy/mod.ts")).elevenLabsAdapterIn(environment),
    local: async () => {
      const { LocalElevenLabs } = await import("./local/mod.ts");
      return (options) => new LocalElevenLabs(options);
    },
  },
  calls: {
    hasUniqueIds: true,
    words: "conversations, and webhook events `post_call_transcription`",
    reader: async () => (await import("./calls/mod.ts")).elevenLabsCallReader,
  },
};
