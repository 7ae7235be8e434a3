/** The same tests for several files of a folder. */
function alike(
  folder: string,
  names: readonly string[],
  tests: readonly string[],
): { readonly [file: string]: readonly string[] } {
  return Object.fromEntries(names.map((name) => [`${folder}/${name}.ts`, tests]));
}

/** Tests that cover a file from another folder, in addition to those of the folder of its own name. */
export const TESTED_IN: { readonly [file: string]: readonly string[] } = {
  // what a node asks, and when: its rules are those of a call
  "src/document/graph/nodes.ts": [
    "after_speech",
    "conversation",
    "decision_requests",
    "decisions",
    "globals",
    "move_records",
    "silent_nodes",
    "tools",
    "turn_modes",
    "unspoken",
  ].map((name) => `tests/call/engine/${name}_test.ts`),
  // facts are for all parts of the analysis
  ...alike("src/agent/analysis/facts", ["cycles", "steps", "variables"], ["tests/agent/analysis"]),
  // an example of every code of check()
  ...alike(
    "src/agent/analysis/findings",
    ["check_graph", "condition_findings", "structure_findings", "text_findings", "variable_findings"],
    ["tests/agent/analysis/codes_test.ts"],
  ),
  // policies and coverage search for paths, too: for those on which something never happens, and for what no call reaches
  ...alike(
    "src/agent/analysis/paths",
    [
      "cells",
      "edges_to",
      "events",
      "explore",
      "find_path",
      "knowledge",
      "path",
      "path_of",
      "place",
      "position",
      "search",
      "search_for",
      "searchable",
      "states",
      "traps",
      "values_on_path",
      "variables",
    ],
    ["tests/agent/analysis/policies", "tests/agent/analysis/coverage/uncovered_test.ts"],
  ),
  ...alike(
    "src/agent/analysis/paths/edges",
    ["edges", "moves"],
    ["tests/agent/analysis/policies", "tests/agent/analysis/coverage/uncovered_test.ts"],
  ),
  // the lens restores the document that a graph was imported from
  "src/document/graph/parse.ts": ["tests/platforms/lens"],
  // spans are read where a collector receives them
  "src/run/runner/call/run_call.ts": ["tests/call/telemetry"],
};
