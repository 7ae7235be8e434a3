import { DEPLOY_FORMATS, KEY_VARIABLES, PLATFORM_DATA, PLATFORM_NAMES } from "../../../document/platforms/mod.ts";
import type { Arguments, Flag } from "../arguments.ts";

const DEPLOYABLE = `${DEPLOY_FORMATS.slice(0, -1).join(", ")} or ${DEPLOY_FORMATS.at(-1)}`;

/** Platforms where versions are published. */
const PUBLISHING = PLATFORM_NAMES.flatMap((name) => (PLATFORM_DATA[name].publishes ? [PLATFORM_DATA[name].title] : []));

/** Flags that say where an agent is deployed. */
export const PLACE_FLAGS = {
  to: { value: "FORMAT", description: `${DEPLOYABLE}; the environment may name it` },
  env: { value: "NAME", description: "Environment of the configuration (default: default)" },
  flow: { value: "NAME", description: "Name of the agent in the lock file (default: the agent's name)" },
  folder: {
    value: "DIR",
    description: "Folder of the configuration and callweave.lock.json (default: the current one)",
  },
  "base-url": { value: "URL", description: "URL of the platform's API: a proxy, or a local platform" },
} satisfies { readonly [name: string]: Flag };

/** Flags that select one of a source's graphs. */
export const AGENT_FLAGS = {
  export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
  from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
} satisfies { readonly [name: string]: Flag };

/** The flag that lists losses and findings in full. */
export const VERBOSE_FLAG = {
  verbose: { description: "List every place of losses and findings, and all hints" },
} satisfies { readonly [name: string]: Flag };

/** Flags of commands that apply a plan. */
export const APPLY_FLAGS = {
  yes: { description: "Apply without confirmation" },
  "overwrite-remote": { description: "Overwrite changes made on the platform" },
  recreate: { description: "Create the agent again if it was deleted completely" },
  publish: { description: `Publish the new version, so that calls use it (${PUBLISHING.join(", ")})` },
  prune: { description: "Delete what the agent no longer uses" },
  ...VERBOSE_FLAG,
} satisfies { readonly [name: string]: Flag };

/** The argument that names the agent. */
export const AGENT = {
  name: "SOURCE",
  description: "Module that exports a graph, or any JSON that can be imported (default: source of the configuration)",
  optional: true,
} as const;

/** Help on API keys and exit codes, for each command. */
export const NOTES: readonly string[] = [
  `The API key is read from ${KEY_VARIABLES.join(" or ")}, or the variable that the environment names.`,
];

/** The flag for the version that was deployed last. */
export const BASE_FLAG = {
  base: {
    value: "REV:PATH",
    description: "Version that was deployed last, in git, for a machine that did not deploy it, such as one of CI",
  },
} satisfies { readonly [name: string]: Flag };

/** The next command to run on the same agent and place: `next: npx callweave deploy pull flow.ts --to retell`. */
export function nextCommand(command: string, args: Arguments): string {
  const flags = ["to", "env", "flow", "folder", "base-url", "base", "export", "from"].flatMap((flag) => {
    const value = args.text(flag);
    return value === undefined ? [] : [`--${flag} ${value}`];
  });
  return `next: ${["npx callweave deploy", command, args.at("SOURCE"), ...flags].filter(Boolean).join(" ")}`;
}
