import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatHtml } from "../../src/surface/reporters/mod.ts";
import { openRecorded, startChromium } from "../../tests/surface/reporters/html/_browser.ts";
import { helpDesk, helpDeskReport } from "../../tests/surface/reporters/html/_help_desk.ts";
import { type Figure, sized } from "../figure.ts";

/** With seven scenarios, more than 200 trials. */
const REPEAT = sized(29, 1);
/** Number of times the report is opened, each time in a new page. The first time, which warms up Chromium, is ignored. */
const OPENINGS = sized(7, 1);

/**
 * Loading time of the help-desk run's HTML report: from the navigation to the file until the overview
 * of the scenarios is drawn, in headless Chromium.
 */
export async function* bench(): AsyncGenerator<Figure> {
  const report = await helpDeskReport(REPEAT);
  const started = performance.now();
  const html = formatHtml(report, { graph: helpDesk });
  const formatMs = performance.now() - started;
  const opened = await openings(html);
  const against = `the HTML report of ${report.results.length} trials, ${Math.round(html.length / 1000)} KB`;
  yield {
    name: "html_opens_ms",
    value: opened.toSorted((a, b) => a - b)[Math.floor(opened.length / 2)] ?? Number.POSITIVE_INFINITY,
    unit: "ms",
    against: `${against}; the median of ${opened.length} openings, the slowest in ${Math.round(Math.max(...opened))} ms`,
    bound: 1000,
  };
  yield { name: "html_format_ms", value: formatMs, unit: "ms", against };
}

/** Milliseconds per opening. */
async function openings(html: string): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-bench-"));
  const browser = await startChromium();
  try {
    const file = join(folder, "report.html");
    await writeFile(file, html);
    const times: number[] = [];
    for (let count = 0; count <= OPENINGS; count++) {
      const { page } = await openRecorded(browser);
      const started = performance.now();
      await page.goto(pathToFileURL(file).href);
      await page.waitForSelector("article.overview");
      // two frames: content added before the first is on the screen at the second
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      if (count > 0) times.push(performance.now() - started);
      await page.close();
    }
    return times;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
