import assert from "node:assert/strict";
import { test } from "node:test";
import { run, type ScenarioSource, scenario } from "../../../../mod.ts";
import { connectTo, parseReference } from "../../../../platforms/connections/mod.ts";
import { failureOf, readSip } from "../../../../platforms/sip/talk/message.ts";
import { dialPhone, type SipOptions, sipConnection } from "../../../../platforms/sip/talk/phone.ts";
import { FAST, spokenModels } from "../../../call/voice/_spoken.ts";
import { DESK_SCENARIOS } from "../../connections/_desk.ts";
import { KEY, statuses } from "../../connections/_runs.ts";
import { type PhoneOptions, startPhone } from "./_phone.ts";

const REAL = { store: false, connection: { allowRealTools: true, unchecked: "report" } } as const;
const CALLER = { ...spokenModels(), hangUpMs: 2_000 };
const LOGIN = { username: "6001", passwordVariable: "DESK_PASSWORD", env: { DESK_PASSWORD: KEY } };

const asks = scenario("asks").says("I want to return a lamp.").includes("30 days");
const ends = scenario("ends").says("I ask for a manager!", "Goodbye.").includes("calls back").ends("agent_ended");

/** Calls a telephone. */
async function call(
  options: PhoneOptions,
  scenarios: readonly ScenarioSource[] = [asks],
  more: Partial<SipOptions> = {},
) {
  await using phone = await startPhone(options);
  // sound in many packets takes a while to arrive on a busy machine
  const clock = options.packet === undefined ? { clock: FAST } : {};
  const agent = sipConnection({ to: phone.to, answerTimeoutMs: 1_500, ...CALLER, ...more }, clock);
  const report = await run(agent, scenarios, { ...REAL, limits: { concurrency: 1 } });
  while (options.silent === "rings" && phone.methods.at(-1) !== "ACK")
    await new Promise((resolve) => setTimeout(resolve, 5));
  return { report, phone };
}

const CALLS: readonly (readonly [string, PhoneOptions, Partial<SipOptions>])[] = [
  ["a telephone", {}, {}],
  ["packets in the wrong order", { swaps: true, packet: 160 }, {}],
  ["requests that are lost", { loses: ["INVITE 1", "ACK 1", "BYE 1"] }, { answerTimeoutMs: 5_000 }],
  ["a password", { password: KEY }, LOGIN],
  ["keys that are no packets", { noKeys: true }, {}],
];

for (const [name, options, more] of CALLS) {
  test(`an agent behind ${name}: what it says is heard, and how it ends is known`, async () => {
    const { report, phone } = await call(options, [ends, asks], more);
    assert.deepEqual(statuses(report), ["pass", "pass"]);
    assert.deepEqual(phone.heard, ["I ask for a manager!", "Goodbye.", "I want to return a lamp."]);
    assert.ok(phone.methods.includes("BYE"), "the caller hangs up the second call");
    assert.ok(!JSON.stringify(report).includes(KEY));
  });
}

test("the help desk's scenarios that expect words and ends pass by telephone", async () => {
  const { report } = await call({}, [...DESK_SCENARIOS.slice(2, 5)]);
  assert.deepEqual(statuses(report), ["pass", "pass", "pass"]);
  assert.equal(report.results[1]?.endReason, "agent_transferred");
});

test("in place of packets that are lost is silence of their length", async () => {
  const { report } = await call({ dropEvery: 40, packet: 160 });
  assert.deepEqual(statuses(report), ["pass"]);
});

test("an agent that hangs up in the middle of a word has ended the call", async () => {
  const hears = scenario("hears").says("Hello?").ends("agent_ended");
  const { report, phone } = await call({ byeAfter: 6, packet: 160 }, [hears], { turns: { leastMs: 500 } });
  const [result] = report.results;
  assert.equal(result?.endReason, "agent_ended");
  assert.ok(!phone.methods.includes("BYE"));
});

const REFUSALS: readonly (readonly [string, RegExp, PhoneOptions, Partial<SipOptions>])[] = [
  ["busy", /\(refused\): it is busy \(486 Busy Here\)/, { status: "486 Busy Here" }, {}],
  ["broken", /\(vendor\): .*\(503 Service Unavailable\)/, { status: "503 Service Unavailable" }, {}],
  ["unknown", /\(unknown-agent\): nobody is known there \(404 Not Found\)/, { status: "404 Not Found" }, {}],
  ["moved", /\(refused\): it sends the call to another address/, { status: "302 Moved Temporarily" }, {}],
  ["ringing for good", /\(silence\): it rings, and nobody answers within 1500 ms/, { silent: "rings" }, {}],
  ["dead", /\(unreachable\): nothing at 127\.0\.0\.1:\d+ answers the call/, { silent: "dead" }, {}],
  ["without a common codec", /\(vendor\): its answer has no sound/, { codec: "G729" }, {}],
  ["that asks who is calling", /\(key\): it asks who is calling \(401\)/, { password: KEY }, {}],
  [
    "that rejects the password",
    /\(key\): it rejects the password \(401\)/,
    { password: "another" },
    { ...LOGIN, env: { DESK_PASSWORD: KEY } },
  ],
];

for (const [name, words, options, more] of REFUSALS) {
  test(`a telephone that is ${name}: an error with its kind, and no second call`, async () => {
    const { report, phone } = await call(options, [asks], more);
    assert.match(statuses(report)[0] ?? "", words);
    assert.ok(!JSON.stringify(report).includes(KEY));
    const calls = new Set(phone.texts.map((text) => /^Call-ID: (.*)$/m.exec(text)?.[1]));
    assert.equal(calls.size, 1);
    if (options.silent === "rings") assert.deepEqual(phone.methods.slice(-2), ["CANCEL", "ACK"]);
    if (options.codec) assert.deepEqual(phone.methods.slice(-2), ["ACK", "BYE"]);
  });
}

const BROKEN: readonly (readonly [string, RegExp, PhoneOptions])[] = [
  [
    "ends by a failure of its line",
    /\(ended-early\): its line failed \(SIP;cause=500/,
    { fault: { kind: "fails", at: 3 } },
  ],
  [
    "is gone when the caller hangs up",
    /\(ended-early\): it does not answer when the caller/,
    { fault: { kind: "break", at: 5 } },
  ],
];

for (const [name, words, options] of BROKEN) {
  test(`a telephone that ${name}: an error`, async () => {
    await using phone = await startPhone(options);
    const agent = sipConnection({ to: phone.to, ...CALLER, turns: { giveUpMs: 60_000 } }, { clock: FAST });
    const report = await run(agent, [asks], REAL);
    assert.match(statuses(report)[0] ?? "", words);
  });
}

test("what comes behind a packet that is lost does not wait for more", async () => {
  await using phone = await startPhone({ packet: 640, dropEvery: 3 });
  const signal = AbortSignal.timeout(60_000);
  const open = { variables: {}, mocks: [], allowRealTools: true, signal, pauseClock: () => () => {} };
  const { wire } = await dialPhone({ name: "desk", options: { to: phone.to }, login: undefined, open });
  wire.send(new Int16Array(160), 0);
  let samples = 0;
  while (samples < 4 * 640) {
    const event = await wire.receive({ signal });
    if (event?.kind === "sound") samples += event.samples.length;
  }
  await wire.hangUp();
  assert.equal(samples, 4 * 640, "the second of four packets is lost");
});

test("only some reasons of BYE are failures", () => {
  const failure = (reason: string) =>
    failureOf(readSip(`BYE sip:a@b SIP/2.0\r\nReason: ${reason}\r\n\r\n`) ?? assert.fail());
  for (const reason of ["Q.850;cause=16", "Q.850;cause=127", 'SIP;cause=200;text="Call completed, elsewhere"', "Q.850"])
    assert.equal(failure(reason), undefined);
  assert.equal(failure('SIP;cause=200, Q.850;cause=41;text="a, b"'), 'Q.850;cause=41;text="a, b"');
});

test("keys of the telephone go out as packets, or as messages where there are none", async () => {
  for (const noKeys of [false, true]) {
    await using phone = await startPhone({ noKeys });
    const signal = AbortSignal.timeout(60_000);
    const open = { variables: {}, mocks: [], allowRealTools: true, signal, pauseClock: () => () => {} };
    const { wire } = await dialPhone({ name: "desk", options: { to: phone.to }, login: undefined, open });
    for (const key of ["1", "#"]) wire.dtmf?.(key);
    for (let place = 0; phone.keys.length < 2; place += 160) {
      wire.send(new Int16Array(160), place);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await wire.hangUp();
    assert.deepEqual(phone.keys, ["1", "#"]);
  }
});

test("a reference is an address, and a name begins no version", () => {
  const { platform, ...reference } = parseReference("sip:desk@127.0.0.1:5080") ?? assert.fail();
  assert.equal(connectTo(platform, reference).name, "sip:desk@127.0.0.1");
});

test("options are checked before a call", () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{}, /there is no to/],
    [{ to: "tel:+4930" }, /"to" is "tel:\+4930"/],
    [{ to: "sip:desk@host:99999" }, /"to" is/],
    [{ to: "sip:desk@host", headers: { "X-A": "a\r\nb" } }, /headers/],
    [{ to: "sip:desk@host", username: "me" }, /needs both a username and a passwordVariable/],
    [{ to: "sip:desk@host", username: "me", passwordVariable: "P", env: {} }, /variable P is not set/],
  ];
  for (const [options, words] of wrong) assert.throws(() => Reflect.apply(sipConnection, undefined, [options]), words);
});
