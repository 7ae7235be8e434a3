import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { defineConfig } from "../../../mod.ts";
import { checkCommand } from "../../../src/surface/cli/agents/mod.ts";
import { type Command, readArguments } from "../../../src/surface/cli/arguments.ts";
import { COMMANDS } from "../../../src/surface/cli/commands/mod.ts";
import { configurableCommands } from "../../../src/surface/cli/config/mod.ts";
import { readConfig } from "../../../src/surface/cli/config/read_config.ts";
import { diagnoseCommand } from "../../../src/surface/cli/diagnose/mod.ts";
import { evaluateCommand } from "../../../src/surface/cli/evaluate/mod.ts";
import { replayCommand } from "../../../src/surface/cli/replay/mod.ts";
import { runCommand } from "../../../src/surface/cli/run/mod.ts";
import { findConfig } from "../../../src/surface/project/mod.ts";
import { CASE, callweave, folder, GRAPH } from "./_terminal.ts";

/** Arguments of `callweave run` in a project with a configuration. */
async function argumentsOf(config: unknown, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const path = join(folder({ "callweave.config.json": config }), "callweave.config.json");
  return await readArguments(argv, runCommand.spec, "run", await readConfig(path, runCommand, { env }));
}

test("callweave.config.json names the agent, its scenarios and flags for commands that are started without arguments", async () => {
  const path = folder({
    "agent.json": GRAPH,
    "tests.json": { $schema: "./scenarios.json", scenarios: [CASE] },
    "callweave.config.json": {
      source: "agent.json",
      tests: "tests.json",
      run: { json: true, model: "offline", db: "own.db", fail_fast: true },
      check: { target: "retell" },
    },
  });
  const ran = await callweave(["run"], { cwd: path });
  assert.equal(ran.code, 0, ran.err);
  assert.equal(JSON.parse(ran.out).counts.pass, 1);
  const checked = await callweave(["check", "--json"], { cwd: path });
  assert.ok(Array.isArray(JSON.parse(checked.out)), checked.err);
});

test("flags of the command line come before the configuration, and the environment before its model and database", async () => {
  const config = {
    source: "flow.ts",
    run: { model: "openai/a", db: "a.db", concurrency: 4, tag: ["x", "y"], estimate: true },
  };
  const plain = await argumentsOf(config, []);
  assert.deepEqual(
    [plain.at("SOURCE"), plain.text("model"), plain.text("db"), plain.text("concurrency"), plain.texts("tag")],
    ["flow.ts", "openai/a", "a.db", "4", ["x", "y"]],
  );
  assert.deepEqual([plain.has("estimate"), plain.has("json")], [true, false]);
  const passed = await argumentsOf(config, ["--model", "offline", "--tag", "z", "--json"]);
  assert.deepEqual([passed.text("model"), passed.texts("tag"), passed.has("json")], ["offline", ["z"], true]);
  const env = await argumentsOf(config, [], { CALLWEAVE_MODEL: "openai/b", CALLWEAVE_DB_URL: "b.db" });
  assert.deepEqual([env.text("model"), env.text("db"), env.text("concurrency")], [undefined, undefined, "4"]);
});

test("scenarios or tests on the command line replace both lists of the configuration", async () => {
  const config = { source: "flow.ts", scenarios: ["scenarios.ts"], tests: "tests.json" };
  const lists = async (...argv: readonly string[]) => {
    const args = await argumentsOf(config, argv);
    return [args.texts("scenarios"), args.texts("tests")];
  };
  assert.deepEqual(await lists("--scenarios", "tests.json"), [["tests.json"], []]);
  assert.deepEqual(await lists("--tests=one.json"), [[], ["one.json"]]);
  assert.deepEqual(await lists(), [["scenarios.ts"], ["tests.json"]]);
});

test("scenarios of the configuration are those of its agent, so that they are not used for another one", async () => {
  const config = {
    source: "flow.ts",
    scenarios: ["scenarios.ts"],
    tests: "tests.json",
    export: "shop",
    run: { rpm: 9 },
  };
  const agentFlags = async (...argv: readonly string[]) => {
    const args = await argumentsOf(config, argv);
    return [args.at("SOURCE"), args.texts("scenarios"), args.texts("tests"), args.text("export"), args.text("rpm")];
  };
  assert.deepEqual(await agentFlags(), ["flow.ts", ["scenarios.ts"], ["tests.json"], "shop", "9"]);
  assert.deepEqual(await agentFlags("./flow.ts"), ["./flow.ts", ["scenarios.ts"], ["tests.json"], "shop", "9"]);
  assert.deepEqual(await agentFlags("other.ts"), ["other.ts", [], [], undefined, "9"]);
});

test("policies of the configuration are those of its agent, for check and for run", async () => {
  const config = { source: "flow.ts", policies: ["policies.ts", "policies.json"] };
  const path = join(folder({ "callweave.config.json": config }), "callweave.config.json");
  for (const command of [checkCommand, runCommand]) {
    const policiesOf = async (...argv: readonly string[]) => {
      const defaults = await readConfig(path, command, { env: {} });
      return (await readArguments(argv, command.spec, command.name, defaults)).texts("policies");
    };
    assert.deepEqual(await policiesOf(), ["policies.ts", "policies.json"], command.name);
    assert.deepEqual(await policiesOf("--policies", "own.json"), ["own.json"], command.name);
    assert.deepEqual(await policiesOf("other.ts"), [], command.name);
  }
});

test("an unknown key or a wrong value of the configuration is an error with its path and the likely key", async () => {
  for (const [config, path, hint] of [
    [{ sourc: "flow.ts" }, ["sourc"], 'Did you mean "source"?'],
    [{ run: { treshold: 0.8 } }, ["run", "treshold"], 'Did you mean "threshold"?'],
    [{ run: { max_turns: "five" } }, ["run", "max_turns"], "Change it to number"],
    [{ run: { json: 1 } }, ["run", "json"], "Change it to boolean"],
    [{ run: [] }, ["run"], "Change it to Object"],
    [{ check: 1 }, ["check"], /Change it/],
    [{ run: { scenarios: "a.ts" } }, ["run", "scenarios"], /./],
    [[], [], /Write an object/],
    [{ environments: { live: { voise: {} } } }, ["environments", "live", "voise"], 'Did you mean "voice"?'],
    [{ environments: { live: { voice: { retel: "x" } } } }, ["environments", "live", "voice", "retel"], /"retell"/],
    [{ environments: { live: { to: "pipecat" } } }, ["environments", "live", "to"], /"retell" \| "retell-llm"/],
    [{ environments: [] }, ["environments"], "Change it to Object"],
  ] as const) {
    await assert.rejects(argumentsOf(config, []), (error: { code: string; path: unknown; hint: string }) => {
      assert.equal(error.code, "invalid-config");
      assert.deepEqual(error.path, path);
      if (typeof hint === "string") assert.equal(error.hint, hint);
      else assert.match(error.hint, hint);
      return true;
    });
  }
  await assert.rejects(argumentsOf("{", []), { code: "invalid-json" });
});

test("a configuration in TypeScript is read as one in JSON, and two configurations are refused", async () => {
  const text = (source: string) => `export default { source: ${JSON.stringify(source)}, run: { max_turns: 5 } };`;
  const path = join(folder({ "callweave.config.ts": text("flow.ts") }), "callweave.config.ts");
  const args = await readArguments([], runCommand.spec, "run", await readConfig(path, runCommand, { env: {} }));
  assert.deepEqual([args.at("SOURCE"), args.text("max-turns")], ["flow.ts", "5"]);
  const misspelt = join(folder({ "callweave.config.ts": "export default { sorce: 1 };" }), "callweave.config.ts");
  await assert.rejects(readConfig(misspelt, runCommand, { env: {} }), { code: "invalid-config", path: ["sorce"] });
  const unnamed = join(folder({ "callweave.config.ts": "export const config = {};" }), "callweave.config.ts");
  await assert.rejects(readConfig(unnamed, runCommand, { env: {} }), {
    code: "invalid-config",
    hint: /export default/,
  });

  assert.equal(findConfig(folder()), undefined);
  const both = folder({ "callweave.config.ts": text("flow.ts"), "callweave.config.json": { source: "flow.ts" } });
  assert.throws(() => findConfig(both), {
    code: "invalid-config",
    message: /callweave.config.ts.*callweave.config.json/,
  });
});

test("an environment names the variable of its key; a key in its place is refused and not repeated", async () => {
  for (const key of ["key_0123456789abcdef0123456789ab", "2f6c1d90-4c1e-4a3b-9a55-0a4b8b6f1c22"]) {
    await assert.rejects(
      argumentsOf({ environments: { live: { key } } }, []),
      (error: Error & { code: string; path: unknown; hint: string }) => {
        assert.deepEqual([error.code, error.path], ["invalid-config", ["environments", "live", "key"]]);
        assert.ok(!JSON.stringify({ ...error, message: error.message, stack: error.stack }).includes(key));
        assert.match(error.hint, /Write the variable's name/);
        return true;
      },
    );
  }
  await argumentsOf({ source: "a.ts", environments: { live: { key: "RETELL_API_KEY" } } }, []);
});

test("defineConfig() returns the configuration, and every command that works on an agent may have a section", () => {
  const config = defineConfig({ source: "flow.ts", environments: { live: { to: "retell", key: "RETELL_API_KEY" } } });
  assert.equal(config.environments?.live?.key, "RETELL_API_KEY");
  const onCalls = ["replay", "evaluate", "diagnose", "watch", "mcp"];
  const working = COMMANDS.filter(({ name, usage }) => usage.startsWith("SOURCE") || onCalls.includes(name)).map(
    ({ name }) => name,
  );
  assert.deepEqual(
    configurableCommands(COMMANDS).map(({ name }) => name),
    working,
  );
});

test("replay, evaluate and diagnose have sections, and take the agent of the configuration", async () => {
  const config = {
    source: "flow.ts",
    scenarios: "scenarios.ts",
    replay: { adaptive: true, unmatched_tools: "fail" },
    evaluate: { metric: ["Is polite"], threshold: 0.8 },
    diagnose: { diagnosis_model: "openai/gpt-5", max_iterations: 5 },
  };
  const read = async (command: Command, given: unknown = config) => {
    const path = join(folder({ "callweave.config.json": given }), "callweave.config.json");
    const defaults = await readConfig(path, command, { env: {} });
    return await readArguments(["01J"], command.spec, command.name, defaults);
  };
  const replayed = await read(replayCommand);
  assert.deepEqual(
    [replayed.at("RUN"), replayed.at("SOURCE"), replayed.has("adaptive"), replayed.text("unmatched-tools")],
    ["01J", "flow.ts", true, "fail"],
  );
  const evaluated = await read(evaluateCommand);
  assert.deepEqual(
    [evaluated.rest(), evaluated.texts("metric"), evaluated.text("threshold"), evaluated.texts("scenarios")],
    [["01J"], ["Is polite"], "0.8", ["scenarios.ts"]],
  );
  const diagnosed = await read(diagnoseCommand);
  assert.deepEqual(
    [diagnosed.at("RESULT"), diagnosed.at("SOURCE"), diagnosed.text("max-iterations")],
    ["01J", "flow.ts", "5"],
  );
  await assert.rejects(read(replayCommand, { replay: { adaptiv: true } }), {
    code: "invalid-config",
    path: ["replay", "adaptiv"],
    hint: 'Did you mean "adaptive"?',
  });
  assert.ok(defineConfig(config));
});
