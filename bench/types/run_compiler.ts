import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

/**
 * Runs the project's own TypeScript on a configuration file.
 *
 * @returns Its output.
 * @throws When it finds an error; the message contains the output.
 */
export async function runCompiler(config: string, ...options: readonly string[]): Promise<string> {
  const args = [compiler, "--project", config, "--pretty", "false", "--checkers", "1", ...options];
  try {
    const { stdout } = await promisify(execFile)("node", args, { maxBuffer: 1e8 });
    return stdout;
  } catch (error) {
    const printed = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`The compiler found errors in ${config}:\n${printed}`, { cause: error });
  }
}
