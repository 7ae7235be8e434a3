import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { someOf } from "../../../fast_check.ts";
import { ended, type ServedStudio, serve } from "./_served.ts";

const SLOW = { timeout: 300_000 };
const SDK = JSON.stringify(new URL("../../../../mod.ts", import.meta.url).href);
const moduleOf = (greet: string) => `import { flow } from ${SDK};
export const shop = flow("shop")
  .conversation("greet", { prompt: "${greet}", next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`;

/** A project in a folder of its own. */
async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-killed-"));
  await writeFile(join(folder, "flow.ts"), moduleOf("Greet."));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "callweave.config.json"), '{ "source": "flow.ts" }');
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Kills a server, and waits for its end. */
async function kill({ child }: ServedStudio): Promise<void> {
  child.kill("SIGKILL");
  await ended(child);
}

test("a server that is killed while it writes a proposal leaves the source as it was or as it is wanted", SLOW, () =>
  inFolder(async (folder) => {
    const path = join(folder, "flow.ts");
    let [before, server] = ["Greet.", await serve(folder)];
    try {
      for (const [round, afterMs] of someOf([0, 4, 12, 40]).entries()) {
        const after = `Greet, round ${round}.`;
        const { proposal } = await server.studio.propose({
          agent: "shop",
          prompts: [{ node: "greet", before, after }],
        });
        assert.ok(proposal);
        const accepted = server.studio.acceptProposal({ proposal: proposal.name }).then(
          () => true,
          () => false,
        );
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        await kill(server);
        const isSaid = await accepted;
        const text = await readFile(path, "utf8");
        assert.ok([before, after].map(moduleOf).includes(text), text);
        if (isSaid) assert.equal(text, moduleOf(after), "it was said to be written");
        server = await serve(folder);
        const { items } = await server.studio.proposals({});
        const isOpen = items.some(({ name }) => name === proposal.name);
        // what was not written can be accepted still
        if (text === moduleOf(before)) assert.ok(isOpen, "the proposal is lost");
        if (isOpen) await server.studio.acceptProposal({ proposal: proposal.name });
        assert.equal(await readFile(path, "utf8"), moduleOf(after));
        before = after;
      }
    } finally {
      await kill(server);
    }
  }),
);
