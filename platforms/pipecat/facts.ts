import { recordAt } from "../../src/base/values/mod.ts";
import type { PlatformFacts } from "../facts.ts";
import { pipecatEditor } from "./editor/mod.ts";
import { pipecatFlow } from "./flow/mod.ts";
import { pipecatStatic } from "./static/mod.ts";
import { PIPECAT_TRAITS } from "./traits/mod.ts";

/** The record, with the names of its formats. */
export interface PipecatFacts extends PlatformFacts<"pipecat"> {
  readonly formats: readonly [typeof pipecatFlow, typeof pipecatStatic, typeof pipecatEditor];
  readonly deploy: null;
}

/** Everything that shared code knows of Pipecat. A flow is a file of a program, so nothing is deployed. */
export const PIPECAT: PipecatFacts = {
  ...PIPECAT_TRAITS,
  formats: [pipecatFlow, pipecatStatic, pipecatEditor],
  settings: {
    key: "agent",
    languages: () => [],
    language: (language) => ({ language }),
    voiceKind: "text",
    voice: (voice) => ({ voice }),
    // a flow has no voice: the program around it has one
    voiceFrom: () => undefined,
    carried: () => [],
    models: () => ({ models: { "": [] }, providerOf: () => undefined }),
    toolNameLimit: () => 64,
    container: null,
  },
  transfers: {
    takesSeveral: false,
    reportsSettings: false,
    nowhere: "an action without a number",
    write: (metadata, { to, extension }) => {
      const destination = { number: to, ...(extension ? { extension } : {}) };
      return { ...metadata, pipecat: { ...recordAt(metadata, "pipecat"), transfer_destination: destination } };
    },
  },
  deploy: null,
  calls: {
    hasUniqueIds: false,
    words: "transcripts of Pipecat's context: lists of messages, and of its transcript processor",
    reader: async () => (await import("./calls/mod.ts")).pipecatCallReader,
  },
};
