import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN } from "../../../src/base/values/mod.ts";
import {
  formatJson,
  formatJunit,
  formatReport,
  formatResult,
  formatTranscript,
  REPORTERS,
} from "../../../src/surface/reporters/mod.ts";
import { withEnvironment } from "../../environment.ts";
import { reportWith, resultRecord } from "./_fixtures.ts";

const SECRETS = ["k7-Ab3xQ9", "hunter22pass", `npm_${"a1B2".repeat(9)}`];

test("reports of results stored by older versions are redacted, and values other than texts stay", async () => {
  const said = `${SECRETS[0]} postgres://me:${SECRETS[1]}@db.test ${SECRETS[2]}`;
  const line = {
    role: "assistant",
    content: said,
    node_id: "greet",
    timestamp: "2026-01-01T00:00:00Z",
    metadata: {},
  } as const;
  const call = {
    name: "find",
    arguments: { key: SECRETS[0], account: 12345678 },
    result: { said },
    outcome: "succeeded",
    durationMs: 1,
    nodeId: "greet",
    mocked: true,
  } as const;
  const one = resultRecord({
    status: "fail",
    transcript: [line],
    toolsCalled: [call],
    errorMessage: said,
    variables: { said },
  });
  const logged: string[] = [];
  const context = { style: PLAIN, log: (text: string) => logged.push(text) };
  await withEnvironment({ CRM_TOKEN: "k7-Ab3xQ9", ACCOUNT_KEY: "12345678", NODE_TOKEN: "greet-and-ask-7" }, () => {
    const all = reportWith([one]);
    const texts = [formatJson(all), formatJunit(all), formatReport(all), formatResult(one), formatTranscript([line])];
    for (const text of texts) {
      for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
      assert.match(text, /\[CRM_TOKEN\]/);
    }
    const reports = Object.values(REPORTERS).map(({ onEnd }) => onEnd?.(all, context));
    assert.ok(reports.every((text) => typeof text === "string"));
    for (const text of [...reports, ...logged]) for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
    assert.equal(JSON.parse(texts[0] ?? "").results[0].toolsCalled[0].arguments.account, 12345678);
  });
});
