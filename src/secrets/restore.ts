import { type Issue, type Path, PlatformError } from "../errors.ts";
import { type AgentGraph, own } from "../graph/mod.ts";
import { mapTexts } from "./strings.ts";

/** A reference to a variable of the environment. */
export const ENV_REFERENCE = /\{\{\s*env:([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/**
 * Puts the values of the environment in the place of `{{env:NAME}}` references.
 *
 * @param env What a process has in its environment, or what a deployment keeps its secrets in.
 * @throws {PlatformError} `missing-variable`, which names all variables that are not set and has an issue for each
 *   reference to one; an empty one is set.
 */
export function restoreSecrets(graph: AgentGraph, env: { readonly [name: string]: string | undefined }): AgentGraph {
  const issues: Issue[] = [];
  const names = new Set<string>();
  const restored = mapTexts(graph, (text, path) =>
    text.replace(ENV_REFERENCE, (reference, name: string) => {
      const value = own(env, name);
      if (value !== undefined) return value;
      names.add(name);
      issues.push(missing([name], path));
      return reference;
    }),
  );
  const [first] = issues;
  if (!first) return restored;
  // whoever sets them wants to know all of them, not one after the other
  const { message, ...details } = missing([...names], first.path);
  throw new PlatformError(`Cannot emit agent: ${message}`, { ...details, issues });
}

function missing(names: readonly string[], path: Path): Issue {
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const several = names.length > 1;
  return {
    code: "missing-variable",
    path,
    message: several ? `environment variables ${quoted} are not set` : `environment variable ${quoted} is not set`,
    hint: `Set ${names.join(", ")}, which ${several ? "stand for secrets" : "stands for a secret"} of the agent`,
  };
}
