import type { ListedCommand } from "../arguments.ts";

/** Commands for calls that happened, in the order of the overview. */
export const CALL_COMMANDS: readonly ListedCommand[] = [
  {
    name: "watch",
    usage: "[SOURCE] --from PLATFORM",
    summary: "Watch production: read and judge new calls, and report what got worse",
    load: async () => (await import("../watch/mod.ts")).watchCommand,
  },
  {
    name: "calls import",
    usage: "FILE...",
    summary: "Store real calls as a run, to test with them",
    load: async () => (await import("../calls/mod.ts")).callsImportCommand,
  },
  {
    name: "calls pull",
    usage: "--from PLATFORM",
    summary: "Read calls from a platform, and store them as a run",
    load: async () => (await import("../calls/mod.ts")).callsPullCommand,
  },
  {
    name: "calls cluster",
    usage: "RUN...",
    summary: "Group stored calls by what the callers wanted, and show groups without a scenario",
    load: async () => (await import("../calls/mod.ts")).callsClusterCommand,
  },
  {
    name: "calls to-scenario",
    usage: "ID",
    summary: "Write scenarios from stored calls, imported or simulated, for a person to edit",
    load: async () => (await import("../calls/mod.ts")).callsToScenarioCommand,
  },
];
