import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect, type LiveKitOptions } from "../../../../api/connect.ts";
import { run, scenario } from "../../../../mod.ts";
import { connectTo } from "../../../../platforms/connections/mod.ts";
import { ownStart } from "../../../surface/cli/_process.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { statuses } from "../../connections/_runs.ts";

const PROGRAM = join(import.meta.dirname ?? ".", "_program.ts");
const COMMAND = [...ownStart("each file"), PROGRAM];
const SECRET = "marmalade-evening-harbour-4711";
const REAL = { allowRealTools: true } as const;
const LONG = { timeout: 120_000 } as const;

const hi = scenario("hi").says("Where is my order?").includes("order number");

/** Starts an agent whose worker has a fault. */
function agentWith(fault: string, more: LiveKitOptions = {}) {
  const env = { WORKER_FAULT: fault, AGENT_SECRET_KEY: SECRET, ...more.env };
  return connect.livekit({ command: COMMAND, name: "desk", hangUpMs: 0, ...more, env });
}

/** A port to which programs keep a socket open while they run. */
async function startWitness() {
  const sockets = new Set<Socket>();
  let seen = 0;
  let wake = () => {};
  const server = createServer((socket) => {
    seen += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      wake();
    });
    wake();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const until = async (holds: () => boolean) => {
    while (!holds())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  return {
    port: String(typeof address === "object" && address ? address.port : 0),
    seen: () => seen,
    /** Resolves when so many programs have run. */
    untilSeen: async (count: number) => await until(() => seen >= count),
    /** Resolves when no program runs. */
    untilGone: async () => await until(() => sockets.size === 0),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("each call starts a worker and ends it, with the processes that it has started", LONG, async () => {
  await using witness = await startWitness();
  const agent = agentWith("child", { transfers: ["transfer_call"], env: { WORKER_WITNESS: witness.port } });
  const report = await run(agent, DESK_SCENARIOS.slice(0, 2), {
    store: false,
    connection: { ...REAL, unchecked: "report" },
  });
  assert.deepEqual(statuses(report), ["pass", "pass"]);
  assert.equal(report.results[0]?.connection?.realTools, true);
  // one to look the agent up, and one for each call, each with a child
  assert.equal(witness.seen(), 6);
  await witness.untilGone();
});

test("a worker that ignores SIGTERM is killed", LONG, async () => {
  await using witness = await startWitness();
  const report = await run(agentWith("deaf", { env: { WORKER_WITNESS: witness.port } }), [hi], {
    store: false,
    connection: REAL,
  });
  assert.deepEqual(statuses(report), ["pass"]);
  await witness.untilGone();
});

test("a cancelled run ends its workers", LONG, async () => {
  await using witness = await startWitness();
  const stop = new AbortController();
  const agent = agentWith("never", { env: { WORKER_WITNESS: witness.port } });
  const running = run(agent, [hi], { store: false, connection: REAL, signal: stop.signal });
  await witness.untilSeen(1);
  stop.abort();
  await running.catch(() => undefined);
  await witness.untilGone();
});

test("a run is refused before its first call if the agent has tools, unless they may run", LONG, async () => {
  await using witness = await startWitness();
  const agent = agentWith("", { env: { WORKER_WITNESS: witness.port } });
  await assert.rejects(run(agent, [hi], { store: false }), {
    name: "ScenarioError",
    message: /the tools of "desk" cannot be mocked and would run: look_up_order/,
  });
  await witness.untilGone();
  assert.equal(witness.seen(), 1);
});

test("a worker that cannot be used is an error with its last words, and without its secrets", LONG, async () => {
  const cases: readonly (readonly [LiveKitOptions, RegExp])[] = [
    [{ ...agentOptions("exits") }, /\(unreachable\): its worker ended with exit code 3: worker with \[/],
    [{ ...agentOptions("crashes") }, /\(ended-early\): its worker ended with exit code 5/],
    [{ ...agentOptions("never"), startTimeoutMs: 3_000 }, /\(unreachable\): its worker did not connect within 3000 ms/],
    [{ command: ["no-such-program-of-the-tests"], name: "desk" }, /\(unreachable\): its worker cannot be started/],
    [
      { listen: "127.0.0.1:9", name: "desk", startTimeoutMs: 50 },
      /\(unreachable\): (?:it cannot listen|no worker connected to)/,
    ],
  ];
  for (const [options, words] of cases) {
    const failed = await run(connect.livekit(options), [hi], { store: false, connection: REAL }).then(
      ({ results }) => results[0]?.errorMessage ?? "",
      (error: unknown) => (error instanceof Error ? error.message : ""),
    );
    assert.match(failed, words);
    assert.doesNotMatch(failed, new RegExp(SECRET));
  }
});

function agentOptions(fault: string): LiveKitOptions {
  return { command: COMMAND, name: "desk", env: { WORKER_FAULT: fault, AGENT_SECRET_KEY: SECRET } };
}

test("references name a file or an address", () => {
  for (const id of ["agent.js", "agents/agent.py", "127.0.0.1:4000"]) {
    const { name, version } = connectTo("livekit", { id, version: "7" });
    assert.match(name, new RegExp(`^livekit:.*${id}$`));
    assert.equal(version, "7");
  }
});

test("wrong options are refused by name", () => {
  const wrong: readonly (readonly [LiveKitOptions, RegExp])[] = [
    [{}, /there is no command/],
    [{ command: ["node", "agent.js"], listen: "127.0.0.1:4000" }, /both a command and listen/],
    [{ command: [] }, /command/],
    [{ command: ["node", ""] }, /command/],
    [{ listen: "4000" }, /listen/],
    [{ listen: "127.0.0.1:70000" }, /listen/],
    [{ command: ["node", "a.js"], startTimeoutMs: 0 }, /startTimeoutMs/],
  ];
  for (const [options, words] of wrong)
    assert.throws(() => connect.livekit(options), { name: "ScenarioError", code: "invalid-option", message: words });
});
