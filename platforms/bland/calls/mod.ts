import type { CallReader } from "../../reading/mod.ts";
import { blandCalls } from "./list.ts";
import { isBlandCall, readBlandCall } from "./read.ts";

/** Reads calls of Bland. Its webhook sends the call itself. */
export const blandCallReader: CallReader = {
  isCall: isBlandCall,
  isEvent: () => false,
  callOf: (event) => event,
  read: readBlandCall,
  list: blandCalls,
};
