import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calibrateJudge, type KnownCall } from "../../../api/statistics.ts";
import { scripted } from "../../../mod.ts";
import { callweave, folder } from "../../surface/cli/_terminal.ts";

function verdict(number: number, passed: boolean) {
  const score = passed ? 1 : 0;
  return { number, requirement: "must", evidence: [], reasoning: "I think so.", score, confidence: 0.8 };
}

const said = (content: string) => [{ role: "assistant" as const, content }];

/** Calls with known verdicts on politeness, and what the judge says to them. */
const KNOWN: readonly (readonly [known: boolean, judged: boolean])[] = [
  ...Array.from({ length: 20 }, () => [true, true] as const),
  ...Array.from({ length: 5 }, () => [true, false] as const),
  ...Array.from({ length: 10 }, () => [false, true] as const),
  ...Array.from({ length: 15 }, () => [false, false] as const),
];

test("calibrateJudge() gives agreement and kappa over all and per criterion, and what differs", async () => {
  const calls = KNOWN.map(
    ([passed], index): KnownCall => ({
      name: `call ${index}`,
      transcript: said("Hello"),
      verdicts: [{ criterion: "polite", passed }, ...(index < 4 ? [{ criterion: "brief", passed: index < 2 }] : [])],
    }),
  );
  const judge = scripted({
    judge: KNOWN.map(([, judged], index) => ({
      verdicts: [verdict(1, judged), ...(index < 4 ? [verdict(2, index < 2)] : [])],
    })),
  });
  const { overall, criteria, disagreements, errors } = await calibrateJudge(calls, { judge, concurrency: 1 });
  const [polite, brief] = criteria;
  // 20 5 / 10 15: a published example of a kappa of 0.4.
  assert.deepEqual([polite?.criterion, polite?.kappa?.toFixed(4), polite?.agreement], ["polite", "0.4000", 0.7]);
  assert.deepEqual([brief?.kappa, brief?.total, overall.total], [1, 4, 54]);
  assert.deepEqual([disagreements.length, errors], [15, []]);
  assert.deepEqual(disagreements[0], {
    call: "call 20",
    criterion: "polite",
    known: true,
    judged: false,
    score: 0,
    reasoning: "I think so.",
  });
});

test("calibrateJudge() leaves out calls that cannot be judged, and names them", async () => {
  const calls = [true, true].map((passed) => ({ transcript: said("Hi"), verdicts: [{ criterion: "polite", passed }] }));
  const judge = scripted({ judge: [{ verdicts: [verdict(1, true)] }] });
  const { overall, errors, judge: name } = await calibrateJudge(calls, { judge, concurrency: 1 });
  assert.deepEqual([overall.total, overall.kappa, name], [1, null, "scripted"]);
  assert.deepEqual([errors[0]?.call, errors.length], ["call 2", 1]);
  await assert.rejects(calibrateJudge(calls, { judge, panel: 0 }), { code: "invalid-option", path: ["panel"] });
});

const POLITE = "The agent offers an appointment";

/** Calls as lines of JSON; the offline judge passes those whose agent says the words of the criterion. */
function writeKnown(calls: readonly (readonly [said: string, passed: boolean])[]): string {
  const path = join(folder(), "known.jsonl");
  const lines = calls.map(([content, passed]) =>
    JSON.stringify({
      transcript: [{ role: "user", content: "Hello" }, ...said(content)],
      verdicts: { [POLITE]: passed },
    }),
  );
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

test("judge calibrate reads JSON lines, prints kappa and the table, and exits by --min-kappa", async () => {
  const offer = "I can offer you an appointment on Monday.";
  const path = writeKnown([
    [offer, true],
    [offer, true],
    ["No.", false],
    [offer, false],
  ]);
  const calibrate = (...args: string[]) => callweave(["judge", "calibrate", path, "--model", "offline", ...args]);
  const { code, out, err } = await calibrate();
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^judge offline: kappa 0\.50 \(-?\d\.\d\d to 1\.00\), 3 of 4 verdicts agree\n/);
  assert.match(out, /judged pass {2}judged fail\nknown pass {14}2 {12}0\nknown fail {14}1 {12}1\n/);
  assert.match(out, /✗ call 4, "The agent offers an appointment": known fail, judged pass/);
  assert.equal((await calibrate("--min-kappa", "0.4")).code, 0);
  assert.equal((await calibrate("--min-kappa", "0.6")).code, 1);
  assert.equal(JSON.parse((await calibrate("--json", "--panel", "3")).out).overall.kappa, 0.5);
});

test("judge calibrate says what is wrong with a file, and exits with 3 when kappa is undefined", async () => {
  const same = await callweave([
    "judge",
    "calibrate",
    writeKnown([["No.", false]]),
    "--model",
    "offline",
    "--min-kappa",
    "0",
  ]);
  assert.equal(same.code, 3);
  assert.match(same.out, /1 of 1 verdicts agree; kappa is undefined/);
  const path = join(folder(), "wrong.json");
  writeFileSync(path, '[{ "transcript": [] }]');
  const { code, err } = await callweave(["judge", "calibrate", path]);
  assert.equal(code, 2);
  assert.match(err, /^error\[wrong-type\] Cannot read known verdicts in ".*wrong\.json": entry 1/);
});
