import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { formatHtml, formatJson, formatReport, formatResult } from "../../../api/reporters.ts";
import { type RunOptions, run, scripted } from "../../../mod.ts";
import { BILLING, BILLING_CALL, DESK, verdict } from "../../run/runner/_fixtures.ts";
import { CASE, callweave, folder, GRAPH } from "../../surface/cli/_terminal.ts";

/** Speech whose sound is the text itself, and a transcription that hears "30" as "thirteen". */
const AUDIO = {
  speech: {
    specificationVersion: "v3",
    provider: "test",
    modelId: "speech",
    doGenerate: async ({ text }) => ({
      audio: new TextEncoder().encode(text),
      warnings: [],
      response: { timestamp: new Date(), modelId: "speech" },
    }),
  },
  transcription: {
    specificationVersion: "v3",
    provider: "test",
    modelId: "transcription",
    doGenerate: async ({ audio }) => ({
      text: new TextDecoder()
        .decode(typeof audio === "string" ? Buffer.from(audio, "base64") : audio)
        .replace("30", "thirteen"),
      segments: [],
      language: undefined,
      durationInSeconds: undefined,
      warnings: [],
      response: { timestamp: new Date(), modelId: "transcription" },
    }),
  },
} satisfies RunOptions["audio"];

test("console, result, JSON and HTML show word errors, lost items, both texts and what differs from text", async () => {
  const isSaid = (input: object) => (JSON.stringify(input).includes("30 dollars") ? 1 : 0);
  const judge = (input: object) => ({ verdicts: [verdict(1, isSaid(input), { evidence: [] })] });
  const report = await run(DESK, [{ ...BILLING_CALL, name: "bill", user_prompt: "", metrics: ["Says the amount"] }], {
    store: false,
    models: { agent: scripted({ ...BILLING, judge: [judge, judge] }) },
    audio: AUDIO,
  });
  const [result] = report.results;
  assert.ok(result?.audio, result?.errorMessage ?? "");
  const change = '"Says the amount": passed in text, failed with audio';
  const terminal = formatReport(report);
  assert.match(
    terminal,
    /\nHeard {2}test\/speech, test\/transcription\n {2}bill: 7 % word errors; lost: number "30"\n/,
  );
  assert.ok(terminal.includes(`\n    ${change}\n`), terminal);
  const shown = formatResult(result);
  assert.match(
    shown,
    /agent wrote: Your bill REF-A7 is 30 dollars\.\n +heard: Your bill REF-A7 is thirteen dollars\.\n/,
  );
  assert.match(shown, /words: your bill ref a 7 is \[-30-\] \{\+13\+\} dollars\n +lost: number "30"\n/);
  assert.ok(shown.includes(change));
  const [stored] = JSON.parse(formatJson(report)).results;
  assert.deepEqual(
    stored.audio_metric_results.map(({ metric, passed }: { metric: string; passed: boolean }) => [metric, passed]),
    [["Says the amount", false]],
  );
  const page = formatHtml(report, { graph: DESK });
  for (const text of ["7 % word errors", "Your bill REF-A7 is thirteen dollars.", "failed with audio"])
    assert.ok(page.includes(text), text);
});

test("run --audio reads its mode and its line, and refuses what does not belong together", async () => {
  const path = folder({ "agent.json": GRAPH, "tests.json": [CASE] });
  const start = [
    "run",
    join(path, "agent.json"),
    "--tests",
    join(path, "tests.json"),
    "--db",
    ":memory:",
    "--estimate",
  ];
  const fine: readonly (readonly string[])[] = [
    ["--audio"],
    ["--audio", "--json"],
    ["--audio", "both", "--line", "snr=10,loss=0.1,seed=3", "--audio-only"],
    ["--audio=agent", "--line", "off", "--voice", "nova", "--speech-model", "offline"],
  ];
  for (const flags of fine) assert.equal((await callweave([...start, ...flags])).code, 0, flags.join(" "));
  const wrong: readonly (readonly [flags: readonly string[], words: RegExp])[] = [
    [["--audio=caller"], /--audio is "caller"/],
    [["--voice", "nova"], /--voice is passed without --audio/],
    [["--audio", "--audio-only"], /--audio-only is passed without --audio both/],
    [["--audio", "--line", "loss=3"], /--line is "loss=3"/],
    [["--audio", "--line", "hum=3"], /--line is "hum=3"/],
  ];
  for (const [flags, words] of wrong) {
    const { code, err } = await callweave([...start, ...flags]);
    assert.equal(code, 2, flags.join(" "));
    assert.match(err, words);
  }
});
