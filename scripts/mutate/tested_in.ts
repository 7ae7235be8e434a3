/** Tests that cover a file from another folder, in addition to those of the folder of its own name. */
export const TESTED_IN: { readonly [file: string]: readonly string[] } = {
  // what a node asks, and when: its rules are those of a call
  "src/graph/node_rules.ts": [
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
  ].map((name) => `tests/engine/${name}_test.ts`),
  // the lens restores the document that a graph was imported from
  "src/graph/original.ts": ["tests/platforms/lens"],
  // spans are read where a collector receives them
  "src/runner/call/call_spans.ts": ["tests/telemetry"],
};
