import { Buffer } from "node:buffer";

/** A message of SIP (RFC 3261). Names of headers are in lower case; a header that comes several times has a list. */
export interface SipMessage {
  /** Method of a request; `undefined` for a response. */
  readonly method: string | undefined;
  /** Address of a request. */
  readonly uri: string;
  /** Status of a response; 0 for a request. */
  readonly status: number;
  readonly reason: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** Short names of headers. */
const SHORT: { readonly [name: string]: string } = {
  i: "call-id",
  m: "contact",
  e: "content-encoding",
  l: "content-length",
  c: "content-type",
  f: "from",
  s: "subject",
  k: "supported",
  t: "to",
  v: "via",
};

/** Headers whose values may stand in one line, with commas between them. */
const LISTS: readonly string[] = ["via", "route", "record-route", "contact"];

/** Reads a message; `undefined` for what is none, such as the empty packets that keep a way through a router open. */
export function readSip(text: string): SipMessage | undefined {
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  // a header may go on in lines that begin with a blank
  const [first = "", ...lines] = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const [, status, reason = ""] = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(first) ?? [];
  const [, method, uri = ""] = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first) ?? [];
  if (status === undefined && method === undefined) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, raw = "", value = ""] = /^([^\s:]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (raw === "") continue;
    const name = SHORT[raw.toLowerCase()] ?? raw.toLowerCase();
    const values = LISTS.includes(name) ? splitValues(value) : [value.trim()];
    headers.set(name, [...(headers.get(name) ?? []), ...values]);
  }
  const length = Number(headers.get("content-length")?.[0] ?? Number.NaN);
  const rest = end ? text.slice(end.index + end[0].length) : "";
  const body = Number.isNaN(length) ? rest : Buffer.from(rest).subarray(0, length).toString();
  return { method, uri, status: Number(status ?? 0), reason, headers, body };
}

/** Cuts a header at its commas, except in quotes and in `<…>`. */
function splitValues(value: string): readonly string[] {
  return (value.match(/(?:"(?:\\.|[^"\\])*"|<[^>]*>|[^,"<])+/g) ?? []).map((each) => each.trim()).filter(Boolean);
}

/** A message that is about to be sent. Headers are in the order in which they are written. */
export interface SentMessage {
  /** `INVITE sip:… SIP/2.0`, or `SIP/2.0 200 OK`. */
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** The text of a message. */
export function writeSip({ start, headers, body = "" }: SentMessage): string {
  const all = [...headers, ["Content-Length", String(Buffer.byteLength(body))] as const];
  return `${start}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/** The first value of a header; empty without one. */
export function headerOf({ headers }: SipMessage, name: string): string {
  return headers.get(name)?.[0] ?? "";
}

/** The first cause of Q.850 that is no normal end, and the last one; 127 has no known cause. */
const [FIRST_FAILURE, LAST_FAILURE] = [34, 126];

/** The failure that has ended a call (`Reason`, RFC 3326); `undefined`: somebody hung up. */
export function failureOf({ headers }: SipMessage): string | undefined {
  return (headers.get("reason") ?? []).flatMap(splitValues).find((reason) => {
    const cause = Number(parameterOf(reason, "cause"));
    if (/^SIP\b/i.test(reason)) return cause >= 500 && cause < 600;
    return /^Q\.850\b/i.test(reason) && cause >= FIRST_FAILURE && cause <= LAST_FAILURE;
  });
}

/** The number and the method of `CSeq`. */
export function sequenceOf(message: SipMessage): { readonly number: number; readonly method: string } {
  const [, number = "0", method = ""] = /^(\d+)\s+(\S+)$/.exec(headerOf(message, "cseq")) ?? [];
  return { number: Number(number), method };
}

/** The value of a parameter, such as the tag of `<sip:desk@host>;tag=abc`. */
export function parameterOf(value: string, name: string): string | undefined {
  const parameters = value.replace(/^[^<]*<[^>]*>/, "");
  return new RegExp(`;\\s*${name}\\s*=\\s*"?([^;",\\s]+)`, "i").exec(parameters)?.[1];
}

/** The address in a header: `sip:desk@host` of `"Desk" <sip:desk@host>;tag=abc`. */
export function uriOf(value: string): string {
  return /<([^>]*)>/.exec(value)?.[1] ?? value.replace(/;.*$/, "").trim();
}

/** Where a SIP address is reached. */
export interface SipAddress {
  /** `desk`, or a number of a telephone; empty if the address has none. */
  readonly user: string;
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5060;

/** Reads `sip:desk@host:5060;parameters`; `undefined` for another address. */
export function sipAddress(uri: string): SipAddress | undefined {
  const [, user = "", six, host = six ?? "", port] =
    /^sip:(?:([^@\s<>"]+)@)?(?:\[([\da-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?(?:[;?].*)?$/i.exec(uri) ?? [];
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (host === "" || number < 1 || number > 65_535) return undefined;
  return { user, host, port: number };
}
