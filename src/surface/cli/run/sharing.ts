import type { RunOptions } from "../../../run/runner/mod.ts";
import { isServer } from "../../../run/store/mod.ts";
import { type Arguments, usage } from "../arguments/mod.ts";
import type { Terminal } from "../io/mod.ts";

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
 * Reads which run to resume or share.
 *
 * @throws {UsageError} `usage`.
 */
export function readSharing(
  name: string,
  args: Arguments,
  terminal: Pick<Terminal, "env">,
): Pick<RunOptions, "resume" | "shard" | "joinRun"> {
  const resume = args.text("resume");
  const join = args.text("join");
  if (resume !== undefined && join !== undefined)
    throw usage("--resume and --join both choose a run", "Pass --resume with the run's id, or --join with its name");
  const shard = readShard(args);
  const isSplit = shard !== undefined && resume === undefined && isServer(args.text("db"));
  const joinRun = join ?? (isSplit ? nameOfBuild(terminal.env, name) : undefined);
  return {
    ...(resume === undefined ? {} : { resume }),
    ...(shard === undefined ? {} : { shard }),
    ...(joinRun === undefined ? {} : { joinRun }),
  };
}

function readShard(args: Arguments): RunOptions["shard"] {
  const text = args.text("shard");
  if (text === undefined) return undefined;
  const [index = 0, total = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number);
  if (index >= 1 && index <= total) return { index, total };
  throw usage(`--shard is "${text}"`, "Write the number of this shard and of all: --shard 1/4");
}

/** A name that is the same on all machines of one build; `undefined` outside of CI. */
function nameOfBuild(env: Terminal["env"], agent: string): string | undefined {
  for (const { system, variables } of CI_RUNS) {
    const values = variables.map((variable) => env[variable]);
    if (values.every((value) => value)) return [system, ...values, agent].join("-");
  }
  return undefined;
}
