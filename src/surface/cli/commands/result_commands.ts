import type { ListedCommand } from "../arguments.ts";

/** Commands for stored results, judges, snippets and formats, in the order of the overview. */
export const RESULT_COMMANDS: readonly ListedCommand[] = [
  {
    name: "snippets list",
    usage: "SOURCE",
    summary: "List the snippets of an agent and where they are used",
    load: async () => (await import("../snippets.ts")).listSnippetsCommand,
  },
  {
    name: "snippets analyse",
    usage: "SOURCE",
    summary: "Find text that prompts repeat, and the snippets that would replace it",
    load: async () => (await import("../snippets.ts")).analyseSnippetsCommand,
  },
  {
    name: "snippets extract",
    usage: "FILE",
    summary: "Move a text of prompts into a snippet",
    load: async () => (await import("../snippets.ts")).extractSnippetsCommand,
  },
  {
    name: "snippets inline",
    usage: "FILE",
    summary: "Replace snippets by their text, and remove them",
    load: async () => (await import("../snippets.ts")).inlineSnippetsCommand,
  },
  {
    name: "judge calibrate",
    usage: "FILE",
    summary: "Compare the judge with known verdicts: agreement and Cohen's kappa",
    load: async () => (await import("../judge.ts")).judgeCalibrateCommand,
  },
  {
    name: "models test",
    usage: "MODEL",
    summary: "Say whether a model is fit to be agent, caller and judge",
    load: async () => (await import("../models.ts")).modelsTestCommand,
  },
  {
    name: "runs list",
    usage: "",
    summary: "List stored runs",
    load: async () => (await import("../runs/mod.ts")).runsListCommand,
  },
  {
    name: "runs show",
    usage: "ID",
    summary: "Show a stored run: transcripts, nodes, scores and reasons",
    load: async () => (await import("../runs/mod.ts")).runsShowCommand,
  },
  {
    name: "runs compare",
    usage: "BASE [HEAD]",
    summary: "Show what got better or worse between two runs",
    load: async () => (await import("../runs/mod.ts")).runsCompareCommand,
  },
  {
    name: "runs baseline set",
    usage: "NAME RUN",
    summary: "Name a run as the baseline for later runs",
    load: async () => (await import("../runs/mod.ts")).runsBaselineSetCommand,
  },
  {
    name: "runs baseline list",
    usage: "",
    summary: "List the baselines",
    load: async () => (await import("../runs/mod.ts")).runsBaselineListCommand,
  },
  {
    name: "runs baseline remove",
    usage: "NAME",
    summary: "Remove a baseline's name; its run stays",
    load: async () => (await import("../runs/mod.ts")).runsBaselineRemoveCommand,
  },
  {
    name: "runs delete",
    usage: "ID",
    summary: "Delete a stored run with its results",
    load: async () => (await import("../runs/mod.ts")).runsDeleteCommand,
  },
  {
    name: "runs merge",
    usage: "[RUN...] --from URL",
    summary: "Merge shards that did not share a database into one run",
    load: async () => (await import("../runs/mod.ts")).runsMergeCommand,
  },
  {
    name: "runs recover",
    usage: "",
    summary: "Write results from spool files to the database",
    load: async () => (await import("../runs/mod.ts")).runsRecoverCommand,
  },
  {
    name: "formats",
    usage: "",
    summary: "List the formats that can be imported and emitted",
    load: async () => (await import("../agents/mod.ts")).formatsCommand,
  },
  {
    name: "mcp",
    usage: "[SOURCE]",
    summary: "Serve the project to a coding assistant",
    load: async () => (await import("../mcp/mod.ts")).mcpCommand,
  },
  {
    name: "proposals list",
    usage: "",
    summary: "List the changes that a coding assistant has proposed",
    load: async () => (await import("../proposals/mod.ts")).proposalsListCommand,
  },
  {
    name: "proposals show",
    usage: "NAME",
    summary: "Show a proposed change",
    load: async () => (await import("../proposals/mod.ts")).proposalsShowCommand,
  },
  {
    name: "proposals accept",
    usage: "NAME",
    summary: "Apply a proposed change to the files as they are now",
    load: async () => (await import("../proposals/mod.ts")).proposalsAcceptCommand,
  },
  {
    name: "proposals reject",
    usage: "NAME",
    summary: "Put a proposed change away",
    load: async () => (await import("../proposals/mod.ts")).proposalsRejectCommand,
  },
];
