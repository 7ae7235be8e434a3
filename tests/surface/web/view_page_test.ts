import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { drawAddressed } from "../../../src/agent/draw/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";
import { serveView } from "../../../src/surface/cli/view/view.ts";
import type { ViewState } from "../../../src/surface/web/mod.ts";
import { needsProgram } from "../../programs.ts";
import { becomes, matches, openRecorded, seriousViolations, startChromium } from "../reporters/html/_browser.ts";
import { HOSTILE } from "../reporters/html/_help_desk.ts";

const SLOW = { ...needsProgram("chromium"), timeout: 300_000 };

/** Two parts of a graph in frames, one of whose names and prompts would attack the page; one node is not reached. */
const framed = parseGraph({
  entry_node_id: "step_0",
  nodes: {
    ...Object.fromEntries(
      Array.from({ length: 64 }, (_, index) => [
        `step_${index}`,
        {
          state_prompt: `Say ${HOSTILE}`,
          transitions: [
            {
              target_node_id: `step_${(index + 1) % 64}`,
              condition: { type: "llm_prompt", value: `Heard ${HOSTILE}` },
            },
          ],
        },
      ]),
    ),
    lost: { state_prompt: "Nobody comes here." },
  },
});

function stateOf(graph: typeof framed, name: string, error?: string): ViewState {
  const nodes = Object.keys(graph.nodes).length;
  return { picture: { name, nodes, svg: drawAddressed(graph), findings: check(graph) }, error };
}

/** The colours of a page, as the browser computes them. */
async function coloursOf(page: Page) {
  return await page.evaluate(() => ({
    page: getComputedStyle(document.body).backgroundColor,
    box: getComputedStyle(document.querySelector(".box.conversation rect") ?? document.body).fill,
    frame: getComputedStyle(document.querySelector(".frame > rect") ?? document.body).fill,
    filter: getComputedStyle(document.querySelector("svg") ?? document.body).filter,
  }));
}

const scaleOf = (page: Page) => page.locator('button[title="Actual size"]').textContent();

test(
  "the page of view works in Chromium: zoom, theme, findings, errors, and no script of an agent",
  SLOW,
  async (t) => {
    const server = await serveView(0);
    t.after(server.close);
    const browser = await startChromium();
    t.after(() => browser.close());
    const { page, complaints } = await openRecorded(browser);

    await t.test("it waits for a picture, then shows the whole of it", async () => {
      await page.goto(server.address);
      await page.locator('[role="status"]', { hasText: "loading" }).waitFor();
      server.publish({ picture: undefined, error: "error[module-failed] Cannot load" });
      await page.locator('[role="alert"]', { hasText: "module-failed" }).waitFor();
      server.publish(stateOf(helpDesk, "help-desk"));
      await page.locator('[role="status"]', { hasText: "14 nodes, no findings" }).waitFor();
      await becomes(() => page.title(), "help-desk");
      await becomes(() => page.locator('[role="alert"]').isVisible(), false);
      await becomes(() => page.locator("aside").isVisible(), false);
      const isWhole = () =>
        page.evaluate(() => {
          const stage = document.querySelector(".stage");
          return stage !== null && stage.scrollHeight <= stage.clientHeight && stage.scrollWidth <= stage.clientWidth;
        });
      await becomes(isWhole, true);
    });

    await t.test("buttons and Ctrl + wheel zoom, and a new picture keeps the scale and the place", async () => {
      await page.getByTitle("Actual size").click();
      await becomes(() => scaleOf(page), "100 %");
      await page.getByLabel("Zoom in").click();
      await becomes(() => scaleOf(page), "125 %");
      await page.locator(".stage").hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -200);
      await page.keyboard.up("Control");
      await page.waitForTimeout(100);
      const scale = await scaleOf(page);
      assert.ok(Number.parseInt(scale ?? "", 10) > 125, `${scale}`);
      const placeOf = () =>
        page.evaluate(() => {
          const { scrollLeft = 0, scrollTop = 0 } = document.querySelector(".stage") ?? {};
          const width = document.querySelector("svg")?.getBoundingClientRect().width ?? 0;
          return [scrollLeft, scrollTop, Math.round(width)];
        });
      const place = await placeOf();
      const { welcome, ...others } = helpDesk.nodes;
      const changed = parseGraph({
        ...helpDesk,
        nodes: { welcome: { ...welcome, state_prompt: "Say hello." }, ...others },
      });
      server.publish(stateOf(changed, "changed"));
      await page.locator("h1", { hasText: "changed" }).waitFor();
      await matches(() => page.locator(".box.entry title").textContent(), /Say hello/);
      assert.deepEqual([await placeOf(), await scaleOf(page)], [place, scale]);
      await page.getByTitle("Show the whole picture").click();
      await becomes(async () => (await scaleOf(page)) !== scale, true);
    });

    await t.test(
      "a large picture with findings is in frames, readable at its entry, and cannot attack the page",
      async () => {
        await page.reload();
        server.publish(stateOf(framed, HOSTILE, `error: ${HOSTILE}`));
        await page.locator("h1", { hasText: "attacked" }).waitFor();
        await matches(
          () => page.locator('[role="status"]').textContent(),
          /^65 nodes, \d+ findings?, before the error$/,
        );
        await becomes(() => page.locator(".findings li").count(), check(framed).length);
        await becomes(() => page.locator("aside img, .picture img, #page script").count(), 0);
        await becomes(async () => (await page.locator(".frame").count()) > 1, true);
        const isSeen = () =>
          page.evaluate(() => {
            const [stage, entry] = [".stage", ".box.entry"].map((part) =>
              document.querySelector(part)?.getBoundingClientRect(),
            );
            return !!stage && !!entry && entry.top >= stage.top && entry.bottom <= stage.bottom && entry.height > 15;
          });
        await becomes(isSeen, true);
      },
    );

    await t.test("both themes colour the picture, without a filter, and can be read", async () => {
      await page.emulateMedia({ colorScheme: "light" });
      const light = await coloursOf(page);
      await becomes(() => seriousViolations(page), []);
      await page.emulateMedia({ colorScheme: "dark" });
      const dark = await coloursOf(page);
      await becomes(() => seriousViolations(page), []);
      assert.deepEqual([light.filter, dark.filter], ["none", "none"]);
      for (const part of ["page", "box", "frame"] as const) assert.notEqual(light[part], dark[part], part);
      await page.getByLabel("Use light colours").click();
      await becomes(() => coloursOf(page), light);
    });

    const expected = [`loads ${server.address}events`];
    assert.deepEqual([...new Set(complaints)], expected);
  },
);
