import type { TalkFacts } from "../../talking/mod.ts";
import { type BlandOptions, blandConnection } from "./chat.ts";

export type { BlandOptions } from "./chat.ts";

/** How scenarios call pathways of Bland. */
export const BLAND_TALK: TalkFacts<"bland", BlandOptions> = {
  name: "bland",
  title: "Bland",
  connect: blandConnection,
  connectTo: ({ id, ...options }) => blandConnection({ pathwayId: id, ...options }),
  referenceWords: "PATHWAY_ID[@VERSION]",
};
