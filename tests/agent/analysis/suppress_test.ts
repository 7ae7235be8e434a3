import assert from "node:assert/strict";
import { test } from "node:test";
import type { Suppression } from "../../../src/agent/analysis/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { end, graphOf, llm, talk } from "./_graphs.ts";

const suppress = (code: string, reason: string) => ({ callweave: { suppress: { [code]: reason } } });

/** A graph with a dead end, `stuck`, and an empty condition of the transition to it. */
function graph(at: { graph?: object; node?: object; transition?: object } = {}) {
  return graphOf(
    {
      a: talk({ ...llm("stuck", ""), ...(at.transition ? { metadata: at.transition } : {}) }, llm("bye", "Done")),
      stuck: { ...talk(), ...(at.node ? { metadata: at.node } : {}) },
      bye: end,
    },
    at.graph ? { source_metadata: at.graph } : {},
  );
}

function codes(at: Parameters<typeof graph>[0], given: readonly Suppression[] = []): readonly string[] {
  return check(graph(at), { suppress: given }).map(({ code }) => code);
}

test("check() leaves out what a node, a transition, the graph or the caller suppresses with a reason", () => {
  assert.deepEqual(codes({}), ["dead-end", "empty-condition"]);
  assert.deepEqual(codes({ node: suppress("dead-end", "Callers hang up") }), ["empty-condition"]);
  assert.deepEqual(codes({ transition: suppress("empty-condition", "The model may choose") }), ["dead-end"]);
  assert.deepEqual(codes({ graph: suppress("dead-end", "A radio") }), ["empty-condition"]);
  assert.deepEqual(codes({}, [{ code: "dead-end", reason: "A radio" }]), ["empty-condition"]);
  assert.deepEqual(codes({}, [{ code: "dead-end", node: "stuck", reason: "A radio" }]), ["empty-condition"]);
});

test("check() suppresses a finding only where the suppression stands, and only with a reason", () => {
  assert.deepEqual(codes({ transition: suppress("dead-end", "Elsewhere") }), [
    "dead-end",
    "empty-condition",
    "unused-suppression",
  ]);
  assert.deepEqual(codes({}, [{ code: "dead-end", node: "a", reason: "Elsewhere" }]).at(-1), "unused-suppression");
  assert.deepEqual(codes({ node: suppress("dead-end", "") }), [
    "dead-end",
    "empty-condition",
    "suppression-without-reason",
  ]);
});

test("check() says which code a misspelled suppression may mean, and leaves the codes of targets alone", () => {
  const [, , misspelled] = check(graph({ node: suppress("dead-ends", "Callers hang up") }));
  assert.equal(misspelled?.hint, 'Did you mean "dead-end"?');
  assert.deepEqual(codes({ node: suppress("handoff-undescribed", "Only for Vapi") }), ["dead-end", "empty-condition"]);
});

test("check() refuses suppressions that are no list of codes and reasons", () => {
  const given = JSON.parse('{ "suppress": [{ "code": "dead-end" }] }');
  assert.throws(
    () => check(graph(), given),
    (error) => isCallweaveError(error) && error.code === "invalid-option",
  );
});
