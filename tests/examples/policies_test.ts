import assert from "node:assert/strict";
import { test } from "node:test";
import { clinic } from "../../examples/clinic/flow.ts";
import { policies as ofClinic } from "../../examples/clinic/policies.ts";
import { helpDesk } from "../../examples/help-desk/flow.ts";
import { policies as ofHelpDesk } from "../../examples/help-desk/policies.ts";
import { check, policy } from "../../mod.ts";

test("the policies of the examples hold on every path", () => {
  for (const [graph, policies] of [
    [helpDesk, ofHelpDesk],
    [clinic, ofClinic],
  ] as const) {
    const found = check(graph, { policies }).filter(({ code }) => code.startsWith("policy-"));
    assert.deepEqual(
      found.map(({ code, path }) => [code, path]),
      policies.map(({ name }) => ["policy-holds", ["policies", name]]),
    );
  }
});

test("check() shows the shortest call that breaks a policy", () => {
  const policies = [
    policy("a return before goodbye", ({ before }) => before("return_lamp", "goodbye"), helpDesk),
    policy("nobody is left with a manager", ({ wayTo }) => wayTo("welcome"), helpDesk),
  ];
  const [first] = check(helpDesk, { policies }).filter(({ code }) => code === "policy-broken");
  assert.equal(first?.severity, "error");
  assert.deepEqual(first?.witness?.path, ["welcome", "manager", "goodbye"]);
});

test("policy() refuses rules that cannot be read, and check() names that the graph does not have", () => {
  assert.throws(() => policy("nothing", () => []), { code: "invalid-policy" });
  const misspelt = { name: "misspelt", rules: [{ verb: "never", points: [{ node: "welcom" }] }] } as const;
  const [finding] = check(helpDesk, { policies: [misspelt] }).filter(({ code }) => code === "unknown-node");
  assert.match(finding?.hint ?? "", /welcome/);
  assert.throws(() => {
    // @ts-expect-error the flow has no such node
    policy("typed", ({ never }) => never("welcom"), helpDesk);
    throw new Error("checked by the compiler");
  }, /checked by the compiler/);
});
