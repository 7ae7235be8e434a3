export {
  type Caller,
  type CallerHangUp,
  type CallerMove,
  type CallerOptions,
  checkedCaller,
  createPersonaCaller,
  createReplayCaller,
  createScriptedCaller,
} from "./callers.ts";
