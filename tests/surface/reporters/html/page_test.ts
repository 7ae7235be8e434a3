import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { formatHtml } from "../../../../src/surface/reporters/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { becomes, matches, openRecorded, seriousViolations, startChromium } from "./_browser.ts";
import { HOSTILE, helpDesk, helpDeskReport } from "./_help_desk.ts";

/** With seven scenarios, more than 200 trials. */
const REPEAT = 29;
const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };

test(
  "the HTML report of 200 trials works in Chromium: links, keyboard, filter, print, no script of a call",
  SLOW,
  async (t) => {
    const report = await helpDeskReport(REPEAT);
    const html = formatHtml(report, { graph: helpDesk });
    assert.ok(report.results.length >= 200);
    assert.ok(html.length < 2_000_000, `${html.length} characters`);
    const folder = mkdtempSync(join(tmpdir(), "callweave-html-"));
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const file = join(folder, "report.html");
    writeFileSync(file, html);
    const url = pathToFileURL(file).href;
    const browser = await startChromium();
    t.after(() => browser.close());
    const { page, complaints } = await openRecorded(browser);
    const linkOf = (scenario: string, trial?: number) =>
      `#${encodeURIComponent(scenario)}${trial === undefined ? "" : `/${trial}`}`;
    const show = async (hash: string) => {
      await page.evaluate((wanted) => {
        location.hash = wanted;
      }, hash);
      await page.waitForFunction(
        (wanted) => (document.querySelector('a[aria-current="page"]')?.getAttribute("href") ?? "") === wanted,
        hash,
      );
    };

    await t.test("it opens with few elements, and shows every scenario", async () => {
      await page.goto(url);
      await page.waitForSelector("article.overview");
      const elements = await page.evaluate(() => document.querySelectorAll("*").length);
      assert.ok(elements < 2_500, `${elements} elements`);
      const names = await page.locator(".scenario-link .name").allTextContents();
      assert.deepEqual(
        names,
        report.scenarios.map(({ scenario, verdict }) => `${scenario}, ${verdict === "pass" ? "passed" : "failed"}`),
      );
    });

    await t.test("the bar of a scenario says what its dot, its band and its line are", async () => {
      const titles = await page
        .locator(".scenario-link .rate")
        .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("title") ?? ""));
      assert.equal(titles.length, report.scenarios.length);
      for (const title of titles)
        assert.match(title, /^\d+ of \d+ passed, 95 % interval .*\. The dot is the pass rate .*\. The band is where /);
    });

    await t.test("every link leads to a scenario or a trial of the report", async () => {
      const known = new Set(["#", ...report.scenarios.map(({ scenario }) => linkOf(scenario))]);
      for (const { scenario, trial } of report.results) known.add(linkOf(scenario, trial));
      const seen = new Set<string>();
      for (const hash of ["", linkOf("takes a lamp back"), linkOf("takes a lamp back", 2)]) {
        await show(hash);
        const hrefs = await page
          .locator("a")
          .evaluateAll((links) => links.map((link) => String(link.getAttribute("href"))));
        for (const href of hrefs) seen.add(href);
      }
      assert.deepEqual(
        [...seen].filter((href) => !known.has(href)),
        [],
      );
      assert.equal(seen.size, known.size);
      await show(linkOf("takes a lamp back", 3));
      // biome-ignore lint/performance/useDomNodeTextContent: the text as it is shown, of a Playwright locator
      await matches(() => page.locator("h2").innerText(), /^takes a lamp back trial 3\s+✗\s*failed/);
    });

    await t.test("a message and its node are selected together, by keys and by pointer", async () => {
      await show(linkOf("tells where an order is", 1));
      const current = () =>
        page.locator(".box.current").evaluateAll((boxes) => boxes.map((box) => box.getAttribute("data-node")));
      await page.locator('[role="option"]').first().focus();
      for (const key of ["ArrowDown", "End", "ArrowUp"]) await page.keyboard.press(key);
      const call = report.results.find(({ scenario }) => scenario === "tells where an order is");
      await becomes(current, [call?.transcript.at(-2)?.node_id ?? null]);
      await becomes(() => page.locator('[role="option"][aria-selected="true"]').count(), 1);
      await page.locator('.box[data-node="look_up"]').dispatchEvent("click");
      await becomes(current, ["look_up"]);
      const selected = page.locator('[role="option"][aria-selected="true"]');
      // biome-ignore lint/performance/useDomNodeTextContent: the text as it is shown, of a Playwright locator
      await matches(() => selected.innerText(), /look_up_order/);
      await page.locator('.box[data-node="look_up"]').focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await becomes(() => page.locator(".box:focus").getAttribute("aria-pressed"), "true");
    });

    await t.test("the picture opens whole, and follows the selected node", async () => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      const before = page.viewportSize();
      await page.setViewportSize({ width: 1_300, height: 460 });
      await page.goto("about:blank");
      await page.goto(`${url}${linkOf("tells where an order is", 1)}`);
      await page.waitForSelector(".stage svg");
      /** The boxes that do not lie in the frame as a whole, and the scale. */
      const seen = async (selector: string) =>
        await page.evaluate((wanted) => {
          const stage = document.querySelector(".stage")?.getBoundingClientRect() ?? new DOMRect();
          const svg = document.querySelector(".stage svg");
          const natural = Number(svg?.getAttribute("viewBox")?.split(" ")[2]);
          const outside = [...document.querySelectorAll(wanted)].filter((box) => {
            const { left, right, top, bottom } = box.getBoundingClientRect();
            return left < stage.left || right > stage.right || top < stage.top || bottom > stage.bottom;
          });
          return { outside: outside.length, scale: (svg?.getBoundingClientRect().width ?? 0) / natural };
        }, selector);
      await becomes(async () => (await seen(".stage g.box")).outside, 0);
      const opened = await seen(".stage g.box");
      assert.ok(opened.scale < 0.6, `the picture is too small for this test: ${opened.scale}`);
      for (const node of ["look_up", helpDesk.entry_node_id]) {
        await page.locator(`.box[data-node="${node}"]`).dispatchEvent("click");
        await becomes(async () => {
          const { outside, scale } = await seen(".stage g.box.current");
          return [node, outside, scale > 0.6];
        }, [node, 0, true]);
      }
      await page.getByRole("button", { name: "Fit" }).click();
      await becomes(async () => (await seen(".stage g.box")).outside, 0);
      if (before) await page.setViewportSize(before);
    });

    await t.test("texts of a call stay texts", async () => {
      const attack = report.scenarios.at(-1)?.scenario ?? "";
      await show(linkOf(attack, 1));
      const text = (await page.locator("main").textContent()) ?? "";
      assert.ok(text.split(HOSTILE).length > 5, "name, transcript, tool result, variables and checks have it");
      await becomes(() => page.locator("img, #page script, main iframe").count(), 0);
      await page.evaluate(() =>
        document.querySelector("main")?.insertAdjacentHTML("beforeend", "<img src=x onerror=attacked()>"),
      );
      const blocked = complaints
        .splice(0)
        .filter((each) => !/Content Security Policy|Content-Security-Policy/.test(each));
      assert.deepEqual(
        blocked.filter((each) => !each.startsWith("loads ")),
        [],
        "the policy blocks what would run all the same",
      );
    });

    await t.test("words and statuses filter the list, and paper shows all trials that are left", async () => {
      await page.goto(url);
      await page.locator('input[type="search"]').fill("extracts topic == return");
      await page.waitForFunction(() => document.querySelectorAll(".scenario-link").length === 1);
      const failed = report.results.filter(
        ({ scenario, trial }) => scenario.startsWith("takes") && trial % 3 === 0,
      ).length;
      await becomes(() => page.locator(".dot").count(), failed);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await becomes(() => page.locator(".paper .transcript").count(), failed);
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await becomes(() => page.locator(".paper").count(), 0);
      await page.locator('input[type="search"]').fill("");
      await page.locator(".chip.fail").click();
      await page.waitForFunction(() => document.querySelectorAll(".dot.pass").length === 0);
      await becomes(() => page.locator(".dot").count(), report.counts.fail);
    });

    await t.test("axe finds nothing serious, in light and in dark", async () => {
      const found: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto(url);
        for (const hash of ["", linkOf("takes a lamp back"), linkOf("tells where an order is", 1)]) {
          await show(hash);
          found.push(...(await seriousViolations(page)).map((each) => `${colorScheme} ${hash} ${each}`));
        }
      }
      assert.deepEqual(found, []);
    });

    assert.deepEqual(complaints, []);
  },
);
