import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "../../api/connect.ts";
import { run, scenario } from "../../mod.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { placeAgent } from "./_agents.ts";
import { type RoomServer, startRoomServer, startWorker } from "./_rooms.ts";
import { needsSoftware } from "./_software.ts";
import { toneModels } from "./_tone_models.ts";

const agents = needsSoftware("LiveKit Agents");
const rooms = needsSoftware("LiveKit's server");
const isMissing = agents.options.skip !== false || rooms.options.skip !== false;
const LIMITED = { skip: rooms.options.skip || agents.options.skip, timeout: 180_000 };
const agent = placeAgent(isMissing ? "" : agents.folder, "desk_agent.mjs", "room");
const REAL = { store: false, connection: { allowRealTools: true } } as const;

let server: RoomServer;
const workers: AsyncDisposable[] = [];

before(async () => {
  if (isMissing) return;
  server = await startRoomServer(rooms.folder);
  workers.push(await startWorker(agent.file, { env: server.env, name: "desk" }));
  workers.push(await startWorker(agent.file, { env: server.env, name: "voice", speaks: true }));
});
after(async () => {
  if (isMissing) return;
  await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  await server[Symbol.asyncDispose]();
  agent.remove();
});

const desk = (more = {}) =>
  connect.livekit({ url: server.url, agentName: "desk", env: { ...server.env }, name: "desk", ...more });

test("an agent of LiveKit Agents in a room: opening, tools, a handoff and the end", LIMITED, async () => {
  const whole = scenario("whole")
    .says("Where is order B-77?", "Where is order A-1042?", "I ask for a manager!", "Goodbye.")
    .visits("desk", "manager")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("Lamp shop", "no order B-77", "arrives on Friday", "calls you back")
    .ends("agent_ended");
  const wrong = scenario("wrong").says("Where is order A-1042?").includes("lost at sea");
  const report = await run(desk(), [whole, wrong], REAL);
  const [result] = report.results;
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail"],
    statuses(report).join("\n"),
  );
  assert.equal(result?.transcript[0]?.content, "Lamp shop, how can I help?");
  assert.match(result?.connection?.callId ?? "", /^callweave_[\da-f]{24}$/);
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

test("LiveKit's server: a wrong secret, a wrong key, no agent and no server are told apart", LIMITED, async () => {
  const hi = scenario("hi").says("Hi").includes("order");
  const secret = "another-secret-of-the-tests-with-32-characters";
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ env: { ...server.env, LIVEKIT_API_SECRET: secret } }, /\(key\): .*401/],
    [{ env: { ...server.env, LIVEKIT_API_KEY: "APIother" } }, /\(key\): .*401/],
    [{ agentName: "nobody", startTimeoutMs: 2_000 }, /\(unreachable\): no agent joined the room/],
    [{ url: "ws://127.0.0.1:9", startTimeoutMs: 20_000 }, /\(unreachable\): the room cannot be joined/],
  ];
  for (const [options, words] of cases)
    await assert.rejects(run(desk(options), [hi], REAL), (error: Error) => {
      assert.match(error.message, words);
      assert.ok(!error.message.includes(secret) && !error.message.includes(server.env.LIVEKIT_API_SECRET ?? ""));
      return true;
    });
});

test("an agent of LiveKit Agents in a room, by voice: what is heard, tools, a handoff, the end", LIMITED, async () => {
  const whole = scenario("whole")
    .says("Where is order A-1042?", "I ask for a manager!", "Goodbye.")
    .visits("desk", "manager")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("Lamp shop", "arrives on Friday", "calls you back")
    .ends("agent_ended");
  const voice = { ...toneModels(), hangUpMs: 8_000, turns: { endMs: 800 } };
  const report = await run(desk({ agentName: "voice", voice }), [whole], REAL);
  const [result] = report.results;
  assert.deepEqual(statuses(report), ["pass"]);
  const said = result?.transcript.filter(({ role }) => role === "assistant").map(({ content }) => content);
  assert.deepEqual(said?.slice(0, 3), [
    "Lamp shop, how can I help?",
    "It is shipped and arrives on Friday.",
    "The manager calls you back.",
  ]);
  assert.deepEqual(
    result?.toolsCalled.map(({ name, outcome }) => [name, outcome]),
    [
      ["look_up_order", "succeeded"],
      ["to_manager", "succeeded"],
      ["end_call", "succeeded"],
    ],
  );
});
