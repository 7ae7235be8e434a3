import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { formatGraph } from "../../../../src/document/graph/mod.ts";
import { needsProgram } from "../../../programs.ts";
import { ROOT, runFile } from "../../cli/_process.ts";
import { becomes, matches, seriousViolations } from "../../reporters/html/_browser.ts";
import { hotel } from "./_hotel.ts";
import { openRealStudio, PROGRAM } from "./_real_studio.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };
const FLOW = join(ROOT, "examples", "help-desk", "flow.ts");
const SCENARIOS = join(ROOT, "examples", "help-desk", "scenarios.ts");
const DESK = `import { flow, scenario } from ${JSON.stringify(pathToFileURL(join(ROOT, "mod.ts")).href)};
export const desk = flow("desk")
  .conversation("greet", {
    prompt: "Say that the shop is closed.",
    next: ({ to }) => [to("bye", "Caller says goodbye")],
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
export const scenarios = ["today", "tomorrow", "on Sunday"].map((day) =>
  scenario(\`hears when the shop opens \${day}\`, desk)
    .says(\`When do you open \${day}?\`, "Thank you, goodbye.")
    .includes("nine o'clock"),
);
`;

test("callweave studio shows stored runs, finds what was said, labels and talks", SLOW, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-studio-"));
  const db = join(folder, "results.db");
  const ran = await runFile(PROGRAM, ["run", FLOW, "--scenarios", SCENARIOS, "--db", db], { cwd: folder });
  assert.equal(ran.code, 0, ran.err);
  const { address, page, wrong } = await openRealStudio(t, folder, ["--db", db, "--scenarios", SCENARIOS, FLOW]);

  await page.goto(address);
  await page.locator("table.runs tbody a").first().click();
  await page.locator(".grid-row").nth(5).waitFor();
  await becomes(() => page.locator(".dot.pass").count(), 6);
  await page.locator(".dot").first().click();
  await page.locator(".line.caller").first().waitFor();
  await page.locator('.picture g.box[data-node="welcome"]').waitFor();
  await page.locator(".line.move").first().click();
  await page.locator(".side .why", { hasText: "From welcome to find_topic" }).waitFor();

  await page.getByRole("button", { name: "✓ good" }).click();
  await page.getByRole("button", { name: "Save label" }).click();
  await page.locator(".label-list li", { hasText: "✓ good" }).waitFor();

  await page.getByRole("link", { name: "Changes", exact: true }).click();
  await page.getByRole("link", { name: "Who did what" }).click();
  await page.locator("table.audit tbody tr", { hasText: "saveLabel" }).filter({ hasText: "done" }).waitFor();
  await page.getByLabel("action").fill("startRun");
  await page.getByText("Nobody has done that").waitFor();

  const search = async () => {
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByLabel("words that were said").fill("manager");
    await page.locator(".found mark, .nothing").first().waitFor();
  };
  await search();
  // the index is made in the background
  while ((await page.locator(".found mark").count()) === 0) {
    await page.reload();
    await search();
  }
  await becomes(() => page.locator(".found mark").first().textContent(), "manager");

  await page.getByRole("link", { name: "Talk", exact: true }).click();
  await page.getByLabel("try another prompt of").selectOption("manager");
  await page.getByLabel(/prompt in this chat/).fill("Say that the manager calls back tomorrow.");
  await page.getByRole("button", { name: "Start with this prompt" }).click();
  await page.getByLabel("What you say").fill("I want to speak to your manager!");
  await page.keyboard.press("Enter");
  await page.locator(".line.move", { hasText: "manager" }).waitFor();
  await page.locator(".line.agent", { hasText: "tomorrow" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".line.move", { hasText: "manager" }).waitFor({ state: "detached" });

  assert.deepEqual(wrong(), []);
});

test("another wording is tried on the three calls that failed, and written to the source", SLOW, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-studio-"));
  const [db, source] = [join(folder, "results.db"), join(folder, "desk.ts")];
  writeFileSync(source, DESK);
  const ran = await runFile(PROGRAM, ["run", source, "--db", db], { cwd: folder });
  assert.equal(ran.code, 1, ran.err);
  const { address, page, wrong } = await openRealStudio(t, folder, ["--db", db, source]);

  await page.goto(`${address}#/talk/desk`);
  await page.getByLabel("try another prompt of").selectOption("greet");
  await page.getByLabel(/prompt in this chat/).fill("Say that the shop opens at nine o'clock.");

  await page.getByRole("button", { name: "Start both calls" }).click();
  await page.getByLabel("What you say to both").fill("When do you open?");
  await page.keyboard.press("Enter");
  await page.locator(".two-turns .agent", { hasText: "nine o'clock" }).waitFor();
  await page.locator(".two-turns .agent", { hasText: "closed" }).waitFor();
  await becomes(() => page.locator(".two-turns .differs").count(), 0);

  await page.getByRole("button", { name: "on failed calls" }).click();
  await becomes(() => page.locator(".choices input:checked").count(), 3);
  await page.getByRole("button", { name: "Try on 3 calls" }).click();
  await becomes(() => page.locator(".tried > li.pass", { hasText: "✗ failed as it is, ✓ passed" }).count(), 3);

  await page.getByRole("button", { name: "on a scenario" }).click();
  await page.getByRole("button", { name: "Run it 8 times with each" }).click();
  await page.locator(".compared h3", { hasText: "▲ better" }).waitFor();

  await page.getByRole("button", { name: "Show the change of the source" }).click();
  await matches(
    () => page.locator(".patch").textContent(),
    /\n\+ {4}prompt: "Say that the shop opens at nine o'clock\."/,
  );
  assert.equal(readFileSync(source, "utf8"), DESK);
  // somebody else saves a line elsewhere meanwhile
  writeFileSync(source, DESK.replace("Thank you, goodbye.", "Goodbye."));
  await page.getByRole("button", { name: "Write it to the source" }).click();
  await page.getByText("desk.ts: written, beside edits that were made since").waitFor();
  const written = DESK.replace("the shop is closed", "the shop opens at nine o'clock");
  assert.equal(readFileSync(source, "utf8"), written.replace("Thank you, goodbye.", "Goodbye."));

  assert.deepEqual(wrong(), []);
});

test("on an agent of 41 nodes, a prompt that somebody else changed meanwhile is not overwritten", SLOW, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-studio-"));
  const source = join(folder, "hotel.json");
  const text = formatGraph(hotel);
  writeFileSync(source, text);
  const { address, page, wrong } = await openRealStudio(t, folder, ["--db", join(folder, "results.db"), source]);
  await page.goto(`${address}#/talk`);
  await page.getByLabel("try another prompt of").selectOption("parking_ask");
  await page.getByLabel(/prompt in this chat/).fill("Ask for the number plate.");
  await page.getByRole("button", { name: "Start both calls" }).click();
  await page.getByLabel("What you say to both").fill("I have a question about parking.");
  await page.keyboard.press("Enter");
  await page.locator(".two-turns .agent", { hasText: "number plate" }).waitFor();
  await page.getByRole("button", { name: "Show the change of the source" }).click();
  await page.locator(".patch", { hasText: '+      "state_prompt": "Ask for the number plate."' }).waitFor();
  // the one changed line, and nothing else
  await becomes(async () => (await page.locator(".patch").textContent())?.match(/^[+-] .*/gm)?.length, 2);
  assert.deepEqual(await seriousViolations(page), []);
  const edited = text.replace("of parking, in one sentence", "of parking, in a few words");
  assert.notEqual(edited, text);
  writeFileSync(source, edited);
  await page.getByRole("button", { name: "Write it to the source" }).click();
  await page.locator(".source-change .trouble code", { hasText: "proposal-conflict" }).waitFor();
  assert.equal(readFileSync(source, "utf8"), edited);
  assert.deepEqual(
    wrong().filter((each) => !each.includes("409")),
    [],
  );
});
