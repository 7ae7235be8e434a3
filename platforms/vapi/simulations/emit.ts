import type { Vapi } from "@vapi-ai/server-sdk";
import type { Scenario } from "../../../src/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import { emitEval, type NativeEval } from "./eval.ts";
import { emitSimulation } from "./simulation.ts";

/** Scenarios as Vapi runs them, and what it cannot hold of each. */
export interface NativeTests {
  /** Simulated callers: entries for `POST /eval/simulation/run`, whole, so that nothing has to be saved first. */
  readonly simulations: readonly Vapi.SimulationRunSimulationsItem.Simulation[];
  /** Scripted callers: bodies for `POST /eval`. */
  readonly evals: readonly NativeEval[];
  /** What was left out or changed; the paths start with the scenario's name. */
  readonly losses: readonly Loss[];
}

/**
 * Writes scenarios as Vapi's own tests: those with scripted lines as evals, all others as simulations. Recorded calls,
 * paths and budgets stay with `callweave run`, which is told in the losses.
 *
 * @see https://docs.vapi.ai/observability/evals-quickstart
 */
export function emitNativeTests(scenarios: readonly Scenario[]): NativeTests {
  const losses: Loss[] = [];
  const isScripted = ({ says }: Scenario) => says.length > 0;
  return {
    simulations: scenarios.filter((item) => !isScripted(item)).map((item) => emitSimulation(item, losses)),
    evals: scenarios.filter(isScripted).map((item) => emitEval(item, losses)),
    losses,
  };
}
