import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, verify } from "../../../api/connect.ts";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { sampled } from "../../fast_check.ts";
import { DESK_SCENARIOS } from "../../platforms/connections/_desk.ts";
import { keyed } from "../../platforms/connections/_runs.ts";
import { AGENT_ID, startPlayground } from "../../platforms/retell/talk/_playground.ts";
import { tryPlanted } from "./_try_planted.ts";

const NOW = { store: false } as const;

test("an agent that does what its graph does has no differences", async () => {
  await using server = await startPlayground();
  using _ = keyed("retell");
  const agent = connect.retell({ agentId: AGENT_ID, baseUrl: server.url });
  const report = await verify(agent, DESK_SCENARIOS, { ...NOW, graph: helpDesk, repeat: { times: 2 } });
  assert.deepEqual(report.differences, []);
  assert.deepEqual(report.notCompared, []);
  assert.equal(report.calls.length, 2 * DESK_SCENARIOS.length);
  assert.equal(report.same, true);
  assert.equal(report.version, "7");
});

/** The bench `connections` tries 200. */
const GRAPHS = 60;

test("one planted difference is named, and nothing else, over random graphs", async () => {
  const { tried, wrong } = await tryPlanted(sampled(GRAPHS));
  assert.ok(tried > 0);
  assert.deepEqual(wrong, []);
});
