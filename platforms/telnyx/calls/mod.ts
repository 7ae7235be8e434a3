import type { CallReader } from "../../reading/mod.ts";
import { telnyxCalls } from "./list.ts";
import { isTelnyxCall, isTelnyxEvent, readTelnyxCall, telnyxEventCall } from "./read.ts";

/** Reads conversations of Telnyx. */
export const telnyxCallReader: CallReader = {
  isCall: isTelnyxCall,
  isEvent: isTelnyxEvent,
  callOf: telnyxEventCall,
  read: readTelnyxCall,
  list: telnyxCalls,
};
