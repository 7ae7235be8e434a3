import { TYPESCRIPT_VERSION, VERSION } from "../help.ts";
import { MCP_PACKAGE } from "./assistants.ts";
import type { ProjectFile } from "./project_file.ts";
import { COMMANDS_OF, type Runtime } from "./runtime.ts";

const IGNORED = ["node_modules/", ".callweave/", ".env", "report.xml", "check.sarif"];

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "ES2022",
  lib: ["ES2023", "DOM"],
  module: "NodeNext",
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/**
 * The manifest, the configuration and other files that the tools of a project read.
 *
 * @param options `strict`: whether warnings of `check` fail; not for imported agents, which may have many. `assistants`:
 *   whether coding assistants start the server.
 */
export function settingsFiles(
  name: string,
  runtime: Runtime,
  { strict, assistants }: { readonly strict: boolean; readonly assistants: boolean },
): readonly ProjectFile[] {
  const config = {
    $schema: "./node_modules/callweave/schemas/config.json",
    source: "flow.ts",
    scenarios: ["scenarios.ts"],
    ...(strict ? { check: { strict } } : {}),
  };
  return [
    { path: "callweave.config.json", text: json(config) },
    ...(runtime === "deno" ? [denoManifest(assistants)] : [manifest(name, runtime, assistants), typescriptConfig()]),
    { path: ".gitignore", text: `${IGNORED.join("\n")}\n`, kept: `Add ${IGNORED.join(" ")} to it` },
  ];
}

function manifest(name: string, runtime: "node" | "bun", assistants: boolean): ProjectFile {
  const start = runtime === "bun" ? "bun --bun callweave" : "callweave";
  const text = json({
    name,
    private: true,
    type: "module",
    scripts: {
      test: `${start} check && ${start} run`,
      view: `${start} view`,
      types: "tsc",
    },
    dependencies: { callweave: `^${VERSION}` },
    devDependencies: {
      ...(assistants ? { [MCP_PACKAGE.name]: MCP_PACKAGE.version } : {}),
      typescript: TYPESCRIPT_VERSION,
    },
  });
  return { path: "package.json", text, kept: `Set "type": "module" in it, and run ${COMMANDS_OF[runtime].add}` };
}

function denoManifest(assistants: boolean): ProjectFile {
  const start = "deno run -A npm:callweave";
  const text = json({
    tasks: {
      test: `${start} check && ${start} run`,
      view: `${start} view`,
      types: "deno check flow.ts scenarios.ts",
    },
    imports: {
      ...(assistants ? { [MCP_PACKAGE.name]: `npm:${MCP_PACKAGE.name}@${MCP_PACKAGE.version}` } : {}),
      callweave: `npm:callweave@^${VERSION}`,
    },
    nodeModulesDir: "manual",
  });
  return { path: "deno.json", text, kept: `Run ${COMMANDS_OF.deno.add}` };
}

function typescriptConfig(): ProjectFile {
  const text = json({ compilerOptions: COMPILER_OPTIONS });
  return { path: "tsconfig.json", text, kept: 'Set "allowImportingTsExtensions" and "noEmit" in it' };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
