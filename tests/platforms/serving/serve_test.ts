import assert from "node:assert/strict";
import { test } from "node:test";
import { isLocalWrite, planFaults, serveLocally } from "../../../platforms/serving/mod.ts";
import { LocalVapi } from "../../../platforms/vapi/local/mod.ts";
import { createPlatformClient } from "../../../src/base/http/mod.ts";
import { ANY, TEST_CONNECTION } from "../../base/http/connection.ts";
import { WITHOUT_PAUSES } from "../../test_clock.ts";
import { ask } from "./_ask.ts";

const CREATE = { method: "POST", path: "/assistant", body: { name: "a" }, about: "assistant", answer: ANY } as const;

test("a local server refuses, and breaks connections before and after a write, as planned", async () => {
  const platform = new LocalVapi({ keys: { "key-1": "org-1" } });
  const fault = planFaults([
    { fault: "cut-before", matches: isLocalWrite },
    { fault: "cut-after", matches: isLocalWrite, at: 1 },
    { fault: { status: 429, headers: { "retry-after": "0" } }, matches: isLocalWrite, at: 2 },
    { fault: { status: 500, body: { message: "Broken" } }, matches: isLocalWrite, at: 4 },
  ]);
  await using server = await serveLocally(platform, { fault });
  const client = createPlatformClient({ ...TEST_CONNECTION, baseUrl: server.url, key: "key-1", clock: WITHOUT_PAUSES });
  const count = () => {
    const { body } = ask(platform, "GET /assistant");
    return Array.isArray(body) ? body.length : -1;
  };
  await assert.rejects(client.send(CREATE), { code: "platform-unreachable" });
  assert.equal(count(), 0);
  await assert.rejects(client.send(CREATE), { code: "platform-unreachable" });
  assert.equal(count(), 1);
  await client.send(CREATE); // refused once, then sent again
  assert.equal(count(), 2);
  await assert.rejects(client.send(CREATE), { code: "platform-busy", message: /500: Broken/ });
  assert.deepEqual(
    server.requests,
    Array.from({ length: 5 }, () => "POST /assistant"),
  );
});

test("a local server answers a body that is not JSON with a 400", async () => {
  await using server = await serveLocally(new LocalVapi({ keys: { "key-1": "org-1" } }));
  const response = await fetch(`${server.url}/assistant`, { method: "POST", body: "{" });
  assert.equal(response.status, 400);
  await response.body?.cancel();
});
