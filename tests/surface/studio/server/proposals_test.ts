import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import type { AgentQuestion } from "../../../../src/surface/studio/server/mod.ts";
import { fits } from "../_fits.ts";
import { agentFile, type TestStudio, withStudio } from "../_studio.ts";

const SLOW = { timeout: 120_000 };
const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../../../mod.ts")).href;

/** A module with two nodes. */
const moduleOf = (greet: string, head = "") => `import { flow } from ${JSON.stringify(MOD)};
${head}
// the night shift's words
const NIGHT = "We are closed.";

export const desk = flow("desk")
  .conversation("greet", { prompt: ${greet}, next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`;

/** A studio over an agent that is written before it starts. */
async function withAgent(
  write: (folder: string) => Promise<AgentQuestion>,
  body: (studio: TestStudio, path: string) => Promise<void>,
): Promise<void> {
  const question: { path: string; exportName: undefined; format: undefined; scenarioFiles: string[] } = {
    ...{ path: "", exportName: undefined, format: undefined, scenarioFiles: [] },
  };
  await withStudio(async (studio) => await body(studio, question.path), {
    before: async (_, folder) => void Object.assign(question, await write(folder)),
    question,
  });
}

const asModule =
  (text: string) =>
  async (folder: string): Promise<AgentQuestion> => {
    const path = join(folder, "desk.ts");
    await writeFile(path, text);
    return { path, exportName: undefined, format: undefined, scenarioFiles: [] };
  };

test("another prompt becomes a patch of the module, and is written only when it is accepted", SLOW, () =>
  withAgent(asModule(moduleOf('"Greet."')), async ({ address, folder }, path) => {
    const studio = createStudioClient({ url: address });
    const prompts = [{ node: "greet", before: "Greet.", after: 'Say "good day".' }];
    const proposed = await studio.propose({ agent: "desk", prompts });
    fits("propose", proposed);
    const { proposal } = proposed;
    assert.ok(proposal);
    assert.deepEqual([proposal.files, proposal.state, proposal.isRedacted], [["desk.ts"], "open", false]);
    assert.match(proposal.patch, /\n- {2}\.conversation\("greet", \{ prompt: "Greet\."/);
    assert.match(proposal.patch, /\n\+ {2}\.conversation\("greet", \{ prompt: "Say \\"good day\\"\."/);
    assert.match(proposed.changes[0]?.message ?? "", /greet/);
    assert.equal(await readFile(path, "utf8"), moduleOf('"Greet."'));
    const listed = await studio.proposals({});
    fits("proposals", listed);
    assert.deepEqual(listed.items, [proposal]);

    // an edit elsewhere in the file, made in between, is kept
    await writeFile(path, moduleOf('"Greet."').replace("We are closed.", "We are away."));
    const accepted = await studio.acceptProposal({ proposal: proposal.name });
    fits("acceptProposal", accepted);
    assert.deepEqual(accepted.files, [{ path: "desk.ts", outcome: "merged" }]);
    assert.equal(
      await readFile(path, "utf8"),
      moduleOf('"Say \\"good day\\"."').replace("We are closed.", "We are away."),
    );
    await assert.rejects(studio.acceptProposal({ proposal: proposal.name }), { code: "unknown-proposal", status: 404 });
    const { items } = await studio.audit({});
    assert.deepEqual(
      items.map(({ action, by, detail }) => [action, by, detail.outcome]),
      [
        ["acceptProposal", "ana", "unknown-proposal"],
        ["acceptProposal", "ana", "done"],
        ["propose", "ana", "done"],
      ],
    );
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes("repair")),
      [],
    );
  }),
);

test("a prompt that somebody else has changed is not overwritten, before and after it was proposed", SLOW, () =>
  withAgent(asModule(moduleOf('"Greet."')), async ({ address }, path) => {
    const studio = createStudioClient({ url: address });
    const propose = async (before: string, after: string) =>
      (await studio.propose({ agent: "desk", prompts: [{ node: "greet", before, after }] })).proposal?.name ?? "";
    const [ana, bob] = [await propose("Greet.", "Greet warmly."), await propose("Greet.", "Greet briefly.")];
    await studio.acceptProposal({ proposal: ana });
    await assert.rejects(studio.acceptProposal({ proposal: bob }), { code: "proposal-conflict", status: 409 });
    const warm = moduleOf('"Greet warmly."');
    assert.equal(await readFile(path, "utf8"), warm);
    // what was edited is an older prompt than the source has
    await assert.rejects(propose("Greet.", "Greet in French."), { code: "proposal-conflict", status: 409 });
    assert.equal(await readFile(path, "utf8"), warm);
    assert.deepEqual(
      (await studio.proposals({})).items.map(({ name }) => name),
      [bob],
    );
    fits("rejectProposal", await studio.rejectProposal({ proposal: bob }));
    assert.deepEqual((await studio.proposals({})).items, []);
  }),
);

test("two editors who accept at once keep both changes, or one is refused", SLOW, () =>
  withAgent(asModule(moduleOf('"Greet."', "\n\n")), async ({ address }, path) => {
    const studio = createStudioClient({ url: address });
    const named = async (node: string, before: string, after: string) =>
      (await studio.propose({ agent: "desk", prompts: [{ node, before, after }] })).proposal?.name ?? "";
    const names = [await named("greet", "Greet.", "Greet warmly."), await named("greet", "Greet.", "Greet briefly.")];
    const outcomes = await Promise.allSettled(names.map((proposal) => studio.acceptProposal({ proposal })));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const kept = outcomes[0]?.status === "fulfilled" ? "Greet warmly." : "Greet briefly.";
    assert.equal(await readFile(path, "utf8"), moduleOf(JSON.stringify(kept), "\n\n"));
  }),
);

test("a prompt that code builds is refused with the reason, and the change in words", SLOW, () =>
  withAgent(asModule(moduleOf("`Greet $" + '{["the", "caller"].join(" ")}.`')), async ({ address }, path) => {
    const studio = createStudioClient({ url: address });
    const before = await readFile(path, "utf8");
    const prompts = [{ node: "greet", before: "Greet the caller.", after: "Greet." }];
    const { proposal, refused, changes } = await studio.propose({ agent: "desk", prompts });
    assert.deepEqual([proposal, refused?.code], [null, "no-literal"]);
    assert.match(refused?.message ?? "", /does not have the text "Greet the caller\." as one string/);
    assert.equal(refused?.hint, "Make the change in the source by hand");
    assert.ok(changes.some(({ message }) => message.includes("greet")));
    assert.equal(await readFile(path, "utf8"), before);
    assert.deepEqual((await studio.proposals({})).items, []);
  }),
);

test("a document keeps its layout, and one outside of the project is refused", SLOW, async () => {
  await withAgent(
    (folder) => agentFile(folder),
    async ({ address }, path) => {
      const studio = createStudioClient({ url: address });
      const text = await readFile(path, "utf8");
      const prompts = [{ node: "bye", before: "Say goodbye.", after: "Say adieu." }];
      const { proposal } = await studio.propose({ agent: "farewell", prompts });
      await studio.acceptProposal({ proposal: proposal?.name ?? "" });
      assert.equal(await readFile(path, "utf8"), text.replace("Say goodbye.", "Say adieu."));
      const bad = { agent: "farewell", prompts: [{ node: "none", before: "", after: "x" }] };
      await assert.rejects(studio.propose(bad), { code: "unknown-target" });
      await assert.rejects(studio.acceptProposal({ proposal: "../../x" }), { code: "unknown-proposal" });
      await assert.rejects(
        studio.propose({ agent: "farewell", prompts: [{ node: "bye", before: "Say adieu.", after: "Say adieu." }] }),
        { code: "invalid-request" },
      );
    },
  );
  const outside = async (folder: string) => {
    const beside = `${folder}-beside`;
    await mkdir(beside, { recursive: true });
    return await agentFile(beside);
  };
  await withAgent(outside, async ({ address }, path) => {
    const prompts = [{ node: "bye", before: "Say goodbye.", after: "Say adieu." }];
    const answer = await createStudioClient({ url: address }).propose({ agent: "farewell", prompts });
    assert.deepEqual([answer.proposal, answer.refused?.code], [null, "invalid-proposal"]);
    assert.match(await readFile(path, "utf8"), /Say goodbye\./);
  });
});
