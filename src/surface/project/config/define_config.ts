import type { FlowSettings, FlowVoice } from "../../../../dsl/mod.ts";
import type { DeployFormat } from "../../../document/platforms/mod.ts";

/** The configuration of a project. Keys of a command's section are its flags, with `_` for `-`. */
export interface CallweaveConfig {
  /** The agent: a module that exports a graph, or JSON that can be imported. Paths start at the folder of the file. */
  readonly source?: string;
  /** Modules that export scenarios. */
  readonly scenarios?: string | readonly string[];
  /** JSON files of scenarios or test cases. */
  readonly tests?: string | readonly string[];
  /** Modules that export policies, or JSON files of them. */
  readonly policies?: string | readonly string[];
  /** Name of the export, if the module exports several graphs. */
  readonly export?: string;
  /** Format of a JSON source. */
  readonly from?: string;
  /** Where `callweave deploy` puts the agent, by the environment's name. */
  readonly environments?: { readonly [name: string]: EnvironmentConfig };
  readonly run?: ConfiguredFlags;
  readonly chat?: ConfiguredFlags;
  readonly compare_turns?: ConfiguredFlags;
  readonly check?: ConfiguredFlags;
  readonly portability?: ConfiguredFlags;
  readonly view?: ConfiguredFlags;
  readonly draw?: ConfiguredFlags;
  readonly emit?: ConfiguredFlags;
  readonly convert?: ConfiguredFlags;
  readonly generate?: ConfiguredFlags;
  readonly replay?: ConfiguredFlags;
  readonly evaluate?: ConfiguredFlags;
  readonly diagnose?: ConfiguredFlags;
  readonly attack?: ConfiguredFlags;
  readonly watch?: ConfiguredFlags;
  readonly mcp?: ConfiguredFlags;
  readonly decompose?: ConfiguredFlags;
  readonly snippets_list?: ConfiguredFlags;
  readonly snippets_analyse?: ConfiguredFlags;
}

/** Values of a command's flags. */
export interface ConfiguredFlags {
  readonly [flag: string]: string | number | boolean | readonly string[];
}

/** Key of a section: a command that works on the agent, and may have settings in the configuration. */
export type SectionKey = {
  readonly [Key in keyof CallweaveConfig]-?: CallweaveConfig[Key] extends ConfiguredFlags | undefined ? Key : never;
}[keyof CallweaveConfig];

/**
 * An environment: where the agent is deployed, and its settings there. Those of a platform are under its name, as in the
 * flow: `retell: { agent: { … } }`.
 */
export interface EnvironmentConfig extends FlowSettings {
  /** Format to deploy; the platform is its first word. */
  readonly to?: DeployFormat;
  /**
   * Name of the environment variable with the API key, never the key itself. Default: `RETELL_API_KEY` or
   * `VAPI_API_KEY`.
   */
  readonly key?: string;
  /** Address of the platform's API, such as that of a proxy. Default: the platform's own. */
  readonly baseUrl?: string;
  /**
   * The agent that `callweave run --agent` with this environment's name calls, such as `retell:agent_123@7`, or a module
   * that exports a connection. Default: the agent that was deployed to the environment.
   */
  readonly agent?: string;
  /** Workspace that the key has to belong to, where the platform names one. */
  readonly workspace?: string;
  readonly voice?: FlowVoice;
  /** Default values of dynamic variables. */
  readonly variables?: { readonly [name: string]: unknown };
  /** Ids of a workspace, such as those of knowledge bases: the name in the code, and the id in this workspace. */
  readonly ids?: { readonly [id: string]: string };
  /** Environment variables that `{{env:NAME}}` references may read. */
  readonly env?: readonly string[];
  /** Phone numbers that the agent answers. Other numbers are not changed. */
  readonly numbers?: readonly string[];
  /** Codes of losses that may be deployed. */
  readonly acceptLosses?: readonly string[];
}

/**
 * Types the configuration of a project, the default export of `callweave.config.ts`. Returns it unchanged; the commands
 * check it when they read it.
 *
 * @example
 * ```ts
 * import { defineConfig } from "callweave";
 *
 * export default defineConfig({
 *   source: "flow.ts",
 *   environments: {
 *     staging: { to: "retell", key: "RETELL_STAGING_KEY" },
 *     production: { to: "retell", key: "RETELL_API_KEY", voice: { retell: "11labs-Adrian" } },
 *   },
 * });
 * ```
 */
export function defineConfig(config: CallweaveConfig): CallweaveConfig {
  return config;
}
