import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../../api/connect.ts";
import { run, scenario } from "../../mod.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { placeAgent } from "./_agents.ts";
import { needsSoftware } from "./_software.ts";

const { folder, options } = needsSoftware("LiveKit Agents");
const LIMITED = { ...options, timeout: 180_000 };
const agent = placeAgent(folder, "desk_agent.mjs", "livekit");
const REAL = { store: false, connection: { allowRealTools: true } } as const;

after(agent.remove);

const desk = (env = {}) => connect.livekit({ command: ["node", agent.file], name: "desk", env });

test("a worker of LiveKit Agents: opening, tools, a handoff and the end", LIMITED, async () => {
  const whole = scenario("whole")
    .says("Where is order B-77?", "Where is order A-1042?", "I ask for a manager!", "Goodbye.")
    .visits("desk", "manager")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("Lamp shop", "no order B-77", "arrives on Friday", "calls you back")
    .ends("agent_ended");
  const report = await run(desk(), [whole], REAL);
  const [result] = report.results;
  assert.deepEqual(statuses(report), ["pass"]);
  assert.equal(result?.transcript[0]?.content, "Lamp shop, how can I help?");
  assert.deepEqual(
    result?.toolsCalled.map(({ name, arguments: args, outcome, result: answer }) => [name, args, outcome, answer]),
    [
      ["look_up_order", { order_number: "B-77" }, "failed", "no order B-77"],
      ["look_up_order", { order_number: "A-1042" }, "succeeded", { status: "shipped", arrives: "Friday" }],
      ["to_manager", {}, "succeeded", "handed over"],
      ["end_call", {}, "succeeded", "say goodbye"],
    ],
  );
});

test("a worker of LiveKit Agents with a voice: its first words are waited for", LIMITED, async () => {
  const asks = scenario("asks").says("Where is order A-1042?").includes("Lamp shop", "arrives on Friday");
  const report = await run(desk({ DESK_VOICE: "yes" }), [asks], REAL);
  assert.deepEqual(statuses(report), ["pass"]);
  assert.equal(report.results[0]?.transcript[0]?.content, "Lamp shop, how can I help?");
});

test("a worker of LiveKit Agents: a wrong reply fails, a silent turn is an error", LIMITED, async () => {
  const wrong = scenario("wrong").says("Where is order A-1042?").includes("lost at sea");
  const silent = scenario("silent").says("The model has no answer to this.").excludes("sorry");
  const report = await run(desk(), [wrong, silent], REAL);
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["fail", "error"],
  );
  assert.match(report.results[1]?.errorMessage ?? "", /\(vendor\): it answers agent produced no response items/);
});

test("a worker of LiveKit Agents: a run is refused by the names of the tools", LIMITED, async () => {
  await assert.rejects(run(desk(), [scenario("hi").says("Hi").excludes("sorry")], { store: false }), {
    message: /the tools of "desk" cannot be mocked and would run: look_up_order, to_manager/,
  });
});
