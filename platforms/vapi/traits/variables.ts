import { FICTIONAL, formatDate } from "../../dates.ts";
import type { CallMoment, VariableTraits } from "../../facts.ts";

const utc = (format: Intl.DateTimeFormatOptions) => (moment: CallMoment) => formatDate(moment.now, "UTC", format);
const date = utc({ month: "short", day: "numeric", year: "numeric" });
const time = utc({ hour: "numeric", minute: "2-digit", hour12: true });
const user = ({ userNumber = FICTIONAL.user }: CallMoment) => userNumber;
const agent = ({ agentNumber = FICTIONAL.agent }: CallMoment) => agentNumber;

/** Values of variables, and of the properties of those that are objects. */
const VALUES: { readonly [name: string]: (moment: CallMoment) => string } = {
  now: (moment) => `${date(moment)}, ${time(moment)}`,
  date,
  time,
  year: utc({ year: "numeric" }),
  month: utc({ month: "long" }),
  day: utc({ day: "2-digit" }),
  currentDateTime: (moment) => `${date(moment)}, ${time(moment)}`,
  "customer.number": user,
  "phoneNumber.number": agent,
  "call.id": ({ callId }) => callId,
  "call.type": ({ direction }) => (direction === "outbound" ? "outboundPhoneCall" : "inboundPhoneCall"),
  "transport.conversationType": () => "voice",
};

/**
 * Variables that Vapi sets in every call; times are in UTC.
 *
 * @see https://docs.vapi.ai/assistants/dynamic-variables (default variables and reserved roots)
 */
export const VAPI_VARIABLES: VariableTraits = {
  names: [
    ...["now", "date", "time", "year", "month", "day", "currentDateTime"],
    ...["customer", "phoneNumber", "call", "transport", "assistant", "messages", "transcript", "prompt"],
  ],
  prefixes: [],
  valueOf: (name, moment) => (Object.hasOwn(VALUES, name) ? VALUES[name]?.(moment) : undefined),
};
