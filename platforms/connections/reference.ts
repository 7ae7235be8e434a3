import { ScenarioError } from "../../src/base/errors.ts";
import { didYouMean } from "../../src/base/values/mod.ts";
import type { AgentConnection } from "../../src/call/connection/mod.ts";
import type { AgentReference, TalkFacts } from "../talking/mod.ts";
import { TALKS } from "./all_talks.ts";

/** What an agent is called on a command line: `retell:agent_123@7`. */
export interface ParsedReference {
  readonly platform: string;
  readonly id: string;
  readonly version?: string;
}

/** How agents are named, for help texts: `retell:AGENT_ID[@VERSION]` and one for each other platform. */
export function referenceForms(): readonly string[] {
  return all().map(({ name, referenceWords }) => `${name}:${referenceWords}`);
}

/** Reads a reference; `undefined` for a text that does not begin with a platform and a colon. */
export function parseReference(text: string): ParsedReference | undefined {
  const [, platform = "", rest = ""] = /^([a-z][a-z0-9]*):(?!\/\/)(.+)$/s.exec(text) ?? [];
  if (platform === "") return undefined;
  if (all().some(({ name, isAddress }) => name === platform && isAddress)) return { platform, id: rest };
  // addresses contain @ and have no version
  const [, id = rest, version] = /^([^@]+)@([^@/]+)$/.exec(rest) ?? [];
  return { platform, id, ...(version === undefined ? {} : { version }) };
}

/**
 * Makes the connection to an agent of a platform.
 *
 * @throws {ScenarioError} `unknown-platform`, `invalid-option`, `missing-key-variable`.
 */
export function connectTo(platform: string, reference: AgentReference): AgentConnection {
  const facts = all().find(({ name }) => name === platform);
  const { voice, ...agent } = reference;
  if (facts?.voice) return facts.connectTo(reference);
  if (facts && (voice === undefined || voice === false)) return facts.connectTo(agent);
  if (facts) {
    const speaking = all().flatMap(({ name, voice }) => (voice ? [name] : []));
    throw new ScenarioError(`Cannot connect: calls to agents of ${facts.title} are in text`, {
      code: "invalid-option",
      path: ["voice"],
      hint: `Leave out voice (--voice), which ${speaking.join(", ")} have`,
    });
  }
  const names = all().map(({ name }) => name);
  throw new ScenarioError(`Cannot connect: there is no platform "${platform}"`, {
    code: "unknown-platform",
    hint: didYouMean(platform, names, `Use one of ${referenceForms().join(", ")}`),
  });
}

/** Whether calls to agents of a platform can be by voice, or always are; `undefined`: they are in text. */
export function speaks(platform: string): TalkFacts["voice"] {
  return all().find(({ name }) => name === platform)?.voice;
}

function all(): readonly TalkFacts[] {
  return Object.values(TALKS);
}
