/** How sound is written on the line. */
export type SipCodec = "PCMU" | "PCMA";

/** Numbers of the codecs in RTP. */
const TYPES: { readonly [Name in SipCodec]: number } = { PCMU: 0, PCMA: 8 };
/** Number of keys of the telephone (RFC 4733) in our offer. */
const KEYS_TYPE = 101;

/** What both sides have agreed on. */
export interface AgreedSound {
  readonly host: string;
  readonly port: number;
  readonly codec: SipCodec;
  /** Number of the codec in RTP. */
  readonly type: number;
  /** Number of keys of the telephone in RTP; `undefined`: the other side does not take them as packets. */
  readonly keysType: number | undefined;
}

/** What we offer: both codecs, and keys of the telephone. */
export function offerOf({
  host,
  port,
  id,
}: {
  readonly host: string;
  readonly port: number;
  readonly id: number;
}): string {
  const family = host.includes(":") ? "IP6" : "IP4";
  const lines = [
    "v=0",
    `o=callweave ${id} ${id} IN ${family} ${host}`,
    "s=call",
    `c=IN ${family} ${host}`,
    "t=0 0",
    `m=audio ${port} RTP/AVP ${TYPES.PCMU} ${TYPES.PCMA} ${KEYS_TYPE}`,
    `a=rtpmap:${TYPES.PCMU} PCMU/8000`,
    `a=rtpmap:${TYPES.PCMA} PCMA/8000`,
    `a=rtpmap:${KEYS_TYPE} telephone-event/8000`,
    `a=fmtp:${KEYS_TYPE} 0-15`,
    "a=ptime:20",
    "a=sendrecv",
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

/** Reads an answer, or an offer; `undefined` if no sound can be agreed on. */
export function agreedSound(sdp: string): AgreedSound | undefined {
  const lines = sdp.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("m=audio "));
  if (start < 0) return undefined;
  const next = lines.findIndex((line, at) => at > start && line.startsWith("m="));
  const own = lines.slice(start, next < 0 ? undefined : next);
  const session = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith("m=")),
  );
  const hostIn = (part: readonly string[]) =>
    part.map((line) => /^c=IN IP[46] ([^\s/]+)/.exec(line)?.[1]).find((found) => found !== undefined);
  const host = hostIn(own) ?? hostIn(session);
  const [, port = "0", types = ""] = /^m=audio (\d+)(?:\/\d+)? RTP\/AVP((?: \d+)+)/.exec(own[0] ?? "") ?? [];
  const listed = types.trim().split(" ").map(Number);
  const mapped = (pattern: RegExp) => {
    const found = own.map((line) => /^a=rtpmap:(\d+) (.+)$/.exec(line)).find((match) => pattern.test(match?.[2] ?? ""));
    return found?.[1] === undefined ? undefined : Number(found[1]);
  };
  const codecs = (["PCMU", "PCMA"] as const).flatMap((codec) => {
    const type = mapped(new RegExp(`^${codec}/8000(?:/1)?\\s*$`, "i")) ?? TYPES[codec];
    return listed.includes(type) ? [{ codec, type }] : [];
  });
  // the first in the list is what the other side prefers
  const [best] = codecs.toSorted((one, other) => listed.indexOf(one.type) - listed.indexOf(other.type));
  const keysType = mapped(/^telephone-event\/8000/i);
  if (host === undefined || Number(port) === 0 || !best) return undefined;
  return { host, port: Number(port), ...best, keysType: listed.includes(keysType ?? -1) ? keysType : undefined };
}
