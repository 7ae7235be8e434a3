import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { parseKnownCalls } from "../../../../src/run/calibration/mod.ts";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { saveLabel } from "../../../../src/surface/studio/data/mod.ts";
import type { AgentQuestion } from "../../../../src/surface/studio/server/mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { fits } from "../_fits.ts";
import { agentFile, type TestStudio, withStudio } from "../_studio.ts";

const SLOW = { timeout: 120_000 };
const MOD = pathToFileURL(join(import.meta.dirname ?? ".", "../../../../mod.ts")).href;

/** Stores a call with two turns of the caller; returns its id. */
async function storedCall({ data }: Pick<TestStudio, "data">, agent = "farewell"): Promise<string> {
  const { id: run } = await data.store.startRun(newRun({ agent }));
  const at = { node_id: "greet", timestamp: "2026-01-02T03:04:05.678Z", metadata: {} };
  const transcript = [
    { ...at, role: "assistant" as const, content: "Hello." },
    { ...at, role: "user" as const, content: "When do you open?" },
    { ...at, role: "tool" as const, content: "lookup" },
    { ...at, role: "assistant" as const, content: "I do not know." },
    { ...at, role: "user" as const, content: "Goodbye." },
    { ...at, role: "assistant" as const, content: "Bye." },
  ];
  const { id } = await data.store.addResult(
    run,
    newResult({ transcript, nodesVisited: ["greet", "bye"], toolsCalled: [], variables: {} }),
  );
  await data.store.finishRun(run);
  return id;
}

/** A label of somebody else than who uses the studio. */
async function labelOf(
  { data }: Pick<TestStudio, "data">,
  id: string,
  label: { readonly call: string; readonly verdict: "good" | "bad"; readonly turn?: number; readonly by: string },
): Promise<void> {
  const { turn = null, ...rest } = label;
  const given = { id, turn, criterion: "polite", what: null, words: null, at: "2026-01-03T00:00:00Z", ...rest };
  await saveLabel(data, given);
}

test("labels become examples for a judge, up to the turn that they are about", () =>
  withStudio(async (tested) => {
    const { address } = tested;
    const studio = createStudioClient({ url: address });
    const [first, second] = [await storedCall(tested), await storedCall(tested)];
    const words = { what: "It is rude", words: "Let me look" };
    await studio.saveLabel({ call: first, turn: 1, criterion: "polite", verdict: "bad", ...words });
    await studio.saveLabel({ call: first, turn: 0, criterion: "polite", verdict: "good" });
    await studio.saveLabel({ call: first, criterion: "helpful", verdict: "bad" });
    await studio.saveLabel({ call: first, verdict: "bad" }); // about no criterion
    await studio.saveLabel({ call: second, criterion: "polite", verdict: "good" });
    const examples = await studio.examples({});
    fits("examples", examples);
    const shown = ({ items }: typeof examples) =>
      items.map(({ name, transcript, verdicts }) => [
        name,
        transcript.length,
        verdicts.map(({ criterion, passed }) => [criterion, passed]),
      ]);
    assert.deepEqual(shown(examples), [
      [second, 5, [["polite", true]]],
      [`${first} turn 1`, 3, [["polite", false]]],
      [`${first} turn 0`, 1, [["polite", true]]],
      [first, 5, [["helpful", false]]],
    ]);
    const said = { by: "ana", verdict: "bad", what: "It is rude", words: "Let me look" };
    assert.deepEqual(examples.items[1]?.verdicts[0]?.said, [said]);
    assert.deepEqual(shown(await studio.examples({ criterion: "helpful" })), [[first, 5, [["helpful", false]]]]);
    assert.deepEqual(shown(await studio.examples({ call: second })), [[second, 5, [["polite", true]]]]);
    const page = await studio.examples({ limit: 1 });
    assert.deepEqual(shown(page), [[second, 5, [["polite", true]]]]);
    const rest = await studio.examples({ limit: 1, cursor: page.nextCursor ?? "" });
    assert.deepEqual([rest.items.length, rest.nextCursor], [3, null]);

    // people who disagree give no known verdict; a majority does
    await labelOf(tested, "l1", { call: second, verdict: "bad", by: "bob" });
    const disputed = await studio.examples({ call: second });
    assert.deepEqual([disputed.items, disputed.disputed], [[], [{ call: second, turn: null, criterion: "polite" }]]);
    await labelOf(tested, "l2", { call: second, verdict: "bad", by: "eve" });
    assert.deepEqual(shown(await studio.examples({ call: second })), [[second, 5, [["polite", false]]]]);

    const saved = await fetch(studio.address("exportExamples", { file: "judge.jsonl" }));
    assert.match(saved.headers.get("content-disposition") ?? "", /"judge\.jsonl"/);
    const lines = (await saved.text()).trim().split("\n");
    assert.equal(parseKnownCalls(lines.map((line) => JSON.parse(line))).length, 4);
    const other = await fetch(studio.address("exportExamples", { file: "judge.csv" }));
    assert.equal(other.status, 404);
    await other.body?.cancel();
  }));

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

test("a labelled call becomes a scenario with the labelled criteria, and what people said of it", SLOW, () =>
  withAgent(agentFile, async (tested) => {
    const { address, folder } = tested;
    const studio = createStudioClient({ url: address });
    const call = await storedCall(tested);
    await studio.saveLabel({ call, turn: 1, criterion: "helpful", verdict: "bad", words: "We open at nine." });
    await labelOf(tested, "l1", { call, verdict: "bad", turn: 2, by: "bob" });
    const made = await studio.callScenario({ call, script: "true" });
    fits("callScenario", made);
    assert.deepEqual(made.scenario.says, ["When do you open?", "Goodbye."]);
    assert.deepEqual(JSON.parse(made.json), { scenarios: [made.scenario] });
    assert.match(made.code, /\.says\(\s*"When do you open\?"/);
    assert.match(made.code, /"helpful"/);
    assert.deepEqual(made.notes.slice(-3), [
      "People say that the call was not good: expect what a good agent does instead.",
      'ana on turn 1, helpful: the right words: "We open at nine."',
      "bob on turn 2, polite: bad",
    ]);
    const blind = await studio.callScenario({ call, blind: "true" });
    assert.ok(!blind.notes.join().includes("bob"));
    assert.match(String(blind.scenario.user_prompt), /When do you open/);

    const proposed = await studio.proposeScenario({ call, script: true, name: "asks when it opens" });
    fits("proposeScenario", proposed);
    const file = "scenario_asks_when_it_opens.json";
    assert.deepEqual(proposed.proposal.files, [file]);
    assert.ok(proposed.command.endsWith(`farewell.json --scenarios ${file}`), proposed.command);
    // another proposal does not take the same file
    const other = await studio.proposeScenario({ call, name: "asks when it opens" });
    assert.deepEqual(other.proposal.files, ["scenario_asks_when_it_opens_2.json"]);
    await assert.rejects(readFile(join(folder, file)));
    const accepted = await studio.acceptProposal({ proposal: proposed.proposal.name });
    assert.deepEqual(accepted.files, [{ path: file, outcome: "created" }]);
    assert.equal(JSON.parse(await readFile(join(folder, file), "utf8")).scenarios[0].name, "asks when it opens");
    await assert.rejects(studio.callScenario({ call: "none" }), { code: "unknown-call", status: 404 });
  }),
);

test("the scenario of a module's agent is a module that imports it", SLOW, () =>
  withAgent(
    async (folder) => {
      const path = join(folder, "desk.ts");
      await writeFile(
        path,
        `import { flow } from ${JSON.stringify(MOD)};
export const desk = flow("desk")
  .conversation("greet", { prompt: "Greet.", next: ({ to }) => [to("bye", "Caller is done")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();
`,
      );
      return { path, exportName: undefined, format: undefined, scenarioFiles: [] };
    },
    async (tested) => {
      const studio = createStudioClient({ url: tested.address });
      const call = await storedCall(tested, "desk");
      const { proposal } = await studio.proposeScenario({ call, script: true });
      assert.deepEqual(proposal.files, ["scenario_when_do_you_open.ts"]);
      assert.match(proposal.patch, /\n\+import \{ desk \} from "\.\/desk\.ts";/);
      assert.match(proposal.patch, /\n\+await runAsProgram\(import\.meta, desk, scenarios\);/);
    },
  ),
);
