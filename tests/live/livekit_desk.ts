import { after, before, test } from "node:test";
import { connect } from "../../api/connect.ts";
import { holdDesk } from "../platforms/connections/_desk_runs.ts";
import { placeAgent } from "./_agents.ts";
import { type DeskTurns, startDeskTurns } from "./_desk_server.ts";
import { running } from "./_desk_turns.ts";
import { startRoomServer, startWorker } from "./_rooms.ts";
import { needsSoftware } from "./_software.ts";

const agents = needsSoftware("LiveKit Agents");
const rooms = needsSoftware("LiveKit's server");
const placed = placeAgent(agents.folder, "desk_nodes_agent.mjs", "desk");
const TRANSFERS = ["transfer_call"];

let turns: DeskTurns;

before(async () => {
  turns = await startDeskTurns();
});
after(async () => {
  placed.remove();
  await turns[Symbol.asyncDispose]();
});

test("the help desk's scenarios have the same verdicts on a worker of LiveKit Agents", {
  ...agents.options,
  timeout: 480_000,
}, async () => {
  const env = { DESK_TURNS: turns.url };
  const agent = connect.livekit({ command: ["node", placed.file], name: "desk", env, transfers: TRANSFERS });
  await holdDesk(running("a worker", agent), 2);
});

test("the help desk's scenarios have the same verdicts on a worker of LiveKit Agents in a room", {
  skip: agents.options.skip || rooms.options.skip,
  timeout: 480_000,
}, async () => {
  await using server = await startRoomServer(rooms.folder);
  const env = { ...server.env, DESK_TURNS: turns.url };
  await using _ = await startWorker(placed.file, { env, name: "nodes" });
  const given = { url: server.url, agentName: "nodes", env: { ...server.env }, name: "desk" };
  await holdDesk(running("a room", connect.livekit({ ...given, transfers: TRANSFERS })), 2);
});
