import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage } from "../../../../src/agent/analysis/mod.ts";
import { conversation } from "../../../../src/call/engine/mod.ts";
import { scripted } from "../../../../src/call/models/mod.ts";
import { parseGraph } from "../../../../src/document/graph/mod.ts";
import { type RandomCall, randomCall } from "../../../call/engine/random_calls.ts";
import { ReferenceCall } from "../../../call/engine/reference.ts";
import { fc } from "../../../properties.ts";
import { noted } from "./_noted.ts";

const SEEDS = Array.from({ length: fc.sampled(150) }, (_, index) => index + 1);

/** What a call exercises according to the reference, and the answers of its model. */
function byTheBook({ document, variables, mocks, lines, oracle }: RandomCall) {
  const answers = { transition: [] as object[], extract: [] as object[], arguments: [] as object[] };
  const kept = <Answer extends object>(list: object[], answer: Answer): Answer => {
    list.push(answer);
    return answer;
  };
  const call = new ReferenceCall(parseGraph(document), variables, mocks, {
    transition: (targets) => kept(answers.transition, oracle.transition(targets)),
    extract: (wanted) => kept(answers.extract, oracle.extract(wanted)),
    arguments: (tool) => kept(answers.arguments, oracle.arguments(tool)),
  });
  call.open();
  for (const _ of lines) if (!call.ended) call.hear();
  return { exercised: [...call.exercised].sort(), answers };
}

test("coverage() of random calls is what a second implementation of the engine counts", async () => {
  let clauses = 0;
  for (const seed of SEEDS) {
    const random = randomCall(seed);
    const { exercised, answers } = byTheBook(random);
    const graph = parseGraph(random.document);
    const agent = scripted({ ...answers, respond: Array.from({ length: 200 }, () => "Well.") });
    const call = conversation(graph, { models: { agent }, variables: random.variables, mocks: random.mocks });
    await call.open();
    for (const line of random.lines) if (!call.ended) await call.hear(line);
    const stored = JSON.parse(JSON.stringify({ nodesVisited: call.nodesVisited, transcript: call.transcript }));
    const { items } = coverage(graph, [stored]);
    const covered = items.filter(({ calls }) => calls > 0).map(noted);
    assert.deepEqual(covered.sort(), exercised, `seed ${seed}`);
    clauses += covered.filter((each) => each.startsWith('["clause"')).length;
  }
  assert.ok(clauses > SEEDS.length / 2, "the calls evaluate equations");
});
