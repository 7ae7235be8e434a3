import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AgentSocket,
  type AgentSocketOptions,
  ConnectionError,
  openAgentSocket,
} from "../../../src/call/connection/mod.ts";
import { startSocketServer } from "./_socket_server.ts";

const TOKEN = "marmalade-evening-harbour";

function request(url: string, more: Partial<AgentSocketOptions> = {}): AgentSocketOptions {
  return { url, signal: new AbortController().signal, pauseClock: () => () => {}, ...more };
}

async function openTo(url: string, more: Partial<AgentSocketOptions> = {}): Promise<AgentSocket> {
  return await openAgentSocket("desk", request(url, more));
}

const waiting = { signal: new AbortController().signal };

/** The kind and the message of the error with which something fails. */
async function failure(work: Promise<unknown>): Promise<{ readonly kind: string; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof ConnectionError, String(error));
    return error;
  }
  assert.fail("it did not fail");
}

test("a socket exchanges texts, bytes and JSON, with the headers and the subprotocol of the handshake", async () => {
  await using server = await startSocketServer({
    play: async (socket) => {
      for (let message = await socket.next(); message !== undefined; message = await socket.next())
        socket.send(message);
    },
  });
  const socket = await openTo(`${server.socketUrl}/talk?x=1`, { headers: { "x-key": TOKEN }, protocols: ["convai"] });
  assert.equal(socket.protocol, "convai");
  assert.equal(server.taken[0]?.url, "/talk?x=1");
  assert.equal(server.taken[0]?.headers["x-key"], TOKEN);
  assert.equal(server.taken[0]?.headers["sec-websocket-protocol"], "convai");
  socket.send("Straße");
  assert.equal(await socket.receive(waiting), "Straße");
  socket.send(new Uint8Array([0, 255, 7]));
  assert.deepEqual(await socket.receive(waiting), new Uint8Array([0, 255, 7]));
  socket.send({ type: "hello" });
  assert.deepEqual(await socket.receiveJson(waiting), { type: "hello" });
  const long = "x".repeat(70_000);
  socket.send(long);
  assert.equal(await socket.receive(waiting), long);
  await socket.close();
  await server.gone();
  assert.deepEqual(server.closes, [1000]);
  assert.throws(() => socket.send("late"), ConnectionError);
});

const REFUSALS: readonly (readonly [status: number, kind: string])[] = [
  [401, "key"],
  [403, "key"],
  [402, "payment"],
  [404, "unknown-agent"],
  [400, "unreachable"],
  [500, "unreachable"],
  [302, "unreachable"],
  [200, "unreachable"],
];

test("a refused handshake is an error of the kind of its status, and shows no token", async () => {
  for (const [status, kind] of REFUSALS) {
    await using server = await startSocketServer({
      play: async () => {},
      refuse: () => ({ status, json: { detail: TOKEN }, headers: { location: "http://127.0.0.1:9/" } }),
    });
    const given = { headers: { authorization: `Bearer ${TOKEN}2` } };
    const error = await failure(openTo(`${server.socketUrl}/talk?token=${TOKEN}`, given));
    assert.equal(error.kind, kind, String(status));
    assert.equal(error.message.includes(TOKEN), false, error.message);
    assert.match(error.message, /127\.0\.0\.1/);
    assert.equal(server.taken.length, 1, "it is not tried again");
  }
});

test("a handshake that is refused because there are too many is tried again within the limit", async () => {
  await using server = await startSocketServer({
    play: async (socket) => socket.send("hello"),
    refuse: (_, number) => (number < 2 ? { status: 429, json: {} } : undefined),
  });
  let pauses = 0;
  const pauseClock = () => {
    pauses += 1;
    return () => {
      pauses += 10;
    };
  };
  const socket = await openTo(server.socketUrl, { pauseClock });
  assert.equal(await socket.receive(waiting), "hello");
  assert.equal(pauses, 11);
  await socket.close();
  await using busy = await startSocketServer({ play: async () => {}, refuse: () => ({ status: 429, json: {} }) });
  assert.equal((await failure(openTo(busy.socketUrl, { throttleLimitMs: 10 }))).kind, "throttled");
  assert.equal(busy.taken.length, 1);
});

test("where nothing answers, or the handshake breaks, the agent is unreachable", async () => {
  const server = await startSocketServer({ play: async () => {}, refuse: () => "break" });
  assert.equal((await failure(openTo(server.socketUrl))).kind, "unreachable");
  await server[Symbol.asyncDispose]();
  const error = await failure(openTo(`${server.socketUrl}/?token=${TOKEN}`));
  assert.equal(error.kind, "unreachable");
  assert.equal(error.message.includes(TOKEN), false, error.message);
  const wrong = await failure(openTo(`no address ${TOKEN}`));
  assert.equal(wrong.kind, "unreachable");
  assert.equal(wrong.message.includes(TOKEN), false, wrong.message);
});

test("a handshake without an answer ends with the signal", async () => {
  const controller = new AbortController();
  await using server = await startSocketServer({
    play: async () => {},
    refuse: () => {
      controller.abort(new Error("too slow"));
      return "stall";
    },
  });
  await assert.rejects(openTo(server.socketUrl, { signal: controller.signal }), /too slow/);
  await assert.rejects(openTo(server.socketUrl, { signal: controller.signal }), /too slow/);
});

const CLOSES: readonly (readonly [code: number | undefined, kind: string | undefined])[] = [
  [1000, undefined],
  [undefined, "ended-early"],
  [1001, "ended-early"],
  [1012, "ended-early"],
  [1008, "vendor"],
  [1011, "vendor"],
  [4001, "vendor"],
];

test("code 1000 ends a call, another one is an error; what came before is received", async () => {
  for (const [code, kind] of CLOSES) {
    await using server = await startSocketServer({
      play: async (socket) => {
        socket.send("last words");
        socket.close(code, code === undefined ? "" : `because of ${TOKEN}`);
      },
    });
    const socket = await openTo(`${server.socketUrl}/?token=${TOKEN}`);
    assert.equal(await socket.receive(waiting), "last words");
    if (kind === undefined) {
      assert.equal(await socket.receive(waiting), undefined);
      assert.equal(await socket.receive(waiting), undefined);
    } else {
      const error = await failure(socket.receive(waiting));
      assert.equal(error.kind, kind, String(code));
      assert.equal(error.message.includes(TOKEN), false, error.message);
      if (code !== undefined) assert.match(error.message, new RegExp(`code ${code}: because of`));
    }
    assert.throws(() => socket.send("more"), ConnectionError);
    await socket.close();
  }
});

test("a connection that breaks is ended-early", async () => {
  await using server = await startSocketServer({ play: async (socket) => socket.break() });
  const socket = await openTo(server.socketUrl);
  assert.equal((await failure(socket.receive(waiting))).kind, "ended-early");
  await socket.close();
});

test("what is no JSON object is the vendor's fault, and shows no token", async () => {
  for (const message of [`{"type":"${TOKEN}`, "[1]", "null", "", new Uint8Array([1, 2])]) {
    await using server = await startSocketServer({ play: async (socket) => socket.send(message) });
    const socket = await openTo(`${server.socketUrl}/?token=${TOKEN}`);
    const error = await failure(socket.receiveJson(waiting));
    assert.equal(error.kind, "vendor");
    assert.equal(error.message.includes(TOKEN), false, error.message);
    await socket.close();
  }
});

test("a message of 8 MiB is received, a larger one is the vendor's fault", async () => {
  for (const more of [0, 1]) {
    const text = "x".repeat(8 * 2 ** 20 + more);
    await using server = await startSocketServer({ play: async (socket) => socket.send(text) });
    const socket = await openTo(server.socketUrl);
    if (more === 0) assert.equal((await socket.receive(waiting))?.length, text.length);
    else assert.equal((await failure(socket.receive(waiting))).kind, "vendor");
    await socket.close();
  }
});

test("more waiting messages or bytes than the bound are the vendor's fault", async () => {
  for (const most of [
    { messages: 3, bytes: 1_000 },
    { messages: 1_000, bytes: 7 },
  ]) {
    await using server = await startSocketServer({
      play: async (socket) => {
        for (const text of ["ab", "cd", "ef", "gh"]) socket.send(text);
        await socket.next();
      },
    });
    const socket = await openTo(server.socketUrl, { most });
    await server.gone();
    const got = [await socket.receive(waiting), await socket.receive(waiting), await socket.receive(waiting)];
    assert.deepEqual(got, ["ab", "cd", "ef"]);
    assert.equal((await failure(socket.receive(waiting))).kind, "vendor");
    await socket.close();
  }
});

test("receiving ends with its signal, and what comes later is received by the next one", async () => {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  await using server = await startSocketServer({
    play: async (socket) => {
      await asked;
      socket.send("late");
      await socket.next();
    },
  });
  const socket = await openTo(server.socketUrl);
  const controller = new AbortController();
  const receiving = socket.receive({ signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(receiving, /enough/);
  ask();
  assert.equal(await socket.receive(waiting), "late");
  await socket.close();
});

test("messages are answered when they arrive, also while nobody reads", async () => {
  await using server = await startSocketServer({
    play: async (socket) => {
      socket.send({ type: "ping", id: 7 });
      socket.send({ type: "words" });
      assert.deepEqual(await socket.next(), { type: "pong", id: 7 });
      socket.send({ type: "after" });
    },
  });
  const socket = await openTo(server.socketUrl, {
    answer: ({ type, id }) => (type === "ping" ? { type: "pong", id } : undefined),
  });
  while (socket.waiting < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(await socket.receiveJson(waiting), { type: "words" });
  assert.deepEqual(await socket.receiveJson(waiting), { type: "after" });
  await socket.close();
});

test("closing does not wait for a server that does not answer it", async () => {
  const socket = await (async () => {
    await using server = await startSocketServer({ play: async () => {} });
    return await openTo(server.socketUrl);
  })();
  await socket.close();
  await socket.close();
});
