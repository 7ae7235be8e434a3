import assert from "node:assert/strict";
import { test } from "node:test";
import { formatProposal, type Proposal, parseProposal, patchOf } from "../../../src/surface/proposals/patch_text.ts";
import * as fc from "../../fast_check.ts";

const proposalOf = (files: Proposal["files"]): Proposal => ({
  title: "Ask for the day",
  reason: "Two calls\n--- a/flow.ts\nended early",
  madeAt: "2026-03-01T09:00:00.000Z",
  files,
});

const TWENTY = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");

test("a patch holds the texts before and after, whatever their line breaks, and new files", () => {
  const line = fc.constantFrom(
    "a",
    "+b",
    "-c",
    "--- d",
    "+++ e",
    "@@ -1 +1 @@",
    "\\ f",
    "# g",
    "",
    " h",
    "i\r",
    "\ufeffj",
    "\u2028",
    "k\tl",
    "\r",
  );
  const text = fc.array(line, { maxLength: 9 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(fc.option(text), text, text, text, (before, after, other, changed) => {
      fc.pre(before !== after && !(before === null && after === "") && other !== changed);
      const proposal = proposalOf([
        { path: "flow.ts", before, after },
        { path: "more scenarios/a b.json", before: other, after: changed },
      ]);
      assert.deepEqual(parseProposal("x", patchOf(proposal)), proposal);
    }),
    { numRuns: 1_000 },
  );
});

test("a proposal for people has three lines around each change", () => {
  const after = TWENTY.replace("line 10", "line ten");
  const shown = formatProposal(proposalOf([{ path: "flow.ts", before: TWENTY, after }]));
  assert.match(shown, /^# title: Ask for the day$/m);
  assert.match(shown, /^-line 10\n\+line ten$/m);
  assert.doesNotMatch(shown, /line (?:6|14)$/m);
});

test("a patch that was edited by hand is refused: what is shown is what would be applied", () => {
  const patch = patchOf(proposalOf([{ path: "flow.ts", before: TWENTY, after: TWENTY.replace("line 10", "ten") }]));
  const damaged = [
    patch.replace("+ten", "+ten\n+more"),
    patch.replace(" line 3\n", ""),
    patch.replace("-line 10\n+ten\n", "+ten\n-line 10\n"),
    patch.replace("@@ -1,20", "@@ -2,20"),
    patch.replace("\n--- a/flow.ts", "\n--- a/other.ts"),
    patch.replace("\n--- a/flow.ts", "\n--- /dev/null"),
    patch.replace("# Callweave proposal 1", "# Callweave proposal 2"),
    patch.replace(/^# title.*\n/m, ""),
    patch.slice(0, -30),
    `${patch}+more\n`,
    "",
    formatProposal(proposalOf([{ path: "flow.ts", before: TWENTY, after: TWENTY.replace("line 10", "ten") }])),
  ];
  for (const text of damaged)
    assert.throws(() => parseProposal("x", text), { code: "invalid-proposal" }, text.slice(0, 200));
});
