import { extname } from "node:path";
import { draw, drawPng, GROUPINGS } from "../../agent/draw/mod.ts";
import { readBytes } from "../../base/files/mod.ts";
import { didYouMean } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { PLATFORM_DATA, PLATFORM_NAMES } from "../../document/platforms/mod.ts";
import { choiceOf, KIND } from "../../document/settings/mod.ts";
import { loadSource } from "../project/mod.ts";
import { type Arguments, type Command, EXAMPLE, usage } from "./arguments.ts";
import { type Terminal, writeOutput, writeTextFile } from "./io/mod.ts";
import { refuseOverwriting } from "./sources.ts";

/** What platforms group nodes into. */
const GROUPS = PLATFORM_NAMES.flatMap((name) => PLATFORM_DATA[name].words.groups ?? []);

const FORMATS = ["svg", "png", "mermaid"] as const;
/** Extensions of `--out` that name a format. */
const EXTENSIONS: { readonly [extension: string]: (typeof FORMATS)[number] } = {
  ".svg": "svg",
  ".png": "png",
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
};

/** `callweave draw`. */
export const drawCommand: Command = {
  name: "draw",
  summary: "Draw an agent, or a part of it, as SVG, PNG or Mermaid",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      format: {
        value: "FORMAT",
        kind: choiceOf(FORMATS),
        description: "svg, png or mermaid. Default: by the extension of --out, else svg",
      },
      out: { value: "FILE", description: "Write to a file instead of standard output" },
      from: { value: "NODE", isOwn: true, description: "Draw this node and what it leads to" },
      depth: {
        value: "N",
        kind: { ...KIND.count, to: 10_000 },
        description: "With --from: how many transitions away a node may be. Default: 2",
      },
      groups: {
        value: "GROUPS",
        kind: choiceOf(GROUPINGS),
        description: "Frames in an SVG or PNG: components, parts, none, or auto (default)",
      },
      scale: {
        value: "N",
        kind: { type: "number", from: 0.05, to: 8 },
        description: "Size of a PNG, 0.05 to 8. Default: 1",
      },
      font: {
        value: "FILE",
        repeats: true,
        description: "Font file for characters of a PNG that DejaVu Sans lacks, such as Chinese ones",
      },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      "source-from": { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
    },
  },
  notes: [
    "Transitions out of the drawn part end at grey boxes: → NODE, or → 3 more.",
    `auto draws ${GROUPS.join(" and ")} in frames, and in agents of 60 nodes and more the parts of decompose.`,
    "png needs two packages: npm install @resvg/resvg-wasm @fontsource/dejavu-sans",
  ],
  examples: [
    "callweave draw flow.ts --out flow.svg",
    "callweave draw flow.ts --from pay --depth 3 --out pay.png",
    `callweave draw ${EXAMPLE.format}.json --from pay --format mermaid`,
  ],
  run: async (args, terminal) => {
    const out = args.text("out");
    const format = formatOf(args, out);
    if (format === "png" && out === undefined)
      throw usage("a PNG cannot be written to standard output", "Pass --out FILE");
    const source = args.at("SOURCE");
    refuseOverwriting("--out", out, [{ what: "the agent", path: source }]);
    const picture = readPicture(args);
    const { graph } = await loadSource(source, terminal, {
      exportName: args.text("export"),
      format: args.text("source-from"),
    });
    if (format === "png") await writePng(graph, picture, args, terminal);
    else {
      const text = draw(graph, { ...picture, format });
      if (out === undefined) terminal.out(text);
      else await writeTextFile(out, text, { signal: terminal.signal });
    }
    return 0;
  },
};

function formatOf(args: Arguments, out: string | undefined): (typeof FORMATS)[number] {
  const wanted = args.text("format") ?? EXTENSIONS[extname(out ?? "").toLowerCase()] ?? "svg";
  return oneOf("format", wanted, FORMATS);
}

function readPicture(args: Arguments) {
  const from = args.text("from");
  const depth = args.number("depth");
  if (depth !== undefined && from === undefined) throw usage("--depth has no node to begin with", "Pass --from NODE");
  const groups = oneOf("groups", args.text("groups") ?? "auto", GROUPINGS);
  return { groups, ...(from === undefined ? {} : { from }), ...(depth === undefined ? {} : { depth }) };
}

function oneOf<Name extends string>(flag: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found) return found;
  throw usage(`--${flag} is "${value}"`, didYouMean(value, names, `Pass one of ${names.join(", ")}`));
}

async function writePng(
  graph: AgentGraph,
  picture: ReturnType<typeof readPicture>,
  args: Arguments,
  { err, signal }: Terminal,
): Promise<void> {
  const out = args.text("out") ?? "";
  const scale = args.number("scale") ?? 1;
  const fonts = await Promise.all(args.texts("font").map(readBytes));
  const { bytes, width, height, scale: used } = await drawPng(graph, { ...picture, scale, fonts });
  await writeOutput(out, bytes, { signal });
  const less = used < scale ? `, scaled to ${Math.round(used * 100)} % because it would be too large` : "";
  err(`wrote ${out}: ${width} × ${height} pixels${less}\n`);
}
