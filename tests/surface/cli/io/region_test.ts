import assert from "node:assert/strict";
import { test } from "node:test";
import { canRedraw, createRegion } from "../../../../src/surface/cli/io/terminal.ts";

const CODE_OR_CHARACTER = new RegExp(`(${String.fromCharCode(27)}\\[\\??(\\d*)([A-Za-z]))|([\\s\\S])`, "gu");

/** A terminal emulator for the codes that regions use: returns the screen after text was written. */
function createScreen() {
  let rows: string[] = [""];
  let row = 0;
  let column = 0;
  const put = (character: string) => {
    const line = (rows[row] ?? "").padEnd(column);
    rows[row] = line.slice(0, column) + character + line.slice(column + 1);
    column += 1;
  };
  return {
    write: (text: string) => {
      for (const [, code, number = "", kind, character = ""] of text.matchAll(CODE_OR_CHARACTER)) {
        if (code === undefined) {
          if (character === "\n") [row, column] = [row + 1, 0];
          else if (character === "\r") column = 0;
          else put(character);
          rows[row] ??= "";
        } else if (kind === "A") row = Math.max(0, row - Number(number));
        else if (kind === "K") rows[row] = (rows[row] ?? "").slice(0, column);
        else if (kind === "J") rows = [...rows.slice(0, row), (rows[row] ?? "").slice(0, column)];
        else assert.match(code, /2026[hl]$/);
      }
    },
    text: () => rows.join("\n"),
  };
}

test("a region is redrawn in place, and what is printed stays above it", () => {
  const screen = createScreen();
  const region = createRegion(screen.write, () => 80);
  region.print("before\n");
  region.draw(["one", "two, which is longer"]);
  region.draw(["1", "2", "3"]);
  region.print("✗ a call failed\n");
  region.draw(["only one line"]);
  assert.equal(screen.text(), "before\n✗ a call failed\nonly one line\n");
  region.print("no newline");
  region.draw([]);
  region.print("after\n");
  assert.equal(screen.text(), "before\n✗ a call failed\nno newline\nafter\n");
});

test("a region is written in one piece, and without lines text is written as it is", () => {
  const writes: string[] = [];
  const region = createRegion(
    (text) => writes.push(text),
    () => 80,
  );
  region.print("plain\n");
  region.draw(["a"]);
  region.draw(["b"]);
  region.print("text\n");
  assert.equal(writes.length, 4);
  assert.equal(writes[0], "plain\n");
  region.draw([]);
  region.draw([]);
  assert.equal(writes.length, 5);
});

test("a region counts the rows that its lines take in a window that became narrower", () => {
  const writes: string[] = [];
  let columns = 80;
  const region = createRegion(
    (text) => writes.push(text),
    () => columns,
  );
  region.draw(["x".repeat(70), "y"]);
  columns = 40;
  region.draw(["z"]);
  assert.ok(writes[1]?.includes("\u001b[3A"), JSON.stringify(writes[1]));
});

test("lines are redrawn only on terminals with cursor control, and not in CI", () => {
  assert.equal(canRedraw({ isTTY: true }, {}), true);
  assert.equal(canRedraw({ isTTY: true }, { CI: "false" }), true);
  assert.equal(canRedraw({ isTTY: true }, { CI: "true" }), false);
  assert.equal(canRedraw({ isTTY: true }, { TERM: "dumb" }), false);
  assert.equal(canRedraw({}, {}), false);
});
