/** The commands that may have a section in a configuration: those that work on its agent. */
export const SECTIONS: readonly string[] = [
  "run",
  "chat",
  "compare-turns",
  "check",
  "portability",
  "view",
  "draw",
  "emit",
  "generate",
  "replay",
  "evaluate",
  "diagnose",
  "decompose",
  "snippets list",
  "snippets analyse",
];
