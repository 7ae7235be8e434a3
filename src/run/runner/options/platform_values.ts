import { placeholderContents } from "../../../document/expressions/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";

/** Settings for the variables that platforms fill in. */
export interface CallPlace {
  /** IANA name of the time zone for Retell's time variables. Default: `America/Los_Angeles`, as at Retell. */
  readonly timeZone?: string;
  /** Default: `+12025550143`, a fictional number. */
  readonly userNumber?: string;
  /** Default: `+12025550199`. */
  readonly agentNumber?: string;
  /** Default: `inbound`. */
  readonly direction?: "inbound" | "outbound";
  /** Default: `phone_call`. */
  readonly callType?: "phone_call" | "web_call";
}

/**
 * Returns values for the platforms' own variables that a graph uses, as they are at the start of a call. Variables that
 * change during a call, such as the agent's state, the session duration and the transcript, are left out.
 *
 * @param names Names from {@link namesIn}.
 * @param callId Identical for the same call in every run, so that prompts do not change between runs.
 * @see https://docs.retellai.com/build/dynamic-variables (system variables)
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables; in UTC)
 */
export function platformValues(
  names: ReadonlySet<string>,
  callId: string,
  options: { readonly now: Date; readonly place?: CallPlace | undefined },
): { readonly [name: string]: string } {
  const { now, place = {} } = options;
  const zone = place.timeZone ?? "America/Los_Angeles";
  const user = place.userNumber ?? "+12025550143";
  const agent = place.agentNumber ?? "+12025550199";
  const utc = (format: Intl.DateTimeFormatOptions) => formatDate(now, "UTC", format);
  // a first formatter takes a runtime about 20 ms, and few agents say the time
  const date = () => utc({ month: "short", day: "numeric", year: "numeric" });
  const time = () => utc({ hour: "numeric", minute: "2-digit", hour12: true });
  const values = new Map<string, () => string>([
    ["current_time", () => currentTime(now, zone)],
    ["current_calendar", () => calendar(now, zone)],
    ["current_hour", () => currentHour(now, zone)],
    ["session_type", () => "voice"],
    ["direction", () => place.direction ?? "inbound"],
    ["user_number", () => user],
    ["agent_number", () => agent],
    ["call_id", () => callId],
    ["call_type", () => place.callType ?? "phone_call"],
    ["now", () => `${date()}, ${time()}`],
    ["date", date],
    ["time", time],
    ["year", () => utc({ year: "numeric" })],
    ["month", () => utc({ month: "long" })],
    ["day", () => utc({ day: "2-digit" })],
    ["currentDateTime", () => `${date()}, ${time()}`],
    ["customer.number", () => user],
    ["phoneNumber.number", () => agent],
    ["call.id", () => callId],
    ["call.type", () => (place.direction === "outbound" ? "outboundPhoneCall" : "inboundPhoneCall")],
    ["transport.conversationType", () => "voice"],
  ]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = values.get(name)?.() ?? zonedValue(name, now);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Returns the name of every `{{name}}` in the graph's texts, and the names in its equations. */
export function namesIn(graph: AgentGraph): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      for (const name of placeholderContents(value)) names.add(name);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(graph);
  for (const node of Object.values(graph.nodes)) {
    const backs = node.global_node_setting?.go_back_conditions ?? [];
    for (const { condition } of [...node.transitions, ...backs])
      for (const { left } of condition.equations ?? []) names.add(left);
  }
  return names;
}

/** Returns the value of a variable such as `current_time_Europe/Berlin`, or `undefined` for an unknown time zone. */
function zonedValue(name: string, now: Date): string | undefined {
  const [, kind, zone] = /^current_(time|calendar|hour)_(.+)$/.exec(name) ?? [];
  if (!kind || !zone) return undefined;
  try {
    if (kind === "time") return currentTime(now, zone);
    return kind === "hour" ? currentHour(now, zone) : calendar(now, zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // thrown by Intl for an unknown time zone
    throw error;
  }
}

/** Formats a time as Retell does: `Thursday, March 28, 2024 at 11:46:04 PM PDT`. */
function currentTime(now: Date, timeZone: string): string {
  const day = formatDate(now, timeZone, { weekday: "long", month: "long", day: "numeric", year: "numeric" });
  const time = { hour: "numeric", minute: "2-digit", second: "2-digit", hour12: true, timeZoneName: "short" } as const;
  return `${day} at ${formatDate(now, timeZone, time)}`;
}

function currentHour(now: Date, timeZone: string): string {
  return formatDate(now, timeZone, { hour: "2-digit", hourCycle: "h23" });
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

function formatDate(date: Date, timeZone: string, format: Intl.DateTimeFormatOptions): string {
  // runtimes put different spaces before AM and PM
  return new Intl.DateTimeFormat("en-US", { ...format, timeZone }).format(date).replaceAll(/[\u202f\u00a0]/g, " ");
}
