import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { run } from "../../../../mod.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { keyed, statuses } from "../../connections/_runs.ts";
import { ASSISTANT_ID, COST_PER_CHAT, SQUAD_ID, startVapi, type VapiServerOptions } from "./_server.ts";

const LIVE = {
  store: false,
  connection: { graph: helpDesk, unchecked: "report", allowRealTools: true },
} as const;
const PASSES = DESK_SCENARIOS.map(() => "pass");

const READINGS: readonly VapiServerOptions[] = [{}, { stored: true }, { opensFirstChat: true }, { results: false }];

for (const reading of READINGS) {
  for (const context of ["session", "previous-chat"] as const) {
    test(`the help desk's scenarios pass on its squad, joined by ${context}, where ${JSON.stringify(reading)}`, async () => {
      await using server = await startVapi(reading);
      using _ = keyed("vapi");
      const report = await run(connect.vapi({ squadId: SQUAD_ID, context, baseUrl: server.url }), DESK_SCENARIOS, LIVE);
      assert.deepEqual(statuses(report), PASSES);
      const [order] = report.results;
      assert.deepEqual(order?.nodesVisited, ["welcome", "ask_number", "tell_status"]);
      const greetings = order?.transcript.filter(({ content }) => content.startsWith("Hello, this is Lumen"));
      assert.equal(greetings?.length, 1);
      const path = order?.checks.find(({ kind }) => kind === "visits");
      assert.equal(path?.expected, "ask_number -> tell_status");
      assert.deepEqual(
        order?.connection?.notChecked?.map(({ kind, expected }) => `${kind} ${expected}`),
        [
          "visits look_up",
          "visits goodbye",
          "extracts topic",
          "extracts order_number",
          "extracts order_status",
          "mocks look_up_order",
        ],
      );
    });
  }
}

test("the help desk's scenarios pass on an assistant, which has no path", async () => {
  await using server = await startVapi();
  using _ = keyed("vapi");
  const report = await run(connect.vapi({ assistantId: ASSISTANT_ID, baseUrl: server.url }), DESK_SCENARIOS, LIVE);
  assert.deepEqual(statuses(report), PASSES);
  const [order] = report.results;
  assert.equal(order?.connection?.version, "v3");
  assert.ok(Math.abs((order?.connection?.costUsd ?? 0) - 3 * COST_PER_CHAT) < 1e-9);
  assert.match(order?.connection?.callId ?? "", /^chat_/);
  assert.ok(order?.connection?.notChecked?.some(({ kind }) => kind === "visits"));
  assert.equal(server.taken.filter(({ url }) => url === `/assistant/${ASSISTANT_ID}`).length, 1);
});

test("wrong words and a wrong path fail, and never pass", async () => {
  await using server = await startVapi({ words: (text) => text.replaceAll("shipped", "lost") });
  using _ = keyed("vapi");
  const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
  const [order, , lamp] = statuses(await run(agent, DESK_SCENARIOS, LIVE));
  assert.match(order ?? "", /^fail: includes shipped/);
  assert.equal(lamp, "pass");
  const [first] = DESK_SCENARIOS;
  const other = { name: "other", says: ["I ask for a manager!", "Goodbye."], visits: ["manager", "tell_status"] };
  const [failed] = statuses(await run(agent, [other], LIVE));
  assert.ok(first);
  assert.match(failed ?? "", /^fail: visits manager -> tell_status/);
});

test("without another graph, names in scenarios are those of the squad", async () => {
  for (const stored of [false, true]) {
    await using server = await startVapi({ stored });
    using _ = keyed("vapi");
    const agent = connect.vapi({ squadId: SQUAD_ID, baseUrl: server.url });
    const connection = { allowRealTools: true } as const;
    const typo = { name: "typo", says: ["Hi"], avoids: ["manger"] };
    await assert.rejects(run(agent, [typo], { store: false, connection }), /manger/);
    const right = { name: "right", says: ["I ask for a manager!", "Goodbye."], visits: ["welcome", "manager"] };
    assert.deepEqual(statuses(await run(agent, [right], { store: false, connection })), ["pass"]);
  }
});
