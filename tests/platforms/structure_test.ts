import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { emit, type FormatName, formatNamed, formats, importAgent } from "../../platforms/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import * as fc from "../fast_check.ts";
import { ownPartOf, sampled } from "../fast_check.ts";
import { lawGraphs } from "./bland/pathway/_graphs.ts";
import type { Lens } from "./laws.ts";
import { hotelExport } from "./retell/flow/every_node.ts";
import { graphs } from "./retell/flow/graphs.ts";
import { exampleGraphs } from "./sdk_literals.ts";
import { isFreeNode, keepsStructure } from "./structure_law.ts";
import { clinicSquad } from "./vapi/shared/documents.ts";
import { DOCUMENTS as WORKFLOWS } from "./vapi/workflow/documents.ts";

const SLOW = { timeout: 300_000 };
/** Number of changes for each document. */
const MOST = sampled(10);
/** Folders of published documents, which the platforms of the formats give their names. */
const CORPUS = [...new Set(formats().map(({ name }) => name.split("-")[0]))].map(
  (platform) => new URL(`../../../shared/corpus/${platform}/`, import.meta.url),
);
/** Formats whose emitter compiles a graph, so that a node is many objects, or emits only what it has imported. */
const COMPILED = ["vapi-squad", "vapi-assistant", "vapi-workflow"];

/** Formats whose nodes are an object by id: the order of its keys means nothing. */
const UNORDERED = ["elevenlabs"];

/** Documents by format: our own, and published ones if they are available. */
const documents = new Map<FormatName, [name: string, text: string][]>();
const add = (name: string, text: string) => {
  try {
    const { format } = importAgent(text);
    documents.set(format, [...(documents.get(format) ?? []), [name, text]]);
  } catch (error) {
    if (!isCallweaveError(error)) throw error;
  }
};
add("hotel", JSON.stringify(hotelExport));
add("clinic", JSON.stringify(clinicSquad()));
for (const [name, document] of WORKFLOWS) add(name, JSON.stringify(document));
for (const graph of await exampleGraphs())
  for (const { name, imports, emits } of formats())
    if (imports && emits && !COMPILED.includes(name)) add("example", emit(graph, name).text);
for (const folder of CORPUS.filter(existsSync))
  for (const name of readdirSync(folder, { encoding: "utf8", recursive: true }).sort())
    if (name.endsWith(".json")) add(name, readFileSync(new URL(name, folder), "utf8").replace(/^\uFEFF/, ""));

function lensOf(name: FormatName): Lens {
  return {
    read: (text) => importAgent(text, { format: name }).graph,
    write: (graph) => emit(graph, name),
    hasNodeOrder: !UNORDERED.includes(name),
    keys: formatNamed(name).shape?.keys ?? ["id", "name"],
    isFree: isFreeNode,
  };
}

for (const { name } of formats()) {
  const found = documents.get(name);
  // an assistant is one node; adding a node makes it a squad
  if (!found || name === "vapi-assistant") continue;
  const lens = lensOf(name);
  test(
    `${name}: renamed, added, deleted, reordered and retargeted nodes, edges and tools are imported again`,
    SLOW,
    () => {
      let made = 0;
      for (const [number, [file, text]] of found.entries())
        try {
          made += keepsStructure(lens, text, MOST, number);
        } catch (error) {
          if (error instanceof Error) error.message = `${file}: ${error.message}`;
          throw error;
        }
      // few changes are possible if documents have one prompt
      assert.ok(made >= Math.min(MOST, found.length), `${made} changes`);
    },
  );
}

/** Formats that keep every change of the structure of a generated graph, or name it as a loss. */
const HELD = ["bland", "graph", "pipecat", "pipecat-editor", "pipecat-static", "retell", "telnyx"];

for (const name of ownPartOf(formats().flatMap((each) => (HELD.includes(each.name) ? [each.name] : []))))
  test(`${name}: changed nodes, edges and tools of generated graphs are imported again`, SLOW, () => {
    let made = 0;
    const property = fc.property(fc.oneof(graphs(), lawGraphs), fc.nat(99), (graph, seed) => {
      made += keepsStructure(lensOf(name), emit(graph, name).text, 3, seed);
    });
    fc.assert(property, { numRuns: 40 });
    assert.ok(made > 0);
  });
