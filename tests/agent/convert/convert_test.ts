import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Construct, convert } from "../../../api/platforms.ts";
import { emit, flow, formats, importAgent, number, parseGraph } from "../../../mod.ts";
import { callweave, folder } from "../../surface/cli/_terminal.ts";

const SHOP = flow("shop", { variables: { age: number("Age of the caller") }, beginMessage: "Hello" })
  .conversation("ask", { prompt: "Ask for the age.", next: ({ to }) => [to("read", "Caller gives their age")] })
  .extract("read", { fills: ["age"], next: ({ to }) => [to("route")] })
  .logic("route", { next: ({ to, when, otherwise }) => [to("bye", when("age", ">=", 18)), otherwise("ask")] })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const KEY = "key_0123456789abcdef0123456789abcdef";
const TOKEN = "sk-proj-T3BlbkFJ0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1w";

/** An agent as Retell exports it. */
const retellAgent = (settings: object = {}) =>
  JSON.stringify({
    agent_name: "Shop",
    language: "de-DE",
    voice_id: "openai-Alloy",
    interruption_sensitivity: 0.5,
    ...settings,
    response_engine: { type: "conversation-flow", conversation_flow_id: "f" },
    conversationFlow: {
      start_node_id: "hi",
      start_speaker: "agent",
      model_choice: { type: "cascading", model: "gpt-4.1" },
      tools: [
        {
          type: "custom",
          tool_id: "t",
          name: "find",
          description: "Finds an order",
          url: "https://shop.example/find",
          headers: { Authorization: `Bearer ${TOKEN}` },
          parameters: { type: "object", properties: {} },
        },
      ],
      nodes: [
        {
          id: "hi",
          type: "conversation",
          instruction: { type: "prompt", text: "Say hello." },
          edges: [{ id: "e", destination_node_id: "look", transition_condition: { type: "prompt", prompt: "Order" } }],
        },
        {
          id: "look",
          type: "function",
          tool_id: "t",
          tool_type: "local",
          wait_for_result: true,
          edges: [{ id: "f", destination_node_id: "bye", transition_condition: { type: "prompt", prompt: "Done" } }],
        },
        { id: "bye", type: "end", instruction: { type: "prompt", text: "Say goodbye." } },
      ],
    },
  });

const states = (constructs: readonly Construct[]) =>
  Object.fromEntries(constructs.map(({ path, state }) => [path.join("."), state]));

test("voice, language and model are taken over, and are no loss", () => {
  const { from, to, config, decisions, changes } = convert(retellAgent(), { to: "vapi-squad" });
  assert.deepEqual([from, to], ["retell", "vapi-squad"]);
  const text = JSON.stringify(config);
  assert.match(text, /"voice":\{"provider":"openai","voiceId":"alloy"\}/);
  assert.match(text, /"language":"de"/);
  assert.match(text, /"model":"gpt-4\.1"/);
  assert.deepEqual(decisions, []);
  const lost = changes.find(({ code }) => code === "platform-settings");
  assert.match(lost?.message ?? "", /interruption_sensitivity/);
  assert.doesNotMatch(lost?.message ?? "", /voice_id|language/);

  const back = convert(JSON.stringify(config), { to: "retell" });
  assert.match(JSON.stringify(back.config), /"voice_id":"openai-Alloy"/);
  assert.match(JSON.stringify(back.config), /"language":"de-DE"/);
});

test("a voice that the target does not have under this name is a decision, and an option takes it", () => {
  const adrian = retellAgent({ voice_id: "11labs-Adrian" });
  const [decision, ...others] = convert(adrian, { to: "vapi-squad" }).decisions;
  assert.deepEqual(others, []);
  assert.equal(decision?.about, "voice");
  assert.match(decision?.message ?? "", /"11labs-Adrian" is ElevenLabs' Adrian; Vapi does not have it/);
  assert.deepEqual(decision?.path, ["source_metadata", "retell", "agent", "voice_id"]);

  const voice = { provider: "11labs", voiceId: "x".repeat(20) };
  const chosen = convert(adrian, { to: "vapi-squad", voice, model: "gpt-4o", language: "fr" });
  assert.deepEqual(chosen.decisions, []);
  assert.match(JSON.stringify(chosen.config), /"voice":\{"provider":"11labs","voiceId":"x+"\}/);
  assert.match(JSON.stringify(chosen.config), /"language":"fr"/);
  assert.match(JSON.stringify(chosen.config), /"model":"gpt-4o"/);

  // a premade voice has one id everywhere
  const drew = convert(retellAgent({ voice_id: "11labs-Drew (Legacy)" }), { to: "vapi-squad" });
  assert.match(JSON.stringify(drew.config), /"voiceId":"29vD33N1CtxCmqQRPOHJ"/);
  // Retell's own voices are nobody else's
  const [own] = convert(retellAgent({ voice_id: "retell-Cimo" }), { to: "vapi-squad" }).decisions;
  assert.match(own?.message ?? "", /"retell-Cimo" is made by Retell;/);
});

test("a model and a destination that the target lacks are decisions", () => {
  const graph = flow("x", { model: "acme/big-1" })
    .conversation("hi", { prompt: "Hi.", next: ({ to }) => [to("move", "Caller wants a person")] })
    .transfer("move", {})
    .compile();
  const { decisions } = convert(graph, { to: "retell" });
  assert.deepEqual(new Set(decisions.map(({ about }) => about)), new Set(["model", "destination"]));
});

test("secrets become references in the document, and values where the environment is given", () => {
  const { text, secrets, graph, config } = convert(retellAgent(), { to: "vapi-squad" });
  for (const whole of [text, JSON.stringify(graph), JSON.stringify(config), JSON.stringify(secrets)])
    assert.ok(!whole.includes(TOKEN));
  const [secret, ...others] = secrets;
  assert.ok(secret);
  assert.deepEqual(others, []);
  assert.ok(text.includes(`{{env:${secret.name}}}`));
  const restored = convert(retellAgent(), { to: "vapi-squad", env: { [secret.name]: KEY } });
  assert.ok(restored.text.includes(KEY));
  assert.ok(!JSON.stringify(restored.changes).includes("headers"));
});

test("a report has no secret, also where the environment's values are in the document and the files beside it", async () => {
  const agent = retellAgent().replace("https://shop.example/find", `https://shop.example/find?api_key=${TOKEN}`);
  const path = folder({ "agent.json": agent });
  const found = convert(agent, { to: "pipecat" }).secrets.map(({ name }) => name);
  assert.ok(found.length > 0);
  const env = Object.fromEntries(found.map((name) => [name, KEY]));
  assert.ok(JSON.stringify(convert(agent, { to: "pipecat", env }).files).includes(KEY));
  for (const to of ["pipecat", "vapi-squad", "telnyx", "elevenlabs"] as const) {
    const { changes, constructs, decisions, secrets } = convert(agent, { to, env });
    assert.ok(!JSON.stringify([changes, constructs, decisions, secrets]).includes(KEY), to);
    const argv = ["convert", "agent.json", "--to", to, "--out", `${to}/`, "--env", "--verbose"];
    for (const report of ["report.json", "report.md"]) {
      const more = ["--report", report, "--overwrite-edited"];
      const ran = await callweave([...argv, ...more], { cwd: path, env });
      assert.equal(ran.code, 0, ran.err);
      for (const text of [ran.err, readFileSync(join(path, report), "utf8")]) assert.ok(!text.includes(KEY), to);
    }
  }
});

test("every part is listed once, with the state of its losses and of what is inside of it", () => {
  for (const { name, emits, imports } of formats()) {
    if (!emits || !imports || name === "vapi-workflow" || name === "graph") continue;
    const { constructs, changes } = convert(SHOP, { to: name });
    const paths = constructs.map(({ path }) => path.join("."));
    assert.equal(new Set(paths).size, paths.length);
    for (const [id, node] of Object.entries(SHOP.nodes)) {
      assert.ok(paths.includes(`nodes.${id}`), id);
      for (const index of node.transitions.keys()) assert.ok(paths.includes(`nodes.${id}.transitions.${index}`));
    }
    const found = states(constructs);
    for (const { path, state } of changes) {
      const at = path.join(".");
      if (found[at] !== undefined) assert.notEqual(found[at], "exact", `${name}: ${at} ${state}`);
    }
    const isWhole = changes.length === 0;
    assert.equal(
      constructs.every(({ state }) => state === "exact"),
      isWhole,
      name,
    );
  }
});

test("settings of a platform that are lost do not count as the loss of their node, transition or tool", () => {
  const found = states(convert(retellAgent(), { to: "vapi-squad" }).constructs);
  assert.equal(found["nodes.look.metadata.retell"], "dropped");
  assert.equal(found["nodes.look"], "emulated");
  assert.notEqual(found["nodes.look.tools.0"], "dropped");
  assert.equal(found["nodes.hi"], "exact");
});

test("a format with several files, and a folder, have all of them", async () => {
  const path = folder({ "agent.json": retellAgent() });
  const { files } = convert(retellAgent(), { to: "pipecat" });
  assert.ok(files && files.length > 0);
  const ran = await callweave(["convert", "agent.json", "--to", "pipecat", "--out", "moved/"], { cwd: path });
  assert.equal(ran.code, 0, ran.err);
  for (const file of files) assert.equal(readFileSync(join(path, "moved", file.path), "utf8"), file.text);
  const one = await callweave(["convert", "agent.json", "--to", "telnyx", "--out", "other/"], { cwd: path });
  assert.equal(one.code, 0, one.err);
  assert.match(readFileSync(join(path, "other", "telnyx.json"), "utf8"), /conversation_flow/);
});

test("changes come in order of weight for callers: where calls go, first, and settings last", () => {
  const { changes } = convert(retellAgent(), { to: "vapi-squad" });
  const order = ["Where calls go", "What the agent does", "What the agent says and knows", "How the agent sounds"];
  const ranks = changes.map(({ area }) => (order.includes(area) ? order.indexOf(area) : order.length));
  assert.deepEqual(ranks, [...ranks].sort());
  assert.equal(changes.at(-1)?.area, "Other settings");
});

test("nothing is carried inside of a platform, and a graph of code keeps its own settings", () => {
  const { config } = convert(retellAgent(), { to: "retell" });
  const { graph } = importAgent(retellAgent());
  assert.deepEqual(
    JSON.parse(JSON.stringify(config).replace(/\{\{env:\w+\}\}/, TOKEN)),
    JSON.parse(JSON.stringify(emit(graph, "retell").config)),
  );
  const own = parseGraph({ ...SHOP, source_metadata: { voice: { vapi: { provider: "vapi", voiceId: "Elliot" } } } });
  assert.match(JSON.stringify(convert(own, { to: "vapi-squad" }).config), /"voiceId":"Elliot"/);
});

test("wrong options are named", () => {
  for (const options of [{ to: "retel" }, { to: "retell", voice: 1 }, { to: "retell", form: "x" }])
    assert.throws(() => Reflect.apply(convert, undefined, [SHOP, options]), { code: /unknown-format|invalid-option/ });
});

test("the command writes document and report, names what is to decide, and fails on request", async () => {
  const path = folder({ "agent.json": retellAgent({ voice_id: "retell-Cimo" }) });
  const at = (name: string) => join(path, name);
  const argv = ["convert", at("agent.json"), "--to", "vapi-squad", "--out", at("out.json"), "--report", at("out.md")];
  const ran = await callweave(argv, { cwd: path });
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.err, /as Vapi squad/);
  assert.match(ran.err, /^nodes +\d/m);
  assert.match(ran.err, /^To decide \(1\)$/m);
  assert.match(ran.err, /\{\{env:\w+\}\} at /);
  const document = readFileSync(at("out.json"), "utf8");
  assert.equal(document, convert(retellAgent({ voice_id: "retell-Cimo" }), { to: "vapi-squad" }).text);
  const report = readFileSync(at("out.md"), "utf8");
  assert.match(report, /^\| part \| exact \|/m);
  assert.match(report, /^- \[ \] \*\*voice\*\*/m);
  assert.match(report, /^## Other settings$/m);
  for (const output of [ran.err, report, document]) assert.ok(!output.includes(TOKEN));

  const code = async (...more: readonly string[]) => (await callweave([...argv, ...more], { cwd: path })).code;
  assert.equal(await code("--fail-on", "dropped"), 1);
  assert.equal(await code("--fail-on", "refused"), 0);
  assert.equal(await code("--fail-on", "decision"), 1);
  assert.equal(await code("--fail-on", "decision", "--voice", '{"provider":"vapi","voiceId":"Elliot"}'), 0);
  const wrong = await callweave([...argv, "--fail-on", "losses"], { cwd: path });
  assert.match(wrong.err, /--fail-on losses is unknown/);

  const json = await callweave(["convert", at("agent.json"), "--to", "vapi-squad", "--json"], { cwd: path });
  assert.deepEqual(Object.keys(JSON.parse(json.out)).includes("constructs"), true);
  const over = await callweave(["convert", at("agent.json"), "--to", "retell", "--out", at("agent.json")], {
    cwd: path,
  });
  assert.notEqual(over.code, 0);
});

test("a parsed document is converted as its text is", () => {
  const text = retellAgent();
  const [ofText, ofValue] = [convert(text, { to: "telnyx" }), convert(JSON.parse(text), { to: "telnyx" })];
  for (const part of ["config", "constructs", "changes", "decisions"] as const)
    assert.deepEqual(ofValue[part], ofText[part], part);
  assert.throws(() => convert({ nodes: 1 }, { to: "telnyx" }), { code: "unknown-format" });
});

test("a tool that only its own platform runs is dropped by name, and no request without an address", () => {
  const tools = [
    { type: "system", name: "skip_turn", description: "", params: { system_tool_type: "skip_turn" } },
    { type: "client", name: "show", description: "Shows a map", parameters: { type: "object", properties: {} } },
  ];
  const agent = { name: "A", conversation_config: { agent: { prompt: { prompt: "Be kind.", tools } } } };
  for (const to of ["retell", "retell-llm"] as const) {
    const { text, changes } = convert(agent, { to });
    assert.doesNotMatch(text, /skip_turn/);
    assert.deepEqual(
      changes.filter(({ code }) => code === "tool-built-in").map(({ state, message }) => [state, message]),
      [["dropped", 'Retell has no tool of the type "skip_turn"']],
    );
    // a program's own tool is kept: its address is to be set
    assert.match(text, /"show"/);
  }
});

test("a voice to decide on is not reported as a lost setting once more, and is not exact either", () => {
  const tts = { voice_id: "x".repeat(20) };
  const prompt = { prompt: "Be kind." };
  const agent = JSON.stringify({ name: "a", conversation_config: { agent: { prompt, first_message: "Hi." }, tts } });
  const { decisions, changes, constructs } = convert(agent, { to: "bland" });
  assert.deepEqual(
    decisions.map(({ about }) => about),
    ["voice"],
  );
  assert.ok(!changes.some(({ message }) => message.includes("tts")));
  assert.ok(constructs.some(({ path, state }) => path[1] === "elevenlabs" && state === "dropped"));
});
