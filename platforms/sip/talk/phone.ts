import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { env as processEnvironment } from "node:process";
import { ScenarioError } from "../../../src/base/errors.ts";
import { defined, dropPromise, OPTION, recordOf, rule, shorten, startTimeLimit } from "../../../src/base/values/mod.ts";
import {
  type AgentConnection,
  type ConnectionError,
  type ConnectionFailure,
  connectionFailure,
  ENDPOINT_RULES,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import {
  VOICE_RULES,
  type VoiceOptions,
  type VoiceParts,
  type VoiceSetup,
  voiceConnection,
} from "../../../src/call/voice/mod.ts";
import { checkTalkOptions } from "../../talking/mod.ts";
import { type Refusal, SipDialog } from "./dialog.ts";
import type { SipLogin } from "./digest.ts";
import { PhoneLine } from "./line.ts";
import { type SipAddress, sipAddress } from "./message.ts";
import { LINE_RATE, RtpStream } from "./rtp.ts";
import { offerOf } from "./sdp.ts";

/** Options of `connect.sip()`. */
export interface SipOptions extends VoiceOptions {
  /** Name of the agent in reports. Default: `sip:` and the user and host of `to`. */
  readonly name?: string;
  /** Version of the agent, such as a commit. It is stored with the run. */
  readonly version?: string;
  /** Who is called: `sip:desk@pbx.example.com`, or `sip:+15551234567@trunk.example.com:5060`. */
  readonly to: string;
  /** Who calls. Default: `sip:callweave@` and the address of this machine. */
  readonly from?: string;
  /** Where calls are sent, such as the address of a trunk: `trunk.example.com:5060`. Default: the host of `to`. */
  readonly proxy?: string;
  /** Name of the caller for a server that asks for one (digest authentication). */
  readonly username?: string;
  /** Name of the environment variable with the password. Needed with `username`. */
  readonly passwordVariable?: string;
  /** Other headers of the call, such as `X-Customer`. They are not redacted in errors: pass no secrets. */
  readonly headers?: { readonly [name: string]: string };
  /** Address of this machine that the other side answers to. Default: that of the network in which the other side is. */
  readonly localAddress?: string;
  /** How long the other side may take to answer, in milliseconds. Default: 30,000. */
  readonly answerTimeoutMs?: number;
  /** The environment with the password. Default: that of the process. */
  readonly env?: { readonly [name: string]: string | undefined };
}

const ANSWER_MS = 30_000;

const RULES = {
  ...VOICE_RULES,
  name: OPTION.text,
  version: OPTION.text,
  to: rule('an address such as "sip:desk@pbx.example.com"', isSip),
  from: rule('an address such as "sip:me@example.com"', isSip),
  proxy: rule('a host and a port, such as "trunk.example.com:5060"', (value) => isSip(`sip:${String(value)}`)),
  username: rule("a text without quotes", (value) => typeof value === "string" && /^[^"\\\r\n]+$/.test(value)),
  passwordVariable: ENDPOINT_RULES.keyVariable,
  headers: recordOf(
    rule("a text in one line", (value) => typeof value === "string" && /^[^\r\n]*$/.test(value)),
    "an object with texts in one line",
  ),
  localAddress: OPTION.text,
  answerTimeoutMs: OPTION.milliseconds,
  env: OPTION.object,
};

/**
 * Calls an agent behind a trunk or a PBX by SIP, with sound in RTP, over UDP. The tools of the agent run.
 *
 * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
 */
export function sipConnection(given: SipOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const options = checkTalkOptions(given, RULES, { to: '"sip:desk@pbx.example.com"' }, {});
  const { to, version, opening = true } = options;
  const { user = "", host = "" } = sipAddress(to) ?? {};
  const name = options.name ?? `sip:${user === "" ? host : `${user}@${host}`}`;
  const login = loginOf(options);
  return voiceConnection(
    {
      name,
      ...defined({ version }),
      capabilities: {
        ...TEXT_ONLY,
        text: false,
        voice: true,
        opening,
        dtmf: true,
        endSignal: true,
        version: version !== undefined,
      },
    },
    options,
    {
      dial: async (open) => {
        // the other side's ringing is no part of the agent's answer
        const resume = open.pauseClock();
        try {
          return await dialPhone({ name, options, login, open });
        } finally {
          resume();
        }
      },
      ...parts,
    },
  );
}

function loginOf({ username, passwordVariable, env = processEnvironment }: SipOptions): SipLogin | undefined {
  if (username === undefined && passwordVariable === undefined) return undefined;
  if (username === undefined || passwordVariable === undefined)
    throw new ScenarioError("Cannot connect: a login needs both a username and a passwordVariable", {
      code: "invalid-option",
      path: [username === undefined ? "username" : "passwordVariable"],
      hint: 'Pass { username: "6001", passwordVariable: "SIP_PASSWORD" }',
    });
  const password = env[passwordVariable] ?? "";
  if (password !== "") return { username, password };
  throw new ScenarioError(`Cannot connect: the environment variable ${passwordVariable} is not set`, {
    code: "missing-key-variable",
    path: ["passwordVariable"],
    hint: `Set ${passwordVariable} to the password of ${username}`,
  });
}

interface DialParts {
  readonly name: string;
  readonly options: SipOptions;
  readonly login: SipLogin | undefined;
  readonly open: OpenOptions;
}

/**
 * Calls the other side.
 *
 * @throws {ConnectionError}
 */
export async function dialPhone({ name, options, login, open }: DialParts): Promise<VoiceSetup> {
  const { to, proxy, headers = {}, answerTimeoutMs = ANSWER_MS } = options;
  const fail = (kind: ConnectionFailure, state: string, hint?: string) =>
    connectionFailure(name, kind, without(shorten(state, 300), login), defined({ hint }));
  using limit = startTimeLimit(answerTimeoutMs, open.signal);
  const first = await limit.until(reached(proxy === undefined ? to : `sip:${proxy}`)).catch((cause: unknown) => {
    open.signal.throwIfAborted();
    const words = cause instanceof Error ? cause.message : "its host is not known";
    throw fail("unreachable", `the host of ${to} cannot be found: ${words}`);
  });
  const host = options.localAddress ?? localAddress(first.host);
  const family = first.host.includes(":") ? "udp6" : "udp4";
  const [signals, media] = [createSocket(family), createSocket(family)];
  const close = () => {
    for (const socket of [signals, media]) closeSocket(socket);
  };
  try {
    const [port, mediaPort] = await limit.until(Promise.all([bound(signals, host), bound(media, host)]));
    const line = new PhoneLine();
    const rtp = new RtpStream(media, (samples) => line.add({ kind: "sound", samples }));
    const offer = offerOf({ host, port: mediaPort, id: Math.floor(Math.random() * 2 ** 31) });
    const dialog = new SipDialog(
      {
        socket: signals,
        local: { host, port },
        first,
        to,
        from: options.from ?? `sip:callweave@${host.includes(":") ? `[${host}]` : host}`,
        offer,
        headers: Object.entries(headers),
        login,
        userAgent: "Callweave",
      },
      {
        end: (how) => line.end(how),
        fail: (reason) => line.fail(fail("ended-early", `its line failed (${reason})`)),
        sound: (sound) => rtp.agree(sound),
      },
    );
    const answer = await limit.until(dialog.invite()).catch(async (error: unknown) => {
      const { state } = dialog;
      await dialog.cancel();
      if (!limit.expired()) throw error;
      throw state === "ringing"
        ? fail("silence", `it rings, and nobody answers within ${answerTimeoutMs} ms`, "Raise answerTimeoutMs")
        : fail("unreachable", `nothing at ${first.host}:${first.port} answers the call within ${answerTimeoutMs} ms`);
    });
    if ("kind" in answer) {
      await dialog.bye();
      throw refusal(answer, fail, login);
    }
    rtp.agree(answer);
    let isThere = true;
    return {
      callId: dialog.callId.replace(/@.*/, ""),
      wire: {
        rate: LINE_RATE,
        send: (samples, place) => {
          if (!line.isOver) rtp.send(samples, place);
        },
        receive: async ({ signal }) => await line.next(signal),
        hangUp: async () => {
          isThere = await dialog.bye();
          close();
        },
        dtmf: (key) => {
          if (rtp.hasKeys) rtp.press(key);
          else dropPromise(dialog.info(key));
        },
      },
      record: async () => {
        if (isThere) return {};
        throw fail("ended-early", "it does not answer when the caller hangs up, and may have been gone before");
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** What statuses of SIP mean. Others below 500 are a refusal, and above it a fault of the server. */
const STATUSES: ReadonlyMap<number, readonly [kind: ConnectionFailure, words: string]> = new Map([
  [402, ["payment", "it wants to be paid"]],
  [403, ["key", "the caller may not call"]],
  [404, ["unknown-agent", "nobody is known there"]],
  [408, ["silence", "nobody answers"]],
  [410, ["unknown-agent", "nobody is there any more"]],
  [480, ["silence", "nobody can be reached there"]],
  [484, ["unknown-agent", "the number is not complete"]],
  [486, ["refused", "it is busy"]],
  [488, ["refused", "it has no sound that both sides know: PCMU and PCMA are offered"]],
  [600, ["refused", "it is busy"]],
  [603, ["refused", "it declines"]],
  [604, ["unknown-agent", "nobody is known there"]],
]);

function refusal(
  answer: Refusal,
  fail: (kind: ConnectionFailure, state: string, hint?: string) => ConnectionError,
  login: SipLogin | undefined,
): ConnectionError {
  if (answer.kind === "sound") return fail("vendor", "its answer has no sound that both sides know");
  if (answer.kind === "login") {
    const hint = "Check username and the password";
    if (answer.isWrong) return fail("key", `it rejects the password (${answer.status})`, hint);
    return login
      ? fail("key", `it asks for a login that is not known here (${answer.status})`, hint)
      : fail("key", `it asks who is calling (${answer.status})`, "Pass username and passwordVariable");
  }
  const { status, reason } = answer;
  const said = `${status}${reason === "" ? "" : ` ${reason}`}`;
  const [kind, words] = STATUSES.get(status) ?? [
    status >= 500 && status < 600 ? "vendor" : "refused",
    status < 400 ? "it sends the call to another address" : "it does not take the call",
  ];
  return fail(kind, `${words} (${said})`);
}

function without(text: string, login: SipLogin | undefined): string {
  return login ? text.replaceAll(login.password, "[password]") : text;
}

/** Where an address is reached, with the number of its host. */
async function reached(uri: string): Promise<SipAddress> {
  const address = sipAddress(uri);
  if (!address) throw new TypeError("it is no SIP address");
  const { address: host } = await lookup(address.host, { verbatim: false });
  return { ...address, host };
}

/** Address of this machine in the network of a host. */
function localAddress(host: string): string {
  if (/^127\.|^::1$/.test(host)) return host.includes(":") ? "::1" : "127.0.0.1";
  const family = host.includes(":") ? "IPv6" : "IPv4";
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((each) => each.family === family && !each.internal);
  const near = own.find(({ address }) => address.split(".").slice(0, 3).join() === host.split(".").slice(0, 3).join());
  return (near ?? own[0])?.address ?? "127.0.0.1";
}

async function bound(socket: Socket, address: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind({ port: 0, address }, () => {
      socket.off("error", reject);
      // what cannot be sent is lost, as on the way
      socket.on("error", () => {});
      resolve(socket.address().port);
    });
  });
}

function closeSocket(socket: Socket): void {
  try {
    socket.close();
  } catch {
    // it was closed before
  }
}

function isSip(value: unknown): boolean {
  return typeof value === "string" && sipAddress(value) !== undefined;
}
