import type { CallReader } from "../../reading/mod.ts";
import { vapiCalls } from "./list.ts";
import { isVapiCall, isVapiEvent, readVapiCall, vapiEventCall } from "./read.ts";

export { VAPI_OPEN_STATUSES, vapiEndReason } from "./read.ts";

/** Reads calls of Vapi. */
export const vapiCallReader: CallReader = {
  isCall: isVapiCall,
  isEvent: isVapiEvent,
  callOf: vapiEventCall,
  read: readVapiCall,
  list: vapiCalls,
};
