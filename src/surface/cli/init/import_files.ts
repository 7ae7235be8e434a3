import { eject } from "../../../../dsl/mod.ts";
import type { Finding } from "../../../document/graph/mod.ts";
import { extractSecrets } from "../../../document/secrets/mod.ts";
import { loadSource } from "../../project/mod.ts";
import type { Terminal } from "../io/mod.ts";
import type { ProjectFile } from "./project_file.ts";

/** An existing agent as the files of a project. */
export interface ImportedFiles {
  readonly files: readonly ProjectFile[];
  /** Name of the format, such as `retell`. */
  readonly format: string;
  readonly nodes: number;
  /** Parts of the document that the files leave out, such as another agent in it. */
  readonly findings: readonly Finding[];
  /** Environment variables that replace secrets of the agent. */
  readonly secrets: readonly string[];
}

/**
 * Reads an agent of any platform and writes it as TypeScript. Secrets are extracted, because a project's files are
 * committed. The first scenario only starts a call, which works with every agent.
 */
export async function importedFiles(
  path: string,
  format: string | undefined,
  terminal: Terminal,
): Promise<ImportedFiles> {
  const source = await loadSource(path, terminal, { format });
  const { graph, variables } = extractSecrets(source.graph);
  const start = { name: "starts a call", says: ["Hello."], visits: [graph.entry_node_id] };
  return {
    files: eject(graph, { name: source.name, scenarios: [start] }),
    format: source.format,
    nodes: Object.keys(graph.nodes).length,
    findings: source.findings,
    secrets: variables.map(({ name }) => name),
  };
}
