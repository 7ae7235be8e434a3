import type { CallOptions } from "../models/mod.ts";
import type { CallState } from "./call_state.ts";

/** What holds for every model call of a call: its abort signal, its time limit, and who counts what it cost. */
export function modelOptions(state: CallState): CallOptions {
  return {
    ...(state.signal ? { signal: state.signal } : {}),
    ...(state.timeoutMs ? { timeoutMs: state.timeoutMs } : {}),
    onUsage: (usage) => {
      state.spent.modelCalls += 1;
      state.spent.tokens += usage.input_tokens + usage.output_tokens;
      state.usage.push(usage);
    },
  };
}
