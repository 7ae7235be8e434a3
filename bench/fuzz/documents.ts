import { existsSync, readdirSync, readFileSync } from "node:fs";
import { emit, importAgent } from "../../platforms/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { sameJson } from "../../src/base/values/mod.ts";
import { mutants } from "../../tests/platforms/mutate.ts";
import { type Figure, sized } from "../figure.ts";

const DOCUMENTS = sized(10_000, 60);
const HANG_MS = 2_000;
const FOLDERS = ["retell", "vapi", "negative", "voicetest/retell", "voicetest/vapi"].map(
  (name) => `../shared/corpus/${name}`,
);

/** Documents to start from: real ones if they exist beside the repository, else emitted examples. */
async function originals(): Promise<unknown[]> {
  const real = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8").replace(/^\uFEFF/, ""))),
  );
  if (real.length > 0) return real;
  const { helpDesk } = await import("../../examples/help-desk/flow.ts");
  return ["retell", "retell-llm", "vapi-squad", "vapi-assistant"].map((format) => emit(helpDesk, format).config);
}

/** Imports and emits damaged documents: each gives a graph that is emitted unchanged, or a typed error. */
export async function fuzzDocuments(): Promise<readonly Figure[]> {
  const documents = await originals();
  let [crashes, hangs, changed, read, longestMs, count] = [0, 0, 0, 0, 0, 0];
  for (const mutant of mutants(documents, DOCUMENTS, 7)) {
    const document: unknown = JSON.parse(JSON.stringify(mutant)); // JSON has no holes in lists
    count += 1;
    const started = performance.now();
    try {
      const { graph, format } = importAgent(document);
      read += 1;
      if (!sameJson(JSON.parse(JSON.stringify(emit(graph, format).config)), document)) changed += 1;
    } catch (error) {
      if (!isCallweaveError(error) || !error.hint) crashes += 1;
    }
    const tookMs = performance.now() - started;
    longestMs = Math.max(longestMs, tookMs);
    if (tookMs > HANG_MS) hangs += 1;
  }
  const against = `${documents.length} documents, damaged ${count} times; ${read} could still be read`;
  return [
    { name: "documents", value: count, unit: "documents", against },
    { name: "crashes", value: crashes, unit: "documents", against, bound: 0 },
    { name: "hangs", value: hangs, unit: "documents", against: `${against}; more than ${HANG_MS} ms`, bound: 0 },
    { name: "changed_on_the_way_back", value: changed, unit: "documents", against, bound: 0 },
    { name: "longest_ms", value: longestMs, unit: "ms", against },
  ];
}
