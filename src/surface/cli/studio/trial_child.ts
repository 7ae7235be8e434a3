/** The process that `trialHolder()` starts for each trial: it holds the calls, tells what it found, and is stopped. */
import process from "node:process";
import { isCallweaveError } from "../../../base/errors.ts";
import { thrownWords } from "../../../base/values/mod.ts";
import { parseScenarios } from "../../../document/scenario/mod.ts";
import { endWithParent, exportedScenarios, loadScenarios, loadSource } from "../../project/mod.ts";
import { readArguments } from "../arguments.ts";
import { configDefaults } from "../config/mod.ts";
import { processTerminal } from "../io/mod.ts";
import { readRunOptions, runCommand } from "../run/mod.ts";
import { holdTrial } from "./hold_trial.ts";
import type { TrialNews, TrialQuestion } from "./start_trial.ts";

const tell = (news: TrialNews) => process.send?.(news);

const watched = endWithParent();

process.on("message", async (question: TrialQuestion) => {
  await watched;
  tell(await answer(question));
});

async function answer({ agent, model, work }: TrialQuestion): Promise<TrialNews> {
  try {
    const terminal = processTerminal();
    const { path, exportName, format, scenarioFiles } = agent;
    // the settings of `callweave run`, those of the configuration included
    const written = [path, ...(model === undefined ? [] : [`--model=${model}`])];
    const defaults = await configDefaults(runCommand, terminal);
    const args = await readArguments(written, runCommand.spec, runCommand.name, defaults);
    const { graph, name, exports } = await loadSource(path, terminal, { exportName, format });
    const files = await Promise.all(scenarioFiles.map((file) => loadScenarios(file, terminal)));
    const scenarios = scenarioFiles.length > 0 ? files.flat() : parseScenarios(exportedScenarios(exports));
    const options = await readRunOptions({ graph, name }, args, terminal);
    const found = await holdTrial(work, { graph, name, scenarios, options, onCall: () => tell({ kind: "call" }) });
    return { kind: "found", found };
  } catch (error) {
    if (!isCallweaveError(error))
      return { kind: "failed", message: thrownWords(error), hint: "Fix the agent's source" };
    const { message, hint } = error;
    return { kind: "failed", message, hint };
  }
}
