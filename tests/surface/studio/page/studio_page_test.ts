import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { studioPage } from "../../../../src/surface/studio/page/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { ROOT } from "../../cli/_process.ts";
import { becomes, matches, openRecorded, seriousViolations, startChromium } from "../../reporters/html/_browser.ts";
import { HOSTILE, helpDesk, helpDeskReport } from "../../reporters/html/_help_desk.ts";
import { hotel } from "./_hotel.ts";
import { type FixtureStudio, serveStudio } from "./_studio_server.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };

test("the studio's first load has at most 250 KB compressed, and no inline script or style", () => {
  const { html, script, style } = studioPage();
  const size = [html, script, style].reduce((sum, text) => sum + gzipSync(text).length, 0);
  assert.ok(size > 20_000 && size <= 250_000, `${size}`);
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]* src=)|\son\w+=|https?:/);
});

test("no source of the page writes HTML: texts of calls are texts", () => {
  const folder = join(ROOT, "src", "surface", "studio", "page", "browser");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const unsafe = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function/i;
  assert.ok(files.length > 30);
  assert.deepEqual(
    files.filter((name) => unsafe.test(readFileSync(join(folder, name), "utf8"))),
    [],
  );
});

/** Goes to a view, as a link would. */
async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

const hashOf = (page: Page) => page.evaluate(() => decodeURIComponent(location.hash));

/** How far a page is wider than the window. */
const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

async function start(): Promise<{ readonly studio: FixtureStudio; readonly ids: Ids }> {
  const reports = [await helpDeskReport(3), await helpDeskReport(2)];
  const [newest, older] = reports;
  const failed = newest?.results.find(({ status, scenario }) => status === "fail" && !scenario.startsWith("attack"));
  const studio = await serveStudio([
    { id: "help-desk", name: "help desk", graph: helpDesk, reports },
    { id: "hotel", name: "hotel reception", graph: hotel, reports: [] },
  ]);
  const ids = {
    run: newest?.id ?? "",
    older: older?.id ?? "",
    failed: failed?.id ?? "",
    first: newest?.results[0]?.id ?? "",
    second: newest?.results[1]?.id ?? "",
  };
  return { studio, ids };
}

interface Ids {
  readonly run: string;
  readonly older: string;
  readonly failed: string;
  readonly first: string;
  readonly second: string;
}

test("a product owner's journeys through the studio work in Chromium", SLOW, async (t) => {
  const { studio, ids } = await start();
  t.after(studio.close);
  const browser = await startChromium();
  t.after(() => browser.close());
  const { page, complaints } = await openRecorded(browser);
  const heading = (name: string | RegExp) => page.getByRole("heading", { level: 2, name }).waitFor();
  await page.goto(studio.address);
  await heading("help desk");

  await t.test("find last night's failures, by filter and by keyboard", async () => {
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.locator("table.runs tbody tr").nth(1).waitFor();
    await page.locator("label", { hasText: "branch" }).locator("input").fill("warmer-greeting");
    await page.waitForFunction(() => document.querySelectorAll("table.runs tbody tr").length === 1);
    await matches(() => hashOf(page), /branch=warmer-greeting/);
    await page.locator("table.runs tbody a").first().click();
    await heading(/help desk/);
    await page.getByRole("button", { name: /failed/ }).click();
    await page.locator(".grid-row").first().waitFor();
    await matches(() => hashOf(page), /status=fail/);
    await becomes(() => page.locator(".grid-row").count(), 2);
    await becomes(() => page.getByText(HOSTILE.slice(0, 20)).first().isVisible(), true);
    await becomes(() => page.locator("#studio img, #studio script").count(), 0);
    await page.locator(".dot").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await heading(/takes a lamp back trial 3/);
    await becomes(() => page.getByRole("heading", { name: "What went wrong" }).isVisible(), true);
  });

  await t.test("see why a call took a way, step by step, with a link to the step", async () => {
    const line = page.locator(".line.move").first();
    await line.click();
    const at = Number(new URLSearchParams((await hashOf(page)).split("?")[1]).get("line"));
    assert.ok(at > 0);
    const why = page.locator(".side .why");
    await why.waitFor();
    await matches(() => why.textContent(), /From welcome to manager/);
    await becomes(() => page.locator(".box.current").count(), 1);
    await page.getByLabel("Step on").click();
    await page.waitForFunction((next) => location.hash.includes(`line=${next}`), at + 1);
    await page.reload();
    await page.locator(`.line[aria-selected="true"]`).waitFor();
    await matches(() => page.locator(".panel h3").first().textContent(), new RegExp(`^At step ${at + 2},`));
    // on the way so far are the nodes before the step, and not the later ones
    await becomes(() => page.locator('.box.off[data-node="goodbye"]').count(), 1);
  });

  await t.test("a call by voice shows its recording and its waits", async () => {
    await goTo(page, `#/calls/${ids.first}`);
    await heading(/tells where an order is/);
    await page.locator(".wave canvas").waitFor();
    await becomes(() => page.locator(".marks .mark").count(), 3);
    await page.locator(".marks .mark").nth(1).click();
    await page.locator('.line.caller[aria-selected="true"]').waitFor();
    await becomes(() => page.locator(".waterfall ol li").count(), 4);
  });

  await t.test("a call shows what its audit found, and how it differs from its recording", async () => {
    await goTo(page, `#/calls/${ids.second}`);
    await matches(() => page.locator(".audit-findings").textContent(), /invented 4711.*which nobody gave.*It is 4711/);
    const differences = page.locator(".divergences");
    await differences.getByRole("heading", { name: "1 difference from its recording" }).waitFor();
    await matches(() => differences.textContent(), /welcome -> manager, because: asks for a manager.*nownothing/);
    await matches(() => differences.textContent(), /changedThe prompt of welcome changed/);
    await becomes(
      () => differences.getByRole("link", { name: "another call" }).getAttribute("href"),
      `#/calls/${ids.first}`,
    );
    await differences.getByRole("button", { name: "turn 1" }).click();
    await page.locator('.line[aria-selected="true"]').waitFor();
    const again = page.locator(".repetitions");
    await again.getByRole("heading", { name: "The same words, said to the graph" }).waitFor();
    await matches(() => again.textContent(), /2 differences/);
    assert.deepEqual(await seriousViolations(page), []);
    await goTo(page, `#/calls/${ids.first}`);
    await page.locator(".wave canvas").waitFor();
    await becomes(() => page.locator(".divergences, .repetitions, .audit-findings").count(), 0);
  });

  await t.test("label a call that is worth a look", async () => {
    await page.getByRole("link", { name: "Labels", exact: true }).click();
    await page.locator(".queue li").first().waitFor();
    const before = await page.locator(".queue > li").count();
    await page.locator(".queue a").first().click();
    await page.getByRole("button", { name: "✗ bad" }).click();
    await page.getByLabel("what went wrong").fill(`It did not listen ${HOSTILE} \u202ekcab`);
    await page.getByRole("button", { name: "Save label" }).click();
    const said = page.locator(".label-list li", { hasText: "It did not listen" });
    await matches(() => said.textContent(), /\\u\{202e\}kcab/);
    const [name, body] = studio.asked.at(-1) ?? [];
    assert.equal(name, "saveLabel");
    assert.deepEqual([Reflect.get(Object(body), "verdict"), Reflect.get(Object(body), "turn")], ["bad", null]);
    await page.getByRole("link", { name: "Labels", exact: true }).click();
    await page.waitForFunction((count) => document.querySelectorAll(".queue > li").length === count - 1, before);
  });

  await t.test("a labelled call becomes a scenario in a new file, and examples for a judge", async () => {
    await goTo(page, `#/calls/${ids.failed}`);
    const uses = page.locator(".call-uses");
    await uses.getByRole("button", { name: "Make a scenario of it" }).click();
    await uses.locator(".patch", { hasText: 'persona("You ask")' }).waitFor();
    await uses.locator(".notes li", { hasText: "not good" }).waitFor();
    await uses.getByRole("button", { name: "JSON" }).click();
    await uses.locator(".patch", { hasText: '"scenarios"' }).waitFor();
    await uses.getByRole("button", { name: "says the same words" }).click();
    await uses.getByRole("button", { name: "code" }).click();
    await uses.locator(".patch", { hasText: "says(" }).waitFor();
    await uses.getByRole("button", { name: "Show it as a file of the project" }).click();
    await uses.locator(".patch", { hasText: "+script: true" }).waitFor();
    await uses.getByRole("button", { name: "Write it to the source" }).click();
    await uses.getByText("scenario_asks.ts: created. Run it: npx callweave run flow.ts").waitFor();
    await becomes(() => uses.getByRole("link").count(), 0);
    const about = page.getByLabel("about");
    await about.selectOption({ index: 1 });
    await page.getByRole("button", { name: "✓ good" }).click();
    await page.getByRole("button", { name: "Save label" }).click();
    await matches(
      () => uses.getByRole("link", { name: "examples for a judge" }).getAttribute("href"),
      new RegExp(`/exports/examples/judge\\.jsonl\\?call=${ids.failed}$`),
    );
    assert.deepEqual(await seriousViolations(page), []);
    await goTo(page, "#/labels");
    await page.getByText("1 example", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Save as JSON lines" }).waitFor();
  });

  await t.test("compare two branches", async () => {
    await goTo(page, "#/runs");
    await page.locator('table.runs input[type="checkbox"]').nth(1).waitFor();
    for (const index of [0, 1]) await page.locator('table.runs input[type="checkbox"]').nth(index).check();
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page.locator(".compared > li").first().waitFor();
    await matches(() => hashOf(page), new RegExp(`${ids.run}/compare\\?with=${ids.older}`));
    await becomes(() => page.getByText("I want to speak to your manager!").isVisible(), true);
    await page.getByText("Save as", { exact: true }).click();
    await matches(
      () => page.getByRole("link", { name: "JSON lines" }).getAttribute("href"),
      new RegExp(`/exports/comparison/${ids.run}\\.jsonl\\?with=${ids.older}$`),
    );
  });

  await t.test("find a node of an imported agent with 41 nodes, in a layer and by words", async () => {
    await goTo(page, "#/agents/hotel");
    await heading("hotel reception");
    await becomes(() => page.locator("g.box[data-node]").count(), 41);
    await page.getByLabel("search").fill("parking confirm");
    await page.locator("[role=status]", { hasText: /^1 node$/ }).waitFor();
    await becomes(() => page.locator("g.box[data-node]:not(.unmatched)").count(), 1);
    await page.locator(".node-list button").first().click();
    await page.getByRole("heading", { level: 3, name: "parking_confirm" }).waitFor();
    await matches(() => page.locator(".ways").textContent(), /Caller asks about the address→ parking_note/);
    await page.getByRole("button", { name: "→ parking_note" }).click();
    await matches(() => hashOf(page), /node=parking_note/);
    await goTo(page, `#/agents/help-desk?since=${ids.older}`);
    await page.getByRole("button", { name: "changes", exact: true }).click();
    await becomes(() => page.locator('g.box[data-node="welcome"] .node-figure').textContent(), "1 change");
    await becomes(() => page.locator(".node-figure").count(), 1);
    // any two versions, by their choices
    const version = (label: string) => page.locator("label", { hasText: label }).locator("select");
    await version("since").selectOption("1".repeat(64));
    await version("until").selectOption("0".repeat(64));
    await matches(() => hashOf(page), /since=1{64}.*until=0{64}/);
    await page.locator(".changes li").first().waitFor();
    await version("since").selectOption("0".repeat(64));
    await page.getByText("Nothing: it is the same agent.").waitFor();
    await becomes(() => page.locator(".node-figure").count(), 0);
    await goTo(page, "#/agents/help-desk?layer=passed");
    await page.locator(".node-figure").first().waitFor();
    await page.locator("g.box[data-node]").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".node-panel").waitFor();
    await matches(() => hashOf(page), /layer=passed.*node=/);
  });

  await t.test("search what was said, and go to the place", async () => {
    await goTo(page, "#/search?q=manager");
    await page.locator(".found mark").first().waitFor();
    await page.locator(".excerpt").first().click();
    await page.locator('.line[aria-selected="true"]', { hasText: "manager" }).waitFor();
  });

  await t.test("talk with the agent, ask why, and undo", async () => {
    await goTo(page, "#/talk/help-desk");
    await page.getByRole("button", { name: "Start the call" }).click();
    await page.getByText("Hello, how can I help?").waitFor();
    await page.getByLabel("What you say").fill(`Hi ${HOSTILE} \u2066there`);
    await page.keyboard.press("Enter");
    await page.locator(".line.agent", { hasText: "You said: Hi" }).waitFor();
    await matches(() => page.locator(".line.caller").textContent(), /\\u\{2066\}there/);
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByText("The caller has only said hello.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".line.agent", { hasText: "You said: Hi" }).waitFor({ state: "detached" });
  });

  await t.test("talk with the deployed agent, which cannot undo", async () => {
    await goTo(page, "#/runs");
    await page.locator("table.runs").waitFor();
    await goTo(page, "#/talk/help-desk");
    const who = page.getByLabel("who answers");
    await page.getByLabel("try another prompt of").waitFor();
    await who.selectOption("production");
    await becomes(() => page.getByLabel("try another prompt of").count(), 0);
    await page.getByLabel("let its tools really run").check();
    await page.getByRole("button", { name: "Start the call" }).click();
    await page.getByText("answers where it runs").waitFor();
    assert.deepEqual(studio.asked.at(-1), [
      "createChat",
      { agent: "help-desk", connection: "production", allowRealTools: true },
    ]);
    await page.getByLabel("What you say").waitFor();
    for (const name of ["Undo", "Why?", "Set"])
      await becomes(() => page.getByRole("button", { name, exact: true }).count(), 0);
  });

  await t.test("approve a deployment only after reading it", async () => {
    await goTo(page, "#/changes/staging");
    const apply = page.getByRole("button", { name: "Apply to staging" });
    await apply.waitFor();
    await becomes(() => apply.isDisabled(), true);
    await becomes(() => page.locator(".words ins").textContent(), "warmly and by name");
    await page.getByLabel(/I have read/).check();
    await apply.click();
    await page.getByText("Applied: 1 resource written.").waitFor();
    assert.deepEqual(studio.asked.at(-1), ["applyDeployment", { digest: "d1" }]);
    const states = page.getByLabel("to the state before the deployment of");
    await becomes(() => states.locator("option").count(), 2);
    await states.selectOption("a.json");
    await page.getByRole("button", { name: "Plan going back to that state" }).click();
    await page.getByRole("button", { name: "Go back in staging" }).waitFor();
    await page
      .getByLabel(/I have read/)
      .last()
      .check();
    await page.getByRole("button", { name: "Go back in staging" }).click();
    await page.getByText("Applied: 1 resource written.").nth(1).waitFor();
    assert.deepEqual(studio.asked.at(-1), ["rollback", { snapshot: "a.json", digest: "back a.json" }]);
    // another choice is another plan, which is read again
    await states.selectOption("");
    const back = page.getByRole("button", { name: "Go back in staging" });
    await back.waitFor();
    await becomes(() => back.isDisabled(), true);
    await page
      .getByLabel(/I have read/)
      .last()
      .check();
    await back.click();
    await page.getByText("Applied: 1 resource written.").nth(1).waitFor();
    assert.deepEqual(studio.asked.at(-1), ["rollback", { digest: "back latest" }]);
  });

  await t.test("a plan that was made again has to be read again", async () => {
    await goTo(page, "#/changes/production");
    await page.getByLabel(/I have read/).check();
    await page.getByRole("button", { name: "Apply to production" }).click();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator('input[type="checkbox"]:not(:checked)').waitFor();
    await becomes(() => page.getByRole("button", { name: "Apply to production" }).isDisabled(), true);
  });

  await t.test("every screen can be read in both themes, and fits a phone", async () => {
    const views = [
      ["#/", "help desk"],
      ["#/runs", "Runs"],
      [`#/runs/${ids.run}`, /help desk/],
      [`#/runs/${ids.run}/compare?with=${ids.older}`, /compared/],
      ["#/scenarios/takes%20a%20lamp%20back", "takes a lamp back"],
      [`#/calls/${ids.failed}?line=3`, /takes a lamp back/],
      ["#/agents/help-desk?layer=coverage&node=route", "help-desk"],
      ["#/search?q=order", "Search"],
      ["#/labels", "Labels"],
      ["#/talk/hotel", /Talk/],
      ["#/changes/staging", "staging"],
      ["#/audit", "Audit"],
    ] as const;
    for (const [hash, name] of views) {
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(page, hash);
      await heading(hash.startsWith("#/agents") ? "help desk" : name);
      // a screen may load several lists at once
      while ((await page.locator(".waiting").count()) > 0) await page.waitForTimeout(20);
      await becomes(async () => [hash, (await overflowOf(page)) <= 0], [hash, true]);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await becomes(async () => [hash, colorScheme, ...(await seriousViolations(page))], [hash, colorScheme]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  await t.test("a page that is printed has no buttons, and opens what is closed", async () => {
    await goTo(page, `#/calls/${ids.failed}`);
    await heading(/takes a lamp back/);
    await page.emulateMedia({ media: "print" });
    await becomes(() => page.locator("header").isVisible(), false);
    await becomes(() => page.locator(".transcript").isVisible(), true);
    await page.emulateMedia({ media: "screen" });
  });

  const own = new URL(studio.address).origin;
  // the browser reports the plan that could not be applied
  const wrong = complaints.filter((each) => !each.startsWith(`loads ${own}/`) && !each.includes("status of 404"));
  assert.deepEqual(wrong, []);
});
