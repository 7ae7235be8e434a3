import { checkPolicies } from "../../src/agent/analysis/mod.ts";
import { parsePolicies } from "../../src/document/scenario/mod.ts";
import type { Figure } from "../figure.ts";
import { bigGraph } from "./big_graph.ts";
import { exponentOf, LARGE, SMALL } from "./growth.ts";

/** Policies of every verb, some of which hold and some of which are broken. */
const RULES = [
  { verb: "before", first: [{ node: "g0_ask" }], second: [{ node: "bye" }] },
  { verb: "before", first: [{ tool: "look_up_3" }], second: [{ node: "bye" }] },
  {
    verb: "never",
    points: [{ node: "g5_talk" }],
    while: { equations: [{ left: "amount_5", operator: "<", right: 100 }] },
  },
  { verb: "at_most_once", points: [{ tool: "look_up_1" }] },
  { verb: "after", first: [{ tool: "look_up_1" }], second: [{ node: "bye" }] },
  { verb: "leads_to", first: [{ node: "g3_read" }], second: [{ node: "bye" }] },
  { verb: "way_to", points: [{ end: "agent_ended" }] },
  { verb: "known", variables: ["amount_7"] },
];

/** Duration of checkPolicies() for a policy of each verb, for graphs of growing size. */
export function policyFigures(): readonly Figure[] {
  const policies = parsePolicies(RULES.map((rule, index) => ({ name: `policy ${index}`, rules: [rule] })));
  const { exponent, ms } = exponentOf((count) => {
    const graph = bigGraph(count);
    return () => checkPolicies(graph, policies);
  });
  const against = `CPU time for ${RULES.length} policies on ${LARGE} nodes; exponent from ${SMALL} nodes: ${exponent}`;
  return [{ name: "policies_ms_10000", value: ms, unit: "ms", against }];
}
