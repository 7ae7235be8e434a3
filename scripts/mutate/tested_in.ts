/** Tests that protect a file from another folder, beside those of the folder of its own name. */
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
  // the document that a graph came from is put back by the lens
  "src/graph/original.ts": ["tests/platforms/lens"],
  // which calls a run audits, and which flows it judges
  "src/judges/audit/audit_caller.ts": ["tests/runner/audit_test.ts"],
  "src/judges/flow_judge/judge_flow.ts": ["tests/runner/judge_flow_test.ts"],
};
