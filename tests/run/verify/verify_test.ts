import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, verify } from "../../../api/connect.ts";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { sampled } from "../../fast_check.ts";
import { DESK_SCENARIOS } from "../../platforms/connections/_desk.ts";
import { keyed } from "../../platforms/connections/_runs.ts";
import { AGENT_ID, startPlayground } from "../../platforms/retell/talk/_playground.ts";
import { planted } from "./_planted.ts";

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

test("one planted difference is named, and nothing else, over random graphs", async () => {
  using _ = keyed("retell");
  for (let seed = 1; seed <= sampled(200); seed++) {
    const { graph, deployed, scenarios, kind, node, name } = planted(seed);
    await using server = await startPlayground({ graph: deployed });
    const agent = connect.retell({ agentId: AGENT_ID, baseUrl: server.url });
    const before = await verify(agent, scenarios, { ...NOW, graph: deployed });
    assert.deepEqual(before.differences, [], `seed ${seed}: the deployed graph itself`);
    assert.equal(before.same, true);
    const report = await verify(agent, scenarios, { ...NOW, graph });
    assert.deepEqual(
      report.differences.map((found) => [found.kind, found.nodeId, found.name]),
      [[kind, node, name]],
      `seed ${seed}: ${JSON.stringify(report.differences, null, 1)}`,
    );
    const [found] = report.differences;
    if (kind === "path") assert.ok(found?.words?.length, `seed ${seed}: the words of the condition`);
    assert.equal(report.same, false);
  }
});
