import type { UnmatchedTools } from "../../call/turn/mod.ts";
import type { ReplayRecord } from "../../document/transcript/mod.ts";
import type { ReplayedCall } from "../runner/mod.ts";
import type { NewResult } from "../store/mod.ts";
import { type AdaptiveCaller, createAdaptiveCaller } from "./adaptive_caller.ts";
import { recordedPersona } from "./persona.ts";
import { createRecordedTools } from "./recorded_tools.ts";
import type { StoredCall } from "./recording.ts";
import { createStrictCaller } from "./strict_caller.ts";

/** Number of turns that an adaptive caller may take beyond those of the recording. */
const MORE_TURNS = 10;

export interface ReplaySettings {
  readonly mode: ReplayRecord["mode"];
  readonly unmatchedTools: UnmatchedTools;
  readonly compare: (recording: StoredCall, result: NewResult) => ReplayRecord;
  /** Limit set by the user; absent: the recording's length. */
  readonly maxTurns: number | undefined;
}

/** A call that repeats a recording. */
export function replayedCall(
  recording: StoredCall,
  { mode, unmatchedTools, compare, maxTurns }: ReplaySettings,
): ReplayedCall {
  const { result, turns, startVariables } = recording;
  const isLimited = result.endReason === "max_turns";
  const strict = createStrictCaller(recording);
  let adaptive: AdaptiveCaller | undefined;
  return {
    caller: ({ model, calls }) => {
      if (mode === "strict") return strict;
      adaptive = createAdaptiveCaller(recording, model, calls);
      return adaptive;
    },
    variables: startVariables,
    tools: createRecordedTools(result, unmatchedTools, () => adaptive !== undefined || strict.isDone()),
    maxTurns: maxTurns ?? turns.length + (isLimited ? 0 : mode === "strict" ? 1 : MORE_TURNS),
    audited: ({ transcript, endReason }) => {
      if (!adaptive?.hasImprovised()) return undefined;
      const given = [...turns.map(({ said }) => said), ...Object.values(startVariables).map(String)];
      return { persona: recordedPersona(recording, []), given, transcript, endReason };
    },
    complete: (replayed) => {
      const record = compare(recording, replayed);
      return { ...replayed, ...(record.divergences.length > 0 ? { status: "fail" } : {}), replay: record };
    },
  };
}
