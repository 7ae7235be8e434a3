import assert from "node:assert/strict";
import { test } from "node:test";
import { scripted } from "../../../src/call/models/mod.ts";
import { startTelemetry } from "../../../src/call/telemetry/mod.ts";
import type { ScenarioSource } from "../../../src/document/scenario/mod.ts";
import { type RunOptions, type RunReport, run } from "../../../src/run/runner/mod.ts";
import { withEnvironment } from "../../environment.ts";
import { BILLING, BILLING_CALL, billingModel, DESK, verdict } from "../../run/runner/_fixtures.ts";
import { TestClock } from "../../test_clock.ts";
import { type ReceivedSpan, startCollector, type TestCollector } from "./_collector.ts";

const BILL: ScenarioSource = { name: "billing", ...BILLING_CALL, visits: ["billing"] };

/** On a busy machine, a collector may need longer than the default of 5 s. */
const PATIENT = { flushTimeoutMs: 60_000 };

/** Runs scenarios with the collector's variables and others. */
async function runWith(
  { environment }: TestCollector,
  scenarios: readonly ScenarioSource[],
  options: RunOptions,
  more: { readonly [name: string]: string } = {},
): Promise<RunReport> {
  const reports: RunReport[] = [];
  await withEnvironment({ ...environment, ...more }, async () => {
    reports.push(await run(DESK, scenarios, { store: false, name: "desk", telemetry: PATIENT, ...options }));
  });
  const [report] = reports;
  assert.ok(report);
  return report;
}

/** A span with the spans below it, by name. */
function tree(spans: readonly ReceivedSpan[], parentId = ""): readonly unknown[] {
  const below = spans.filter((span) => span.parentId === parentId);
  return below.map(({ name, spanId, attributes }) => {
    const id = attributes["ai.telemetry.functionId"];
    return [id === undefined ? name : `${name} ${id}`, ...tree(spans, spanId)];
  });
}

const model = (signature: string) => [`ai.generateText ${signature}`, [`ai.generateText.doGenerate ${signature}`]];

test("telemetry sends one trace per call, with turns, and the AI SDK's spans below them", async () => {
  await using collector = await startCollector();
  const judge = scripted({ judge: [{ verdicts: [verdict(1, 0.9)] }, { verdicts: [verdict(1, 0.9)] }] });
  const caller = scripted({
    caller: [
      { message: "It is about my bill", should_end: false },
      { message: "Thanks", should_end: false },
    ],
  });
  const { tool_mocks } = BILLING_CALL;
  const scenarios = [
    { ...BILL, metrics: ["Is kind"] },
    { name: "persona", tool_mocks, user_prompt: "You ask about your bill", metrics: ["Is kind"] },
  ];
  const models = { agent: billingModel(2), caller, judge };
  const report = await runWith(collector, scenarios, { models, limits: { concurrency: 1 } });
  assert.deepEqual([report.counts.pass, report.telemetryError], [2, undefined]);

  const spans = collector.spans();
  const opening = ["turn 0"];
  const asked = ["turn 1", model("transition"), model("extract"), model("respond"), model("respond")];
  const thanked = ["turn 2", model("transition"), model("respond")];
  const judged = ["judge", model("judge")];
  const expected = [
    ["call billing", opening, asked, thanked, judged],
    ["call persona", opening, model("caller"), asked, model("caller"), thanked, judged],
  ];
  assert.deepEqual(tree(spans), expected);
  const traces = spans.filter(({ parentId }) => parentId === "").map(({ traceId }) => traceId);
  assert.equal(new Set(traces).size, 2);
  for (const { parentId, traceId } of spans)
    assert.ok(parentId === "" || spans.some((span) => span.spanId === parentId && span.traceId === traceId));
});

test("spans say which call and turn they belong to, and how the call ended", async () => {
  await using collector = await startCollector();
  const scenarios = [{ ...BILL, excludes: ["Goodbye"] }];
  const variables = {
    OTEL_RESOURCE_ATTRIBUTES: "team=voice",
    OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20cGs6c2s=,x-project=phones",
  };
  const report = await runWith(collector, scenarios, { models: { agent: billingModel(1) } }, variables);
  const named = (name: string) => collector.spans().find((span) => span.name === name)?.attributes;
  assert.deepEqual(named("call billing"), {
    "callweave.run.id": report.id,
    "callweave.agent": "desk",
    "callweave.scenario": "billing",
    "callweave.trial": 1,
    "callweave.attempt": 1,
    "callweave.verdict": "fail",
    "callweave.end_reason": "agent_ended",
    "callweave.turns": 2,
    "callweave.nodes": ["greet", "ask", "billing", "goodbye"],
    "callweave.failed": ["Goodbye"],
    "session.id": report.id,
    "openinference.span.kind": "AGENT",
  });
  assert.deepEqual(named("turn 1"), {
    "callweave.turn": 1,
    "callweave.node": "billing",
    "input.value": "It is about my bill, account 123-45",
    "output.value": "Your bill REF-A7 is 30 dollars.",
    "openinference.span.kind": "CHAIN",
  });
  assert.deepEqual(collector.resource(), { "service.name": "callweave", team: "voice" });
  const [{ authorization, "x-project": project, url } = {}] = collector.headers;
  assert.deepEqual([authorization, project, url], ["Basic cGs6c2s=", "phones", "/v1/traces"]);
});

test("the span of a call names each criterion and check that failed, and the judge has a span of its own kind", async () => {
  await using collector = await startCollector();
  const judge = scripted({ judge: [{ verdicts: [verdict(1, 0.2)] }] });
  const scenarios = [{ ...BILL, metrics: ["Is kind"], excludes: ["Goodbye"] }];
  await runWith(collector, scenarios, { models: { agent: billingModel(1), judge } });
  const named = (name: string) => collector.spans().find((span) => span.name === name)?.attributes;
  assert.deepEqual(named("call billing")?.["callweave.failed"], ["Is kind", "Goodbye"]);
  assert.deepEqual(named("judge"), { "openinference.span.kind": "EVALUATOR" });
});

test("no secret reaches the collector: not from prompts, tools, answers or errors", async () => {
  await using collector = await startCollector();
  const secret = "k4-Zq81-mPw7Rt";
  const token = `ghp_${"aB3dE5fG7h".repeat(4).slice(0, 36)}`;
  const reply = `Your key is ${secret}, in JSON {"key":"${secret}"}, and the other is ${token}.`;
  const agent = scripted({
    ...BILLING,
    respond: [{ toolCalls: [{ name: "lookup_bill", arguments: { id: secret } }] }, reply],
  });
  const scenarios = [
    { ...BILL, says: [`My key is ${secret}`, "Thanks"], tool_mocks: [{ tool_name: "lookup_bill", output: secret }] },
  ];
  const report = await runWith(collector, scenarios, { models: { agent } }, { CRM_KEY: secret });
  assert.equal(report.counts.error, 1); // the queue of replies is empty
  const received = collector.received();
  assert.ok(received.includes("[CRM_KEY]"));
  assert.deepEqual([received.includes(secret), received.includes(token)], [false, false]);
  const root = collector.spans().find(({ parentId }) => parentId === "");
  assert.equal(root?.status, 2);
  assert.match(root?.statusMessage ?? "", /no answer|empty/);
});

test("recordInputs and recordOutputs keep prompts, callers' words and answers out of the spans", async () => {
  await using collector = await startCollector();
  const telemetry = { ...PATIENT, recordInputs: false, recordOutputs: false };
  await runWith(collector, [BILL], { models: { agent: billingModel(1) }, telemetry });
  const received = collector.received();
  for (const text of ["Explain the bill", "account 123-45", "REF-A7"]) assert.ok(!received.includes(text), text);
  assert.ok(received.includes("call billing"));
});

test("a collector that refuses spans does not fail the run: the report says why they are missing", async () => {
  await using collector = await startCollector(403);
  const report = await runWith(collector, [BILL], { models: { agent: billingModel(1) } });
  assert.equal(report.passed, true);
  assert.match(report.telemetryError ?? "", /^16 of 16 spans were not exported: .*Forbidden/);
});

test("telemetry: true needs no other options", async () => {
  await using collector = await startCollector();
  await withEnvironment(collector.environment, async () => {
    const telemetry = await startTelemetry(true, new TestClock());
    await telemetry?.span("call", {}, async () => {});
    assert.equal(await telemetry?.end(), null);
    assert.deepEqual(
      collector.spans().map(({ name }) => name),
      ["call"],
    );
  });
});

test("a run does not wait longer for the collector than flushTimeoutMs", async () => {
  await using collector = await startCollector(undefined);
  await withEnvironment(collector.environment, async () => {
    const clock = new TestClock();
    const telemetry = await startTelemetry({ flushTimeoutMs: 400 }, clock);
    await telemetry?.span("call", {}, async () => {});
    const ending = telemetry?.end();
    clock.advance(400);
    assert.equal(await ending, "1 of 1 spans were not exported: the collector did not answer within 400 ms");
  });
});

test("a tracer of the application gets the spans instead of the collector", async () => {
  const { BatchSpanProcessor, InMemorySpanExporter, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const telemetry = { tracer: provider.getTracer("my-app") };
  const report = await run(DESK, [BILL], { store: false, telemetry, models: { agent: billingModel(1) } });
  await provider.forceFlush();
  const roots = exporter.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext === undefined);
  assert.deepEqual([report.telemetryError, roots.map(({ name }) => name)], [undefined, ["call billing"]]);
  await provider.shutdown();
});
