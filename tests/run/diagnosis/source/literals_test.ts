import assert from "node:assert/strict";
import { test } from "node:test";
import { literalsIn, rewriteLiteral } from "../../../../src/run/diagnosis/mod.ts";
import * as fc from "../../../fast_check.ts";

/** What JavaScript itself makes of a literal. */
const meaningOf = (raw: string): unknown => new Function(`return ${raw}`)();

function rewritten(source: string, before: string, after: string): string {
  const literal = literalsIn(source).find(({ text }) => text === before);
  assert.ok(literal, `no literal means ${JSON.stringify(before)}`);
  const end = literal.start + literal.raw.length;
  return source.slice(0, literal.start) + rewriteLiteral(literal, after) + source.slice(end);
}

test("literalsIn() finds strings and templates without expressions, and no comments, patterns or types", () => {
  const source = [
    "// 'a comment'",
    'const a: Record<string, "type"> = { "key": \'it\\\'s\' }; /* "another" */',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
    "const b = /['\"]/.test(`plain`) ? `with ${a} in it` : `two\nlines`;",
    "const c = x / 2 + 'after a division' / 3;",
  ].join("\n");
  assert.deepEqual(
    literalsIn(source).map(({ text }) => text),
    ["type", "key", "it's", "plain", "two\nlines", "after a division"],
  );
});

test("literalsIn() reads every escape as JavaScript does", () => {
  const raws = [
    String.raw`"\n\t\b\f\v\r\0\\\"\'\q"`,
    String.raw`'\x41\u0042\u{43}\u{1F600}'`,
    '"continued \\\nline"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
    "`a \\` and \\${not} and $ { }`",
  ];
  for (const raw of raws) assert.equal(literalsIn(raw)[0]?.text, meaningOf(raw), raw);
});

test("rewriteLiteral() keeps what does not change as it is written, and the quotation marks", () => {
  const source = String.raw`f('Caller \u201ccomplains\u201d;\tit\'s bad', "Caller");`;
  const after = rewritten(source, "Caller “complains”;\tit's bad", "Caller “complains” or asks;\tit's bad");
  assert.equal(after, String.raw`f('Caller \u201ccomplains\u201d or asks;\tit\'s bad', "Caller");`);
  const template = "p(`Be brief.\n    Be kind.`)";
  assert.equal(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
    rewritten(template, "Be brief.\n    Be kind.", "Be brief.\n    Use `code` and ${x}.\n    Be kind."),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code
    "p(`Be brief.\n    Use \\`code\\` and \\${x}.\n    Be kind.`)",
  );
  assert.equal(rewriteLiteral(literalsIn("`a\r\nb`")[0] ?? assert.fail(), "a\nb\nc", "\r\n"), "`a\r\nb\r\nc`");
});

test("rewriteLiteral() gives a literal that means the new text, for any texts, escapes and quotation marks", () => {
  const unit = fc.constantFrom(..."abz $ {}'\"`\n\r\t\u2028😀“0".split(/(?<=[\s\S])/u), "\\", "\u0000", "${");
  const words = fc.array(unit, { maxLength: 12 }).map((units) => units.join(""));
  const escapes = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(
      words,
      words,
      words,
      words,
      fc.constantFrom('"', "'", "`"),
      escapes,
      (start, old, now, end, quote, esc) => {
        const units = [...(start + old + end)].map((each, index) => {
          if (esc[index % esc.length]) return `\\u{${each.codePointAt(0)?.toString(16)}}`;
          return JSON.stringify(each)
            .slice(1, -1)
            .replace('\\"', '"')
            .replace(/['"`$]/, "\\$&")
            .replace(/\u2028/, "\\u2028");
        });
        const raw = quote + units.join("") + quote;
        const [literal] = literalsIn(raw);
        assert.ok(literal);
        assert.equal(literal.text, meaningOf(raw));
        const changed = rewriteLiteral(literal, start + now + end);
        assert.equal(meaningOf(changed), start + now + end);
      },
    ),
    { numRuns: 500 },
  );
});
