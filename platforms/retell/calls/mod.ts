import type { CallReader } from "../../reading/mod.ts";
import { retellCalls } from "./list.ts";
import { isRetellCall, isRetellEvent, readRetellCall, retellEventCall } from "./read.ts";

/** Reads calls of Retell. */
export const retellCallReader: CallReader = {
  isCall: isRetellCall,
  isEvent: isRetellEvent,
  callOf: retellEventCall,
  read: readRetellCall,
  list: retellCalls,
};
