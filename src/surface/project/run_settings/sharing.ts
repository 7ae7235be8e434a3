import { defined } from "../../../base/values/mod.ts";
import type { RunSettings } from "../../../document/settings/mod.ts";
import type { SharingOptions } from "../../../run/runner/mod.ts";
import { isServer } from "../../../run/store/mod.ts";
import type { Environment } from "../reader.ts";
import type { Wording } from "./wording.ts";

/** Variables in which CI systems put the id of a build that all its machines share. */
const CI_RUNS: readonly { readonly system: string; readonly variables: readonly string[] }[] = [
  { system: "github", variables: ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"] },
  { system: "gitlab", variables: ["CI_PIPELINE_ID"] },
  { system: "circleci", variables: ["CIRCLE_WORKFLOW_ID"] },
  { system: "buildkite", variables: ["BUILDKITE_BUILD_ID"] },
  { system: "azure", variables: ["BUILD_BUILDID"] },
  { system: "bitbucket", variables: ["BITBUCKET_REPO_FULL_NAME", "BITBUCKET_BUILD_NUMBER"] },
  { system: "jenkins", variables: ["BUILD_TAG"] },
];

/**
 * Which run to resume or share. Shards of one build on a server share a run.
 *
 * @throws {UsageError} For settings that cannot be used together or read.
 */
export function sharingOf(
  name: string,
  { resume, join, shard: part, db }: RunSettings,
  { env, wording }: { readonly env: Environment; readonly wording: Wording },
): SharingOptions {
  const { written, problem } = wording;
  if (resume !== undefined && join !== undefined) {
    const hint = `Pass ${written("resume")} with the run's id, or ${written("join")} with its name`;
    throw problem(`${written("resume")} and ${written("join")} both choose a run`, hint);
  }
  const shard = shardOf(part, wording);
  const isSplit = shard !== undefined && resume === undefined && isServer(db);
  return defined({ resume, shard, joinRun: join ?? (isSplit ? nameOfBuild(env, name) : undefined) });
}

function shardOf(text: string | undefined, { written, problem }: Wording): SharingOptions["shard"] {
  if (text === undefined) return undefined;
  const [index = 0, total = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number);
  if (index >= 1 && index <= total) return { index, total };
  const example = written("shard", "1/4");
  throw problem(`${written("shard")} is "${text}"`, `Write the number of this shard and of all: ${example}`);
}

/** A name that is the same on all machines of one build; `undefined` outside of CI. */
function nameOfBuild(env: Environment, agent: string): string | undefined {
  for (const { system, variables } of CI_RUNS) {
    const values = variables.map((variable) => env[variable]);
    if (values.every((value) => value)) return [system, ...values, agent].join("-");
  }
  return undefined;
}
