import { env as processEnvironment } from "node:process";
import { ScenarioError } from "../../../src/base/errors.ts";
import { checkOptions, isRecord, OPTION, rule } from "../../../src/base/values/mod.ts";
import { ENDPOINT_RULES } from "../../../src/call/connection/mod.ts";
import type { CallVoice } from "../../../src/call/voice/mod.ts";
import { textOf } from "../../../src/document/expressions/mod.ts";
import { CALL_VOICE } from "../../talking/mod.ts";
import type { RoomKeys } from "./token.ts";

/** Options of `connect.livekit()`. It needs `command`, `listen` or `url`. */
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
  /**
   * Meets the agent in a room of this server: `wss://project.livekit.cloud`, or `ws://127.0.0.1:7880`. Each call has a
   * room of its own, which is deleted at its end. It needs the package `@livekit/rtc-node`, and the server's key.
   */
  readonly url?: string;
  /**
   * Name under which the worker is registered (`agentName`). Default: workers without a name, which join every new room
   * of the server.
   */
  readonly agentName?: string;
  /** Metadata of the agent's job: a text, or an object that becomes JSON. It needs `agentName`. */
  readonly metadata?: string | { readonly [name: string]: unknown };
  /**
   * Whether the agent reads the variables of the scenario from the metadata of its job: an object in JSON, with those of
   * `metadata`. It needs `agentName`. Default: false.
   */
  readonly startVariables?: boolean;
  /** Calls by voice, in place of text, in a room. Default: false. */
  readonly voice?: CallVoice;
  /** Name of the environment variable with the server's key. Default: `LIVEKIT_API_KEY`. */
  readonly keyVariable?: string;
  /** Name of the environment variable with the secret of the key. Default: `LIVEKIT_API_SECRET`. */
  readonly secretVariable?: string;
  /** Folder in which the command runs. Default: that of the process. */
  readonly folder?: string;
  /** Environment variables besides those of the process: of the command, and with the server's key. */
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

export const HANG_UP_MS = 2_000;
/** Closing a call has a time limit of its own, and the worker needs some of it to end. */
const MOST_HANG_UP_MS = 6_000;

const RULES = {
  name: OPTION.text,
  version: OPTION.text,
  command: rule("a list of texts that are not empty", isCommand),
  folder: OPTION.text,
  env: OPTION.object,
  listen: rule('an address such as "127.0.0.1:4000"', isAddress),
  url: rule("an address that starts with ws:// or wss://, without a user and a password", isServer),
  agentName: rule("a text that is not empty", (value) => typeof value === "string" && value !== ""),
  metadata: rule("a text or an object", (value) => typeof value === "string" || isRecord(value)),
  startVariables: OPTION.switch,
  voice: CALL_VOICE,
  keyVariable: ENDPOINT_RULES.keyVariable,
  secretVariable: ENDPOINT_RULES.keyVariable,
  opening: OPTION.switch,
  endTools: OPTION.texts,
  transfers: OPTION.texts,
  hangUpMs: rule(
    `a number of milliseconds from 0 to ${MOST_HANG_UP_MS}`,
    (value) => typeof value === "number" && value >= 0 && value <= MOST_HANG_UP_MS,
  ),
  startTimeoutMs: OPTION.milliseconds,
};

export const START_TIMEOUT_MS = 60_000;
/** LiveKit's own tool for ending a call. */
export const END_TOOLS: readonly string[] = ["end_call"];

const PLACES = ["command", "listen", "url"] as const;

/**
 * Checks options.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkLiveKit(given: LiveKitOptions): LiveKitOptions {
  const options = given ?? {}; // a call without types
  checkOptions(options, RULES, ScenarioError, "Cannot connect", { open: false });
  const { command, agentName, metadata, startVariables = false } = options;
  const [first, second] = PLACES.filter((place) => options[place] !== undefined);
  const wrong = (path: string, state: string, hint: string) =>
    new ScenarioError(`Cannot connect: ${state}`, { code: "invalid-option", path: [path], hint });
  if (first === undefined || second !== undefined)
    throw wrong(
      "command",
      second ? `there is both a ${first} and ${second === "url" ? "a url" : second}` : "there is no command",
      'Pass { command: ["node", "agent.js"] }, { listen: "127.0.0.1:4000" }, or { url: "wss://…" } for a room',
    );
  const isNamed = first === "url" && agentName !== undefined;
  if (!isNamed && (metadata !== undefined || startVariables))
    throw wrong("agentName", "only an agent with a name in a room gets metadata", "Pass { url, agentName }");
  if (startVariables && typeof metadata === "string")
    throw wrong("metadata", "variables cannot be added to a text", "Pass an object as metadata");
  if (first !== "url" && options.voice !== undefined && options.voice !== false)
    throw wrong("voice", "only an agent in a room is called by voice", "Pass { url }, or remove voice");
  if (command === undefined && options.folder !== undefined)
    throw wrong("folder", "there is no command that runs in the folder", "Remove folder");
  return options;
}

/**
 * The server's key and its secret.
 *
 * @throws {ScenarioError} `missing-key-variable`.
 */
export function keysOf({
  keyVariable = "LIVEKIT_API_KEY",
  secretVariable = "LIVEKIT_API_SECRET",
  env,
}: LiveKitOptions): RoomKeys {
  const read = (variable: string, path: string, what: string) => {
    const value = (env?.[variable] ?? processEnvironment[variable])?.trim() ?? "";
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    const state = value === "" ? "is not set" : "has blanks or unusual characters";
    throw new ScenarioError(`Cannot connect: the environment variable ${variable} ${state}`, {
      code: "missing-key-variable",
      path: [path],
      hint: `Set ${variable} to ${what} of the LiveKit server`,
    });
  };
  return {
    key: read(keyVariable, "keyVariable", "the API key"),
    secret: read(secretVariable, "secretVariable", "the API secret"),
  };
}

/** The metadata of an agent's job. */
export function metadataOf(
  { metadata = {}, startVariables = false }: LiveKitOptions,
  variables: { readonly [name: string]: unknown },
): string {
  if (typeof metadata === "string") return metadata;
  const added = startVariables ? Object.entries(variables).map(([name, value]) => [name, textOf(value, name)]) : [];
  const all = { ...metadata, ...Object.fromEntries(added) };
  return Object.keys(all).length === 0 ? "" : JSON.stringify(all);
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

/** Whether a text is the address of a server. */
export function isServer(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "ws:" || protocol === "wss:") && username === "" && password === "";
}
