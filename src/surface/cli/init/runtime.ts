import type { Terminal } from "../io/mod.ts";

/** The runtimes that a project can use. */
export const RUNTIMES = ["node", "bun", "deno"] as const;

export type Runtime = (typeof RUNTIMES)[number];

/**
 * Detects the runtime: the one that `callweave` runs on, or the one whose package runner started it, because `bunx` runs
 * the command on Node.
 *
 * @param versions `process.versions`.
 */
export function runtimeAtHand(
  versions: { readonly [name: string]: string | undefined },
  { npm_config_user_agent: agent = "" }: Terminal["env"],
): Runtime {
  return (
    RUNTIMES.find((name) => name !== "node" && (versions[name] !== undefined || agent.startsWith(`${name}/`))) ?? "node"
  );
}

/** Command lines of a new project for one runtime. */
export interface RuntimeCommands {
  /** Adds a package that only tools of the project need. */
  readonly addTool: string;
  /** Runs the command `callweave` of the project. */
  readonly callweave: string;
  /** Installs the project's packages. */
  readonly install: string;
  /** Adds Callweave to a project that has its own manifest. */
  readonly add: string;
  /** Checks and runs the scenarios. */
  readonly test: string;
  /** Runs a TypeScript file. */
  readonly start: string;
  /** Checks types. */
  readonly types: string;
}

/** The commands of each runtime. */
export const COMMANDS_OF: { readonly [Name in Runtime]: RuntimeCommands } = {
  node: {
    callweave: "npx callweave",
    install: "npm install",
    add: "npm install callweave",
    addTool: "npm install --save-dev",
    test: "npm test",
    start: "node",
    types: "npx tsc",
  },
  bun: {
    callweave: "bunx --bun callweave",
    install: "bun install",
    add: "bun add callweave",
    addTool: "bun add --dev",
    test: "bun run test",
    start: "bun run",
    types: "bunx tsc",
  },
  deno: {
    callweave: "deno run -A npm:callweave",
    install: "deno install",
    add: "deno add npm:callweave",
    addTool: "deno add npm:",
    test: "deno task test",
    start: "deno run -A",
    types: "deno check",
  },
};
