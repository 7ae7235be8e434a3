import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { flow, run, scenario } from "../../../../mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { AGENT_ID, startPlayground } from "./_playground.ts";

const NOW = { store: false } as const;

test("the help desk's scenarios pass on its graph", async () => {
  assert.deepEqual(
    statuses(await run(helpDesk, DESK_SCENARIOS, NOW)),
    DESK_SCENARIOS.map(() => "pass"),
  );
});

for (const empty of ["opening", "nothing", "refused"] as const) {
  for (const delta of [true, false]) {
    test(`and on Retell's playground, with ${empty} for an empty history, and ${delta ? "changed" : "all"} variables`, async () => {
      await using server = await startPlayground({ empty, delta });
      using _ = keyed("retell");
      const report = await run(connect.retell({ agentId: AGENT_ID, baseUrl: server.url }), DESK_SCENARIOS, NOW);
      assert.deepEqual(
        statuses(report),
        DESK_SCENARIOS.map(() => "pass"),
      );
      assert.deepEqual(report.results[0]?.connection?.version, "7");
    });
  }
}

test("without another graph, names in scenarios are those of the deployed agent", async () => {
  await using server = await startPlayground();
  using _ = keyed("retell");
  const agent = connect.retell({ agentId: AGENT_ID, baseUrl: server.url });
  const wrong = scenario("has a typo").says("Hi").avoids("manger");
  await assert.rejects(run(agent, [wrong], NOW), /manger/);
  const small = flow("other").conversation("hall", { prompt: "Greet." }).compile();
  const other = scenario("expects a node that only the code has").says("Hi").avoids("hall");
  await assert.rejects(
    run(agent, [other], { ...NOW, connection: { graph: small } }),
    /does not report the node "hall"/,
  );
  assert.equal(server.taken.filter(({ url }) => url.startsWith("/agent-playground")).length, 0);
});
