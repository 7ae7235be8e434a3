import { placeholderContents } from "../expressions/mod.ts";
import type { AgentGraph } from "../graph/mod.ts";

/** What the platforms' own variables are made from. */
export interface CallPlace {
  /** IANA name, for Retell's times. Default: `America/Los_Angeles`, which is Retell's. */
  readonly timeZone?: string;
  /** Default: `+12025550143`, a number that nobody has. */
  readonly userNumber?: string;
  /** Default: `+12025550199`. */
  readonly agentNumber?: string;
  /** Default: `inbound`. */
  readonly direction?: "inbound" | "outbound";
  /** Default: `phone_call`. */
  readonly callType?: "phone_call" | "web_call";
}

/**
 * The values of the platforms' own variables at the start of a call, for the names that a graph uses. What changes during
 * a call on the platform (the agent's state, the session's duration, the transcript) is not given.
 *
 * @param names As {@link namesIn} finds them.
 * @param callId The same for the same call of every run, so that prompts do not differ from run to run.
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
  const date = utc({ month: "short", day: "numeric", year: "numeric" });
  const time = utc({ hour: "numeric", minute: "2-digit", hour12: true });
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
    ["now", () => `${date}, ${time}`],
    ["date", () => date],
    ["time", () => time],
    ["year", () => utc({ year: "numeric" })],
    ["month", () => utc({ month: "long" })],
    ["day", () => utc({ day: "2-digit" })],
    ["currentDateTime", () => `${date}, ${time}`],
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

/** Every `{{name}}` in the graph's texts, and the names in its equations. */
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

/** `current_time_Europe/Berlin` and the like; nothing for a zone that does not exist. */
function zonedValue(name: string, now: Date): string | undefined {
  const [, kind, zone] = /^current_(time|calendar|hour)_(.+)$/.exec(name) ?? [];
  if (!kind || !zone) return undefined;
  try {
    if (kind === "time") return currentTime(now, zone);
    return kind === "hour" ? currentHour(now, zone) : calendar(now, zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // Intl's answer to an unknown zone
    throw error;
  }
}

/** As Retell writes it: `Thursday, March 28, 2024 at 11:46:04 PM PDT`. */
function currentTime(now: Date, timeZone: string): string {
  const day = formatDate(now, timeZone, { weekday: "long", month: "long", day: "numeric", year: "numeric" });
  const time = { hour: "numeric", minute: "2-digit", second: "2-digit", hour12: true, timeZoneName: "short" } as const;
  return `${day} at ${formatDate(now, timeZone, time)}`;
}

function currentHour(now: Date, timeZone: string): string {
  return formatDate(now, timeZone, { hour: "2-digit", hourCycle: "h23" });
}

/** The next 14 days, one a line, today first. */
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
  // runtimes differ in which space they put before AM and PM
  return new Intl.DateTimeFormat("en-US", { ...format, timeZone }).format(date).replaceAll(/[\u202f\u00a0]/g, " ");
}
