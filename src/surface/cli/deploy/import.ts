import { existsSync } from "node:fs";
import { oneLine } from "../../../base/values/mod.ts";
import { formatGraph } from "../../../document/graph/mod.ts";
import { readProject } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments/mod.ts";
import { schemaPath, writeTextFile } from "../io/mod.ts";
import { checkFolder, folderName } from "../sources/mod.ts";
import { writeEjected } from "./ejected.ts";
import { NOTES, PLACE_FLAGS } from "./flags.ts";
import { deployRun } from "./redacted.ts";
import { readDeployTarget } from "./target.ts";
import { placeWords } from "./words.ts";

/** `callweave deploy import`. */
export const deployImportCommand: Command = {
  name: "deploy import",
  summary: "Adopt an agent that exists on a platform: its files, and its entry in the lock file",
  spec: {
    positionals: [{ name: "ID", description: "Id of the agent, the squad or the assistant on the platform" }],
    flags: {
      ...PLACE_FLAGS,
      out: { value: "DIR", description: "Folder for the TypeScript (default: the agent's name)" },
      "json-file": { value: "FILE.callweave.json", description: "Write the agent as JSON to this file instead" },
      json: { description: "Print { place, files } as JSON" },
    },
  },
  notes: [
    ...NOTES,
    "Nothing is written on the platform. Keys, tokens and passwords of the agent become {{env:NAME}} references.",
  ],
  examples: [`callweave deploy import agent_0f1e2d --to ${EXAMPLE.format} --env production --out help-desk`],
  run: deployRun(async (args, terminal) => {
    const file = args.text("json-file");
    const out = args.text("out");
    if (file !== undefined && out !== undefined) throw usage("--out and --json-file are two outputs", "Pass one");
    if (file !== undefined && existsSync(file)) throw usage(`"${file}" exists`, "Name another file with --json-file");
    if (out !== undefined) checkFolder(out, "--out");
    if (out !== undefined && existsSync(`${out}/flow.ts`))
      throw usage(`"${out}/flow.ts" exists`, "Name another folder");
    const project = await readProject(args.text("folder") ?? ".", terminal);
    const target = readDeployTarget(args, project, terminal);
    const { importDeployed } = await import("../../../deploy/mod.ts");
    const { graph, place } = await importDeployed(args.at("ID"), target);
    const folder = out ?? folderName(place.flow);
    const files = file === undefined ? await ejectInto(folder) : await writeJson(file);
    if (args.has("json")) terminal.out(`${JSON.stringify({ place, files }, null, 2)}\n`);
    else for (const path of files) terminal.out(`wrote ${oneLine(path)}\n`);
    const [first = ""] = files;
    terminal.err(`adopted ${oneLine(placeWords({ place }))}\n`);
    terminal.err(`next: npx callweave deploy plan ${oneLine(first)} --to ${target.to} --env ${place.environment}\n`);
    return 0;

    async function ejectInto(dir: string): Promise<readonly string[]> {
      const { written, taken } = await writeEjected(dir, graph, place.flow);
      if (taken !== undefined) throw usage(`"${taken}" exists`, "Name another folder with --out, or remove the file");
      return written;
    }

    async function writeJson(path: string): Promise<readonly string[]> {
      await writeTextFile(path, formatGraph(graph, schemaPath("graph", path)));
      return [path];
    }
  }),
};
