import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { databaseHash } from "../../bench/tau/database.ts";
import { deviations } from "../../bench/tau/deviations.ts";
import { expectedDatabase, rewardOf, unsaid } from "../../bench/tau/grade.ts";
import { tauMessages } from "../../bench/tau/messages.ts";
import { passHats } from "../../bench/tau/pass_hat.ts";
import { cents, computed, numberText } from "../../bench/tau/python_numbers.ts";
import { parametersOf, RETAIL_TOOLS, useTool } from "../../bench/tau/retail_tools.ts";
import { recordedScript, runScript, runTasks } from "../../bench/tau/simulate.ts";
import { FIXTURE, FOLDER_VARIABLE, readRetail, retailFolder } from "../../bench/tau/tasks.ts";
import { scripted } from "../../src/call/models/mod.ts";
import { withEnvironment } from "../environment.ts";

const data = await readRetail(FIXTURE);
const known = JSON.parse(await readFile(join(FIXTURE, "rewards.json"), "utf8"));

test("databases have the hashes that tau2-bench gives them, at the start and after the expected actions", () => {
  assert.equal(databaseHash(data.database), known.hash);
  for (const task of data.tasks)
    assert.equal(databaseHash(expectedDatabase(task, data.database)), known.expected[task.id], `task ${task.id}`);
  assert.equal(new Set(Object.values(known.expected)).size, 6);
});

test("recorded actions have the reward 1, and deviations the rewards that tau2-bench's own evaluator gives", async () => {
  let tried = 0;
  for (const task of data.tasks) {
    for (const [name, script] of Object.entries(deviations(task, data.database))) {
      const { reward } = await runScript(data, task, script);
      const found = [reward?.parts.DB, reward?.parts.COMMUNICATE, reward?.reward];
      assert.deepEqual(found, known.rewards[task.id][name], `task ${task.id}, ${name}`);
      if (name === "recorded") assert.equal(reward?.reward, 1, `task ${task.id}`);
      tried += 1;
    }
  }
  assert.equal(tried, 84);
  assert.equal(databaseHash(data.database), known.hash);
});

test("numbers are rounded and written as in Python", () => {
  const rounded = [0.125, 0.375, 2.675, 1.005, 100, -0.125, 536.655];
  assert.deepEqual(rounded.map(cents), [0.12, 0.38, 2.67, 1, 100, -0.12, 536.65]);
  const written = [8, 0.1, 1e16, 1.5e-7, -0, 123456789012];
  assert.deepEqual(written.map(numberText), ["8.0", "0.1", "1e+16", "1.5e-07", "-0.0", "123456789012.0"]);
  const texts = ["2 + 2", "(1+2)*3-4/8", "2**3**2", "-2**2", "7//2", "-7//2", ".5+1."];
  assert.deepEqual(texts.map(computed), [4, 8.5, 512, -4, 3, -4, 1.5]);
  for (const wrong of ["", "1 2", "(1", "1)", "07", "1(2)", "*2", "1/0"])
    assert.throws(() => computed(wrong), /./, `"${wrong}"`);
  assert.throws(() => useTool(data.database, "calculate", { expression: "process.exit()" }), /Invalid characters/);
});

test("tools refuse what tau2-bench's refuse, with its words, and change nothing then", () => {
  const refused: readonly (readonly [name: string, args: { readonly [name: string]: unknown }, words: RegExp])[] = [
    ["cancel_pending_order", { order_id: "#W2", reason: "no longer needed" }, /Non-pending order cannot be cancelled/],
    ["cancel_pending_order", { order_id: "#W1", reason: "bored" }, /Invalid reason/],
    ["get_order_details", { order_id: "W1" }, /Order not found/],
    ["get_user_details", { user_id: "constructor" }, /User not found/],
    ["modify_pending_order_payment", { order_id: "#W1", payment_method_id: "gift_card_1" }, /Insufficient gift card/],
    ["modify_pending_order_payment", { order_id: "#W1", payment_method_id: "credit_card_1" }, /should be different/],
    [
      "exchange_delivered_order_items",
      { order_id: "#W2", item_ids: ["1001"], new_item_ids: ["1003"], payment_method_id: "credit_card_1" },
      /New item 1003 not found or available/,
    ],
    [
      "return_delivered_order_items",
      { order_id: "#W4", item_ids: ["1002", "1002"], payment_method_id: "paypal_2" },
      /Some item not found/,
    ],
    ["find_user_id_by_email", { email: 5 }, /is no text/],
    ["find_user_id_by_email", { email: "jo@example.com", more: "x" }, /unexpected argument/],
    ["refund_everything", {}, /not found/],
  ];
  const database = structuredClone(data.database);
  for (const [name, args, words] of refused) assert.throws(() => useTool(database, name, args), words, name);
  assert.equal(databaseHash(database), known.hash);
  assert.deepEqual(
    parametersOf(RETAIL_TOOLS.find_user_id_by_email ?? { description: "", parameters: {}, use: () => 0 }),
    {
      type: "object",
      properties: { email: { type: "string", description: "The email of the user, such as 'something@example.com'." } },
      required: ["email"],
      additionalProperties: false,
    },
  );
});

test("what was to be said is found by tau2-bench's rule, which ignores the commas of the agent alone", () => {
  const [first] = data.tasks;
  assert.ok(first);
  const task = {
    ...first,
    evaluation_criteria: { ...first.evaluation_criteria, communicate_info: ["1,000", "1000", "Two"] },
  };
  const said = {
    role: "assistant",
    content: "That is 1,000 in TWO parts.",
    node_id: "",
    timestamp: "",
    metadata: {},
  } as const;
  assert.deepEqual(unsaid(task, [said]), ["1,000"]);
  assert.deepEqual(unsaid(task, [{ ...said, role: "user" }]).length, 3);
});

test("a call that ends otherwise than by agent or caller has the reward 0, and what nobody judged is named", () => {
  const [task, , , , , words] = data.tasks;
  assert.ok(task && words);
  const call = { endReason: "caller_ended", isDatabaseRight: true, unsaid: [], assertionsHold: undefined } as const;
  assert.deepEqual([rewardOf(task, call).reward, rewardOf(task, { ...call, endReason: "max_turns" }).reward], [1, 0]);
  assert.deepEqual(rewardOf(words, call).unjudged, ["NL_ASSERTION"]);
  assert.equal(rewardOf(words, { ...call, assertionsHold: false }).reward, 0);
  assert.equal(rewardOf(words, { ...call, unsaid: ["x"], assertionsHold: true }).reward, 1);
});

test("a model's calls give pass^k with intervals; the judge decides the assertions in words", async () => {
  const tasks = data.tasks.filter(({ id }) => id === "2" || id === "5");
  const [two, five] = tasks;
  assert.ok(two && five);
  const turn = (task: typeof two) =>
    recordedScript(task).actions.map(({ name, arguments: args }) => ({ toolCalls: [{ name, arguments: args }] }));
  const agent = scripted({
    respond: [...turn(two), "Done.", ...turn(five), "Done.", "I did nothing.", ...turn(five), "Done."],
  });
  const verdict = (score: number) => ({
    verdicts: [{ number: 1, requirement: "", claims: "presence", evidence: [], reasoning: "r", score, confidence: 1 }],
  });
  const trials = await runTasks(data, tasks, {
    models: { agent, judge: scripted({ judge: [verdict(1), verdict(0)] }) },
    says: ["Please help me."],
    trials: 2,
    judgesWords: true,
    options: { limits: { concurrency: 1 } },
  });
  assert.deepEqual(
    trials.map(({ task, trial, reward }) => [task, trial, reward?.reward]),
    [
      ["2", 1, 1],
      ["2", 2, 0],
      ["5", 1, 1],
      ["5", 2, 0],
    ],
  );
  const [once, twice] = passHats(trials);
  assert.deepEqual([once?.value, twice?.value, once?.tasks], [0.5, 0, 2]);
  assert.ok(once && twice && once.low <= 0.5 && once.high >= 0.5 && twice.low === 0 && twice.high > 0.5);
  const failed = await runTasks(data, [two], {
    models: { agent: scripted({ respond: [new Error("down")] }) },
    says: ["Hi"],
    options: { requests: { retry: { retries: 0 } } },
  });
  assert.deepEqual([failed[0]?.reward, passHats(failed)], [undefined, []]);
});

test("an agent that repeats a failing tool call has the reward 0", async () => {
  const task = data.tasks.find(({ id }) => id === "6");
  assert.ok(task);
  const look = { name: "get_order_details", arguments: { order_id: "#W9" } };
  const { reward, result } = await runScript(data, task, { actions: [look, look], says: "1000" });
  assert.deepEqual([result.endReason, reward?.reward], ["failed", 0]);
});

test("calls are written as messages of tau2-bench, failed tools included", async () => {
  const task = data.tasks.find(({ id }) => id === "4");
  assert.ok(task);
  const { result } = await runScript(data, task, recordedScript(task));
  const messages = JSON.parse(JSON.stringify(tauMessages(result.transcript)));
  assert.deepEqual(
    messages.map(
      ({ role, tool_calls: calls, error }: { role: string; tool_calls?: { name: string }[]; error?: boolean }) => [
        role,
        calls?.[0]?.name ?? error,
      ],
    ),
    [
      ["assistant", undefined],
      ["user", undefined],
      ["assistant", "find_user_id_by_email"],
      ["tool", false],
      ["assistant", "exchange_delivered_order_items"],
      ["tool", true],
      ["assistant", "transfer_to_human_agents"],
      ["tool", false],
      ["assistant", undefined],
    ],
  );
  assert.match(messages[5].content, /^Error: New item 1003 not found or available$/);
});

test("the folder of the data is found, and data in another format are refused", async () => {
  await withEnvironment({ [FOLDER_VARIABLE]: FIXTURE }, async () => assert.equal(retailFolder(), FIXTURE));
  const folder = await mkdtemp(join(tmpdir(), "tau-"));
  await withEnvironment({ [FOLDER_VARIABLE]: folder }, async () => assert.equal(retailFolder(), undefined));
  for (const name of ["db.json", "policy.md", "tasks.json"])
    await writeFile(join(folder, name), await readFile(join(FIXTURE, name)));
  const tasks = JSON.parse(await readFile(join(FIXTURE, "tasks.json"), "utf8"));
  tasks[0].evaluation_criteria.reward_basis = ["DB", "ACTION"];
  await writeFile(join(folder, "tasks.json"), JSON.stringify(tasks));
  await assert.rejects(readRetail(folder), /Invalid type/);
});
