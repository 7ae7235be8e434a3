import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
} from "node:net";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Clock } from "../../../src/base/values/mod.ts";
import { callLiveTool, postPinned } from "../../../src/call/turn/live_tool.ts";
import { answerToolCall, Mocks } from "../../../src/call/turn/mod.ts";
import { TestClock } from "../../test_clock.ts";

async function served(listener: RequestListener, use: (port: number) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  try {
    await use(port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const here = [{ address: "127.0.0.1", family: 4 }];

interface Asked {
  readonly toolTimeoutMs?: number;
  readonly path?: string;
  readonly maxBytes?: number;
  readonly timers?: Clock;
}

async function ask(port: number, { path = "/", timers, maxBytes, ...limits }: Asked = {}) {
  const tool = { name: "lookup", url: `http://127.0.0.1:${port}${path}` };
  const live = { hosts: ["127.0.0.1"], ...(maxBytes === undefined ? {} : { maxBytes }) };
  const sources = { mocks: new Mocks([]), implementations: {}, live, limits, timers };
  return await answerToolCall(tool, { id: 7 }, sources);
}

/** The words of the model for a failure of the tool. */
const failure = (words: string) => `Cannot call tool "lookup": ${words} (Try again, or continue without it)`;

test("a live tool is called at the checked address, even if its host name changes", async () => {
  let seen = "";
  let headers: IncomingHttpHeaders = {};
  const listener: RequestListener = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen = `${request.method} ${request.headers.host} ${request.url} ${body}`;
    headers = request.headers;
    response.end("found");
  };
  await served(listener, async (port) => {
    // no server of names knows this one
    const target = new URL(`http://tools.invalid:${port}/orders?a=b`);
    const response = await postPinned(target, '{"id":"ü"}', here, new AbortController().signal);
    let text = "";
    for await (const chunk of response) text += chunk;
    assert.equal(text, "found");
    assert.equal(seen, `POST tools.invalid:${port} /orders?a=b {"id":"ü"}`);
    const names = ["content-type", "content-length", "accept", "accept-encoding"] as const;
    assert.deepEqual(
      names.map((name) => headers[name]),
      ["application/json", "11", "application/json", "identity"],
    );
  });
});

test("a live tool is called at the first address where the runtime asks for one only", async () => {
  const isAsked = getDefaultAutoSelectFamily();
  setDefaultAutoSelectFamily(false); // as `node --no-network-family-autoselection`
  try {
    await served(
      (_request, response) => void response.end("found"),
      async (port) => {
        const target = new URL(`http://tools.invalid:${port}/`);
        const response = await postPinned(target, "{}", here, new AbortController().signal);
        response.resume();
        assert.equal(response.statusCode, 200);
      },
    );
  } finally {
    setDefaultAutoSelectFamily(isAsked);
  }
});

test("a live tool is called only at allowed hosts", async () => {
  const listener: RequestListener = (request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => response.end(JSON.stringify({ got: JSON.parse(body), method: request.method })));
  };
  await served(listener, async (port) => {
    const url = `http://127.0.0.1:${port}/tool`;
    const host = `127.0.0.1:${port}`;
    const tool = { name: "lookup", url };
    const at = (hosts: readonly string[]) => ({ mocks: new Mocks([]), implementations: {}, live: { hosts } });
    const live = await answerToolCall(tool, { id: 7 }, at([host]));
    assert.deepEqual(live.result, { got: { id: 7 }, method: "POST" });
    for (const hosts of [[], ["example.com"], ["127.0.0.1:1"]]) {
      const refused = await answerToolCall(tool, {}, at(hosts));
      assert.match(String(refused.result), /is not an allowed host/);
    }
    const none = { mocks: new Mocks([]), implementations: {} };
    assert.match(String((await answerToolCall(tool, {}, none)).result), /no mock, no function/);
    const withoutUrl = await answerToolCall({ name: "lookup" }, {}, at([host]));
    assert.match(String(withoutUrl.result), /no mock, no function/);
  });
});

test("the status of a response decides between an answer, a redirect and a failure", async () => {
  const listener: RequestListener = ({ url = "" }, response) => {
    const [status = "", location] = url.slice(1).split("?to=");
    if (status === "end") response.end("followed");
    else response.writeHead(Number(status), location ? { location } : {}).end("found");
  };
  await served(listener, async (port) => {
    for (const [path, outcome, result] of [
      ["/200", "succeeded", "found"],
      ["/201?to=/end", "succeeded", "found"], // the address of what was created
      ["/299?to=/end", "succeeded", "found"],
      ["/300?to=/end", "succeeded", "followed"],
      ["/399?to=/end", "succeeded", "followed"],
      ["/300", "failed", failure("HTTP 300 found")],
      ["/400?to=/end", "failed", failure("HTTP 400 found")],
      ["/500", "failed", failure("HTTP 500 found")],
    ] as const) {
      assert.deepEqual(await ask(port, { path }), { outcome, result, mocked: false }, path);
    }
    const elsewhere = await ask(port, { path: "/302?to=http://localhost:9/" });
    assert.match(String(elsewhere.result), /redirects to localhost:9/);
  });
});

test("a live tool follows at most five redirects", async () => {
  let requests = 0;
  const listener: RequestListener = (_request, response) => {
    requests += 1;
    response.writeHead(307, { location: "/again" }).end();
  };
  await served(listener, async (port) => {
    assert.equal((await ask(port)).result, failure("too many redirects"));
    assert.equal(requests, 5);
  });
});

test("a response has a limit of bytes, and a failure shows the first 200 characters of it", async () => {
  const listener: RequestListener = ({ url }, response) => {
    if (url === "/silent") response.writeHead(503).end();
    else response.writeHead(url === "/broken" ? 500 : 200).end("x".repeat(1_000));
  };
  await served(listener, async (port) => {
    assert.equal((await ask(port, { maxBytes: 1_000 })).result, "x".repeat(1_000));
    assert.equal((await ask(port, { maxBytes: 999 })).result, failure("its response is longer than 999 bytes"));
    assert.equal((await ask(port, { path: "/broken" })).result, failure(`HTTP 500 ${"x".repeat(200)}`));
    assert.equal((await ask(port, { path: "/silent" })).result, failure("HTTP 503"));
    const tool = { name: "lookup", url: `http://127.0.0.1:${port}/silent` };
    const called = callLiveTool(tool, {}, { hosts: ["127.0.0.1"] }, new AbortController().signal);
    await assert.rejects(called, { code: "tool-failed", path: ["lookup"] });
  });
});

test("a tool at an HTTPS URL is called over TLS, for the name of its host", async () => {
  let hello = Buffer.alloc(0);
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      hello = Buffer.concat([hello, bytes]);
      if (hello.length >= 5 && hello.length >= 5 + hello.readUInt16BE(3)) socket.destroy(); // the whole record
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  try {
    const target = new URL(`https://tools.invalid:${port}/`);
    await assert.rejects(postPinned(target, "{}", here, new AbortController().signal));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  assert.equal(hello[0], 22); // a TLS handshake
  assert.ok(hello.includes("tools.invalid"));
});

test("a request that is over leaves no listener at the signal", async () => {
  await served(
    (_request, response) => void response.end("found"),
    async (port) => {
      const { signal } = new AbortController();
      const removed = new Promise<string>((resolve) => {
        signal.removeEventListener = (type: string) => resolve(type);
      });
      const response = await postPinned(new URL(`http://127.0.0.1:${port}/`), "{}", here, signal);
      response.resume();
      assert.equal(await removed, "abort");
    },
  );
});

test("aborting the signal cancels a live tool before and during its response", async () => {
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  await served(
    () => arrived(),
    async (port) => {
      const target = new URL(`http://127.0.0.1:${port}/`);
      await assert.rejects(postPinned(target, "{}", here, AbortSignal.abort()));
      const controller = new AbortController();
      const hanging = postPinned(target, "{}", here, controller.signal);
      await isThere;
      controller.abort();
      await assert.rejects(hanging);
    },
  );
});

test("a truncated or endless response is a failure", async () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { "content-length": "5000" }).write('{"status":"ship', () => response.destroy());
  };
  await served(cut, async (port) => assert.equal((await ask(port)).outcome, "failed"));
  const clock = new TestClock();
  const endless: RequestListener = (_request, response) =>
    void response.writeHead(200).write('{"status":"ship', () => setImmediate(() => clock.advance(200)));
  await served(endless, async (port) => {
    const { outcome, result } = await ask(port, { toolTimeoutMs: 200, timers: clock });
    assert.deepEqual({ outcome, result }, { outcome: "failed", result: "it did not answer in time" });
  });
});

for (const [encoding, compress] of [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)
  test(`a response with unrequested ${encoding} compression is decompressed up to the size limit`, async () => {
    const compressed: RequestListener = ({ url }, response) => {
      const body = url === "/long" ? "x".repeat(2_000_000) : '{"status":"shipped"}';
      response.writeHead(200, { "content-encoding": encoding }).end(compress(body));
    };
    await served(compressed, async (port) => {
      assert.deepEqual((await ask(port)).result, { status: "shipped" });
      const { outcome, result } = await ask(port, { path: "/long" });
      assert.equal(outcome, "failed");
      assert.match(String(result), new RegExp(`its response \\(${encoding}\\) cannot be decompressed`));
    });
  });

test("an empty response is an empty result, even one that is marked as compressed", async () => {
  const empty: RequestListener = (_request, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end();
  await served(empty, async (port) => assert.equal((await ask(port)).result, ""));
});

test("a byte order mark in a response is removed", async () => {
  const marked: RequestListener = (_request, response) => void response.end('\ufeff{"status":"shipped"}');
  await served(marked, async (port) => assert.deepEqual((await ask(port)).result, { status: "shipped" }));
});

test("a failure without a message has its code", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo; // a listening TCP server has one
  await new Promise((resolve) => gone.close(resolve));
  const { outcome, result } = await ask(port);
  assert.equal(outcome, "failed");
  assert.match(String(result), /\S/);

  const silent = () => {
    throw Object.assign(new Error(""), { code: "EBUSY" });
  };
  const sources = { mocks: new Mocks([]), implementations: { lookup: silent } };
  assert.equal((await answerToolCall({ name: "lookup" }, {}, sources)).result, "EBUSY");
  for (const thrown of ["", Object.assign(new Error(""), { code: 7 })]) {
    const mute = { mocks: new Mocks([]), implementations: { lookup: () => Promise.reject(thrown) } };
    assert.equal((await answerToolCall({ name: "lookup" }, {}, mute)).result, "it gave no reason");
  }
});
