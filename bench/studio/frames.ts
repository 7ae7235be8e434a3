import type { Page } from "playwright-core";
import * as v from "valibot";
import { openRecorded, startChromium } from "../../tests/surface/reporters/html/_browser.ts";
import { sized } from "../figure.ts";

/** Frames of a page while its picture is panned. */
export interface Frames {
  /** Time between two frames. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of an empty page, where nothing but the mouse moves. */
  readonly bareMs: number;
  /** Time that the page's own work takes for each frame: scripts, styles and layout. */
  readonly workMs: number;
}

/** A text, because a loader of TypeScript changes functions in a way that pages do not know. */
const NOTE_FRAMES = `window.noted = { times: [], scrolls: 0 };
document.querySelector(".stage").addEventListener("scroll", () => window.noted.scrolls++);
(function note(time) {
  if (time) window.noted.times.push(time);
  requestAnimationFrame(note);
})();`;
const Noted = v.object({ times: v.array(v.number()), scrolls: v.number() });
/** How long the picture is panned. */
const PANNED_MS = sized(4_000, 300);
/** Pixels that the mouse moves at a time, and how often it moves at least. */
const STEP = 12;
const FEWEST_STEPS = 20;
const BARE = `<!doctype html><title>bare</title><div class="stage" style="width:1200px;height:800px"></div>`;

/** Pans the picture of an agent in headless Chromium, at the size at which its texts can be read. */
export async function panAgent(address: string, agent: string): Promise<Frames> {
  const browser = await startChromium();
  try {
    const { page } = await openRecorded(browser);
    await page.setContent(BARE);
    const bare = await panned(page);
    await page.goto(`${address}/#/agents/${encodeURIComponent(agent)}`);
    await page.locator(".picture .stage svg g.box").first().waitFor();
    await page.getByTitle("Actual size").click();
    const shown = await panned(page);
    if (shown.scrolls === 0) throw new Error("the picture did not move");
    return {
      medianMs: quantile(shown.gaps, 0.5),
      p95Ms: quantile(shown.gaps, 0.95),
      bareMs: quantile(bare.gaps, 0.5),
      workMs: shown.workMs,
    };
  } finally {
    await browser.close();
  }
}

interface Panned {
  readonly gaps: readonly number[];
  /** How often the picture moved. */
  readonly scrolls: number;
  readonly workMs: number;
}

/** Drags with the mouse, to and fro, and notes when frames begin. */
async function panned(page: Page): Promise<Panned> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const box = await page.locator(".stage").first().boundingBox();
  if (!box) throw new Error("the picture has no place on the page");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(NOTE_FRAMES);
  const before = await workOf(session);
  const until = performance.now() + PANNED_MS;
  for (let step = 0; step < FEWEST_STEPS || performance.now() < until; step++) {
    const away = (step % 40 < 20 ? step % 20 : 20 - (step % 20)) * STEP;
    await page.mouse.move(x - away, y - away);
  }
  await page.evaluate("new Promise(requestAnimationFrame)");
  const after = await workOf(session);
  const { times, scrolls } = v.parse(Noted, await page.evaluate("window.noted"));
  await page.mouse.up();
  await session.detach();
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return { gaps, scrolls, workMs: (after - before) / Math.max(1, gaps.length) };
}

/** Milliseconds that scripts, styles and layout of a page took so far. */
async function workOf(session: Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  const names = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
  return metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value * 1_000, 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
