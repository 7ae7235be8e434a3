import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../../src/surface/cli/config/read_config.ts";
import { drawCommand } from "../../../src/surface/cli/draw.ts";
import { configSchema } from "../../../src/surface/project/mod.ts";
import { callweave, folder, GRAPH } from "./_terminal.ts";

const HELP_DESK = join(import.meta.dirname ?? ".", "..", "..", "..", "examples", "help-desk", "flow.ts");

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

test("draw prints an SVG, and with --from and --depth a cut-out of it", async () => {
  const whole = await callweave(["draw", HELP_DESK]);
  assert.equal(whole.code, 0);
  assert.match(whole.out, /^<svg [\s\S]*>technician</);
  const cut = await callweave(["draw", HELP_DESK, "--from", "route", "--depth", "1"]);
  assert.equal(cut.code, 0);
  assert.match(cut.out, /→ 2 more/);
  assert.doesNotMatch(cut.out, />technician</);
});

test("draw takes the format from --format, else from the extension of --out", async () => {
  const mermaid = await callweave(["draw", HELP_DESK, "--from", "route", "--format", "mermaid"]);
  assert.match(mermaid.out, /^flowchart TD\n/);
  const file = join(folder(), "new", "flow.mmd");
  assert.equal((await callweave(["draw", HELP_DESK, "--out", file])).code, 0);
  assert.match(readFileSync(file, "utf8"), /^flowchart TD\n/);
});

test("draw --out FILE.png writes a PNG of the asked size", SLOW, async () => {
  const path = folder({ "agent.json": GRAPH });
  const [source, file] = [join(path, "agent.json"), join(path, "agent.png")];
  const { code, err } = await callweave(["draw", source, "--out", file, "--scale", "0.5"]);
  assert.equal(code, 0, err);
  const bytes = readFileSync(file);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  assert.equal(err, `wrote ${file}: ${width} × ${height} pixels\n`);
  const svg = /width="(\d+)"/.exec((await callweave(["draw", source])).out);
  assert.ok(Math.abs(width - Number(svg?.[1]) / 2) <= 1);
});

test("draw reports what it cannot draw", async () => {
  const path = folder({ "agent.json": GRAPH, "font.ttf": "no font" });
  const source = join(path, "agent.json");
  const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["--from", "gret"], /error\[unknown-node\].*Did you mean "greet"/],
    [["--depth", "2"], /error\[usage\].*--from NODE/],
    [["--format", "gif"], /error\[usage\] .*--format is "gif"/],
    [["--groups", "part"], /Did you mean "parts"/],
    [["--format", "png"], /Pass --out FILE/],
    [["--out", join(path, "a.png"), "--scale", "9"], /--scale is "9"/],
    [["--out", join(path, "a.png"), "--font", join(path, "none.ttf")], /error\[unreadable-file\]/],
    [["--out", source], /would overwrite the agent/],
  ];
  for (const [args, message] of refused) {
    const { code, err } = await callweave(["draw", source, ...args]);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, message);
  }
  assert.equal(existsSync(join(path, "a.png")), false);
});

test("emit --to a picture names the command that draws it", async () => {
  const png = await callweave(["emit", HELP_DESK, "--to", "png", "--out", "a.png"]);
  assert.match(png.err, /error\[unknown-format\].*callweave draw SOURCE --format png/);
  const part = await callweave(["emit", HELP_DESK, "--to", "svg", "--from", "route"]);
  assert.match(part.err, /error\[unknown-format\].*callweave draw SOURCE --from route --format svg/);
});

test("in the configuration, from is the format of the source, and draw.from a node", async () => {
  const path = join(folder(), "callweave.config.json");
  writeFileSync(path, JSON.stringify({ source: "a.json", from: "graph", draw: { from: "greet", depth: 2 } }));
  const { flags } = await readConfig(path, drawCommand, { env: {} });
  assert.deepEqual(Object.fromEntries(flags(new Map())), {
    "source-from": ["graph"],
    from: ["greet"],
    depth: ["2"],
  });
  assert.ok("from" in configSchema({ draw: drawCommand.spec.flags }).entries);
});
