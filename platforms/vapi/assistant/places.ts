/** Id of the node of an assistant without a name. */
export const UNNAMED = "assistant";
/** Vapi's key for what is changed in an assistant for one call. */
export const OVERRIDES = "assistantOverrides";
/** Where a call's variables have their values. */
export const VARIABLES = [OVERRIDES, "variableValues"] as const;
