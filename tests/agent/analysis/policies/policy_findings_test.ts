import assert from "node:assert/strict";
import { test } from "node:test";
import { policyFindings } from "../../../../src/agent/analysis/mod.ts";
import { ruleText } from "../../../../src/agent/analysis/policies.ts";
import type { PolicyRule } from "../../../../src/document/scenario/mod.ts";
import { end, graphOf, llm, says } from "../_graphs.ts";

const GRAPH = graphOf({
  ask: {
    ...says("Ask {{name}}.", llm("pay", "Pays"), llm("bye", "Done")),
    tools: [{ name: "find", description: "x" }],
  },
  pay: says("Pay.", llm("bye", "Done")),
  bye: end,
});
const [ASK, PAY, BYE] = [[{ node: "ask" }], [{ node: "pay" }], [{ node: "bye" }]];
const before = (first: readonly object[], second: readonly object[]) =>
  ({ verb: "before", first, second }) as Extract<PolicyRule, { verb: "before" }>; // tests pass wrong names
const findingsOf = (...rules: readonly PolicyRule[]) => policyFindings(GRAPH, [{ name: "rules", rules }]);

test("ruleText() says each rule as a sentence", () => {
  const condition = { type: "equation", value: "", equations: [{ left: "x", operator: "==", right: "1" }] } as const;
  const [find, failed] = [{ tool: "find" }, { tool: "find", outcome: "failed" }] as const;
  const rows: readonly (readonly [PolicyRule, string])[] = [
    [{ verb: "before", first: ASK, second: [...PAY, find] }, 'node "ask" comes before node "pay" or tool "find"'],
    [{ verb: "never", points: [failed] }, 'never tool "find" (failed)'],
    [{ verb: "never", points: PAY, while: condition }, 'never node "pay" while x == 1'],
    [{ verb: "at_most_once", points: PAY }, 'at most once node "pay"'],
    [{ verb: "after", first: ASK, second: PAY }, 'after node "ask" the agent does not end the call before node "pay"'],
    [{ verb: "leads_to", first: ASK, second: BYE }, 'after node "ask" there is always a way to node "bye"'],
    [{ verb: "way_to", points: [{ end: "agent_ended" }] }, 'there is always a way to the end "agent_ended"'],
    [{ verb: "known", variables: ["name"] }, "name known before it is spoken"],
    [{ verb: "known", variables: ["name", "day"] }, "name, day known before they are spoken"],
  ];
  for (const [rule, text] of rows) assert.equal(ruleText(rule), text);
});

test("policyFindings() reports policies that hold, and those that a call breaks with its path", () => {
  assert.deepEqual(findingsOf(before(ASK, PAY)), [
    {
      code: "policy-holds",
      severity: "info",
      path: ["policies", "rules"],
      message: 'policy "rules" holds on every path',
    },
  ]);
  const [broken, ...others] = findingsOf(before(ASK, PAY), before(PAY, BYE));
  assert.deepEqual(others, []);
  assert.deepEqual([broken?.code, broken?.severity], ["policy-broken", "error"]);
  assert.equal(broken?.message, 'policy "rules" is broken (node "pay" comes before node "bye"): ask -> bye');
  assert.deepEqual(broken?.witness?.path, ["ask", "bye"]);
});

test("policyFindings() reports names that the graph does not have, and does not decide such a policy", () => {
  const rows: readonly (readonly [PolicyRule, readonly string[]])[] = [
    [before([{ node: "asks" }], PAY), ["unknown-node"]],
    [before(ASK, [{ tool: "book" }]), ["unknown-tool"]],
    [before([{ node: "asks" }], [{ tool: "book" }]), ["unknown-node", "unknown-tool"]],
    [{ verb: "known", variables: ["nam", "week"] }, ["unknown-variable", "unknown-variable"]],
    [{ verb: "never", points: [{ end: "agent_ended" }] }, ["policy-broken"]],
    [{ verb: "never", points: [{ tool: "find" }] }, ["policy-broken"]],
  ];
  for (const [rule, codes] of rows)
    assert.deepEqual(
      findingsOf(rule).map(({ code }) => code),
      codes,
      ruleText(rule),
    );
  const [finding] = findingsOf(before(ASK, PAY), before([{ node: "asks" }], PAY));
  assert.deepEqual(finding?.path, ["policies", "rules", "rules", 1]);
});

test("policyFindings() decides nothing about a graph without its entry", () => {
  const graph = { ...GRAPH, entry_node_id: "nobody" };
  assert.deepEqual(policyFindings(graph, [{ name: "rules", rules: [before(ASK, PAY)] }]), []);
});
