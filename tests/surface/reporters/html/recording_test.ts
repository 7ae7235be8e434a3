import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { run, scenario } from "../../../../mod.ts";
import { writePcmWave } from "../../../../src/call/audio/mod.ts";
import type { AgentConnection } from "../../../../src/call/connection/mod.ts";
import { TEXT_ONLY } from "../../../../src/call/connection/mod.ts";
import { formatHtml } from "../../../../src/surface/reporters/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { becomes, matches, openRecorded, seriousViolations, startChromium } from "./_browser.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };
const RATE = 8_000;

/** A call by voice with a recording of 40 s, which does not end while the test reads. */
function recorded(recordingUrl: string): AgentConnection {
  return {
    name: "desk",
    capabilities: { ...TEXT_ONLY, text: false, voice: true, opening: true },
    open: async () => ({
      opening: { events: [{ kind: "says", text: "Welcome to the clinic." }] },
      say: async () => ({ events: [{ kind: "says", text: "It arrives on Monday." }] }),
      close: async () => ({
        recordingUrl,
        voice: {
          turns: [
            { speaker: "agent", turn: 0, fromMs: 300 },
            { speaker: "caller", turn: 1, fromMs: 1_500 },
            { speaker: "agent", turn: 1, fromMs: 2_500 },
          ],
          interruptions: [{ turn: 1, afterMs: 1_200, atMs: 1_500, stoppedMs: 230 }],
          overlaps: [],
          pauses: [{ turn: 1, ms: 640 }],
          words: [{ by: "caller", turn: 1, said: "Where is it?", heard: "Where is <b>he</b>?" }],
        },
      }),
    }),
  };
}

async function pageOf(recordingUrl: string): Promise<string> {
  const asks = scenario("asks").says("Where is it?").includes("Monday");
  return formatHtml(await run(recorded(recordingUrl), [asks], { store: false }));
}

test("a recording elsewhere is a link, and another address than that of a file or a site is left out", async () => {
  const data = (html: string) => /id="call-0">([^<]*)</.exec(html)?.[1] ?? "";
  assert.match(data(await pageOf("https://example.com/call.wav")), /"isLocal":false/);
  assert.doesNotMatch(data(await pageOf("javascript:alert(1)")), /recording/);
});

test("the HTML report plays the recording of a call beside its transcript, and jumps to its turns", SLOW, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-recording-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const sound = Int16Array.from({ length: 40 * RATE }, (_, at) => Math.round(6_000 * Math.sin(at / 4)));
  const file = join(folder, "a call.wav");
  writeFileSync(file, writePcmWave({ rate: RATE, channels: [sound, sound] }));
  const report = join(folder, "report.html");
  writeFileSync(report, await pageOf(pathToFileURL(file).href));
  const browser = await startChromium();
  t.after(() => browser.close());
  const { page, complaints } = await openRecorded(browser);
  page.setDefaultTimeout(30_000);
  await page.goto(`${pathToFileURL(report).href}#asks/1`);
  await page.waitForSelector(".recording audio");
  await page.waitForFunction(() => (document.querySelector("audio")?.duration ?? 0) > 39);
  const marks = await page.locator(".recording .mark").allTextContents();
  assert.deepEqual(marks, ["0:00 Opening", "0:01 Caller 1", "0:02 Agent 1"]);
  await page.locator(".recording .mark").nth(2).click();
  await becomes(() => page.evaluate(() => (document.querySelector("audio")?.currentTime ?? 0) >= 2.5), true);
  await becomes(() => page.locator('.line[aria-selected="true"] .what').textContent(), "It arrives on Monday.");
  await page.waitForFunction(
    () => document.querySelector('.mark[aria-current="true"]')?.textContent === "0:02 Agent 1",
  );
  await becomes(() => page.locator("section:has(h3:text-is('Voice')) b").count(), 0);
  await matches(() => page.locator("section:has(h3:text-is('Voice'))").textContent(), /stopped after 230 ms/);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // the link in the heading of every trial has no part in this
    const violations = (await seriousViolations(page)).filter((each) => !each.includes('<a href="#asks">'));
    assert.deepEqual(violations, []);
  }
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes("a%20call.wav")),
    [],
  );
});

test("the page says so when the recording is not there", SLOW, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-recording-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const report = join(folder, "report.html");
  writeFileSync(report, await pageOf(pathToFileURL(join(folder, "gone.wav")).href));
  const browser = await startChromium();
  t.after(() => browser.close());
  const { page } = await openRecorded(browser);
  page.setDefaultTimeout(30_000);
  await page.goto(`${pathToFileURL(report).href}#asks/1`);
  await page.waitForFunction(() => document.querySelector(".recording p")?.textContent?.includes("gone.wav"));
});
