import type { ListedCommand } from "../arguments.ts";

/** Commands that read, check, draw, change and write agents, in the order of the overview. */
export const AGENT_COMMANDS: readonly ListedCommand[] = [
  {
    name: "check",
    usage: "SOURCE",
    summary: "Find mistakes in an agent, and what a platform cannot express",
    load: async () => (await import("../agents/mod.ts")).checkCommand,
  },
  {
    name: "portability",
    usage: "SOURCE",
    summary: "Show which parts of an agent each platform represents exactly, emulates or drops",
    load: async () => (await import("../agents/mod.ts")).portabilityCommand,
  },
  {
    name: "view",
    usage: "SOURCE",
    summary: "Show an agent in the browser and redraw it on every save",
    load: async () => (await import("../view/mod.ts")).viewCommand,
  },
  {
    name: "draw",
    usage: "SOURCE",
    summary: "Draw an agent, or a part of it, as SVG, PNG or Mermaid",
    load: async () => (await import("../draw.ts")).drawCommand,
  },
  {
    name: "diff",
    usage: "BEFORE AFTER",
    summary: "Describe the differences between two versions of an agent",
    load: async () => (await import("../diff/mod.ts")).diffCommand,
  },
  {
    name: "emit",
    usage: "SOURCE --to FORMAT",
    summary: "Emit an agent in the format of a platform",
    load: async () => (await import("../agents/mod.ts")).emitCommand,
  },
  {
    name: "convert",
    usage: "SOURCE --to FORMAT",
    summary: "Move an agent to another platform, and say what changes for callers",
    load: async () => (await import("../agents/mod.ts")).convertCommand,
  },
  {
    name: "import",
    usage: "FILE",
    summary: "Convert an agent of any platform to a *.callweave.json document",
    load: async () => (await import("../agents/mod.ts")).importCommand,
  },
  {
    name: "eject",
    usage: "FILE",
    summary: "Write an agent of any platform as TypeScript",
    load: async () => (await import("../agents/mod.ts")).ejectCommand,
  },
  {
    name: "generate",
    usage: "SOURCE",
    summary: "Write scenarios for the transitions that none covers",
    load: async () => (await import("../generate.ts")).generateCommand,
  },
  {
    name: "decompose",
    usage: "SOURCE",
    summary: "Split a large agent into smaller ones along its own structure",
    load: async () => (await import("../agents/mod.ts")).decomposeCommand,
  },
  {
    name: "compose",
    usage: "MANIFEST",
    summary: "Join the parts of a decomposed agent",
    load: async () => (await import("../agents/mod.ts")).composeCommand,
  },
];
