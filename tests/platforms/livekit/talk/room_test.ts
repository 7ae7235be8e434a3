import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { connect } from "../../../../api/connect.ts";
import { run, scenario } from "../../../../mod.ts";
import { connectTo, parseReference } from "../../../../platforms/connections/mod.ts";
import { FAST, spokenModels } from "../../../call/voice/_spoken.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, statuses } from "../../connections/_runs.ts";
import { ROOM_KEYS, type RoomOptions, roomConnection, startRooms } from "./_rooms.ts";

const REAL = { store: false, connection: { allowRealTools: true, unchecked: "report" } } as const;
const URL_OF_ROOMS = "ws://127.0.0.1:7880";

const hi = scenario("hi").says("Where is order A-1042?").includes("Friday");

test("the help desk's scenarios pass in rooms, each call in one of its own, which is left and deleted", async () => {
  const rooms = startRooms({ deaf: 2 });
  const agent = roomConnection(rooms, { transfers: ["transfer_call"] });
  const report = await run(agent, DESK_SCENARIOS, { ...REAL, limits: { concurrency: 3 } });
  assert.deepEqual(
    statuses(report),
    DESK_SCENARIOS.map(() => "pass"),
  );
  const names = rooms.tokens.map((token) => claimsOf(token).video.room);
  assert.equal(new Set(names).size, DESK_SCENARIOS.length + 1, "one more room to look the agent up");
  assert.deepEqual(rooms.deleted.map((body) => JSON.parse(body).room).toSorted(), names.toSorted());
  assert.equal(rooms.open(), 0);
  for (const { connection } of report.results) assert.ok(names.includes(connection?.callId));
});

test("a token is signed, names the room and calls the agent with the variables of the scenario", async () => {
  const rooms = startRooms();
  const agent = roomConnection(rooms, { startVariables: true, metadata: { shop: "lamps", topic: "none" } });
  const varied = scenario("varied").variables({ topic: "order", number: 7 }).says("Hi").excludes("sorry");
  assert.deepEqual(statuses(await run(agent, [varied], REAL)), ["pass"]);
  const [looked = "", called = ""] = rooms.tokens;
  const [header, claims, signature] = called.split(".");
  assert.equal(signature, createHmac("sha256", KEY).update(`${header}.${claims}`).digest("base64url"));
  const { iss, sub, exp, nbf, video, roomConfig } = claimsOf(called);
  assert.deepEqual([iss, sub], [ROOM_KEYS.LIVEKIT_API_KEY, "callweave-caller"]);
  assert.ok(exp > Date.now() / 1000 && nbf < Date.now() / 1000);
  assert.deepEqual(Object.keys(video).toSorted(), ["canPublish", "canPublishData", "canSubscribe", "room", "roomJoin"]);
  const [dispatch] = roomConfig.agents;
  assert.equal(dispatch.agentName, "desk");
  assert.deepEqual(JSON.parse(dispatch.metadata), { shop: "lamps", topic: "order", number: "7" });
  assert.deepEqual(JSON.parse(claimsOf(looked).roomConfig.agents[0].metadata), { shop: "lamps", topic: "none" });
});

test("without a name, workers come by themselves", async () => {
  const rooms = startRooms();
  const { join, fetch } = rooms;
  const { livekitConnection } = await import("../../../../platforms/livekit/talk/livekit.ts");
  const agent = livekitConnection({ url: URL_OF_ROOMS, env: ROOM_KEYS }, { loadRtc: async () => join, fetch });
  assert.equal(agent.name, "livekit:127.0.0.1:7880");
  assert.deepEqual(statuses(await run(agent, [hi], REAL)), ["pass"]);
  assert.ok(rooms.tokens.every((token) => claimsOf(token).roomConfig === undefined));
});

const FAULTS: readonly (readonly [string, RegExp, RoomOptions])[] = [
  ["no agent comes", /\(unreachable\): no agent joined the room within 300 ms/, { isEmpty: true }],
  ["an agent that does not answer", /\(unreachable\): its agent joined the room, and did not answer/, { deaf: 1_000 }],
  [
    "a key that is refused",
    /\(key\): the room cannot be joined: .*401 Unauthorized - invalid token: \[key\]$/,
    { refuses: new Error(`engine: signal failure: client error: 401 Unauthorized - invalid token: ${KEY}`) },
  ],
  [
    "no server",
    /\(unreachable\): the room cannot be joined: .*Connection refused/,
    { refuses: new Error("engine: signal failure: IO error: Connection refused (os error 111)") },
  ],
];

for (const [name, words, options] of FAULTS) {
  test(`${name}: the run ends with an error of the connection`, async () => {
    const rooms = startRooms(options);
    await assert.rejects(run(roomConnection(rooms, { startTimeoutMs: 300 }), [hi], REAL), (error: Error) => {
      assert.match(error.message, words);
      assert.ok(!JSON.stringify(error).includes(KEY));
      return true;
    });
    assert.equal(rooms.open(), 0);
  });
}

test("an agent that is lost in the room has not ended the call", async () => {
  for (const leaveReason of ["CONNECTION_TIMEOUT", "SERVER_SHUTDOWN", "UNKNOWN_REASON", "PARTICIPANT_REMOVED"]) {
    const rooms = startRooms({ leaveReason });
    const ends = scenario("ends").says("I ask for a manager!", "Goodbye.").ends("agent_ended");
    const report = await run(roomConnection(rooms), [ends], REAL);
    assert.match(statuses(report)[0] ?? "", new RegExp(`^error: .*\\(ended-early\\): .*${leaveReason}`));
  }
  const rooms = startRooms({ leaveReason: "ROOM_DELETED" });
  const ends = scenario("ends").says("I ask for a manager!", "Goodbye.").ends("agent_ended");
  assert.deepEqual(statuses(await run(roomConnection(rooms), [ends], REAL)), ["pass"]);
});

test("by voice, an agent that was not heard is an error before its caller waits in vain", async () => {
  const rooms = startRooms({ isUnheard: true });
  // the time of the machine tells it, long before that of the call
  const voice = { ...spokenModels(), turns: { giveUpMs: 3_600_000 } };
  const report = await run(roomConnection(rooms, { voice, opening: true }, { clock: FAST }), [hi], REAL);
  assert.match(statuses(report)[0] ?? "", /^error: .*\(silence\): it says that it has spoken, and none of its sound/);
  assert.equal(rooms.open(), 0);
});

test("a room is left when a run is refused because of the agent's tools", async () => {
  const rooms = startRooms();
  await assert.rejects(run(roomConnection(rooms), [hi], { store: false }), { message: /look_up_order/ });
  assert.equal(rooms.open(), 0);
});

test("options of rooms are checked, and keys are asked for by their names", () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ url: "http://127.0.0.1:7880" }, /"url" is "http:/],
    [{ url: "ws://me:word@127.0.0.1" }, /"url" is/],
    [{ url: URL_OF_ROOMS, listen: "127.0.0.1:4000" }, /both a listen and a url/],
    [{ command: ["node"], metadata: "x" }, /only an agent with a name in a room gets metadata/],
    [{ url: URL_OF_ROOMS, startVariables: true }, /only an agent with a name/],
    [{ url: URL_OF_ROOMS, agentName: "desk", startVariables: true, metadata: "x" }, /cannot be added to a text/],
    [{ url: URL_OF_ROOMS, agentName: "" }, /agentName/],
    [{ url: URL_OF_ROOMS, env: { LIVEKIT_API_KEY: "x", LIVEKIT_API_SECRET: "" } }, /LIVEKIT_API_SECRET is not set/],
    [{ url: URL_OF_ROOMS, keyVariable: "DESK_KEY", env: {} }, /DESK_KEY is not set/],
    [{ url: URL_OF_ROOMS, env: { LIVEKIT_API_KEY: "a b" } }, /LIVEKIT_API_KEY has blanks/],
  ];
  for (const [options, words] of wrong)
    assert.throws(() => Reflect.apply(connect.livekit, undefined, [options]), words);
});

test("a reference names a server and its agent", () => {
  const nameOf = (text: string) => {
    const { platform, ...reference } = parseReference(text) ?? assert.fail(text);
    return connectTo(platform, { ...reference, env: ROOM_KEYS }).name;
  };
  assert.equal(nameOf("livekit:ws://127.0.0.1:7880/desk"), "livekit:desk");
  assert.equal(nameOf("livekit:wss://shop.livekit.cloud"), "livekit:shop.livekit.cloud");
  assert.equal(nameOf("livekit:agent.js"), "livekit:agent.js");
});

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}
