import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { newResult, newRun } from "../../run/store/_fixtures.ts";
import { ownStart, ROOT } from "../cli/_process.ts";
import { withStudio } from "./_studio.ts";

const CLIENT = new URL("../../../api/client.ts", import.meta.url).href;

/** The program of docs/rest.md, for a server at another address. */
function program(address: string): string {
  const [, text = ""] = /```ts no-run\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "docs", "rest.md"), "utf8")) ?? [];
  const [from, url] = ['"callweave/client"', '"http://127.0.0.1:4040"'];
  assert.ok(text.includes(from) && text.includes(url), "the page has another example");
  return text.replace(from, JSON.stringify(CLIENT)).replace(url, JSON.stringify(address));
}

/** Waits until a program has printed a line. */
function printed(child: ChildProcess): (line: string) => Promise<void> {
  let out = "";
  let over: string | undefined;
  let look = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part) => {
      out += part;
      look();
    });
  child.once("close", (code) => {
    over = `it ended with ${code}: ${out}`;
    look();
  });
  return (line) =>
    new Promise((resolve, reject) => {
      look = () => {
        if (out.split("\n").includes(line)) resolve();
        else if (over !== undefined) reject(new Error(over));
      };
      look();
    });
}

test("the example of docs/rest.md prints the scenarios of a run, and the calls that end", { timeout: 120_000 }, (t) =>
  withStudio(async ({ address, data, folder, errors }) => {
    const { id: run } = await data.store.startRun(newRun());
    await data.store.addResult(run, newResult({ scenario: "greets", status: "pass", trial: 1, attempt: 1 }));
    await data.store.addResult(run, newResult({ scenario: "greets", status: "fail", trial: 2, attempt: 1 }));
    const file = join(folder, "example.ts");
    writeFileSync(file, program(address));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const [command = "", ...start] = ownStart();
    const child = spawn(command, [...start, file], { cwd: folder, env: { PATH: process.env.PATH } });
    t.after(() => child.kill("SIGKILL"));
    const prints = printed(child);
    await prints("greets 0.5");
    // it may not listen yet: a call ends until it has been told of one
    const told = prints("greets pass");
    let isTold = false;
    void told.finally(() => {
      isTold = true;
    });
    for (let trial = 3; !isTold; trial++) {
      await data.store.addResult(run, newResult({ scenario: "greets", status: "pass", trial, attempt: 1 }));
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    await told;
    assert.deepEqual(errors, []);
  }),
);
