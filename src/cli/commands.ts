import type { ListedCommand } from "./command.ts";

/** Every command, in the order in which they are listed. Nothing of a command is loaded before it is needed. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: "run",
    usage: "SOURCE",
    summary: "Hold simulated calls, judge them and store the results",
    load: async () => (await import("./run.ts")).runCommand,
  },
  {
    name: "compare-turns",
    usage: "SOURCE",
    summary: "Hold the same calls in two ways of taking turns, and say where they disagree",
    load: async () => (await import("./compare_turns.ts")).compareTurnsCommand,
  },
  {
    name: "check",
    usage: "SOURCE",
    summary: "Find mistakes in an agent, and what a platform cannot hold",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  {
    name: "emit",
    usage: "SOURCE --to FORMAT",
    summary: "Write an agent for a platform",
    load: async () => (await import("./emit.ts")).emitCommand,
  },
  {
    name: "import",
    usage: "FILE",
    summary: "Read an agent of any platform into a *.vt.json document",
    load: async () => (await import("./import.ts")).importCommand,
  },
  {
    name: "runs list",
    usage: "",
    summary: "List stored runs",
    load: async () => (await import("./runs_list.ts")).runsListCommand,
  },
  {
    name: "runs show",
    usage: "ID",
    summary: "Show a stored run: transcripts, nodes, scores and reasons",
    load: async () => (await import("./runs_show.ts")).runsShowCommand,
  },
  {
    name: "runs delete",
    usage: "ID",
    summary: "Delete a stored run with its results",
    load: async () => (await import("./runs_delete.ts")).runsDeleteCommand,
  },
  {
    name: "runs recover",
    usage: "",
    summary: "Write results to the database that a run had to keep in spool files",
    load: async () => (await import("./runs_recover.ts")).runsRecoverCommand,
  },
  {
    name: "formats",
    usage: "",
    summary: "List the formats that can be read and written",
    load: async () => (await import("./formats.ts")).formatsCommand,
  },
];
