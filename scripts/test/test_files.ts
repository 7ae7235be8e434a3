import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** Where tests run that do not run on each runtime: files, folders, and names of files in any folder, by stage. */
export interface StageFiles {
  readonly packaged: readonly string[];
  readonly pages: readonly string[];
  readonly compiled: readonly string[];
  readonly pure: readonly string[];
}

/** Runtimes of the tests. */
export type TestRuntime = "bun" | "node" | "deno";

/** What runs on Node only, and what one runtime runs whole. All other tests run on each runtime. */
export const LISTS: StageFiles = {
  /** The package, the benches, a long talk in a terminal, and programs that choose their runtime. */
  packaged: [
    "package",
    "bench/small_test.ts",
    "surface/cli/loading_test.ts",
    "surface/cli/tsx_test.ts",
    "surface/cli/chat/tmux_test.ts",
    "examples/runtimes_test.ts",
  ],
  /** The code of pages, which chooses its runtime, and the report and the studio in a browser. */
  pages: [
    "readme",
    "surface/reporters/html/page_test.ts",
    "surface/studio/page/studio_page_test.ts",
    "surface/studio/page/real_server_test.ts",
  ],
  /** Compilers, files of the repository, and long texts through functions that are the same on every runtime. */
  compiled: [
    ...["types", "docs", "schemas", "architecture_test.ts"],
    "**/sdk_types_test.ts",
    "dsl/eject/project_test.ts",
    "call/models/long_answers_test.ts",
  ],
  /**
   * Functions of graphs and documents, which ask nothing of a runtime. Where all generated cases run, all of these files
   * do; the other runtimes run a tenth of them. After `!`: the files in these folders that each runtime runs, because they
   * make calls, whose engine has timers, or test what runtimes may do differently: hashes, Unicode, errors of JSON.
   */
  pure: [
    "agent/analysis",
    "agent/check",
    "agent/convert",
    "document/graph",
    "document/scenario",
    "platforms/bland/pathway",
    "platforms/common",
    "platforms/constructs_test.ts",
    "platforms/deploying/corpus_test.ts",
    "platforms/elevenlabs/agent",
    "platforms/graph",
    "platforms/lens",
    "platforms/loss_paths_test.ts",
    "platforms/lower",
    "platforms/pipecat/flow",
    "platforms/retell",
    "platforms/telnyx/flow",
    "platforms/vapi",
    "platforms/agent_name_test.ts",
    "platforms/laws_test.ts",
    "platforms/losses_law_test.ts",
    "platforms/server_keys_test.ts",
    "platforms/settings_law_test.ts",
    "platforms/structure_test.ts",
    "platforms/update_platforms_test.ts",
    "run/watch/expectations_test.ts",
    "!agent/analysis/coverage/help_desk_test.ts",
    "!agent/analysis/coverage/random_calls_test.ts",
    "!agent/analysis/coverage/uncovered_test.ts",
    "!agent/analysis/decompose/decompose_test.ts",
    "!agent/analysis/paths/find_path_test.ts",
    "!agent/analysis/paths/goals_test.ts",
    "!agent/analysis/play/play_path_test.ts",
    "!agent/analysis/policies/counterexamples_test.ts",
    "!document/graph/definition_test.ts",
    "!document/graph/fingerprint_test.ts",
    "!platforms/lower/engine_test.ts",
    "!platforms/lower/fold_logic_test.ts",
    "!platforms/retell/flow/bad_input_test.ts",
    "!platforms/vapi/compile/names_test.ts",
  ],
};

/** One in so many pure files runs on a runtime that does not run all of them, each runtime its own. */
const ONE_IN = 10;
const FIRST: { readonly [Runtime in TestRuntime]: number } = { bun: 2, node: 0, deno: 5 };

/** The test files of each stage on Node, and those of each runtime. */
export interface TestFiles extends Omit<StageFiles, "pure"> {
  readonly on: { readonly [Runtime in TestRuntime]: readonly string[] };
}

/**
 * Sorts the test files of a folder by where they run.
 *
 * @param whole The runtime that runs all pure files. Default: `CALLWEAVE_WHOLE`, as for generated cases, or Bun.
 * @throws {Error} If a list names a file that does not exist any more: where it went, it would run on each runtime.
 */
export function testFiles(
  folder: string,
  lists: StageFiles = LISTS,
  whole: string = process.env.CALLWEAVE_WHOLE ?? "bun",
): TestFiles {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith("_test.ts"))
    .sort();
  const isIn = (part: string) => (name: string) =>
    part.startsWith("**/")
      ? `/${name}`.endsWith(part.slice("**".length))
      : name === part || name.startsWith(`${part}/`);
  const [pure = [], kept = []] = [false, true].map((isKept) =>
    lists.pure.filter((part) => part.startsWith("!") === isKept).map((part) => part.replace(/^!/, "")),
  );
  const onNode = [...lists.packaged, ...lists.pages, ...lists.compiled];
  const gone = [...onNode, ...pure, ...kept].filter((part) => !all.some(isIn(part)));
  if (gone.length > 0) throw new Error(`There are no tests in ${folder} at ${gone.join(", ")}: fix the lists`);
  const inFolder = (names: readonly string[]) => names.map((name) => join(folder, name).replaceAll("\\", "/"));
  const listed = (parts: readonly string[]) => all.filter((name) => parts.some((part) => isIn(part)(name)));
  return {
    packaged: inFolder(listed(lists.packaged)),
    pages: inFolder(listed(lists.pages)),
    compiled: inFolder(listed(lists.compiled)),
    on: { bun: inFolder(on("bun")), node: inFolder(on("node")), deno: inFolder(on("deno")) },
  };

  function on(runtime: TestRuntime): readonly string[] {
    const others = all.filter((name) => !onNode.some((part) => isIn(part)(name)));
    const isListed = (name: string, parts: readonly string[]) => parts.some((part) => isIn(part)(name));
    const shared = others.filter((name) => isListed(name, pure) && !isListed(name, kept));
    const left = shared.filter((_, index) => runtime !== whole && index % ONE_IN !== FIRST[runtime]);
    return others.filter((name) => !left.includes(name));
  }
}
