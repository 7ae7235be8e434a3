import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { startLocalPlatforms } from "../../../../src/deploy/mod.ts";
import { ownPartOf } from "../../../fast_check.ts";
import { needsProgram } from "../../../programs.ts";
import { runFile } from "../../cli/_process.ts";
import { becomes, matches } from "../../reporters/html/_browser.ts";
import { deskProject, hotelProject, type JourneyProject } from "./_journey_projects.ts";
import { openRealStudio, PROGRAM } from "./_real_studio.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 900_000 };
/** Calls of each scenario, so many that a change from none to all that pass is more than noise. */
const REPEATS = 8;

/** Two kinds of agents; the page is the same in each runtime's server. */
const AGENTS = [
  { name: "an agent in code", make: deskProject },
  { name: "an imported agent of 41 nodes", make: hotelProject },
];
for (const { name, make } of ownPartOf(AGENTS)) {
  test(`ten journeys of a product owner on ${name}`, SLOW, async (t) => {
    await using local = await startLocalPlatforms();
    await journeys(t, make(local.retell), local.key);
  });
}

async function journeys(t: TestContext, project: JourneyProject, key: string): Promise<void> {
  const { folder } = project;
  const env = { RETELL_API_KEY: key };
  const ran = await runFile(PROGRAM, ["run", "--repeat", `${REPEATS}`, "--all-trials"], {
    cwd: folder,
    env: { ...env, GITHUB_SHA: "1".repeat(40), GITHUB_HEAD_REF: "main" },
  });
  assert.equal(ran.code, 1, ran.err);
  const { address, page, wrong } = await openRealStudio(t, folder, [], env);
  await page.goto(address);
  const { agents }: { readonly agents: readonly Agent[] } = JSON.parse(
    await (await fetch(`${address}api/v1/project`)).text(),
  );
  const agent = agents.find(({ source }) => source !== null)?.id ?? "";

  await t.test("find last night's failures", () => findFailures(page, project));
  await t.test("hear why a call was transferred", () => seeTransfer(page, project));
  await t.test("find what was said", () => findWords(page, project));
  await t.test("label ten calls", () => labelTen(page));
  await t.test("find a node in the picture, and how its calls went", () => findNode(page, agent, project));
  await t.test("talk with the agent, ask why, and undo", () => talk(page, project));
  await t.test("try another wording on three calls that failed, and write it to the source", () =>
    tryWording(page, agent, project),
  );
  await t.test("run the scenarios again, and watch", () => runAgain(page));
  await t.test("compare the two runs, and save the comparison", () => compare(page, project));
  await t.test("read the plan of a deployment, approve it, and see who did", () => approve(page));
  assert.deepEqual(wrong(), []);
}

interface Agent {
  readonly id: string;
  readonly source: string | null;
}

/** Goes to a screen by its link at the top. */
async function open(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
}

async function findFailures(page: Page, { name }: JourneyProject): Promise<void> {
  await open(page, "Runs");
  await page.getByLabel("branch").fill("main");
  await page.locator("table.runs tbody a").first().click();
  await page.getByRole("heading", { level: 2, name: new RegExp(name) }).waitFor();
  await page.getByRole("button", { name: `${3 * REPEATS} failed` }).click();
  await becomes(() => page.locator(".grid-row").count(), 3);
  await becomes(() => page.locator(".dot.fail").count(), 3 * REPEATS);
  await page.locator(".dot.fail").first().click();
  await page.getByRole("heading", { name: "What went wrong" }).waitFor();
}

async function seeTransfer(page: Page, { transfer }: JourneyProject): Promise<void> {
  await open(page, "Runs");
  await page.locator("table.runs tbody a").first().click();
  await page.getByRole("searchbox", { name: "scenario" }).fill(transfer.scenario);
  await becomes(() => page.locator(".grid-row").count(), 1);
  await page.locator(".grid-row .dot").first().click();
  await page.getByRole("heading", { level: 2, name: new RegExp(transfer.scenario) }).waitFor();
  await page.locator(".line.move", { hasText: transfer.to }).last().click();
  const why = page.locator(".side .why");
  await matches(() => why.textContent(), new RegExp(`From ${transfer.from} to ${transfer.to}.*${transfer.why}`));
  const current = () => page.locator(".picture .box.current").getAttribute("data-node");
  await becomes(current, transfer.from);
  await page.getByLabel("Step on").click();
  await becomes(current, transfer.to);
}

async function findWords(page: Page, { asks }: JourneyProject): Promise<void> {
  const search = async () => {
    await open(page, "Search");
    await page.getByLabel("words that were said").fill(asks.replace(/[!.]$/, ""));
    await page.locator(".found mark, .nothing").first().waitFor();
  };
  await search();
  // the index is made in the background
  while ((await page.locator(".found mark").count()) === 0) {
    await page.reload();
    await search();
  }
  await page.locator(".excerpt").first().click();
  await page.locator('.line[aria-selected="true"]').waitFor();
}

async function labelTen(page: Page): Promise<void> {
  for (let label = 1; label <= 10; label++) {
    await open(page, "Labels");
    await page.locator(".queue a").first().click();
    await page.getByRole("button", { name: "✗ bad" }).click();
    await page.getByLabel("what went wrong").fill(`The words are wrong, ${label}.`);
    await page.getByRole("button", { name: "Save label" }).click();
    await page.locator(".label-list li", { hasText: `The words are wrong, ${label}.` }).waitFor();
  }
  await page.goto(page.url().replace(/#.*/, "#/"));
  await becomes(() => page.locator("dt", { hasText: "labels" }).locator("+ dd").textContent(), "10");
}

async function findNode(page: Page, id: string, { node, nodes }: JourneyProject): Promise<void> {
  await page.goto(page.url().replace(/#.*/, `#/agents/${id}?layer=passed`));
  await becomes(() => page.locator("g.box[data-node]").count(), nodes);
  await page.getByLabel("search").fill(node);
  await page.locator(".node-list button", { hasText: node }).first().click();
  await page.getByRole("heading", { level: 3, name: node }).waitFor();
  await becomes(() => page.locator(`g[data-node="${node}"] .node-figure`).count(), 1);
}

async function talk(page: Page, { asks, node }: JourneyProject): Promise<void> {
  await open(page, "Talk");
  await page.getByRole("button", { name: "Start the call" }).click();
  await page.getByLabel("What you say").fill(asks);
  await page.keyboard.press("Enter");
  await page.locator(".line.move", { hasText: node }).waitFor();
  await page.getByRole("button", { name: "Why?" }).click();
  await page.locator(".why", { hasText: node }).first().waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".line.move", { hasText: node }).waitFor({ state: "detached" });
}

async function tryWording(page: Page, id: string, { node, source, wrong, right }: JourneyProject): Promise<void> {
  const before = readFileSync(source, "utf8");
  await page.goto(page.url().replace(/#.*/, `#/talk/${id}?new=1`));
  await page.reload();
  await page.getByLabel("try another prompt of").selectOption(node);
  const prompt = page.getByLabel(/prompt in this chat/);
  await prompt.fill((await prompt.inputValue()).replace(wrong, right));
  await page.getByRole("button", { name: "on failed calls" }).click();
  await page.getByRole("button", { name: /^Try on \d+ calls$/ }).click();
  await page.locator(".tried > li.pass", { hasText: "✗ failed as it is, ✓ passed" }).nth(2).waitFor();
  await page.getByRole("button", { name: "Show the change of the source" }).click();
  await page.locator(".patch", { hasText: right }).waitFor();
  await page.getByRole("button", { name: "Write it to the source" }).click();
  await page.getByText(/: written/).waitFor();
  const after = readFileSync(source, "utf8");
  assert.notEqual(after, before);
  // one line differs, by the words that were changed
  const [old, now] = [before.split("\n"), after.split("\n")];
  const changed = now.flatMap((line, index) => (line === old[index] ? [] : [[old[index], line]]));
  assert.equal(changed.length, 1);
  const written = (text: string) => JSON.stringify(text).slice(1, -1);
  assert.equal(changed[0]?.[0]?.replace(written(wrong), written(right)), changed[0]?.[1]);
}

async function runAgain(page: Page): Promise<void> {
  await open(page, "Runs");
  await page.getByRole("button", { name: "Start a run" }).click();
  await page.getByLabel("calls per scenario").fill(`${REPEATS}`);
  await page.getByRole("button", { name: `Call ${4 * REPEATS} times` }).click();
  await becomes(() => page.locator(".dot.pass").count(), 4 * REPEATS);
}

async function compare(page: Page, { says }: JourneyProject): Promise<void> {
  await open(page, "Runs");
  await page.locator('table.runs input[type="checkbox"]').nth(1).waitFor();
  for (const index of [0, 1]) await page.locator('table.runs input[type="checkbox"]').nth(index).check();
  await page.getByRole("link", { name: "Compare the two" }).click();
  await becomes(() => page.locator(".compared > li", { hasText: "▲ better" }).count(), 3);
  await page.locator(".compared", { hasText: says }).first().waitFor();
  await page.getByText("Save as", { exact: true }).click();
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "JSON lines" }).click();
  const [first = ""] = readFileSync((await (await file).path()) ?? "", "utf8").split("\n");
  assert.ok(JSON.parse(first));
}

async function approve(page: Page): Promise<void> {
  await open(page, "Changes");
  await page.getByRole("link", { name: "staging" }).click();
  await page.getByRole("heading", { name: "A new agent" }).waitFor();
  await page.getByLabel(/I have read/).check();
  await page.getByRole("button", { name: "Apply to staging" }).click();
  await page.getByText(/^Applied: \d+ resources? written/).waitFor();
  await page.getByText("The platform has exactly this version.").waitFor();
  await open(page, "Changes");
  await page.getByRole("link", { name: "Who did what" }).click();
  await page.locator("table.audit tbody tr", { hasText: "applyDeployment" }).filter({ hasText: "done" }).waitFor();
}
