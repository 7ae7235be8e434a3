import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../../base/errors.ts";

/** Endings of agents and scenarios. */
const ENDING = /\.(?:[cm]?[jt]s|json|ya?ml)$/i;
/** Files that decide what a project's tools run. A proposal is about agents and scenarios. */
const TOOLING =
  /^(?:package(?:-lock)?|npm-shrinkwrap|deno|bunfig|[jt]sconfig(?:\..*)?|.*\.config|callweave\.lock)\.\w+$/i;
/** Letters that are not in a line of a patch as they are, or that hide what a name is. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"\\:*?<>|]/u;
const LONGEST = 300;

/** Whether a path can be that of an agent or a scenario in a project: relative, with `/`, not hidden, of a known ending. */
export function isProposedPath(path: string): boolean {
  const parts = path.split("/");
  return (
    path.length <= LONGEST &&
    ENDING.test(path) &&
    !UNFIT.test(path) &&
    parts.every((part) => part !== "" && !part.startsWith(".") && part === part.trim() && part !== "node_modules") &&
    !TOOLING.test(parts.at(-1) ?? "")
  );
}

/**
 * The file of a proposal on disk. Its folder is in the project also after links were followed, and it is a file or does
 * not exist.
 *
 * @throws {UsageError} `invalid-proposal`.
 */
export function fileInProject(folder: string, path: string): string {
  const refuse = (state: string) =>
    new UsageError(`Cannot change "${path}": ${state}`, {
      code: "invalid-proposal",
      path: [path],
      hint: "Name a file of an agent or a scenario, such as flow.ts, by its path from the project's folder",
    });
  if (!isProposedPath(path)) throw refuse("it is no agent or scenario of the project");
  const top = realpathSync(resolve(folder));
  const file = join(top, ...path.split("/"));
  const real = realPathOf(file);
  const inside = relative(top, real);
  if (!isProposedPath(inside.split(sep).join("/")))
    throw refuse("it leads to a file that is no agent or scenario of the project");
  if (existsSync(real) && !lstatSync(real).isFile()) throw refuse("it is not a file");
  return real;
}

/** The path with links followed, as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // a broken link would be followed when it is written
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return resolve(sep);
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), relative(parent, path));
  }
}
