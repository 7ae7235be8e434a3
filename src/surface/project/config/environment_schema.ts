import * as v from "valibot";
import { withoutLists } from "../../../document/graph/mod.ts";
import {
  DEPLOY_FORMATS,
  KEY_VARIABLES,
  PLATFORM_DATA,
  PLATFORM_NAMES,
  type PlatformName,
  VOICE_WORDS,
} from "../../../document/platforms/mod.ts";

const anyFields = withoutLists(v.record(v.string(), v.unknown()));
const texts = v.array(v.string());

type ByPlatform<Schema> = { readonly [Platform in PlatformName]: Schema };

/** A schema for each platform. */
function byPlatform<Schema>(schemaOf: (name: PlatformName) => Schema): ByPlatform<Schema> {
  return Object.fromEntries(PLATFORM_NAMES.map((name) => [name, schemaOf(name)])) as ByPlatform<Schema>; // fromEntries() does not keep the names of the keys
}

/** Names of environment variables. The pattern rejects most keys, which contain small letters or a minus. */
const VARIABLE = v.pipe(
  v.string(),
  v.regex(/^[A-Z_][A-Z0-9_]{0,59}$/, "is not the name of an environment variable"),
  v.description(`Name of the environment variable with the API key, such as ${KEY_VARIABLES[0]}; never the key itself`),
);

/** The voice of each platform: an id, or an object. */
const VOICES = byPlatform((name) => v.optional(PLATFORM_DATA[name].voiceKind === "text" ? v.string() : anyFields));

/** The settings of each platform. */
const OWN_SETTINGS = byPlatform((name) =>
  v.optional(v.pipe(anyFields, v.description(`Settings of ${PLATFORM_DATA[name].words.settings}`))),
);

/** One environment of a configuration. */
const ENVIRONMENT = withoutLists(
  v.strictObject({
    to: v.optional(
      v.pipe(v.picklist(DEPLOY_FORMATS), v.description("Format to deploy; the platform is its first word")),
    ),
    key: v.optional(VARIABLE),
    baseUrl: v.optional(v.pipe(v.string(), v.description("Address of the platform's API, such as that of a proxy"))),
    agent: v.optional(
      v.pipe(
        v.string(),
        v.description("The agent that --agent with this environment's name calls: platform:ID@VERSION"),
      ),
    ),
    workspace: v.optional(
      v.pipe(v.string(), v.description("Workspace that the key must belong to, if the platform reports one")),
    ),
    voice: v.optional(v.pipe(withoutLists(v.strictObject(VOICES)), v.description(`Voice by platform: ${VOICE_WORDS}`))),
    ...OWN_SETTINGS,
    variables: v.optional(v.pipe(anyFields, v.description("Default values of dynamic variables"))),
    ids: v.optional(
      v.pipe(
        withoutLists(v.record(v.string(), v.string())),
        v.description("Ids that differ between workspaces: the id in the code, and the id in this environment"),
      ),
    ),
    env: v.optional(v.pipe(texts, v.description("Environment variables that {{env:NAME}} references may read"))),
    numbers: v.optional(v.pipe(texts, v.description("Phone numbers that the agent answers, such as +14155550123"))),
    acceptLosses: v.optional(v.pipe(texts, v.description("Codes of losses that may be deployed"))),
  }),
);

/** The environments of a configuration, by name. */
export const ENVIRONMENTS = v.pipe(
  withoutLists(v.record(v.string(), ENVIRONMENT)),
  v.description("Environments of callweave deploy by name: where the agent is deployed, and its settings there"),
);

/** An environment as the configuration has it. */
export type ConfiguredEnvironment = v.InferOutput<typeof ENVIRONMENT>;
