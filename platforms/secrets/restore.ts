import { type Issue, type Path, PlatformError, throwIssues } from "../../src/errors.ts";
import { type AgentGraph, own } from "../../src/graph/mod.ts";
import { mapTexts } from "./strings.ts";

/** A reference to a variable of the environment. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/**
 * Puts the values of the environment in the place of `{{env:NAME}}` references.
 *
 * @param env What a process has in its environment, or what a deployment keeps its secrets in.
 * @throws {PlatformError} `missing-variable` for each reference to a variable that is not set; an empty one is.
 */
export function restoreSecrets(graph: AgentGraph, env: { readonly [name: string]: string | undefined }): AgentGraph {
  const issues: Issue[] = [];
  const restored = mapTexts(graph, (text, path) =>
    text.replace(ENV_REFERENCE, (reference, name: string) => own(env, name) ?? missing(name, reference, path, issues)),
  );
  throwIssues(PlatformError, "Cannot emit agent", issues);
  return restored;
}

function missing(name: string, reference: string, path: Path, issues: Issue[]): string {
  issues.push({
    code: "missing-variable",
    path,
    message: `environment variable "${name}" is not set`,
    hint: `Set ${name}, which stands for a secret of the agent`,
  });
  return reference;
}
