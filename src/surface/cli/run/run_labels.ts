import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isModulePath } from "../../project/mod.ts";
import type { Arguments } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** Where a run comes from. */
export interface RunLabels {
  readonly [name: string]: string | readonly string[];
}

const GIT_MS = 3_000;

/**
 * Where a run comes from: commit and branch, as the CI system or Git knows them, the environment that is called, and the
 * tags of its scenarios. `undefined` if nothing is known.
 */
export async function runLabels(args: Arguments, { env }: Pick<Terminal, "env">): Promise<RunLabels | undefined> {
  const commit = env.GITHUB_SHA || env.CI_COMMIT_SHA;
  const branch = env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME || env.CI_COMMIT_REF_NAME;
  const found = commit && branch ? { commit, branch } : await ofGit();
  const agent = args.text("agent");
  const environment = agent === undefined || agent.includes(":") || isModulePath(agent) ? undefined : agent;
  const tags = args.texts("tag");
  const labels = {
    ...found,
    ...(environment === undefined ? {} : { environment }),
    ...(tags.length > 0 ? { tags } : {}),
  };
  return Object.keys(labels).length > 0 ? labels : undefined;
}

/** Commit and branch of the folder; empty outside of a repository and without Git. */
async function ofGit(): Promise<{ readonly commit?: string; readonly branch?: string }> {
  try {
    const argv = ["rev-parse", "HEAD", "--abbrev-ref", "HEAD"];
    const { stdout } = await promisify(execFile)("git", argv, { timeout: GIT_MS });
    const [commit = "", branch = ""] = stdout.trim().split("\n");
    return { ...(commit ? { commit } : {}), ...(branch && branch !== "HEAD" ? { branch } : {}) };
  } catch {
    return {};
  }
}
