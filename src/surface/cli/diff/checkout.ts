import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitOptions, gitFailed, runGit } from "./git.ts";
import type { CommittedFile } from "./revision.ts";

/** All files of a commit in a temporary folder, which is deleted on disposal. */
export interface Checkout extends AsyncDisposable {
  /** The committed file in that folder. */
  readonly file: string;
}

/**
 * Writes the files of a commit to a temporary folder, so that imports resolve to that revision.
 * Installed packages are linked from the working tree. The repository's index and working tree are not touched.
 *
 * @throws {UsageError} `git-missing`, `git-failed`, `aborted`.
 */
export async function checkOut({ top, commit, path }: CommittedFile, options: GitOptions): Promise<Checkout> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "callweave-diff-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const tree = join(folder, "tree");
  const indexFile = join(folder, "index");
  try {
    for (const args of [
      ["read-tree", commit],
      ["checkout-index", "--all", "--force", `--prefix=${tree}/`],
    ]) {
      const { code, message } = await runGit(args, { ...options, cwd: top, indexFile });
      if (code !== 0) throw gitFailed(`Cannot check out ${commit.slice(0, 12)}`, message);
    }
    await linkPackages(top, tree, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { file: join(tree, path), [Symbol.asyncDispose]: remove };
}

/** Links `node_modules` of every folder from the top down to the file. */
async function linkPackages(top: string, tree: string, path: string): Promise<void> {
  const folders = path.split("/").slice(0, -1);
  for (let depth = 0; depth <= folders.length; depth++) {
    const packages = join(...folders.slice(0, depth), "node_modules");
    const [from, to] = [join(top, packages), join(tree, packages)];
    if (existsSync(from) && !existsSync(to)) await symlink(from, to, "junction");
  }
}
