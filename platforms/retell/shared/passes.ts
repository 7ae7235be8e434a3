import { expandSnippets, multiplySpeakingGlobals, type Pass } from "../../lower/mod.ts";

/** What a conversation flow lacks: reusable texts. */
export const FLOW_PASSES: readonly Pass[] = [expandSnippets];

/** What an LLM lacks: reusable texts, and states that can be entered from anywhere; ends and transfers are general tools. */
export const LLM_PASSES: readonly Pass[] = [expandSnippets, multiplySpeakingGlobals];
