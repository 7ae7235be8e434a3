import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { formatHtml } from "../../../../src/surface/reporters/mod.ts";
import { FAILED, reportWith, resultRecord, verdict } from "../_fixtures.ts";
import { HOSTILE, helpDesk, helpDeskReport } from "./_help_desk.ts";

/** The texts of the elements of a name, by their id. */
function elements(html: string, tag: string): ReadonlyMap<string, string> {
  const found = html.matchAll(new RegExp(`<${tag}([^>]*)>([\\s\\S]*?)</${tag}>`, "g"));
  return new Map(
    [...found].map(([, attributes = "", text = ""]) => [/id="([^"]*)"/.exec(attributes)?.[1] ?? "", text]),
  );
}

test("formatHtml() writes one file that loads nothing, with a policy for its one script and its one style", () => {
  const html = formatHtml(reportWith([resultRecord()]));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
  const hash = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const script = elements(html, "script").get("");
  const style = elements(html, "style").get("");
  assert.ok(script && style);
  assert.deepEqual(policy.split("; ").slice(0, 3), [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
  ]);
  assert.doesNotMatch(policy, /unsafe/);
  const outside = html.replace(script, "").replace(style, "");
  assert.doesNotMatch(outside, /\s(?:src|srcset|action|style|on\w+)=/);
  assert.deepEqual(outside.match(/href="[^"]*"/g), ['href="data:,"']);
  assert.doesNotMatch(script + style, /https?:|url\(|@import|\binnerHTML\b|\beval\b/);
});

test("formatHtml() keeps texts of calls and names of scenarios and nodes inside of their data", async () => {
  const report = await helpDeskReport(1);
  const html = formatHtml(report, { graph: helpDesk });
  assert.equal(html.split("<script").length - 1, report.results.length + 2); // a block for each call, the report, the script
  assert.ok(!html.includes("<img") && !html.includes("<!--") && !html.includes("\u2028"));
  const blocks = [...elements(html, "script")].filter(([id]) => id !== "").map(([id, text]) => [id, JSON.parse(text)]);
  assert.deepEqual(
    blocks.map(([id]) => id),
    ["report", ...report.results.map((_, index) => `call-${index}`)],
  );
  assert.equal(blocks[0]?.[1].scenarios.at(-1).name, `attack ${HOSTILE}`);
  assert.ok(JSON.stringify(blocks.at(-1)).includes(JSON.stringify(HOSTILE).slice(1, -1)));
});

test("formatHtml() shows verdicts, intervals and problems of scenarios, and calls with scores and moves", () => {
  const moves = {
    kind: "transition",
    from: "greet",
    to: "gone",
    because: "Caller leaves",
    decision: { reasoning: "Bye" },
  };
  const at = { node_id: "greet", timestamp: "2026-01-02T03:04:06.678Z" };
  const transcript = [
    { role: "assistant", content: "Goodbye", ...at, metadata: { cut: true } },
    { role: "tool", content: "greet -> gone", ...at, timestamp: "2026-01-02T03:04:08.000Z", metadata: moves },
  ] as const;
  const passed = resultRecord({ id: "r0", verdicts: [verdict()], transcript });
  const failed = resultRecord({ trial: 2, status: "fail", checks: [FAILED] });
  const html = formatHtml(reportWith([passed, failed]));
  const blocks = elements(html, "script");
  const { scenarios, run, nodes, coverage } = JSON.parse(blocks.get("report") ?? "");
  const [scenario] = scenarios;
  assert.deepEqual([scenario.verdict, scenario.passRate, scenario.needed], ["fail", 0.5, 1]);
  assert.deepEqual(
    scenario.trials.map(({ key, status, problems }: { key: string; status: string; problems: unknown }) => [
      key,
      status,
      problems,
    ]),
    [
      ["1", "pass", []],
      ["2", "fail", ["visits greet -> technical"]],
    ],
  );
  assert.deepEqual([run.verdict, coverage], ["fail", undefined]);
  const { lines, verdicts } = JSON.parse(blocks.get("call-0") ?? "");
  const index = (id: string) => nodes.findIndex((node: { id: string }) => node.id === id);
  assert.deepEqual(lines, [
    { node: index("greet"), ms: 0, kind: "agent", text: "Goodbye", isCut: true },
    {
      node: index("greet"),
      ms: 1322,
      kind: "move",
      to: index("gone"),
      because: "Caller leaves",
      arrows: [`p${index("greet")}.${index("gone")}`],
      reasoning: "Bye",
    },
  ]);
  assert.deepEqual(verdicts[0].quoted, [0]);
});

test("formatHtml() redacts secrets and refuses wrong options", () => {
  const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
  const html = formatHtml(reportWith([resultRecord({ errorMessage: `The key ${secret} was refused` })]));
  assert.ok(!html.includes(secret));
  for (const options of [{ coverage: 1 }, { comparison: {} }, { graph: 3 }]) {
    // @ts-expect-error none of these is an option
    assert.throws(() => formatHtml(reportWith([]), options), isCallweaveError);
  }
});

test("formatHtml() shows the time until the first word by node and by turn, except for the offline model", () => {
  const latency = [
    { turn: 0, nodeId: "greet", firstWordMs: 40 },
    { turn: 1, nodeId: "book", firstWordMs: 1_240, parts: { transition: 240, extraction: 0, tools: 0, reply: 1_000 } },
  ];
  const results = [resultRecord({ latency })];
  const blocks = elements(formatHtml(reportWith(results)), "script");
  const made = "transition 240 ms, reply 1.0 s";
  assert.deepEqual(JSON.parse(blocks.get("report") ?? "").latency, [
    { name: "book", turns: 1, times: ["1.2 s", "1.2 s", "1.2 s"], made },
    { name: "greet", turns: 1, times: ["40 ms", "40 ms", "40 ms"], made: "" },
    { name: "all turns", turns: 2, times: ["640 ms", "1.2 s", "1.2 s"], made },
  ]);
  assert.deepEqual(JSON.parse(blocks.get("call-0") ?? "").waits, [
    { turn: "opening", node: "greet", time: "40 ms", made: "" },
    { turn: "turn 1", node: "book", time: "1.2 s", made },
  ]);
  const offline = elements(formatHtml(reportWith(results, { agent: "offline" })), "script");
  assert.equal(JSON.parse(offline.get("report") ?? "").latency, undefined);
});
