import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, text } from "../../../dsl/mod.ts";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { check } from "../../../src/agent/check/mod.ts";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { own } from "../../../src/base/values/mod.ts";
import { parseGraph } from "../../../src/document/graph/mod.ts";

const PLATFORMS = ["retell", "retell-llm", "vapi-squad", "vapi-assistant"] as const;
const VOICE = { retell: "11labs-Adrian", vapi: { provider: "11labs", voiceId: "sarah" } } as const;

function desk(to: "+14155550100" | "sip:desk@acme.io" | "{{owner_number}}" = "+14155550100", language = "de-DE") {
  return flow("desk", { language, voice: VOICE, variables: { owner_number: text("Number of the owner") } })
    .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("owner", "Caller wants the owner")] })
    .transfer("owner", { to })
    .compile();
}

/** Returns all values of a key at any depth, except under the metadata for importing the document again. */
function valuesOf(document: unknown, key: string): unknown[] {
  if (typeof document !== "object" || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) => {
    if (name === "callweave") return [];
    return [...(name === key ? [value] : []), ...valuesOf(value, key)];
  });
}

test("compile() writes language, voice and destination into the document", () => {
  const graph = desk();
  assert.equal(graph.source_metadata.language, "de-DE");
  assert.deepEqual(graph.source_metadata.voice, VOICE);
  assert.equal(own(graph.nodes, "owner")?.transfer_to, "+14155550100");
  assert.deepEqual(parseGraph(JSON.parse(JSON.stringify(graph))), JSON.parse(JSON.stringify(graph)));
});

test("emit() converts language and voice for each platform, without a loss", () => {
  for (const format of PLATFORMS) {
    const { config, losses } = emit(desk(), format);
    const vapi = format.startsWith("vapi");
    assert.deepEqual(losses, [], format);
    assert.deepEqual(valuesOf(config, "language"), [vapi ? "de" : "de-DE"], format);
    assert.deepEqual(valuesOf(config, vapi ? "voice" : "voice_id"), [vapi ? VOICE.vapi : VOICE.retell], format);
    assert.deepEqual(check(desk(), { target: format }), [], format);
  }
});

test("emit() writes the destination of a transfer: a number, a SIP URI or a variable", () => {
  for (const to of ["+14155550100", "sip:desk@acme.io", "{{owner_number}}"] as const)
    for (const format of PLATFORMS) {
      const { config } = emit(desk(to), format);
      const found = [...valuesOf(config, "number"), ...valuesOf(config, "sipUri")];
      assert.deepEqual(found, [to], `${format} ${to}`);
    }
});

test("emit() keeps a destination, a voice and a language of the platform's own option", () => {
  const graph = flow("desk", {
    language: "de-DE",
    voice: VOICE,
    retell: { agent: { voice_id: "11labs-Myra", language: "de-DE" } },
    vapi: { membersOverrides: { transcriber: { provider: "gladia", language: "de" } } },
  })
    .conversation("greet", { prompt: "Greet the caller.", next: ({ to }) => [to("owner", "Caller wants the owner")] })
    .transfer("owner", {
      to: "+14155550100",
      retell: { transfer_destination: { type: "inferred", prompt: "The owner" } },
    })
    .compile();
  const { config } = emit(graph, "retell");
  assert.deepEqual(valuesOf(config, "voice_id"), ["11labs-Myra"]);
  assert.deepEqual(valuesOf(config, "transfer_destination"), [{ type: "inferred", prompt: "The owner" }]);
  assert.deepEqual(valuesOf(emit(graph, "vapi-squad").config, "transcriber"), [{ provider: "gladia", language: "de" }]);
});

test("emit() reports unsupported languages and voices", () => {
  const { config, losses } = emit(desk("+14155550100", "de-AT"), "retell");
  assert.deepEqual(valuesOf(config, "language"), ["de-DE"]);
  assert.deepEqual(
    losses.map(({ code, kind, instead }) => [code, kind, instead]),
    [["language", "emulated", '"de-DE"']],
  );
  assert.deepEqual(
    emit(desk("+14155550100", "de-AT"), "vapi-squad")
      .losses.filter(({ code }) => code === "language")
      .map(({ kind, instead }) => [kind, instead]),
    [["emulated", '"de"']],
  );
  const graph = parseGraph({
    ...desk("+14155550100", "ka-GE"),
    source_metadata: { language: "ka-GE", voice: { retell: "11labs-Adrian" } },
  });
  assert.deepEqual(
    emit(graph, "vapi-squad").losses.map(({ code, kind }) => [code, kind]),
    [
      ["language", "dropped"],
      ["voice", "dropped"],
    ],
  );
});

test("importing an emitted document and emitting it again gives the same document", () => {
  for (const format of PLATFORMS) {
    const { config } = emit(desk(), format);
    const plain = JSON.parse(JSON.stringify(config));
    const { graph } = importAgent(plain, { format });
    assert.deepEqual(JSON.parse(JSON.stringify(emit(graph, format).config)), plain, format);
  }
});

test("compile() rejects invalid destinations and languages", () => {
  const loose = { to: "1-800-OWNER" } as unknown as { to: "+1" }; // as plain JavaScript may pass it
  assert.throws(
    () => flow("desk", { language: "German (Germany)" }).transfer("owner", loose).compile(),
    (error) =>
      isCallweaveError(error) &&
      (error.issues ?? []).map(({ code }) => code).join() === "invalid-option,invalid-option",
  );
});

test("emit() supports every language that the platforms publish, not only those of one SDK version", () => {
  const { config, losses } = emit(desk("+14155550100", "he"), "vapi-squad");
  assert.deepEqual(valuesOf(config, "language"), ["he"]);
  assert.deepEqual(losses, []);
  assert.deepEqual(valuesOf(emit(desk("+14155550100", "he"), "retell").config, "language"), ["he-IL"]);
});

test("a document of another tool whose name begins like the platform's is no import of it", () => {
  const graph = parseGraph({
    entry_node_id: "bye",
    source_type: "retelling",
    source_metadata: { language: "en-US", retell: { agent: { language: "de-DE" } } },
    nodes: { bye: { node_type: "end", state_prompt: "Bye." } },
  });
  const { losses } = emit(graph, "retell");
  assert.deepEqual(
    losses.map(({ code, instead }) => [code, instead]),
    [["overridden", '"de-DE"']],
  );
});
