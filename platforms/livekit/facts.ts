import { recordAt } from "../../src/base/values/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { livekitPython, livekitTypescript } from "./code/mod.ts";
import { LIVEKIT_TRAITS } from "./traits/mod.ts";

/** The record, with the names of its formats. */
export interface LivekitFacts extends PlatformFacts<"livekit"> {
  readonly formats: readonly [typeof livekitTypescript, typeof livekitPython];
  readonly deploy: null;
}

/** Languages of Deepgram Nova-3, which listens unless a flow says otherwise. */
const LANGUAGES =
  "multi en en-US en-AU en-GB en-IN en-NZ de nl sv da es es-419 fr fr-CA it ja ko no pl pt pt-BR pt-PT ru tr uk vi hi id";

/**
 * Models of LiveKit Inference. Those of other providers keep their names, for a plugin.
 *
 * @see https://docs.livekit.io/agents/models/llm (type `LLMModels` of `@livekit/agents` 1.9)
 */
const MODELS: { readonly [provider: string]: readonly string[] } = {
  openai: [
    ...[
      "gpt-5.5",
      "gpt-5.4",
      "gpt-5.4-mini",
      "gpt-5.4-nano",
      "gpt-5.2",
      "gpt-5.1",
      "gpt-5",
      "gpt-5-mini",
      "gpt-5-nano",
    ],
    ...["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o", "gpt-4o-mini", "gpt-oss-120b"],
  ],
  google: ["gemini-3.5-flash", "gemini-3.1-pro", "gemini-3-flash", "gemini-2.5-pro", "gemini-2.5-flash"],
};

/** Everything that shared code knows of LiveKit Agents. */
export const LIVEKIT: LivekitFacts = {
  ...LIVEKIT_TRAITS,
  formats: [livekitTypescript, livekitPython],
  settings: {
    key: "session",
    languages: () => LANGUAGES.split(" "),
    language: (tag) => ({ stt: `deepgram/nova-3:${tag}` }),
    voiceKind: "text",
    voice: (voice) => ({ tts: voice }),
    voiceFrom: ({ vendor, id }) => (vendor === "cartesia" && id ? `cartesia/sonic-3:${id}` : undefined),
    // nothing is imported from LiveKit
    carried: () => [],
    models: () => ({ models: MODELS, providerOf: (name) => (Object.hasOwn(MODELS, name) ? name : undefined) }),
    toolNameLimit: () => 64,
    container: null,
  },
  transfers: {
    takesSeveral: false,
    reportsSettings: false,
    nowhere: "an empty number",
    write: (metadata, { to }) => {
      return { ...metadata, livekit: { ...recordAt(metadata, "livekit"), destination: { number: to } } };
    },
  },
  deploy: null,
  calls: {
    hasUniqueIds: true,
    areFilesOnly: true,
    words: "session reports and chat contexts of its framework",
    reader: async () => (await import("./calls/mod.ts")).livekitCallReader,
  },
};
