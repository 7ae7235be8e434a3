/**
 * Possible statuses of a result. `error`: a model or the runner failed, not the agent. `invalid`: the simulated caller
 * broke the rules of its scenario, so that the call says nothing about the agent.
 */
export const RESULT_STATUSES = ["pass", "fail", "error", "imported", "cancelled", "invalid"] as const;

/**
 * Status of a result. `error`: a model or the runner failed, not the agent. `invalid`: the simulated caller broke the
 * rules of its scenario, so that the call says nothing about the agent; it counts neither as passed nor as failed.
 */
export type ResultStatus = (typeof RESULT_STATUSES)[number];
