/** Codes of findings by the rules of the graph; `docs/check.md` explains each. Platforms have codes of their own. */
export const CHECK_CODES = [
  // structure
  "unknown-entry",
  "unknown-target",
  "unreachable-node",
  "island",
  "dead-end",
  "no-way-out",
  "end-never-reached",
  "end-with-edges",
  // silence
  "endless-loop",
  "silent-cycle",
  "hop-limit",
  "many-model-calls",
  // conditions and equations
  "empty-condition",
  "equation-mismatch",
  "unknown-choice",
  "right-names-variable",
  "never-true",
  "unreadable-number",
  "shadowed-transition",
  "overlapping-transitions",
  "no-else",
  "unhandled-choice",
  // variables and snippets
  "unknown-variable",
  "undeclared-variable",
  "unset-variable",
  "unused-variable",
  "nothing-to-extract",
  "unknown-snippet",
  "unused-snippet",
  "nested-snippet",
  // global nodes
  "global-reentry",
  "global-steals-transition",
  "go-back-into-end",
  "same-condition",
  // prompts and tools
  "empty-prompt",
  "repeated-text",
  "similar-text",
  "tool-not-on-node",
  "function-without-tool",
  "destination-missing",
  "duplicate-tool",
  "conflicting-tools",
  "personal-data",
  "spoken-markup",
  "spoken-url",
  "spoken-digits",
  // the document
  "unknown-key",
  "unused-suppression",
  "suppression-without-reason",
] as const;

/** A code of a finding by the rules of the graph. */
export type CheckCode = (typeof CHECK_CODES)[number];
