import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedAddresses, redirectTarget } from "../../../src/call/turn/live_tool.ts";
import { answerToolCall, Mocks } from "../../../src/call/turn/mod.ts";

/** The error message when a tool is called at a URL, with one host allowed. */
async function wordsAt(url: string, host: string): Promise<string> {
  const sources = { mocks: new Mocks([]), implementations: {}, live: { hosts: [host] } };
  return String((await answerToolCall({ name: "lookup", url }, {}, sources)).result);
}

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

test("a live tool's host can be listed with or without its protocol's port", async () => {
  for (const [url, host] of [
    ["http://127.0.0.1:80/", "127.0.0.1:81"],
    ["http://127.0.0.1/", "127.0.0.1:443"],
    ["https://[::1]/", "[::1]:80"],
  ] as const) {
    assert.match(await wordsAt(url, host), /is not an allowed host/, `${url} by ${host}`);
  }
  for (const [url, host] of [
    ["http://127.0.0.1:1/", "127.0.0.1:1"],
    ["http://127.0.0.1:1/", "127.0.0.1"],
    ["https://[::1]/", "[::1]:443"],
  ] as const) {
    assert.doesNotMatch(await wordsAt(url, host), /is not an allowed host|private/, `${url} by ${host}`);
  }
});

test("a live tool needs a URL of HTTP", async () => {
  const cannot = 'Cannot call tool "lookup": ';
  assert.ok((await wordsAt("tools.example", "tools.example")).startsWith(`${cannot}the URL cannot be parsed`));
  assert.ok((await wordsAt("ftp://tools.example/", "tools.example")).startsWith(`${cannot}ftp: is not HTTP`));
});

test("a rejected address is an error that names the tool and the host", async () => {
  const live = { hosts: ["tools.example"] };
  const find = async () => [{ address: "10.0.0.1", family: 4 }];
  await assert.rejects(allowedAddresses("lookup", new URL("https://tools.example/"), live, find), {
    code: "tool-not-allowed",
    path: ["lookup"],
    message: 'Cannot call tool "lookup": tools.example resolves to a private or reserved address',
  });
});

test("addresses are those in the URL, or all that the machine's resolver finds", async () => {
  const at = (host: string) => allowedAddresses("lookup", new URL(`http://${host}/`), { hosts: [host] });
  assert.deepEqual(await at("[::1]"), [{ address: "::1", family: 6 }]);
  assert.deepEqual(await at("127.0.0.1"), [{ address: "127.0.0.1", family: 4 }]);
  const found = await at("localhost");
  assert.ok(found.length > 0 && found.every(({ address }) => address === "::1" || address.startsWith("127.")));
});

test("a redirect stays at its host, and at HTTPS", () => {
  const to = (from: string, location: string) => redirectTarget("lookup", new URL(from), location).href;
  assert.equal(to("https://tools.example/a/b", "../c?d=1"), "https://tools.example/c?d=1");
  assert.equal(to("http://tools.example/a", "http://tools.example/b"), "http://tools.example/b");
  assert.equal(to("http://tools.example/a", "https://tools.example/b"), "https://tools.example/b");
  for (const [from, location, code, words] of [
    ["http://tools.example/a", "https://tools.example:8443/b", "tool-not-allowed", "redirects to tools.example:8443"],
    ["https://tools.example/a", "http://tools.example/b", "tool-not-allowed", "redirects to plain HTTP"],
    ["https://tools.example/a", "//", "tool-failed", "the URL to which it redirects cannot be parsed"],
  ] as const) {
    const message = `Cannot call tool "lookup": ${words.startsWith("the") ? words : `it ${words}`}`;
    assert.throws(() => to(from, location), { code, path: ["lookup"], message });
  }
});
