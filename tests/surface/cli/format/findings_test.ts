import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Finding, Loss } from "../../../../platforms/mod.ts";
import { formatFindings } from "../../../../src/surface/cli/format/format_findings.ts";
import { formatLosses } from "../../../../src/surface/cli/format/format_portability.ts";
import { callweave, folder } from "../_terminal.ts";

const WIDE = { color: false, width: 200 };

/** A Retell flow with an edge to a node that does not exist. */
const DANGLING = {
  start_node_id: "greet",
  start_speaker: "agent",
  model_choice: { type: "cascading", model: "gpt-4.1" },
  nodes: [
    {
      id: "greet",
      type: "conversation",
      instruction: { type: "prompt", text: "Greet the caller." },
      edges: [
        {
          id: "edge-1",
          destination_node_id: "nowhere",
          transition_condition: { type: "prompt", prompt: "Caller has a question" },
        },
      ],
    },
  ],
};

test("an edge to an unknown node is an error of check, is listed by import and stops run", async () => {
  const path = folder({ "flow.json": DANGLING, "tests.json": [{ name: "asks", says: ["Hello"], visits: ["greet"] }] });
  const file = join(path, "flow.json");

  const checked = await callweave(["check", file]);
  assert.equal(checked.code, 1);
  assert.match(checked.out, /^error\[unknown-destination\] There is no node "nowhere"$/m);

  const out = join(path, "flow.vt.json");
  const imported = await callweave(["import", file, "--out", out]);
  assert.match(imported.err, /^error\[unknown-destination\] There is no node "nowhere"$/m);
  assert.ok(existsSync(out));
  assert.match((await callweave(["check", out])).out, /unknown-destination/);

  for (const source of [file, out]) {
    const ran = await callweave(["run", source, "--tests", join(path, "tests.json"), "--db", join(path, "r.db")]);
    assert.equal(ran.code, 2);
    assert.match(ran.err, /^error\[unknown-target\] .*There is no node "nowhere"/);
  }
});

const loss = (code: string, place: number, more: Partial<Loss> = {}): Loss => ({
  code,
  kind: "emulated",
  path: ["nodes", "route", "transitions", place],
  message: "Vapi's handoffs have no order",
  instead: "a guard",
  ...more,
});

test("losses are grouped by code with a count, and long lists of paths are cut", () => {
  const losses = [0, 1, 2, 3, 4].map((place) => loss("edge-priority", place));
  const text = formatLosses("Vapi squad", [...losses, loss("tool-dropped", 0, { kind: "dropped" })], WIDE);
  assert.deepEqual(text.split("\n"), [
    "Vapi squad: 5 emulated, 1 dropped",
    "  dropped tool-dropped: Vapi's handoffs have no order",
    "    at nodes.route.transitions.0",
    "  emulated edge-priority (5 places): Vapi's handoffs have no order",
    "    at nodes.route.transitions.0, nodes.route.transitions.1, nodes.route.transitions.2 and 2 more",
    "--verbose shows every place, what was emitted and what to change",
    "",
  ]);
});

test("--verbose prints every path of a loss, what was emitted, and hints where there are any", () => {
  const losses = [
    loss("edge-priority", 0),
    loss("edge-priority", 1),
    loss("tool-outcome", 2, { hint: "Set a status" }),
  ];
  assert.deepEqual(formatLosses("Vapi squad", losses, WIDE, true).split("\n"), [
    "Vapi squad: 3 emulated, 0 dropped",
    "  emulated edge-priority (2 places): Vapi's handoffs have no order",
    "    emitted: a guard",
    "    at nodes.route.transitions.0",
    "    at nodes.route.transitions.1",
    "  emulated tool-outcome: Vapi's handoffs have no order",
    "    emitted: a guard",
    "    hint: Set a status",
    "    at nodes.route.transitions.2",
    "",
  ]);
});

test("findings are grouped by code, and errors list every path", () => {
  const found = (severity: Finding["severity"], place: number): Finding => {
    return { code: "a-code", severity, path: ["nodes", place], message: "Something is wrong", hint: "Mend it" };
  };
  const places = [0, 1, 2, 3];
  const all = [...places.map((place) => found("error", place)), ...places.map((place) => found("warning", place))];
  assert.deepEqual(formatFindings(all, WIDE).split("\n"), [
    "error[a-code] Something is wrong (4 places)",
    ...places.map((place) => `  at nodes.${place}`),
    "  hint: Mend it",
    "warning[a-code] Something is wrong (4 places)",
    "  at nodes.0, nodes.1, nodes.2 and 1 more",
    "  hint: Mend it",
    "",
    "4 errors, 4 warnings, 0 info",
    "--verbose shows every place and all hints",
    "",
  ]);
});

test("the help desk's losses for Vapi are one line per kind, without needless hints", async () => {
  const { err } = await callweave(["emit", "examples/help-desk/flow.ts", "--to", "vapi-squad"]);
  assert.match(err, /^Vapi squad: \d+ emulated, 0 dropped\n/);
  const codes = [...err.matchAll(/^ {2}emulated ([a-z-]+)/gm)].map(([, code]) => code);
  assert.deepEqual(codes, [...new Set(codes)]);
  const verbose = await callweave(["emit", "examples/help-desk/flow.ts", "--to", "vapi-squad", "--verbose"]);
  assert.doesNotMatch(err + verbose.err, /nothing|held in another way|not at all/i);
});

test("import warns when an edited squad cannot be read as its graph", async () => {
  const dir = folder();
  const squad = join(dir, "squad.json");
  await callweave(["emit", "examples/help-desk/flow.ts", "--to", "vapi-squad", "--out", squad]);
  const text = readFileSync(squad, "utf8");
  writeFileSync(squad, text.replace("call to_return_lamp", "call to_check_lamp"));
  const { code, err } = await callweave(["import", squad, "--out", join(dir, "squad.vt.json")]);
  assert.equal(code, 0);
  assert.match(err, /^warning\[emitted-document-changed\] .*member "welcome"/m);
});

test("findings that are listed whole do not name a flag for more", () => {
  const one: Finding = {
    code: "dead-end",
    severity: "warning",
    path: ["nodes", "a"],
    message: "It ends here",
    hint: "Add one",
  };
  const text = formatFindings([one], WIDE);
  assert.match(text, /1 warning, 0 info\n$/);
});
