import { FICTIONAL, formatDate } from "../../dates.ts";
import type { CallMoment, VariableTraits } from "../../facts.ts";

const DEFAULT_ZONE = "America/Los_Angeles";

/** How a time is written; each has a variable, and one with a time zone in its name. */
const TIMES: { readonly [name: string]: (now: Date, timeZone: string) => string } = {
  current_time: currentTime,
  current_calendar: calendar,
  current_hour: (now, timeZone) => formatDate(now, timeZone, { hour: "2-digit", hourCycle: "h23" }),
};

const VALUES: { readonly [name: string]: (moment: CallMoment) => string } = {
  session_type: () => "voice",
  direction: ({ direction = "inbound" }) => direction,
  user_number: ({ userNumber = FICTIONAL.user }) => userNumber,
  agent_number: ({ agentNumber = FICTIONAL.agent }) => agentNumber,
  call_id: ({ callId }) => callId,
  call_type: ({ callType = "phone_call" }) => callType,
};

/**
 * Variables that Retell sets in every call.
 *
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 */
export const RETELL_VARIABLES: VariableTraits = {
  names: [
    ...["current_time", "current_calendar", "current_hour", "current_agent_state", "previous_agent_state"],
    ...["session_type", "session_duration", "direction", "user_number", "agent_number", "call_id", "call_type"],
  ],
  prefixes: ["current_time_", "current_calendar_", "current_hour_"],
  valueOf: (name, moment) => {
    if (Object.hasOwn(VALUES, name)) return VALUES[name]?.(moment);
    if (Object.hasOwn(TIMES, name)) return TIMES[name]?.(moment.now, moment.timeZone ?? DEFAULT_ZONE);
    const [, kind = "", zone = ""] = /^(current_(?:time|calendar|hour))_(.+)$/s.exec(name) ?? [];
    try {
      return TIMES[kind]?.(moment.now, zone);
    } catch (error) {
      if (error instanceof RangeError) return undefined; // thrown by Intl for an unknown time zone
      throw error;
    }
  },
};

/** Formats a time: `Thursday, March 28, 2024 at 11:46:04 PM PDT`. */
function currentTime(now: Date, timeZone: string): string {
  const day = formatDate(now, timeZone, { weekday: "long", month: "long", day: "numeric", year: "numeric" });
  const time = { hour: "numeric", minute: "2-digit", second: "2-digit", hour12: true, timeZoneName: "short" } as const;
  return `${day} at ${formatDate(now, timeZone, time)}`;
}

/** Lists 14 days, one a line, starting with today. */
function calendar(now: Date, timeZone: string): string {
  const today = formatDate(now, timeZone, { year: "numeric", month: "2-digit", day: "2-digit" }).split("/");
  const [month = 1, day = 1, year = 1970] = today.map(Number);
  const days = Array.from({ length: 14 }, (_, offset) => {
    const at = new Date(Date.UTC(year, month - 1, day + offset));
    const text = formatDate(at, "UTC", { weekday: "long", month: "long", day: "numeric", year: "numeric" });
    return offset === 0 ? `${text} (Today)` : text;
  });
  return days.join("\n");
}
