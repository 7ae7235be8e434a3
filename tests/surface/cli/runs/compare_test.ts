import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { compareRuns } from "../../../../api/statistics.ts";
import { openStore, type Verdict } from "../../../../mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { callweave, folder } from "../_terminal.ts";

function verdict(passed: boolean): Verdict {
  const said = { requirement: "", evidence: "", reasoning: "It was rude.", confidence: 1, threshold: 0.7 };
  return { criterion: "polite", ...said, score: passed ? 1 : 0.25, passed };
}

/** Stores a run with so many passed trials of 12, each with one verdict. */
async function storedRun(path: string, passes: number): Promise<string> {
  await using store = await openStore(path, { spool: false });
  const { id } = await store.startRun(newRun());
  const message = (content: string) => ({ ...newResult().transcript[0], role: "assistant" as const, content });
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const passed = index < passes;
      const said = { content: "Hello.", node_id: "greet", timestamp: "2026-01-01T00:00:00.000Z", metadata: {} };
      const transcript = [
        { ...said, ...message("Hello.") },
        { ...said, ...message(passed ? "Welcome!" : "What?") },
      ];
      const fields = { scenario: "books", trial: index + 1, attempt: 1, verdicts: [verdict(passed)], transcript };
      return store.addResult(id, { ...newResult(), ...fields, status: passed ? "pass" : "fail" });
    }),
  );
  await store.finishRun(id);
  return id;
}

test("runs compare names what got worse, shows calls side by side, and exits by its policy", async () => {
  const path = join(folder(), "results.db");
  const [base, head] = [await storedRun(path, 12), await storedRun(path, 3)];
  const compare = (...args: string[]) => callweave(["runs", "compare", ...args, "--db", path]);

  const { code, out, err } = await compare(base, head, "--transcripts");
  assert.deepEqual([code, err], [1, ""]);
  assert.match(out, /▼ books: the pass rate fell from 12\/12 to 3\/12: more than noise \(p = 0\.00034\)/);
  assert.match(out, /▼ "polite" fell from 12\/12 to 3\/12: more than noise/);
  assert.match(out, /base: trial 4, pass +│ head: trial 4, fail\n/);
  assert.match(out, /agent {3}Welcome! +≠ agent {3}What\?\n/);
  assert.match(out, /head: ✗ polite \(0\.25 of 0\.7\): It was rude\./);

  assert.equal((await compare(head, base)).code, 0);
  assert.equal((await compare(head, base, "--fail-on", "changed")).code, 1);
  assert.equal((await compare(base, head, "--fail-on", "never")).code, 0);
  const wrong = await compare(base, head, "--fail-on", "better");
  assert.deepEqual([wrong.code, wrong.err.startsWith("error[usage]")], [2, true]);

  const { out: json } = await compare(base, head, "--json");
  await using store = await openStore(path, { spool: false });
  const stored = await Promise.all([base, head].map((id) => store.showRun(id)));
  const [before, after] = stored;
  assert.ok(before && after);
  assert.deepEqual(JSON.parse(json), compareRuns(before, after), "counts of the database are those of the results");
});

test("a baseline's name is accepted wherever a run is, and runs compare takes the newest other run", async () => {
  const path = join(folder(), "results.db");
  const [base, head] = [await storedRun(path, 12), await storedRun(path, 12)];
  const runs = async (...args: string[]) => await callweave(["runs", ...args, "--db", path]);
  assert.equal((await runs("baseline", "list")).out, `no baselines in ${path}\n`);
  assert.equal((await runs("baseline", "set", "main", base.slice(0, 20))).out, `baseline main is run ${base}\n`);
  assert.match((await runs("baseline", "list")).out, new RegExp(`^main  ${base}  20`));
  assert.deepEqual(JSON.parse((await runs("compare", "main", "--json")).out).head.id, head);
  assert.equal(JSON.parse((await runs("show", "main", "--json")).out).run.id, base);
  assert.match((await runs("delete", "main")).err, /^error\[run-is-baseline\]/);
  assert.equal((await runs("baseline", "set", "release", "main", "--json")).code, 0);
  assert.equal((await runs("baseline", "remove", "main")).out, `removed baseline main; run ${base} stays\n`);
  assert.deepEqual(
    JSON.parse((await runs("baseline", "list", "--json")).out).map(({ name, runId }: Record<string, string>) => [
      name,
      runId,
    ]),
    [["release", base]],
  );
  assert.match((await runs("compare", "main", head)).err, /^error\[unknown-run\]/);
});

test("runs baseline without a command lists its commands", async () => {
  const { code, out } = await callweave(["runs", "baseline"]);
  assert.equal(code, 2);
  assert.match(out, /runs baseline set NAME RUN/);
  assert.doesNotMatch(out, /runs list/);
  assert.match((await callweave(["runs", "baseline", "sett"])).err, /Did you mean "callweave runs baseline set"\?/);
  assert.equal((await callweave(["runs", "baseline", "set", "--help"])).code, 0);
});

test("runs compare exits with 3 when a scenario ended in errors only", async () => {
  const path = join(folder(), "results.db");
  const base = await storedRun(path, 12);
  await using store = await openStore(path, { spool: false });
  const { id: head } = await store.startRun(newRun());
  await store.addResult(head, { ...newResult(), scenario: "books", status: "error" });
  const { code, out } = await callweave(["runs", "compare", base, head, "--db", path]);
  assert.equal(code, 3);
  assert.match(out, /not compared: no trial of the head passed or failed \(1 error\)/);
  assert.match(out, /\(not finished\)/);
});

test("runs show --compare-to adds the comparison with a baseline to the HTML report, and needs a report for it", async () => {
  const path = join(folder(), "results.db");
  const [base, head] = [await storedRun(path, 12), await storedRun(path, 3)];
  await callweave(["runs", "baseline", "set", "main", base, "--db", path]);
  const show = (...args: string[]) => callweave(["runs", "show", head, "--db", path, ...args]);
  const { code, out } = await show("--compare-to", "main", "--reporter", "html");
  assert.equal(code, 0);
  const named = new RegExp(`"base":"run ${base.slice(0, 8)}`);
  assert.match(out, named);
  assert.doesNotMatch((await show("--reporter", "html")).out, named);
  assert.match((await show("--compare-to", "main")).err, /--compare-to needs a report/);
  assert.match((await show("--compare-to", "none", "--reporter", "html")).err, /unknown-run/);
});
