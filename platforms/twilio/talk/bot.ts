import { defined, OPTION, recordOf, rule } from "../../../src/base/values/mod.ts";
import { type AgentConnection, openAgentSocket, TEXT_ONLY } from "../../../src/call/connection/mod.ts";
import { VOICE_RULES, type VoiceOptions, type VoiceParts, voiceConnection } from "../../../src/call/voice/mod.ts";
import { textOf } from "../../../src/document/expressions/mod.ts";
import { AGENT_OPTION_RULES, type AgentOptions, checkTalkOptions } from "../../talking/mod.ts";
import { startStream } from "./stream.ts";

/** Options of `connect.twilio()`. */
export interface TwilioOptions extends VoiceOptions, Pick<AgentOptions, "name" | "version" | "throttleLimitMs"> {
  /** Address of the bot's socket, such as `wss://bot.example.com/media`. Twilio passes no query, so it has none. */
  readonly url: string;
  /** What `<Parameter>` elements of the `<Stream>` pass to the bot. */
  readonly customParameters?: { readonly [name: string]: string };
  /**
   * Whether the bot reads the variables of the scenario from its custom parameters. They are added to those above.
   * Default: false.
   */
  readonly startVariables?: boolean;
}

const { name: NAME, version: VERSION, throttleLimitMs: LIMIT } = AGENT_OPTION_RULES;
/** The options that it shares with others: there is no key. */
const COMMON = { name: NAME, version: VERSION, throttleLimitMs: LIMIT };

const RULES = {
  ...VOICE_RULES,
  url: rule(
    "an address that starts with ws:// or wss://, without a user, a password and a query",
    (value) => typeof value === "string" && isAddress(value),
  ),
  customParameters: recordOf(OPTION.text, "an object with texts"),
  startVariables: OPTION.switch,
};

/** Codes with which bots close the connection to end a call. Sockets of Node give none (1005) by default. */
const NORMAL_CODES = [1000, 1005];

/**
 * Calls a bot by voice, as Twilio's bidirectional Media Streams do. No account is needed: Callweave plays Twilio and dials
 * the bot. The tools of the bot run.
 *
 * @throws {ScenarioError} `invalid-option`.
 */
export function twilioConnection(given: TwilioOptions, parts: Partial<VoiceParts> = {}): AgentConnection {
  const options = checkTalkOptions(given, RULES, { url: '"wss://bot.example.com/media"' }, COMMON);
  const { url, version, name = `twilio:${new URL(url).host}`, opening = true, startVariables = false } = options;
  const { customParameters = {}, throttleLimitMs } = options;
  return voiceConnection(
    {
      name,
      ...defined({ version }),
      capabilities: {
        ...TEXT_ONLY,
        text: false,
        voice: true,
        dtmf: true,
        opening,
        startVariables,
        endSignal: true,
        transferSignal: false,
        version: version !== undefined,
      },
    },
    options,
    {
      dial: async ({ signal, pauseClock, variables }) => {
        const limit = defined({ throttleLimitMs });
        const socket = await openAgentSocket(name, { url, signal, pauseClock, normalCodes: NORMAL_CODES, ...limit });
        return startStream(socket, {
          name,
          customParameters: { ...customParameters, ...(startVariables ? textsOf(variables) : {}) },
        });
      },
      ...parts,
    },
  );
}

function textsOf(variables: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const text = textOf(value, name);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search } = new URL(value);
  return (protocol === "ws:" || protocol === "wss:") && username === "" && password === "" && search === "";
}
