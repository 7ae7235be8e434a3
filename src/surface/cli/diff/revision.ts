import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UsageError } from "../../../base/errors.ts";
import { type GitOptions, gitFailed, runGit } from "./git.ts";

/** A file at a revision, as typed: `HEAD~1:agents/flow.ts`. */
export interface RevisionPath {
  readonly revision: string;
  readonly path: string;
}

/** A file at a commit of a repository. */
export interface CommittedFile {
  /** The folder of the working tree. */
  readonly top: string;
  /** Full id of the commit. */
  readonly commit: string;
  /** Path in the repository, with slashes. */
  readonly path: string;
}

/** Splits `REV:PATH`, git's notation. `undefined` for a file that exists and for a path with a drive letter. */
export function readRevisionPath(text: string): RevisionPath | undefined {
  const at = text.indexOf(":");
  if (at < 1 || at === text.length - 1 || /^[A-Za-z]:[\\/]/.test(text) || existsSync(text)) return undefined;
  return { revision: text.slice(0, at), path: text.slice(at + 1) };
}

/**
 * Finds the commit of a revision and the file in its repository. As in git, a path counts from the top of the
 * repository; one that begins with `./` or `../` counts from the current folder.
 *
 * @throws {UsageError} `git-missing`, `git-failed`, `unknown-revision`, `unreadable-file`, `aborted`.
 */
export async function findCommitted({ revision, path }: RevisionPath, options: GitOptions): Promise<CommittedFile> {
  const name = `${revision}:${path}`;
  const isFromHere = isAbsolute(path) || /^\.{1,2}[\\/]/.test(path);
  const file = resolve(options.cwd, path);
  const cwd = isFromHere ? existingFolder(dirname(file)) : options.cwd;
  const git = async (...args: readonly string[]) => await runGit(args, { ...options, cwd });

  const place = await git("rev-parse", "--show-toplevel", "--show-prefix");
  if (place.code !== 0) throw gitFailed(`Cannot read "${name}"`, place.message);
  const [top = "", prefix = ""] = place.out.split(/\r?\n/);
  const isFlag = revision.startsWith("-"); // older versions of git have no --end-of-options here
  const found = isFlag ? undefined : await git("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
  if (found?.code !== 0)
    throw new UsageError(`Cannot read "${name}": git knows no commit "${revision}"`, {
      code: "unknown-revision",
      hint: "Check the name with git log, or fetch it: a shallow clone has only the newest commits",
    });
  const commit = found.out.trim();
  const inside = isFromHere ? join(prefix, relative(cwd, file)) : path;
  const slashed = inside.replaceAll("\\", "/");
  const exists = await git("cat-file", "-e", `${commit}:${slashed}`);
  if (exists.code !== 0)
    throw new UsageError(`Cannot read "${name}": there is no such file in that revision`, {
      code: "unreadable-file",
      hint: "Write the path from the top of the repository, or with ./ from the current folder",
    });
  return { top, commit, path: slashed };
}

/** The closest folder above that exists; the file's own folder may have been deleted since. */
function existingFolder(folder: string): string {
  const above = dirname(folder);
  return existsSync(folder) || above === folder ? folder : existingFolder(above);
}
