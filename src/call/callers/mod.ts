export type { Caller, CallerHangUp, CallerMove, CallerOptions } from "./caller.ts";
export { checkedCaller } from "./checked_caller.ts";
export { createPersonaCaller } from "./persona.ts";
export { createReplayCaller } from "./replay.ts";
export { createScriptedCaller } from "./script.ts";
