import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { allowedAddresses } from "../../src/turn/live_tool.ts";
import { answerToolCall, Mocks } from "../../src/turn/mod.ts";
import { postPinned } from "../../src/turn/pinned_request.ts";
import type { Clock } from "../../src/values/mod.ts";
import { TestClock } from "../test_clock.ts";

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
  readonly timers?: Clock;
}

async function ask(port: number, { path = "/", timers, ...limits }: Asked = {}) {
  const tool = { name: "lookup", url: `http://127.0.0.1:${port}${path}` };
  const sources = { mocks: new Mocks([]), implementations: {}, live: { hosts: ["127.0.0.1"] }, limits, timers };
  return await answerToolCall(tool, { id: 7 }, sources);
}

test("a live tool is called at the checked address, even if its host name changes", async () => {
  let seen = "";
  const listener: RequestListener = async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen = `${request.method} ${request.headers.host} ${request.url} ${body}`;
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
  });
});

test("a host name with a private address is rejected, also among others or in another form", async () => {
  const lookUp = async (addresses: readonly string[], url = "https://tools.example/") => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const live = { hosts: ["tools.example", "localhost", "10.0.0.1"] };
    return await allowedAddresses("lookup", new URL(url), live, async () => found);
  };
  const outside = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];
  assert.deepEqual(
    (await lookUp(outside)).map(({ address }) => address),
    outside,
  );
  const inside =
    "10.1.2.3 127.8.8.8 169.254.169.254 172.31.0.1 192.168.0.9 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255";
  for (const address of [...inside.split(" "), "::1", "::", "fd00::1", "fe80::1", "ff02::1", "::ffff:10.0.0.1"]) {
    await assert.rejects(lookUp([...outside, address]), { code: "tool-not-allowed" }, address);
  }
  // what is named itself may be private
  assert.equal((await lookUp(["127.0.0.1"], "http://localhost/"))[0]?.address, "127.0.0.1");
  assert.equal((await lookUp([], "http://10.0.0.1/"))[0]?.address, "10.0.0.1");
});

for (const [what, addresses] of [
  ["NAT64", "64:ff9b::10.1.2.3 64:ff9b::a9fe:a9fe 64:ff9b::7f00:1 64:ff9b:1::5db8:d70e 64:ff9b:1:ffff::10.1.2.3"],
  ["6to4", "2002:a01:203:: 2002:7f00:1::1 2002:c0a8:1::1 2002:5db8:d70e::1"],
  ["Teredo", "2001:0:a01:203::f5fe:fdfc 2001::1"],
  ["IPv4-mapped", "::ffff:10.1.2.3 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:10.1.2.3"],
  ["IPv4-compatible", "::10.1.2.3 ::127.0.0.1 ::7f00:1"],
  ["reserved", "192.0.2.1 198.51.100.7 203.0.113.9 192.88.99.1 240.0.0.1 2001:db8::1 fec0::1 100::1 5f00::1 4000::1"],
  ["zoned", "fe80::1%eth0 ::1%lo"],
  ["unreadable", "localhost 1.2.3.4.5 :::"],
] as const)
  test(`a live tool is not called at ${what} addresses of internal hosts`, async () => {
    for (const address of addresses.split(" ")) {
      const family = address.includes(":") ? 6 : 4;
      const live = { hosts: ["tools.example", `[${address}]`] };
      const find = async () => [{ address, family }];
      const called = allowedAddresses("lookup", new URL("https://tools.example/"), live, find);
      await assert.rejects(called, { code: "tool-not-allowed" }, address);
    }
  });

test("a live tool is called at public addresses in every form", async () => {
  for (const address of ["93.184.215.14", "::ffff:93.184.215.14", "64:ff9b::93.184.215.14", "2606:2800:21f:cb07::1"]) {
    const find = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    const live = { hosts: ["tools.example"] };
    assert.equal((await allowedAddresses("t", new URL("https://tools.example/"), live, find))[0]?.address, address);
  }
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
  const mute = { mocks: new Mocks([]), implementations: { lookup: () => Promise.reject("") } };
  assert.equal((await answerToolCall({ name: "lookup" }, {}, mute)).result, "it gave no reason");
});
