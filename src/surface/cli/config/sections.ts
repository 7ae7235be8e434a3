import type { SectionKey } from "../../project/mod.ts";

const NAMES: { readonly [Key in SectionKey]: string } = {
  run: "run",
  chat: "chat",
  compare_turns: "compare-turns",
  check: "check",
  portability: "portability",
  view: "view",
  draw: "draw",
  emit: "emit",
  generate: "generate",
  replay: "replay",
  evaluate: "evaluate",
  diagnose: "diagnose",
  decompose: "decompose",
  snippets_list: "snippets list",
  snippets_analyse: "snippets analyse",
};

/** The commands that have a section in a configuration: those that work on its agent. */
export const SECTIONS: readonly string[] = Object.values(NAMES);
