import { ScenarioError } from "../../src/base/errors.ts";
import { checkOptions, defined, OPTION, type OptionRules } from "../../src/base/values/mod.ts";
import { type AgentConnection, ENDPOINT_RULES, type EndpointOptions } from "../../src/call/connection/mod.ts";
import type { CallVoice } from "../../src/call/voice/mod.ts";

/** How scenarios call the agents of a platform: one record, exported by `talk/mod.ts` of its folder. */
export interface TalkFacts<Name extends string = string, Options = never> {
  /** Name of its folder, and first word of references to its agents: `retell`. */
  readonly name: Name;
  /** For messages: `Retell`. */
  readonly title: string;
  /**
   * Makes a connection to an agent.
   *
   * @throws {ScenarioError} `invalid-option`, `missing-key-variable`.
   */
  readonly connect: (options: Options) => AgentConnection;
  /** Makes the connection to the agent that a reference such as `retell:agent_123@7` names. */
  readonly connectTo: (reference: AgentReference) => AgentConnection;
  /** Whether its calls can be by voice (option `voice`), or always are. Absent: they are in text. */
  readonly voice?: "optional" | "always";
  /** What stands after the colon of a reference, for help texts: `AGENT_ID[@VERSION]`. */
  readonly referenceWords: string;
  /** Whether references are addresses, in which `@` begins no version. Default: false. */
  readonly isAddress?: boolean;
}

/** An agent of a platform, as the command line names it. */
export interface AgentReference extends AgentOptions {
  /** The platform's id of the agent, or its address. */
  readonly id: string;
  /** Whether calls are by voice, and how. */
  readonly voice?: CallVoice;
}

/** Options of connections to every platform. */
export interface AgentOptions extends Omit<EndpointOptions, "url" | "keyHeader" | "headers"> {
  /** Address of the platform's API, such as that of a proxy. Default: the platform's own. */
  readonly baseUrl?: string;
}

const { url, keyHeader: _, headers: __, ...COMMON } = ENDPOINT_RULES;

/** Rules of {@link AgentOptions}. */
export const AGENT_OPTION_RULES = { ...COMMON, baseUrl: url };

/**
 * Checks the options of a connection, of which some are needed.
 *
 * @param common Rules of the options that connections share. Default: all of {@link AgentOptions}.
 * @throws {ScenarioError} `invalid-option`.
 */
export function checkTalkOptions<Options extends object>(
  given: Options,
  rules: OptionRules,
  needed: { readonly [name: string]: string },
  common: OptionRules = AGENT_OPTION_RULES,
): Options {
  const options = given ?? {}; // a call without types
  checkOptions(options, { ...common, ...rules }, ScenarioError, "Cannot connect", { open: false });
  for (const [name, example] of Object.entries(needed)) {
    if (name in options && Reflect.get(options, name) !== undefined) continue;
    throw new ScenarioError(`Cannot connect: there is no ${name}`, {
      code: "invalid-option",
      path: [name],
      hint: `Pass { ${name}: ${example} }`,
    });
  }
  return options;
}

/** A rule for ids that are not empty and go into URLs. */
export const AGENT_ID = { ...OPTION.text, needs: "a text that is not empty", accepts: isId };

function isId(value: unknown): boolean {
  return typeof value === "string" && /^[^\s/?#]+$/.test(value);
}

/** What the client of a platform needs, from the options of a connection and the platform's traits. */
export function endpointOf(
  { baseUrl, keyVariable, version: _version, ...options }: AgentOptions,
  traits: { readonly baseUrl: string; readonly keyVariable: string; readonly keyHeader?: string },
): EndpointOptions {
  const { name, throttleLimitMs, fetch, env } = options;
  return {
    url: baseUrl ?? traits.baseUrl,
    keyVariable: keyVariable ?? traits.keyVariable,
    ...defined({ name, throttleLimitMs, fetch, env, keyHeader: traits.keyHeader }),
  };
}
