import assert from "node:assert/strict";
import { formatReport } from "../../../api/reporters.ts";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { type AgentConnection, type ResultRecord, type RunReport, run } from "../../../mod.ts";
import { toScenario } from "../../../src/document/scenario/mod.ts";
import type { Answer, TakenRequest } from "../../call/connection/_server.ts";
import type { SocketFault } from "../../call/connection/_socket_server.ts";
import type { FarFault } from "../../call/rtc/_far_end.ts";
import { DESK_SCENARIOS } from "./_desk.ts";
import { KEY } from "./_runs.ts";

/** What can happen in place of a message of an agent's server. */
export const FAULTS = ["break", "stall", "half", "garbage", "nothing", "throttle", "fails"] as const;
export type Fault = (typeof FAULTS)[number];

/** A fault in place of the server's message of a number, from 1. */
export interface PlannedFault {
  readonly kind: Fault;
  readonly at: number;
}

/** A server of a platform with a fault, and a connection to it. */
export interface FaultyAgent extends AsyncDisposable {
  readonly connection: AgentConnection;
  /** Number of messages of the server so far. */
  readonly messages: () => number;
  /** Texts that stand for what may run a tool: the same one twice is a request that was sent again. */
  readonly sent: () => readonly string[];
}

export interface FaultyPlatform {
  readonly name: string;
  /** Whether its end is waited for. Otherwise the end of the call, and a transfer there, is not compared. Default: true. */
  readonly ends?: boolean;
  /** Whether it is a function of one's own: what that throws is an error of the agent. Default: false. */
  readonly isOwn?: boolean;
  /** Whether one message that cannot be read is lost without a trace, as on UDP: it may have been words. Default: false. */
  readonly isLossy?: boolean;
  /**
   * Time limit of a turn with any fault, where one message that is lost may leave the call open. Default: 500, in
   * milliseconds, where the server is silent for good.
   */
  readonly stallLimitMs?: number;
  /** Calls at once, where they take real time. Default: 1. */
  readonly atOnce?: number;
  readonly start: (fault: PlannedFault | undefined) => Promise<FaultyAgent>;
}

/** Counts the answers of an HTTP server, and replaces one of them. */
export function httpFault(fault: PlannedFault | undefined) {
  let count = 0;
  const next = () => {
    count += 1;
  };
  return {
    next,
    count: () => count,
    instead: (_request?: TakenRequest): Answer | undefined => {
      next();
      // a server that is throttling goes on, one that fails at one request does not
      if (!fault || (fault.kind === "throttle" ? count < fault.at : count !== fault.at)) return undefined;
      return HTTP[fault.kind];
    },
  };
}

const HALF = '{"id":"chat_1","messages":[{"role":"agent","content":"Hel';

const HTTP: { readonly [Kind in Fault]: Answer } = {
  break: (response) => void response.destroy(),
  stall: () => {},
  half: (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(HALF);
    setTimeout(() => response.destroy(), 5);
  },
  garbage: { text: HALF },
  nothing: { json: {} },
  throttle: { status: 429, json: { message: `too many requests with ${KEY}` } },
  fails: { status: 503, json: { message: `out of order, ${KEY}` } },
};

/** Counts the messages of a server on a socket, and replaces one of them. */
export function socketFault(fault: PlannedFault | undefined) {
  let count = 0;
  return {
    count: () => count,
    fault: (): SocketFault | undefined => {
      count += 1;
      return fault && count === fault.at ? SOCKET[fault.kind] : undefined;
    },
  };
}

const SOCKET: { readonly [Kind in Fault]: SocketFault } = {
  break: "break",
  stall: "stall",
  half: "half",
  garbage: { text: "]garbage[" },
  nothing: { text: "[]" },
  throttle: { close: 1013 },
  fails: { close: 1011 },
};

/**
 * Counts the answers of a server over HTTP and what comes from the far end of a connection over WebRTC, and replaces one
 * of them.
 *
 * @param fails What the far end does that cannot go on.
 */
export function rtcFault(fault: PlannedFault | undefined, fails: FarFault) {
  const http = httpFault(fault);
  const far: { readonly [Kind in Fault]: FarFault } = { ...FAR, throttle: fails, fails };
  return {
    ...http,
    fault: (): FarFault | undefined => {
      http.next();
      return fault && http.count() === fault.at ? far[fault.kind] : undefined;
    },
  };
}

const FAR = { break: "break", stall: "stall", half: "half", garbage: "garbage", nothing: "nothing" } as const;

/** The tool of a transfer, where a server says which tools run. */
const TRANSFER = "transfer_call";

/** Time limit of a turn where the server is silent for good, in milliseconds. */
const STALL_LIMIT_MS = 500;

/** Runs a scenario of the help desk against an agent, and returns what is needed to judge it. */
async function callWith(platform: FaultyPlatform, fault: PlannedFault | undefined, scenario: number) {
  await using agent = await platform.start(fault);
  const { ends = true, stallLimitMs } = platform;
  // half of a binary message can be a whole one, after which nothing more comes
  const isLimited = fault && (stallLimitMs !== undefined || fault.kind === "stall" || fault.kind === "half");
  const all = DESK_SCENARIOS.slice(scenario, scenario + 1).map(toScenario);
  const one = ends ? all : all.map((each) => ({ ...each, ends: null }));
  let report: RunReport | undefined;
  let thrown: unknown;
  try {
    report = await run(agent.connection, one, {
      store: false,
      connection: { graph: helpDesk, unchecked: "report", allowRealTools: true },
      limits: isLimited ? { turnTimeoutMs: stallLimitMs ?? STALL_LIMIT_MS } : {},
    });
  } catch (error) {
    thrown = error; // an agent that cannot be looked up ends the run before its first call
  }
  return { report, thrown, messages: agent.messages(), sent: agent.sent() };
}

/** Number of the faults that were tried, and what was wrong, in words. */
export interface FaultCount {
  readonly tried: number;
  readonly wrong: readonly string[];
}

/**
 * Tries a share of all faults at every message of a platform's calls.
 *
 * @param options `every`: every n-th fault.
 */
export async function tryFaults(
  platform: FaultyPlatform,
  { scenarios, every }: { readonly scenarios: readonly number[]; readonly every: number },
): Promise<FaultCount> {
  const { name, atOnce = 1 } = platform;
  const wrong: string[] = [];
  let [tried, index] = [0, 0];
  for (const scenario of scenarios) {
    const whole = await callWith(platform, undefined, scenario);
    const [sound] = whole.report?.results ?? [];
    assert.equal(sound?.status, "pass", `${name}: ${sound?.errorMessage}`);
    const all = Array.from({ length: whole.messages }, (_, before) => FAULTS.map((kind) => ({ kind, at: before + 1 })));
    const left = all.flat().filter(() => index++ % every === 0);
    tried += left.length;
    const tryLeft = async () => {
      for (let fault = left.shift(); fault; fault = left.shift()) {
        const { kind, at } = fault;
        const found = problems(platform, kind, sound, await callWith(platform, fault, scenario));
        wrong.push(...found.map((problem) => `${name}, scenario ${scenario}, ${kind} at ${at}: ${problem}`));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, tryLeft));
  }
  return { tried, wrong };
}

const KINDS = /\((?:key|unknown-agent|payment|throttled|vendor|unreachable|silence|ended-early|refused)\)/;
/** Of words that are cut off, the caller's own model may make none: that says nothing about the agent. */
const LOSSY_KINDS = new RegExp(`${KINDS.source}|the transcription model heard no words`);
const OWN_KINDS = /\((?:agent|vendor|silence)\)/;

function problems(
  { ends = true, isOwn = false, isLossy = false }: FaultyPlatform,
  kind: Fault,
  sound: ResultRecord,
  { report, thrown, sent }: Awaited<ReturnType<typeof callWith>>,
): string[] {
  const found: string[] = [];
  const output = `${JSON.stringify(report ?? null)}${report ? formatReport(report) : ""}${textOf(thrown)}`;
  if (output.includes(KEY)) found.push("the key is in the output");
  const twice = sent.find((text, index) => sent.indexOf(text) !== index);
  if (twice !== undefined) found.push(`sent twice: ${twice.slice(0, 200)}`);
  const [result] = report?.results ?? [];
  if (!result) {
    if (!/connection-failed/.test(textOf(thrown))) found.push(`no result, and ${textOf(thrown).slice(0, 200)}`);
    return found;
  }
  // a fault after the last message that matters changes nothing
  if (result.status === "pass") {
    const losesWords = isLossy && (kind === "garbage" || kind === "nothing");
    const heard = losesWords ? { ...sound, transcript: commonTo(sound, result) } : sound;
    if (!isSameCall(result, heard, ends)) found.push("it passes, although a part of the call is missing");
  } else if (result.status !== "error") found.push(`it is ${result.status}, not error`);
  else if (!(isOwn ? OWN_KINDS : isLossy ? LOSSY_KINDS : KINDS).test(result.errorMessage ?? ""))
    found.push(`the error has no kind: ${result.errorMessage}`);
  const said = linesOf(result);
  const all = linesOf(sound);
  if (!said.every((line, index) => line === all[index])) found.push("what was said is not the beginning of the call");
  return found;
}

/** The messages of a call that are in another one, too. */
function commonTo(one: ResultRecord, other: ResultRecord): ResultRecord["transcript"] {
  const left = [...linesOf(other)];
  return one.transcript.filter(({ role, content }) => {
    if (role === "tool") return true;
    const isThere = left[0] === `${role}: ${content}`;
    if (isThere) left.shift();
    return isThere;
  });
}

function isSameCall(one: ResultRecord, other: ResultRecord, ends: boolean): boolean {
  const partsOf = ({ nodesVisited, variables, endReason, toolsCalled }: ResultRecord) => {
    const compared = toolsCalled.filter(({ name }) => ends || name !== TRANSFER);
    const tools = compared.map(({ name, arguments: args, result, outcome }) => ({ name, args, result, outcome }));
    return JSON.stringify({ nodesVisited, variables, tools, ...(ends ? { endReason } : {}) });
  };
  return partsOf(one) === partsOf(other) && linesOf(one).join("\n") === linesOf(other).join("\n");
}

function linesOf({ transcript }: ResultRecord): readonly string[] {
  return transcript.flatMap(({ role, content }) => (role === "tool" ? [] : [`${role}: ${content}`]));
}

function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  return `${thrown.stack} ${JSON.stringify(thrown)} ${"code" in thrown ? thrown.code : ""} ${textOf(thrown.cause)}`;
}
