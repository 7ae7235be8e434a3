import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { programPath } from "../../../programs.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts Debian's Chromium without a window and without a profile. Close it at the end. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath("chromium"),
    timeout: 120_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
    ],
  });
}

/** Opens a page that records what it complains about, and what it loads besides its own file. */
export async function openRecorded(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && !request.isNavigationRequest()) complaints.push(`loads ${url}`);
  });
  return { page, complaints };
}

/** A page has this time to become what a test expects: it draws when it has loaded, and a busy machine loads slowly. */
const BECOMES_MS = 60_000;

/** Waits until what a test reads of a page equals a value, and says what it was at last if it does not. */
export function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  return settles(async () => assert.deepEqual(await read(), expected));
}

/** Waits until a text of a page matches. */
export function matches(read: () => Promise<string | null>, expected: RegExp): Promise<void> {
  return settles(async () => assert.match((await read()) ?? "", expected));
}

async function settles(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + BECOMES_MS; ; ) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Violations that axe calls serious or critical, one line each. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async () => {
    const axe = Reflect.get(window, "axe");
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const serious = violations.filter(({ impact }: { impact: string }) => ["serious", "critical"].includes(impact));
    return serious.flatMap(({ id, nodes }: { id: string; nodes: readonly { html: string }[] }) =>
      nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    );
  });
}
