import { type Finding, formatNamed } from "../../../../platforms/mod.ts";
import { check } from "../../../agent/check/mod.ts";
import { isCallweaveError } from "../../../base/errors.ts";
import { readTextFile } from "../../../base/files/mod.ts";
import { loadPolicies, loadSource } from "../../project/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { formatFindings, listStyle, sarifLog } from "../format/mod.ts";
import { VERSION } from "../help.ts";
import { writeTextFile } from "../io/mod.ts";
import { POLICY_FLAGS, refuseOverwriting } from "../sources.ts";

/** `callweave check`. */
export const checkCommand: Command = {
  name: "check",
  summary: "Find mistakes in an agent, and what a platform cannot express",
  spec: {
    positionals: [{ name: "SOURCE", description: "Module that exports a graph, or any JSON that can be imported" }],
    flags: {
      target: { value: "FORMAT", description: "Also check for this format: what it rejects or cannot express" },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      from: { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      ...POLICY_FLAGS,
      verbose: { description: "List every place, and all hints" },
      json: { description: "Print the findings as JSON" },
      strict: { description: "Exit with code 1 for warnings too" },
      sarif: { value: "FILE", description: "Also write the findings to a file as SARIF 2.1.0, for code scanning" },
    },
  },
  notes: [
    "An imported agent is also checked against the rules of its platform.",
    "What makes a document unreadable at places of it, such as unknown targets, is reported as findings, too.",
    "Exit code 1 when a finding is an error; with --strict also when it is a warning.",
  ],
  examples: [
    "callweave check flow.ts",
    `callweave check flow.ts --target ${EXAMPLE.other} --json`,
    "callweave check flow.ts --policies policies.ts",
    "callweave check flow.ts --strict --sarif check.sarif",
  ],
  run: async (args, terminal) => {
    const target = args.text("target");
    if (target !== undefined) formatNamed(target);
    const source = args.at("SOURCE");
    const sarif = args.text("sarif");
    refuseOverwriting("--sarif", sarif, [{ what: "the agent", path: source }]);
    const find = async (): Promise<readonly Finding[]> => {
      const {
        graph,
        exports,
        findings: unread,
      } = await loadSource(source, terminal, {
        exportName: args.text("export"),
        format: args.text("from"),
      });
      const policies = await loadPolicies(exports, args.texts("policies"), terminal);
      return [...unread, ...check(graph, { policies, ...(target === undefined ? {} : { target }) })];
    };
    const findings = await find().catch(mistakesIn);
    if (sarif !== undefined) await writeSarif(sarif, findings, source);
    const style = listStyle(terminal.stdout, terminal.env);
    const text = formatFindings(findings, style, args.has("verbose"));
    terminal.out(args.has("json") ? `${JSON.stringify(findings, null, 2)}\n` : text);
    const failing = args.has("strict") ? ["error", "warning"] : ["error"];
    return findings.some(({ severity }) => failing.includes(severity)) ? 1 : 0;
  },
};

/**
 * The mistakes for which a document or flow was refused, as findings.
 *
 * @throws The error, if it does not name places of a document.
 */
function mistakesIn(error: unknown): readonly Finding[] {
  const refused = error instanceof Error && isCallweaveError(error.cause) ? error.cause : error;
  // by name, because a module can load another copy of the package
  if (!isCallweaveError(refused) || !["FlowError", "GraphError", "PlatformError"].includes(refused.name)) throw error;
  if (refused.issues.some(({ path }) => path.length === 0)) throw error;
  return refused.issues.map((issue) => ({ ...issue, severity: "error" }));
}

async function writeSarif(file: string, findings: readonly Finding[], source: string): Promise<void> {
  const checked = source === "-" ? { path: "stdin" } : { path: source, text: await readTextFile(source) };
  await writeTextFile(file, sarifLog(findings, checked, VERSION));
}
