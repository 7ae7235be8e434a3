/** How a turn calls its models. */
export const TURN_MODES = ["split", "speculative", "fused"] as const;

/** How simulated callers are audited: not at all, only for facts with a known form, or also by the judge's model. */
export const AUDIT_MODES = ["off", "facts", "judge"] as const;

/** The sides whose words go through audio. */
export const AUDIO_DIRECTIONS = ["agent", "both"] as const;

/** How recordings of model calls are used. */
export const RECORDING_MODES = ["auto", "record", "replay", "off"] as const;

/** How tool calls are answered that a recording does not have. */
export const UNMATCHED_TOOLS = ["mocks", "fail", "run"] as const;

/** The limits of a budget. */
export const BUDGETS = ["modelCalls", "tokens", "costUsd", "wallMs"] as const;
