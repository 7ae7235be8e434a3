import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraphs } from "../../../../../src/agent/analysis/diff/mod.ts";
import { end, graphOf, llm, says } from "../../_graphs.ts";
import { told } from "./_changes.ts";

const changesOf = (before: object, after: object) =>
  diffGraphs(graphOf({ a: end }, before), graphOf({ a: end }, after));
const settings = (source_metadata: object) => ({ source_metadata });

test("diffGraphs() names the models of both versions, also where it is the default one", () => {
  const [one, other] = [{ default_model: "openai/gpt-5" }, { default_model: "openai/gpt-5-mini" }];
  const rows = [
    [one, other, '"openai/gpt-5-mini" instead of "openai/gpt-5"'],
    [{}, one, '"openai/gpt-5" instead of "the default"'],
    [one, {}, '"the default" instead of "openai/gpt-5"'],
  ] as const;
  for (const [before, after, words] of rows)
    assert.deepEqual(told(changesOf(before, after)), [["model-changed", `The agent's model is ${words}`]]);
  const [added] = changesOf({}, one);
  assert.deepEqual([added?.before, added?.after], [undefined, "openai/gpt-5"]);
  const [removed] = changesOf(one, {});
  assert.deepEqual([removed?.before, removed?.after], ["openai/gpt-5", undefined]);
});

test("diffGraphs() says who speaks first in both versions", () => {
  const says = (begin_message?: string | null) => settings(begin_message === undefined ? {} : { begin_message });
  const rows = [
    [says("Hello!"), says("Good day!"), 'the agent says "Good day!", before the agent says "Hello!"'],
    [says(), says("Hello!"), 'the agent says "Hello!", before the entry node speaks first'],
    [says("Hello!"), says(), 'the entry node speaks first, before the agent says "Hello!"'],
    [says(""), says("Hello!"), 'the agent says "Hello!", before the caller speaks first'],
    [says(), says(""), "the caller speaks first, before the entry node speaks first"],
    [says(""), says(null), "the entry node speaks first, before the caller speaks first"],
  ] as const;
  for (const [before, after, words] of rows)
    assert.deepEqual(told(changesOf(before, after)), [["opening-changed", `Calls begin differently: ${words}`]]);
  const [added] = changesOf(says(), says("Hello!"));
  assert.ok(added && !("before" in added));
  assert.deepEqual([added.after, added.words], ["Hello!", [{ change: "added", text: "Hello!" }]]);
  const [removed] = changesOf(says("Hello!"), says());
  assert.ok(removed && !("after" in removed));
  assert.deepEqual([removed.before, removed.words], ["Hello!", [{ change: "removed", text: "Hello!" }]]);
});

test("diffGraphs() says whether the agent's prompt is new, gone, reworded or spaced differently", () => {
  const prompt = (general_prompt: string) => settings({ general_prompt });
  const rows = [
    [settings({}), prompt("Be kind."), "new"],
    [prompt("Be kind."), settings({}), "gone"],
    [prompt("Be kind."), prompt("Be brief."), "reworded"],
    [prompt("Be kind. Be brief."), prompt("Be kind.\n\nBe brief."), "the same with other white space"],
    [prompt("Be kind."), prompt("Be kind.\n"), "the same with other white space"],
    [prompt("\n  Be kind."), prompt("Be kind."), "the same with other white space"],
  ] as const;
  for (const [before, after, words] of rows)
    assert.deepEqual(told(changesOf(before, after)), [["prompt-changed", `The agent's prompt is ${words}`]]);
});

test("diffGraphs() tells settings of the agent, options of a platform and unknown keys apart", () => {
  const rows = [
    ["name", "one", "two", "name-changed"],
    ["language", "en-US", "de-DE", "setting-changed"],
    ["voice", { id: "anna" }, { id: "bert" }, "setting-changed"],
    ["start_speaker", "agent", "user", "opening-changed"],
    ["default_dynamic_variables", { day: "1" }, { day: "2" }, "setting-changed"],
    ["retell", { voice_speed: 1 }, { voice_speed: 2 }, "platform-changed"],
    ["retell", { voice_speed: 1 }, undefined, "platform-changed"],
    ["retell", undefined, { voice_speed: 1 }, "platform-changed"],
    ["note", "one", "two", "other-changed"],
  ] as const;
  for (const [key, before, after, kind] of rows) {
    const of = (value: unknown) => settings(value === undefined ? {} : { [key]: value });
    const changes = changesOf(of(before), of(after));
    assert.deepEqual(
      changes.map((each) => [each.kind, each.path.slice(0, 2).join(".")]),
      [[kind, `source_metadata.${key}`]],
    );
  }
});

test("diffGraphs() lists the nodes that use a changed snippet, or none where every call can meet it", () => {
  const graph = (text: string, { prompt = "", condition = "x", global = "x", head = {}, other = "" } = {}) =>
    graphOf(
      {
        a: says(prompt, llm("b", condition)),
        b: { ...says("Help."), global_node_setting: { condition: global, go_back_conditions: [] } },
      },
      { snippets: { hours: text, other }, ...head },
    );
  const rows = [
    [{ prompt: "{%hours%}" }, ["a"]],
    [{ condition: "Caller knows: {%hours%}" }, ["a"]],
    [{}, []],
    [{ global: "Caller asks for {%hours%}" }, undefined],
    [{ other: "{%hours%}" }, undefined],
    [{ head: settings({ general_prompt: "{%hours%}" }) }, undefined],
    [{ head: settings({ begin_message: "{%hours%}" }) }, undefined],
  ] as const;
  for (const [use, nodes] of rows) {
    const [change, ...others] = diffGraphs(graph("9 to 5", use), graph("9 to 6", use));
    assert.deepEqual([others, change?.kind, change?.nodes], [[], "snippet-changed", nodes]);
  }
});

test("diffGraphs() reports new and removed snippets with their text", () => {
  const [none, some] = [{}, { snippets: { hours: "We are open from 9 to 5." } }];
  const [added] = changesOf(none, some);
  assert.deepEqual([added?.kind, added?.after], ["snippet-added", "We are open from 9 to 5."]);
  const [removed] = changesOf(some, none);
  assert.deepEqual([removed?.kind, removed?.before], ["snippet-removed", "We are open from 9 to 5."]);
});
