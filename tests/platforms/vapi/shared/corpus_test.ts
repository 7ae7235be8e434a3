import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { vapiAssistant } from "../../../../platforms/vapi/assistant/mod.ts";
import { vapiSquad } from "../../../../platforms/vapi/squad/mod.ts";
import { isCallweaveError } from "../../../../src/base/errors.ts";
import { sampled } from "../../../fast_check.ts";
import { mutants } from "../../mutate.ts";
import { clinicSquad, deskAssistant } from "./documents.ts";
import { emitted, imported, plain } from "./lens.ts";

const FOLDERS = ["vapi", "voicetest/vapi"].map((name) =>
  fileURLToPath(new URL(`../../../../../shared/corpus/${name}`, import.meta.url)),
);
const FORMATS = [vapiSquad, vapiAssistant];

/** Published files of third parties, if they are available. They are not part of this repository. */
function realDocuments(): unknown[] {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8").replace(/^\uFEFF/, ""))),
  );
}

test("emit() returns every published squad and assistant unchanged", (t) => {
  const documents = realDocuments();
  if (documents.length === 0) return t.skip("there are no third-party files beside the repository");
  let same = 0;
  for (const document of documents)
    for (const format of FORMATS) {
      if ((format.detect?.(document) ?? 0) < 0.2) continue;
      try {
        const graph = imported(format, document);
        assert.deepEqual(plain(emitted(format, graph).config), document);
        same++;
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        assert.ok(error.message.startsWith("Cannot import Vapi"), error.message);
      }
    }
  assert.ok(same >= 20, `${same} files`);
});

test("import() accepts or rejects every damaged document with a typed error, and emit() returns it unchanged", {
  timeout: 120_000,
}, () => {
  const documents = [
    clinicSquad(),
    deskAssistant(),
    [clinicSquad()],
    { assistant: deskAssistant() },
    ...realDocuments(),
  ];
  const count = sampled(600);
  let read = 0;
  for (const document of mutants(documents, count, 7))
    for (const format of FORMATS) {
      const certainty = format.detect?.(document) ?? 0;
      assert.ok(certainty >= 0 && certainty <= 1);
      try {
        const graph = imported(format, document);
        assert.deepEqual(plain(emitted(format, graph).config), plain(document));
        read++;
      } catch (error) {
        if (!isCallweaveError(error)) throw error;
        assert.ok(["unknown-shape", "too-deep", "invalid-json"].includes(error.code), error.message);
        assert.ok(error.hint);
      }
    }
  const least = count < 600 ? 0.25 : 0.41; // shares of a small sample differ more
  assert.ok(read > least * count, `${read} of ${count} were read`);
});
