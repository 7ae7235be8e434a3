import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../../api/connect.ts";
import { type RunOptions, run, scenario } from "../../../mod.ts";
import { webSocketConnection } from "../../../src/call/voice/mod.ts";
import { statuses } from "../../platforms/connections/_runs.ts";
import { CALLER } from "../../platforms/connections/_voice_platforms.ts";
import { type SocketAgentOptions, socketAgentOptions, startSocketAgent } from "./_socket_agent.ts";
import { FAST } from "./_spoken.ts";

const NOW: RunOptions = { store: false, connection: { unchecked: "report", allowRealTools: true } };
const asks = scenario("asks")
  .says("Where is my order?", "It is A-1042.", "No, that is all.")
  .calls("look_up_order", { order_number: "A-1042" })
  .includes("order number", "shipped")
  .ends("agent_ended");

async function runOn(options: SocketAgentOptions) {
  await using server = await startSocketAgent(options);
  const given = { ...socketAgentOptions(server.socketUrl, options), ...CALLER, turns: { giveUpMs: 15_000 } };
  const report = await run(webSocketConnection(given, { clock: FAST }), [asks], NOW);
  await server.gone();
  return { report, server, status: statuses(report)[0] ?? "" };
}

const pcm = (rate: number) => ({ encoding: "pcm", rate }) as const;
const phone = { encoding: "mulaw", rate: 8000 } as const;
const USUAL: readonly SocketAgentOptions[] = [
  {},
  { isJson: true },
  { caller: phone, agent: phone },
  { caller: phone, agent: phone, isJson: true },
  { caller: pcm(8000), agent: pcm(24_000) },
  { caller: pcm(48_000), agent: pcm(16_000), isJson: true },
  { signals: false },
  { filler: { text: "One moment.", ms: 3_000 } },
];
for (const options of USUAL) {
  test(`an agent behind a WebSocket: ${JSON.stringify(options)}`, { timeout: 60_000 }, async () => {
    const { report, server, status } = await runOn(options);
    assert.equal(status, "pass");
    const [result] = report.results;
    assert.deepEqual(
      result?.toolsCalled.map(({ name, outcome }) => [name, outcome]),
      [["look_up_order", "succeeded"]],
    );
    for (const { role, content, metadata } of result?.transcript ?? [])
      if (role === "assistant") assert.equal(metadata.reported, content);
    assert.ok(server.received.some((message) => Object(message).type === "start"));
  });
}

test("without a signal of its turns, a long pause of an agent ends its turn", { timeout: 60_000 }, async () => {
  const { report } = await runOn({ signals: false, filler: { text: "One moment.", ms: 3_000 } });
  const said = report.results[0]?.transcript.flatMap(({ role, content }) => (role === "user" ? [] : [content])) ?? [];
  assert.ok(said.includes("One moment."), said.join("; "));
});

test("a key is a header, and its words are in no output", { timeout: 60_000 }, async () => {
  await using server = await startSocketAgent({ refuse: () => ({ status: 403, json: {} }) });
  const env = { VOICE_KEY: "marmalade-evening-harbour" };
  const given = { ...socketAgentOptions(server.socketUrl, {}), ...CALLER, keyVariable: "VOICE_KEY", env };
  const report = await run(webSocketConnection(given, { clock: FAST }), [asks], NOW);
  assert.match(statuses(report)[0] ?? "", /\(key\)/);
  assert.equal(server.taken[0]?.headers.authorization, `Bearer ${env.VOICE_KEY}`);
  assert.ok(!JSON.stringify(report).includes("marmalade"));
});

test("connect.webSocket() refuses options that are wrong, each by its path", () => {
  const url = "wss://agent.example.com/voice";
  const wrong: readonly (readonly [object, string])[] = [
    [{}, "url"],
    [{ url: "https://agent.example.com" }, "url"],
    [{ url, caller: { encoding: "opus" } }, "encoding"],
    [{ url, caller: { rate: 4 } }, "rate"],
    [{ url, agent: { path: "" } }, "path"],
    [{ url, messages: { turnEnd: "$.type" } }, "turnEnd"],
    [{ url, messages: { wordz: "$.type" } }, "wordz"],
    [{ url, ready: { path: "$.type", is: {} } }, "is"],
    [{ url, start: "hello" }, "start"],
    [{ url, turns: { endMs: -1 } }, "endMs"],
  ];
  for (const [options, path] of wrong)
    assert.throws(
      () => Reflect.apply(connect.webSocket, undefined, [options]),
      (error) => String(error).includes(path),
      JSON.stringify(options),
    );
});
