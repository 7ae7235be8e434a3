import type { ListedCommand } from "../arguments.ts";

/** Commands that set up a project, run calls and inspect them, in the order of the overview. */
export const RUN_COMMANDS: readonly ListedCommand[] = [
  {
    name: "init",
    usage: "[DIR]",
    summary: "Create a new project: agent, scenarios, configuration, CI",
    load: async () => (await import("../init/mod.ts")).initCommand,
  },
  {
    name: "run",
    usage: "SOURCE",
    summary: "Run simulated calls, judge them and store the results",
    load: async () => (await import("../run/mod.ts")).runCommand,
  },
  {
    name: "callers",
    usage: "",
    summary: "List the traits of simulated callers, callers that have them, and sets of callers",
    load: async () => (await import("../callers.ts")).callersCommand,
  },
  {
    name: "diagnose",
    usage: "RESULT [SOURCE]",
    summary: "Find the words at fault in a failed call, and verify a repair",
    load: async () => (await import("../diagnose/mod.ts")).diagnoseCommand,
  },
  {
    name: "attack",
    usage: "SOURCE",
    summary: "Try to make an agent do what it should not, and keep what works as scenarios",
    load: async () => (await import("../attack/mod.ts")).attackCommand,
  },
  {
    name: "chat",
    usage: "SOURCE",
    summary: "Talk to an agent in the terminal, and see why it does what it does",
    load: async () => (await import("../chat/mod.ts")).chatCommand,
  },
  {
    name: "coverage",
    usage: "RUN...",
    summary: "Show which parts of an agent stored runs have exercised, and how to reach the rest",
    load: async () => (await import("../coverage.ts")).coverageCommand,
  },
  {
    name: "worker",
    usage: "[SOURCE] --queue REDIS",
    summary: "Run the calls that runs put into a queue",
    load: async () => (await import("../worker.ts")).workerCommand,
  },
  {
    name: "replay",
    usage: "RUN [SOURCE]",
    summary: "Run the calls of a stored run again, and show where they diverge",
    load: async () => (await import("../replay/mod.ts")).replayCommand,
  },
  {
    name: "evaluate",
    usage: "CALLS...",
    summary: "Judge existing calls: stored runs, transcripts, timelines of events",
    load: async () => (await import("../evaluate/mod.ts")).evaluateCommand,
  },
  {
    name: "compare-turns",
    usage: "SOURCE",
    summary: "Run the same calls in two turn modes and show where they differ",
    load: async () => (await import("../run/mod.ts")).compareTurnsCommand,
  },
  {
    name: "verify",
    usage: "--agent AGENT --scenarios FILE",
    summary: "Say the same words to a deployed agent and to its graph, and show where they differ",
    load: async () => (await import("../run/mod.ts")).verifyCommand,
  },
];
