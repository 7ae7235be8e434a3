import assert from "node:assert/strict";
import { test } from "node:test";
import { needsProgram } from "../../../programs.ts";
import { becomes, matches, openRecorded, seriousViolations, startChromium } from "../../reporters/html/_browser.ts";
import { helpDesk } from "../../reporters/html/_help_desk.ts";
import { serveStudio } from "./_studio_server.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };

const POLICIES = [
  { name: "nobody gets to a manager", rules: [{ verb: "never", points: [{ node: "manager" }] }] },
  {
    name: "the order is looked up first",
    rules: [{ verb: "before", first: [{ tool: "look_up_order" }], second: [{ node: "tell_status" }] }],
  },
  { name: "names nobody", rules: [{ verb: "never", points: [{ node: "goodby" }] }] },
] as const;

test("a policy that can be broken shows the call that breaks it, in the picture and step by step", SLOW, async (t) => {
  const studio = await serveStudio([
    { id: "help-desk", name: "help desk", graph: helpDesk, reports: [], policies: POLICIES },
  ]);
  t.after(studio.close);
  const browser = await startChromium();
  t.after(() => browser.close());
  const { page, complaints } = await openRecorded(browser);
  const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
  await page.goto(`${studio.address}#/agents/help-desk`);
  const panel = page.locator(".policies");
  await becomes(() => panel.locator(".badge").allTextContents(), ["✗can be broken", "✓holds", "∅not decided"]);
  await matches(() => panel.textContent(), /never node "manager".*names node "goodby", which the graph does not have/);
  await becomes(() => page.locator(".picture g.off").count(), 0);

  await panel.getByRole("button", { name: "Show a call that breaks it" }).click();
  await matches(hash, /policy=nobody\+gets\+to\+a\+manager/);
  await becomes(() => page.locator('g.box.off[data-node="manager"], g.box.off[data-node="welcome"]').count(), 0);
  await becomes(() => page.locator('g.box.off[data-node="goodbye"]').count(), 1);
  const steps = panel.locator(".policy-steps button");
  await matches(() => steps.first().textContent(), /^The call begins at welcome/);
  await matches(() => panel.locator("ol").textContent(), /welcome → manager, because .*The agent speaks at manager$/);

  // by keyboard, and the address keeps the step
  await steps.first().focus();
  await page.keyboard.press("ArrowDown");
  await matches(hash, /step=0/);
  await becomes(() => page.locator("g.box.current").getAttribute("data-node"), "welcome");
  const count = await steps.count();
  for (let step = 1; step < count; step++) await page.keyboard.press("ArrowDown");
  await matches(hash, new RegExp(`step=${count - 1}`));
  await becomes(() => page.locator("g.box.current").getAttribute("data-node"), "manager");
  await page.reload();
  await becomes(() => panel.locator("[aria-current=step]").textContent(), await steps.last().textContent());
  await becomes(() => page.locator("g.box.current").getAttribute("data-node"), "manager");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await becomes(() => seriousViolations(page), []);
  }

  await panel.getByRole("button", { name: "Hide the call that breaks it" }).click();
  await becomes(() => page.locator(".picture g.off").count(), 0);
  await becomes(hash, "#/agents/help-desk");
  const own = new URL(studio.address).origin;
  assert.deepEqual(
    complaints.filter((each) => !each.startsWith(`loads ${own}/`)),
    [],
  );
});
