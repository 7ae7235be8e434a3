import type { CallReader } from "../../reading/mod.ts";
import { elevenLabsCalls } from "./list.ts";
import { elevenLabsEventCall, isElevenLabsCall, isElevenLabsEvent, readElevenLabsCall } from "./read.ts";

/** Reads conversations of ElevenLabs. */
export const elevenLabsCallReader: CallReader = {
  isCall: isElevenLabsCall,
  isEvent: isElevenLabsEvent,
  callOf: elevenLabsEventCall,
  read: readElevenLabsCall,
  list: elevenLabsCalls,
};
