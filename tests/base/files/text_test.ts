import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decodeText, fileProblem, hasNoText, readIfPresent, TextStream } from "../../../src/base/files/mod.ts";
import * as fc from "../../fast_check.ts";
import { ENCODINGS, encoded } from "./_encodings.ts";
import { inFolder } from "./_fixtures.ts";

const TEXT = '{ "name": "Café, 東京, 🙂" }\n';

/** What a stream makes of bytes in chunks of a size. */
function streamed(bytes: Uint8Array, size: number): string {
  const stream = new TextStream();
  let text = "";
  for (let from = 0; from < bytes.length; from += size) text += stream.write(bytes.subarray(from, from + size));
  return text + stream.end();
}

test("decodeText() and TextStream read UTF-8 and UTF-16 of both byte orders, with and without a mark", () => {
  for (const encoding of ENCODINGS) {
    const bytes = encoded(TEXT, encoding);
    const mark = encoding === "utf-8 with mark" ? "\uFEFF" : "";
    assert.equal(decodeText(bytes), `${mark}${TEXT}`, encoding);
    for (const size of [1, 2, 3, 5, 100]) assert.equal(streamed(bytes, size), TEXT, `${encoding}, ${size} bytes`);
  }
  for (const short of ["", "a", "ab", "[]"]) {
    assert.equal(decodeText(encoded(short, "utf-8")), short);
    assert.equal(streamed(encoded(short, "utf-8"), 1), short);
  }
});

test("any text that begins with an ASCII letter is read as it was written, in every encoding and in any chunks", () => {
  const texts = fc.tuple(fc.string({ unit: "binary", maxLength: 40 }), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(texts, ([rest, size]) => {
      const text = `{${rest.replaceAll("\0", "")}`;
      for (const encoding of ENCODINGS) {
        const bytes = encoded(text, encoding);
        assert.equal(decodeText(bytes).replace(/^\uFEFF/, ""), text);
        assert.equal(streamed(bytes, size), text);
      }
    }),
  );
});

test("decodeText() refuses bytes in another encoding, with words for the user", () => {
  const others = {
    "ISO 8859-1": Uint8Array.from([0x22, 0x63, 0x61, 0x66, 0xe9, 0x22]),
    "UTF-32 with mark": Uint8Array.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]),
    "half a UTF-16 letter": encoded("{}", "utf-16le with mark").subarray(0, 5),
    "half a surrogate pair": Uint8Array.from([0xff, 0xfe, 0x3d, 0xd8]),
    "an end in the middle of a character": encoded('"é', "utf-8").subarray(0, 2),
  };
  for (const [name, bytes] of Object.entries(others))
    assert.throws(
      () => decodeText(bytes),
      (error) => fileProblem(error, "read").hint === "Save it as UTF-8",
      name,
    );
});

test("TextStream marks bytes that are no text, and reads what is around them", () => {
  const broken = Uint8Array.from([...encoded('{"a":1}\n"', "utf-8"), 0xe9, ...encoded('"\n{"a":2}', "utf-8")]);
  for (const size of [1, 4, 100]) {
    const lines = streamed(broken, size).split("\n");
    assert.deepEqual(lines.map(hasNoText), [false, true, false]);
    assert.deepEqual([lines[0], lines[2]], ['{"a":1}', '{"a":2}']);
  }
  assert.equal(hasNoText("a\uFFFDb🙂"), false);
});

test("readIfPresent() reads a file in UTF-16, and one in another encoding is an error, not a missing file", async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, "a.json"), encoded(TEXT, "utf-16le with mark"));
    writeFileSync(join(folder, "b.json"), Uint8Array.from([0x22, 0xe9, 0x22]));
    assert.equal(await readIfPresent(join(folder, "a.json")), TEXT);
    await assert.rejects(readIfPresent(join(folder, "b.json")), { code: "EILSEQ" });
  });
});
