import pLimit from "p-limit";
import { ScenarioError } from "../../../src/base/errors.ts";
import { checkOptions, defined, OPTION, rule, startTimeLimit } from "../../../src/base/values/mod.ts";
import {
  type AgentCall,
  type AgentConnection,
  type CallRequest,
  connectionFailure,
  type OpenOptions,
  TEXT_ONLY,
} from "../../../src/call/connection/mod.ts";
import { type OpenedSession, openSession } from "./call.ts";
import { connectWorker, processGroups, type Worker } from "./worker.ts";

/** Options of `connect.livekit()`. It needs `command` or `listen`. */
export interface LiveKitOptions {
  /** Name of the agent in reports. Default: `livekit:` and the last part of the command. */
  readonly name?: string;
  /** Version of the agent, such as a commit. It is stored with the run. */
  readonly version?: string;
  /**
   * Starts a worker of LiveKit Agents: `["node", "agent.js"]`, or
   * `["python", "-m", "livekit.agents", "console", "agent.py"]`. Each call starts one, with `console` (unless the command
   * has it) and `--connect-addr` added, and ends it.
   */
  readonly command?: readonly string[];
  /** Folder in which the command runs. Default: that of the process. */
  readonly folder?: string;
  /** Environment variables of the command, besides those of the process. */
  readonly env?: { readonly [name: string]: string | undefined };
  /**
   * Waits at an address such as `127.0.0.1:4000` for workers that you start, one for each call. The protocol has no
   * password: whoever reaches the address can answer.
   */
  readonly listen?: string;
  /**
   * Whether the agent speaks first; calls then wait until it has spoken. Default: what it does when it is looked up: it
   * has 2 s to begin.
   */
  readonly opening?: boolean;
  /** Tools that end the call: after them a call waits until the worker leaves. Default: `["end_call"]`. */
  readonly endTools?: readonly string[];
  /**
   * Names of the tools that transfer a call: a worker that leaves after one of them has transferred it. Without them,
   * nothing tells a transfer from another end.
   */
  readonly transfers?: readonly string[];
  /**
   * How long the end of a call waits for the worker to leave if its last turn called tools, in milliseconds: another
   * tool than those of `endTools` may have ended the call. At most 6,000. Default: 2,000.
   */
  readonly hangUpMs?: number;
  /** How long a worker may take to start and connect, in milliseconds. Default: 60,000. */
  readonly startTimeoutMs?: number;
}

const HANG_UP_MS = 2_000;
/** Closing a call has a time limit of its own, and the worker needs some of it to end. */
const MOST_HANG_UP_MS = 6_000;

const RULES = {
  name: OPTION.text,
  version: OPTION.text,
  command: rule("a list of texts that are not empty", isCommand),
  folder: OPTION.text,
  env: OPTION.object,
  listen: rule('an address such as "127.0.0.1:4000"', isAddress),
  opening: OPTION.switch,
  endTools: OPTION.texts,
  transfers: OPTION.texts,
  hangUpMs: rule(
    `a number of milliseconds from 0 to ${MOST_HANG_UP_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_HANG_UP_MS,
  ),
  startTimeoutMs: OPTION.milliseconds,
};

const START_TIMEOUT_MS = 60_000;
/** LiveKit's own tool for ending a call. */
const END_TOOLS: readonly string[] = ["end_call"];

/** What workers report. Tools run in the worker, where no mock reaches them. */
const CAPABILITIES = { ...TEXT_ONLY, nodeEachTurn: true, toolArguments: true, opening: true, endSignal: true };

/**
 * Connects to an agent of LiveKit Agents on this machine, in text: without a server, a room or a key. The nodes of a call
 * are the ids of its agents.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function livekitConnection(given: LiveKitOptions): AgentConnection {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const { command, listen, version, startTimeoutMs = START_TIMEOUT_MS } = options;
  const { endTools = END_TOOLS, transfers, hangUpMs = HANG_UP_MS } = options;
  if ((command === undefined) === (listen === undefined))
    throw new ScenarioError(`Cannot connect: there is ${command ? "both a command and listen" : "no command"}`, {
      code: "invalid-option",
      path: ["command"],
      hint: 'Pass { command: ["node", "agent.js"] }, or { listen: "127.0.0.1:4000" }',
    });
  const name = options.name ?? `livekit:${command?.at(-1) ?? listen}`;
  // workers of one address are told apart by their order
  const groups = processGroups();
  const inTurn = pLimit(listen === undefined ? Number.POSITIVE_INFINITY : 1);
  const start = async ({ signal, pauseClock }: CallRequest): Promise<Worker> => {
    // a start belongs to the test, not to the agent's answer
    const resume = pauseClock();
    try {
      return await inTurn(async () => {
        signal.throwIfAborted();
        return await connectWorker({ ...options, name, startTimeoutMs, signal, running: groups });
      });
    } finally {
      resume();
    }
  };
  const greet = async (worker: Worker, opens: boolean | undefined, signal: AbortSignal) =>
    await openSession({ name, worker, opens, endTools, transfers: transfers ?? [], hangUpMs, signal });
  const look = async (request: CallRequest): Promise<OpenedSession> => {
    const worker = await start(request);
    using limit = startTimeLimit(startTimeoutMs, request.signal);
    try {
      return await greet(worker, options.opening, limit.signal);
    } catch (error) {
      if (!limit.expired()) throw error;
      throw connectionFailure(name, "silence", `its agent did not finish its first words within ${startTimeoutMs} ms`, {
        hint: "Raise startTimeoutMs, or set opening: false if the agent does not speak first",
      });
    }
  };
  const connectionTo = (opens: boolean | undefined, tools?: readonly string[]): AgentConnection => ({
    name,
    ...defined({ version }),
    capabilities: {
      ...CAPABILITIES,
      opening: opens ?? true,
      transferSignal: transfers !== undefined,
      version: version !== undefined,
    },
    ...(tools ? { tools: tools.map((tool) => ({ name: tool, isMockable: false })) } : {}),
    // a worker that somebody else starts is there for a call
    ...(command
      ? {
          prepare: async (request) => {
            const { worker, opened, tools: found } = await look(request);
            await worker.stop();
            return connectionTo(options.opening ?? opened, found);
          },
        }
      : {}),
    open: async (open) => await callOf(name, await greet(await start(open), opens, open.signal), open, version),
  });
  return connectionTo(options.opening);
}

async function callOf(
  name: string,
  session: OpenedSession,
  open: OpenOptions,
  version: string | undefined,
): Promise<AgentCall> {
  const hint = "Set allowRealTools: true (--allow-real-tools) if they may run";
  if (!open.allowRealTools && session.tools.length > 0) {
    await session.worker.stop();
    const state = `its tools cannot be mocked and would run: ${session.tools.join(", ")}`;
    throw connectionFailure(name, "refused", state, { hint });
  }
  return {
    opening: session.opening,
    say: async (text) => {
      const turn = await session.say(text, open);
      // an agent after a handoff may have tools that the first one lacks
      const ran = turn.events.flatMap((event) => (event.kind === "tool" ? [event.call.name] : []));
      if (open.allowRealTools || ran.length === 0) return turn;
      throw connectionFailure(name, "refused", `tools ran that cannot be mocked: ${ran.join(", ")}`, { hint });
    },
    close: async ({ signal }) => {
      const ended = await session.ended(signal).catch(() => undefined);
      await session.worker.stop();
      return defined({ version, ended });
    },
  };
}

/** The command of a file: Python for `agent.py`, else Node. */
export function commandOf(file: string): readonly string[] {
  return file.endsWith(".py") ? ["python3", "-m", "livekit.agents", "console", file] : ["node", file];
}

function isCommand(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string" && part !== "");
}

/** Whether a text is a host and a port. */
export function isAddress(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const [, port = "0"] = /^[^\s:/]+:(\d{1,5})$|^\[[\d:a-f]+\]:(\d{1,5})$/.exec(value)?.filter(Boolean) ?? [];
  return Number(port) > 0 && Number(port) < 65_536;
}
