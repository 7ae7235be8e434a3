import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, createClient } from "@libsql/client";
import { scripted } from "../../src/call/models/mod.ts";
import { run } from "../../src/run/runner/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { BILLING, BILLING_CALL, DESK, verdict } from "../run/runner/_fixtures.ts";
import { inFolder } from "../run/store/_fixtures.ts";
import { ROOT } from "../surface/cli/_process.ts";
import { snippetsOf } from "./_snippets.ts";

const PAGE = "docs/results-database.md";

/** Two runs of the same agent: in the second one a scenario fails, and one ends in an error. */
async function fill(path: string): Promise<void> {
  const calls = (...names: string[]) =>
    names.map((name) => ({
      name,
      ...BILLING_CALL,
      metrics: ["polite"],
      ...(name === "reaches" ? { visits: ["billing"] } : {}),
    }));
  for (const [scores, ends, more] of [
    [[0.9, 0.9], "Thank you, goodbye!", []],
    [[0.9, 0.1], "Goodbye!", ["fails"]],
  ] as const) {
    const { transition = [], extract = [], respond = [] } = BILLING;
    const answers = [...respond.slice(0, -1), ends];
    await run(DESK, calls("reaches", "is polite", ...more), {
      models: {
        agent: scripted({
          transition: [...transition, ...transition],
          extract: [...extract, ...extract],
          respond: [...answers, ...answers],
          judge: scores.map((score) => ({ verdicts: [verdict(1, score)] })),
        }),
      },
      store: path,
      limits: { concurrency: 1 },
    });
  }
}

/** Calls with a client of a database that runs have filled. */
async function inFilled(body: (client: Client) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "results.db");
    await fill(path);
    const client = createClient({ url: `file:${path}` });
    await body(client);
    client.close();
  });
}

test(`each query of ${PAGE} returns rows on a database that runs have filled`, () =>
  inFilled(async (client) => {
    const queries = snippetsOf(PAGE).filter(({ language }) => language === "sql");
    assert.equal(queries.length, 10);
    for (const { text } of queries) {
      const { rows } = await client.execute(text);
      assert.ok(rows.length > 0, text);
      // money has no value here: these models have no prices
      for (const [column, value] of Object.entries(rows[0] ?? {}))
        assert.ok(value !== null || column === "usd", `${column} is null: ${text}`);
    }
  }));

test(`the queries of ${PAGE} return what the text above them says`, () =>
  inFilled(async (client) => {
    const queries = snippetsOf(PAGE).filter(({ language }) => language === "sql");
    const rowsOf = async (index: number) =>
      (await client.execute(queries[index]?.text ?? "")).rows.map((row) => ({ ...row }));
    assert.deepEqual(
      (await rowsOf(0)).map(({ pass_percent, fail, error }) => [pass_percent, fail, error]),
      [
        [33.3, 1, 1],
        [100, 0, 0],
      ],
    );
    const failures = await rowsOf(1);
    assert.deepEqual(
      failures.map(({ scenario, status }) => [scenario, status]),
      [
        ["is polite", "fail"],
        ["fails", "error"],
      ],
    );
    assert.equal(failures[0]?.why, "polite: It says so.");
    assert.match(String(failures[1]?.why), /no answer|queue/i);
    assert.deepEqual(
      (await rowsOf(2)).map(({ scenario, now_is }) => [scenario, now_is]),
      [["is polite", "fail"]],
    );
    assert.deepEqual(await rowsOf(3), [{ scenario: "is polite", passed: 1, failed: 1 }]);
    assert.deepEqual(await rowsOf(4), [{ criterion: "polite", judged: 4, mean_score: 0.7, failed: 1 }]);
    assert.equal((await rowsOf(6))[0]?.tool, "lookup_bill");
    assert.match(String((await rowsOf(9))[0]?.said), /^Thank you/);
  }));

test(`${PAGE} lists every table and every column`, () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    await (await openStore(path)).close();
    const client = createClient({ url: `file:${path}` });
    const tables = await client.execute(
      // SQLite keeps the index of words in tables of its own
      "SELECT name FROM pragma_table_list WHERE type <> 'shadow' AND name LIKE 'callweave_%'",
    );
    const schema = new Map<string, readonly string[]>();
    for (const { name } of tables.rows) {
      const { rows } = await client.execute(`SELECT name FROM pragma_table_info('${name}')`);
      schema.set(
        String(name),
        rows.map((row) => String(row.name)),
      );
    }
    client.close();
    const text = readFileSync(join(ROOT, PAGE), "utf8");
    const parts = [...text.matchAll(/^`(callweave_\w+)`:[^\n]*\n\n((?:\|[^\n]*\n)+)/gm)];
    const told = new Map(
      parts.map(([, name = "", table = ""]) => [
        name,
        [...table.matchAll(/^\| `(\w+)`/gm)].map(([, column = ""]) => column),
      ]),
    );
    assert.deepEqual([...told].sort(), [...schema].sort());
  }));
