import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { formatHtml } from "../../../../src/surface/reporters/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { becomes, matches, openRecorded, startChromium } from "./_browser.ts";
import { helpDesk, helpDeskReport } from "./_help_desk.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };

/** The data of a page, and of its calls. */
function dataOf(html: string) {
  const blocks = new Map(
    [...html.matchAll(/<script type="application\/json" id="([^"]+)">(.*?)<\/script>/gs)].map(
      ([, id = "", text = ""]) => [id, JSON.parse(text)],
    ),
  );
  return { report: blocks.get("report"), calls: [...blocks].filter(([id]) => id !== "report").map(([, call]) => call) };
}

test("formatHtml() with fewer transcripts than calls has those of failed calls first, and says what it lacks", async () => {
  const report = await helpDeskReport(3);
  const failed = report.results.filter(({ status }) => status !== "pass").length;
  const passed = report.results.length - failed;
  assert.ok(failed > 1 && passed > 2);
  const some = dataOf(formatHtml(report, { graph: helpDesk, transcripts: failed + 1 }));
  const all = dataOf(formatHtml(report, { graph: helpDesk }));
  assert.equal(some.calls.length, report.results.length);
  for (const [index, call] of some.calls.entries()) {
    const { lines, verdicts, isWithoutTranscript, ...figures } = call;
    const { lines: said, verdicts: judged, ...same } = all.calls[index];
    assert.deepEqual(figures, same);
    assert.equal(judged.length, verdicts.length);
    assert.deepEqual(lines, isWithoutTranscript ? [] : said);
  }
  const whole = report.results.filter((_, index) => !some.calls[index].isWithoutTranscript);
  assert.deepEqual([whole.length, whole.filter(({ status }) => status !== "pass").length], [failed + 1, failed]);
  const words = (transcripts: number): string => {
    const { report: page } = dataOf(formatHtml(report, { graph: helpDesk, transcripts }));
    return page.run.notices.map(({ text }: { text: string }) => text).join("\n");
  };
  assert.match(words(failed + 1), new RegExp(`those of all ${failed} that did not pass, and 1 that passed\\.`));
  assert.match(words(1), new RegExp(`those of 1 of the ${failed} that did not pass\\.`));
  assert.doesNotMatch(words(report.results.length), /too many/);
  // the rest of the page is that of all calls
  const { run: someRun, ...rest } = some.report;
  const { run: allRun, ...others } = all.report;
  assert.deepEqual(rest, others);
  assert.deepEqual(someRun.counts, allRun.counts);
  for (const transcripts of [0, 1.5, Number.NaN])
    assert.throws(() => formatHtml(report, { transcripts }), { code: "invalid-option" });
});

test(
  "a page with fewer transcripts than calls shows, finds and prints the others with their figures",
  SLOW,
  async (t) => {
    const report = await helpDeskReport(3);
    const folder = mkdtempSync(join(tmpdir(), "callweave-html-"));
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const file = join(folder, "report.html");
    writeFileSync(file, formatHtml(report, { graph: helpDesk, transcripts: 1 }));
    const browser = await startChromium();
    t.after(() => browser.close());
    const { page, complaints } = await openRecorded(browser);
    await page.goto(pathToFileURL(file).href);
    await matches(() => page.locator("article.overview").textContent(), /too many for the transcripts of all/);
    const last = report.results.findLast(({ status }) => status === "pass");
    await page.goto(`${pathToFileURL(file).href}#${encodeURIComponent(last?.scenario ?? "")}/${last?.trial}`);
    await matches(() => page.locator("article.trial").textContent(), /without the transcript of this call/);
    await becomes(() => page.locator(".transcript .line, .line.agent").count(), 0);
    await matches(() => page.locator("article.trial").textContent(), /Checks \(\d of \d passed\)/);
    const own = complaints.filter((each) => !each.startsWith("loads file:"));
    assert.deepEqual(own, []);
  },
);
