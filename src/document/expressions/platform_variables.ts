/**
 * Variables that Retell sets in every call.
 *
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 */
const RETELL_VARIABLES = [
  ...(["current_time", "current_calendar", "current_hour", "current_agent_state", "previous_agent_state"] as const),
  ...([
    "session_type",
    "session_duration",
    "direction",
    "user_number",
    "agent_number",
    "call_id",
    "call_type",
  ] as const),
] as const;

/**
 * Variables that Vapi sets in every call.
 *
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables and reserved roots)
 */
const VAPI_VARIABLES = [
  ...(["now", "date", "time", "year", "month", "day", "currentDateTime"] as const),
  ...(["customer", "phoneNumber", "call", "transport", "assistant", "messages", "transcript", "prompt"] as const),
] as const;

/** Variables that platforms set in every call, by the platform that owns them. */
export const PLATFORM_VARIABLES = { retell: RETELL_VARIABLES, vapi: VAPI_VARIABLES } as const;

/** Prefixes of variables whose name ends with a time zone: `current_time_Europe/Berlin`. */
export const PLATFORM_VARIABLE_PREFIXES = ["current_time_", "current_calendar_", "current_hour_"] as const;

/** Name of a variable that platforms set in every call. */
export type PlatformVariable =
  | (typeof PLATFORM_VARIABLES)[keyof typeof PLATFORM_VARIABLES][number]
  | `${(typeof PLATFORM_VARIABLE_PREFIXES)[number]}${string}`;

const names: ReadonlySet<string> = new Set(Object.values(PLATFORM_VARIABLES).flat());

/** Whether platforms set a variable with this name in every call. */
export function isPlatformVariable(name: string): boolean {
  return names.has(name) || PLATFORM_VARIABLE_PREFIXES.some((prefix) => name.startsWith(prefix));
}
