import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN, withoutCommands, withoutCommandsIn, wrap } from "../../../src/base/values/mod.ts";
import { fc } from "../../properties.ts";

/** Whether GitHub's runner reads a line as a command: `::` after blanks, or `##[` anywhere; and what others read. */
function isCommand(line: string): boolean {
  return /^[\s\p{Cc}\p{Cf}]*::/u.test(line) || /##\w*\[/.test(line) || /(?:section_start|travis_fold):/.test(line);
}
const linesOf = (text: string) => text.split(/[\n\r\v\f\u0085\u2028\u2029]/);

test("a blank breaks what a runner would read as a command, and no other text changes", () => {
  for (const [text, expected] of [
    ["::error::x", ": :error::x"],
    ["a\n  ::add-mask::x\r\n\t::stop-commands::y", "a\n  : :add-mask::x\r\n\t: :stop-commands::y"],
    ["a\r::error::x", "a\r: :error::x"],
    ["\u2028::error::x", "\u2028: :error::x"],
    ["\u00a0\ufeff\u200b\u0007::error::x", "\u00a0\ufeff\u200b\u0007: :error::x"],
    ["\u001b[1;31m::error::x", "\u001b[1;31m: :error::x"],
    ["\u001b]8;;https://example.com\u0007::error::x", "\u001b]8;;https://example.com\u0007: :error::x"],
    [
      "see ##[add-mask]x, ##vso[task.complete]y, ##teamcity[z]",
      "see ## [add-mask]x, ##vso [task.complete]y, ##teamcity [z]",
    ],
    ["section_start:1:a travis_fold:start:b", "section_start :1:a travis_fold :start:b"],
    ["caller  ::error::x", "caller  ::error::x"],
    ["std::string, ## Title [x], #[1]", "std::string, ## Title [x], #[1]"],
  ] as const)
    assert.equal(withoutCommands(text), expected);
});

test("a guarded output has no command in any split of a text into writes, and keeps all signs but blanks", () => {
  const part = fc.constantFrom(
    ...[
      "::",
      ":",
      "#",
      "##",
      "##vso",
      "[",
      "\n",
      "\r",
      " ",
      "\t",
      "\u001b[3",
      "1m",
      "\u001b",
      "error",
      "section_start",
    ],
    ...["travis_fold", "x", "\u200b", "::error::x\n", "{", "}"],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      let written = "";
      const write = withoutCommandsIn((text) => {
        written += text;
      });
      parts.forEach(write);
      assert.deepEqual(linesOf(written).filter(isCommand), []);
      assert.equal(written.replaceAll(" ", ""), parts.join("").replaceAll(" ", ""));
      assert.equal(withoutCommands(withoutCommands(parts.join(""))), withoutCommands(parts.join("")));
    }),
    { numRuns: 2_000 },
  );
});

test("documents in JSON and XML keep their values in a guarded output", () => {
  const written = (text: string) => {
    let all = "";
    withoutCommandsIn((part) => {
      all += part;
    })(text);
    assert.deepEqual(linesOf(all).filter(isCommand), []);
    return all;
  };
  const value = { a: "##vso[x] \\##[y]\u2028::error::z", b: ["::error::", "section_start:1"] };
  assert.deepEqual(JSON.parse(written(`${JSON.stringify(value, null, 2)}\n`)), value);
  const lines = written(`${JSON.stringify(value)}\n${JSON.stringify("##[x]")}\n`)
    .trimEnd()
    .split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [value, "##[x]"],
  );
  assert.equal(
    written('<?xml version="1.0"?>\n<a>\n::error:: ##vso[x]</a>\n'),
    '<?xml version="1.0"?>\n<a>\n:&#58;error:&#58; &#35;#vso[x]</a>\n',
  );
});

test("wrapped text has no line that begins with a command", () => {
  const lines = wrap({ ...PLAIN, width: 40 }, `${"word ".repeat(6)}::error::x ${"word ".repeat(6)}::add-mask::y`, 2);
  assert.ok(lines.length > 2);
  assert.deepEqual(lines.filter(isCommand), []);
  const starts = wrap(PLAIN, "::error::x", 10, "  caller  ");
  assert.deepEqual(starts, ["  caller  ::error::x"]);
});
