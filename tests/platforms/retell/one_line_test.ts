import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, importAgent } from "../../../platforms/mod.ts";
import { someOf } from "../../fast_check.ts";
import { hotelExport } from "./flow/every_node.ts";

const CORPUS = ["retell/", "voicetest/retell/"].map(
  (path) => new URL(`../../../../shared/corpus/${path}`, import.meta.url),
);

function documents(): [name: string, text: string][] {
  const files = CORPUS.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith(".json") && name !== "sample_tests.json")
          .map((name): [string, string] => [name, readFileSync(new URL(name, folder), "utf8")])
      : [],
  );
  return [["hotel", JSON.stringify(hotelExport, null, 2)], ...files];
}

test("adding a word to a prompt of a Retell document changes one line", () => {
  for (const [name, text] of someOf(documents())) {
    const { graph, format } = importAgent(text);
    const node = Object.values(graph.nodes).find(({ id, state_prompt: prompt }) => prompt !== "" && !id.includes("/"));
    if (!format.startsWith("retell") || !node) continue;
    const nodes = { ...graph.nodes, [node.id]: { ...node, state_prompt: `${node.state_prompt} Please.` } };
    const [before, after] = [text.split("\n"), emit({ ...graph, nodes }, format).text.split("\n")];
    assert.equal(after.length, before.length, name);
    assert.equal(after.filter((line, index) => line !== before[index]).length, 1, name);
  }
});
