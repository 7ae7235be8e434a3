import { existsSync } from "node:fs";
import { join } from "node:path";
import { check } from "../../../agent/check/mod.ts";
import type { AgentGraph } from "../../../document/graph/mod.ts";
import { extractSecrets, findSecrets } from "../../../document/secrets/mod.ts";
import { loadScenarios, loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE, usage } from "../arguments.ts";
import { formatFindings, listStyle } from "../format/mod.ts";
import { writeTextFile } from "../io/mod.ts";
import { checkFolder, folderName } from "../sources.ts";

/** `callweave eject`. */
export const ejectCommand: Command = {
  name: "eject",
  summary: "Write an agent of any platform as TypeScript",
  spec: {
    positionals: [{ name: "FILE", description: "JSON of an agent, as a platform exports it (- is standard input)" }],
    flags: {
      out: { value: "DIR", description: "Folder to write to. Default: the agent's name" },
      format: { value: "FORMAT", description: "Format of the file; detected from its keys by default" },
      export: { value: "NAME", description: "Name of the export, if FILE is a module that exports several graphs" },
      scenarios: { value: "FILE", description: "Scenarios or JSON test cases to write beside the flow" },
      "extract-secrets": { description: "Replace keys, tokens and passwords by {{env:NAME}} references" },
      json: { description: "Print the files as JSON and write none" },
    },
  },
  notes: [
    "Compiling the flow gives the same document. Existing files are not overwritten.",
    "Long prompts, tools, settings of the platform and parts of large agents are written to separate files.",
  ],
  examples: [`callweave eject ${EXAMPLE.format}-export.json --out agent --extract-secrets`],
  run: async (args, terminal) => {
    const file = args.at("FILE");
    const {
      graph: read,
      name,
      format,
      findings,
    } = await loadSource(file, terminal, {
      format: args.text("format"),
      exportName: args.text("export"),
    });
    const graph = args.has("extract-secrets") ? extractSecrets(read).graph : read;
    const cases = args.text("scenarios");
    const scenarios = cases === undefined ? [] : await loadScenarios(cases, terminal);
    const { eject } = await import("../../../../dsl/mod.ts");
    const files = eject(graph, { name, scenarios });
    if (args.has("json")) {
      terminal.out(`${JSON.stringify(files, null, 2)}\n`);
      return 0;
    }
    const folder = args.text("out") ?? folderName(name);
    checkFolder(folder, "--out");
    const taken = files.find(({ path }) => existsSync(join(folder, path)));
    if (taken)
      throw usage(`"${join(folder, taken.path)}" exists`, "Name another folder with --out, or remove the file");
    for (const { path, text } of files) await writeTextFile(join(folder, path), text, { signal: terminal.signal });

    const count = Object.keys(graph.nodes).length;
    terminal.err(`read ${file} as ${format}: ${count} node${count === 1 ? "" : "s"}\n`);
    if (findings.length > 0)
      terminal.err(
        formatFindings(
          findings,
          listStyle(terminal.stderr, terminal.env),
          false,
          `npx callweave check ${file} --verbose`,
        ),
      );
    for (const { path, text } of files) {
      terminal.out(`${join(folder, path)}  ${text.split("\n").length - 1} lines\n`);
    }
    const secrets = args.has("extract-secrets") ? 0 : findSecrets(graph).length;
    if (secrets > 0) {
      const many = secrets === 1 ? "a secret" : `${secrets} secrets`;
      terminal.err(`  the files contain ${many}; remove them and run again with --extract-secrets\n`);
    }
    const unset = readsOfUnsetVariables(graph);
    if (unset > 0) {
      const places = unset === 1 ? "a place reads a variable" : `${unset} places read variables`;
      const list = `npx callweave check ${file}`;
      terminal.err(`  ${places} that nothing in the agent sets; the flow declares them for calls to give: ${list}\n`);
    }
    const next =
      scenarios.length > 0
        ? `callweave run ${join(folder, "flow.ts")} --scenarios ${join(folder, "scenarios.ts")}`
        : `callweave check ${join(folder, "flow.ts")}`;
    terminal.err(`next: npx ${next}\n`);
    return 0;
  },
};

/** Counts the findings of the imported agent that the flow no longer has, because a flow declares every variable. */
function readsOfUnsetVariables(graph: AgentGraph): number {
  return check(graph).filter(({ code }) => code === "unknown-variable" || code === "undeclared-variable").length;
}
