import type { ListedCommand } from "./arguments/mod.ts";

/** Every command in the order of the overview. A command is loaded when it runs. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: "init",
    usage: "[DIR]",
    summary: "Write a project that runs at once: agent, scenarios, configuration, CI",
    load: async () => (await import("./init/mod.ts")).initCommand,
  },
  {
    name: "run",
    usage: "SOURCE",
    summary: "Run simulated calls, judge them and store the results",
    load: async () => (await import("./run/mod.ts")).runCommand,
  },
  {
    name: "compare-turns",
    usage: "SOURCE",
    summary: "Run the same calls in two turn modes and show where they differ",
    load: async () => (await import("./run/mod.ts")).compareTurnsCommand,
  },
  {
    name: "check",
    usage: "SOURCE",
    summary: "Check an agent, and what a platform cannot express",
    load: async () => (await import("./agents/mod.ts")).checkCommand,
  },
  {
    name: "view",
    usage: "SOURCE",
    summary: "Show an agent in the browser and redraw it on every save",
    load: async () => (await import("./view/mod.ts")).viewCommand,
  },
  {
    name: "draw",
    usage: "SOURCE",
    summary: "Draw an agent, or a part of it, as SVG, PNG or Mermaid",
    load: async () => (await import("./draw/mod.ts")).drawCommand,
  },
  {
    name: "diff",
    usage: "BEFORE AFTER",
    summary: "Compare two versions of an agent, in words",
    load: async () => (await import("./diff/mod.ts")).diffCommand,
  },
  {
    name: "emit",
    usage: "SOURCE --to FORMAT",
    summary: "Emit an agent in the format of a platform",
    load: async () => (await import("./agents/mod.ts")).emitCommand,
  },
  {
    name: "import",
    usage: "FILE",
    summary: "Convert an agent of any platform to a *.vt.json document",
    load: async () => (await import("./agents/mod.ts")).importCommand,
  },
  {
    name: "eject",
    usage: "FILE",
    summary: "Write an agent of any platform as TypeScript",
    load: async () => (await import("./agents/mod.ts")).ejectCommand,
  },
  {
    name: "generate",
    usage: "SOURCE",
    summary: "Write scenarios for the transitions that none covers",
    load: async () => (await import("./generate/mod.ts")).generateCommand,
  },
  {
    name: "decompose",
    usage: "SOURCE",
    summary: "Split a large agent into smaller ones along its own structure",
    load: async () => (await import("./agents/mod.ts")).decomposeCommand,
  },
  {
    name: "compose",
    usage: "MANIFEST",
    summary: "Put the parts of a decomposed agent together",
    load: async () => (await import("./agents/mod.ts")).composeCommand,
  },
  {
    name: "snippets list",
    usage: "SOURCE",
    summary: "List the snippets of an agent and where they are used",
    load: async () => (await import("./snippets/mod.ts")).listSnippetsCommand,
  },
  {
    name: "snippets analyse",
    usage: "SOURCE",
    summary: "Find text that prompts repeat, and the snippets that would replace it",
    load: async () => (await import("./snippets/mod.ts")).analyseSnippetsCommand,
  },
  {
    name: "snippets extract",
    usage: "FILE",
    summary: "Make a text of prompts a snippet",
    load: async () => (await import("./snippets/mod.ts")).extractSnippetsCommand,
  },
  {
    name: "snippets inline",
    usage: "FILE",
    summary: "Write snippets out where they are used, and remove them",
    load: async () => (await import("./snippets/mod.ts")).inlineSnippetsCommand,
  },
  {
    name: "runs list",
    usage: "",
    summary: "List stored runs",
    load: async () => (await import("./runs/mod.ts")).runsListCommand,
  },
  {
    name: "runs show",
    usage: "ID",
    summary: "Show a stored run: transcripts, nodes, scores and reasons",
    load: async () => (await import("./runs/mod.ts")).runsShowCommand,
  },
  {
    name: "runs delete",
    usage: "ID",
    summary: "Delete a stored run with its results",
    load: async () => (await import("./runs/mod.ts")).runsDeleteCommand,
  },
  {
    name: "runs recover",
    usage: "",
    summary: "Write results from spool files to the database",
    load: async () => (await import("./runs/mod.ts")).runsRecoverCommand,
  },
  {
    name: "formats",
    usage: "",
    summary: "List the formats that can be imported and emitted",
    load: async () => (await import("./agents/mod.ts")).formatsCommand,
  },
];
