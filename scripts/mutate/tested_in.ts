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
  "src/document/graph/node_rules.ts": [
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
  ...alike(
    "src/agent/analysis/facts",
    [
      "condition_text",
      "conditions",
      "cycles",
      "equation_transitions",
      "graph_texts",
      "known_variables",
      "steps",
      "variable_flow",
    ],
    ["tests/agent/analysis"],
  ),
  // an example of every code of check()
  ...alike(
    "src/agent/analysis/findings",
    [
      "condition_findings",
      "equation_findings",
      "gap_findings",
      "global_findings",
      "key_findings",
      "node_findings",
      "order_findings",
      "path_findings",
      "personal_data",
      "prompt_findings",
      "repeated_text",
      "silence_findings",
      "spoken_findings",
      "structure_findings",
      "text_findings",
      "variable_findings",
      "wording",
    ],
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
      "links",
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
    ["edges", "evaluation_edges", "hearing_edges", "moves", "silent_edges", "speech_edges", "tool_steps"],
    ["tests/agent/analysis/policies", "tests/agent/analysis/coverage/uncovered_test.ts"],
  ),
  // the lens restores the document that a graph was imported from
  "src/document/graph/original.ts": ["tests/platforms/lens"],
  // spans are read where a collector receives them
  "src/run/runner/call/call_spans.ts": ["tests/call/telemetry"],
};
