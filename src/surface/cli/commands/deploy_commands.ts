import type { ListedCommand } from "../arguments.ts";

/** Commands that bring platforms in line with code, in the order of the overview. */
export const DEPLOY_COMMANDS: readonly ListedCommand[] = [
  {
    name: "deploy",
    usage: "--local",
    summary: "Start local platforms, to try deploying without an account",
    load: async () => (await import("../deploy/mod.ts")).deployLocalCommand,
  },
  {
    name: "deploy plan",
    usage: "[SOURCE] --to FORMAT",
    summary: "Show what an apply would change on the platform",
    load: async () => (await import("../deploy/mod.ts")).deployPlanCommand,
  },
  {
    name: "deploy apply",
    usage: "[SOURCE] --to FORMAT",
    summary: "Deploy an agent to its platform",
    load: async () => (await import("../deploy/mod.ts")).deployApplyCommand,
  },
  {
    name: "deploy drift",
    usage: "[SOURCE] --to FORMAT",
    summary: "Show what was changed on the platform since the last apply",
    load: async () => (await import("../deploy/mod.ts")).deployDriftCommand,
  },
  {
    name: "deploy pull",
    usage: "[SOURCE] --to FORMAT",
    summary: "Merge changes made on the platform into the agent's files",
    load: async () => (await import("../deploy/mod.ts")).deployPullCommand,
  },
  {
    name: "deploy promote",
    usage: "FROM INTO [SOURCE]",
    summary: "Deploy the agent of environment FROM, if it is unchanged there, to environment INTO",
    load: async () => (await import("../deploy/mod.ts")).deployPromoteCommand,
  },
  {
    name: "deploy rollback",
    usage: "[SNAPSHOT] --to FORMAT",
    summary: "Restore the platform's state before an apply",
    load: async () => (await import("../deploy/mod.ts")).deployRollbackCommand,
  },
  {
    name: "deploy list",
    usage: "",
    summary: "List the deployed agents in the lock file",
    load: async () => (await import("../deploy/mod.ts")).deployListCommand,
  },
  {
    name: "deploy delete",
    usage: "--confirm NAME",
    summary: "Delete an agent on its platform, and in the lock file",
    load: async () => (await import("../deploy/mod.ts")).deployDeleteCommand,
  },
  {
    name: "deploy import",
    usage: "ID --to FORMAT",
    summary: "Adopt an agent that exists on a platform",
    load: async () => (await import("../deploy/mod.ts")).deployImportCommand,
  },
];
