/** Written by `npm run docs` from the platforms: variables that they set in every call. */
export const PLATFORM_VARIABLES = [
  "current_time",
  "current_calendar",
  "current_hour",
  "current_agent_state",
  "previous_agent_state",
  "session_type",
  "session_duration",
  "direction",
  "user_number",
  "agent_number",
  "call_id",
  "call_type",
  "now",
  "date",
  "time",
  "year",
  "month",
  "day",
  "currentDateTime",
  "customer",
  "phoneNumber",
  "call",
  "transport",
  "assistant",
  "messages",
  "transcript",
  "prompt",
] as const;

/** Prefixes of variables whose name ends with a time zone: `current_time_Europe/Berlin`. */
export const PLATFORM_VARIABLE_PREFIXES = ["current_time_", "current_calendar_", "current_hour_"] as const;
