import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { run, scenario } from "../../../mod.ts";

const mute = connect.custom({ name: "mute", agent: () => "Hello there." });
const short = scenario("short").says("Hi").eachReply.words(5);
const atNode = short.eachReply("is kind", { node: "greet" }).eachReply.words(1, { node: "greet" });

test("a rule for the replies at a node is refused where a connection does not report nodes", async () => {
  await assert.rejects(run(mute, [atNode]), (error) => {
    assert.match(String(error), /each_reply "each reply: is kind \(at "greet"\)"/);
    return error instanceof Error && "code" in error && error.code === "missing-capability";
  });
});

test("with unchecked: report, such a rule is listed as not checked, and the others decide", async () => {
  const { results } = await run(mute, [atNode], { connection: { unchecked: "report" } });
  const [result] = results;
  assert.deepEqual([result?.status, result?.verdicts.length], ["pass", 0]);
  assert.deepEqual(
    result?.checks.map(({ expected }) => expected),
    ["each reply: at most 5 words"],
  );
  assert.deepEqual(
    result?.connection?.notChecked?.map(({ expected }) => expected),
    ['each reply: is kind (at "greet")', 'each reply: at most 1 word (at "greet")'],
  );
  const only = scenario("only").says("Hi").eachReply.words(1, { node: "greet" });
  await assert.rejects(run(mute, [only], { connection: { unchecked: "report" } }), { code: "missing-capability" });
});
