import type { CallAudio } from "../../../call/audio/mod.ts";
import type { AuditedCall } from "../../../call/judges/mod.ts";
import type { FollowedPath } from "../../store/mod.ts";
import type { EngineCall } from "./run_call.ts";

/** A call with the variables that it started with. */
export interface StartedCall extends EngineCall {
  readonly startVariables: ReadonlyMap<string, string>;
  /** The input of the caller's audit; absent for callers without a persona. */
  readonly audited?: AuditedCall;
  /** Absent for a call that does not follow the path of its scenario. */
  readonly offlinePath?: FollowedPath;
  /** The call's audio; absent without. */
  readonly audio?: CallAudio;
}
