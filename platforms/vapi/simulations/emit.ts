import type { Vapi } from "@vapi-ai/server-sdk";
import { type Scenario, type ScenarioSource, toScenarios } from "../../../src/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import { emitEval, type VapiEval } from "./eval.ts";
import { emitSimulation } from "./simulation.ts";

/** Scenarios as Vapi's tests, and the losses. */
export interface VapiTests {
  /** Simulated callers: entries for `POST /eval/simulation/run`, complete, so that nothing must be saved first. */
  readonly simulations: readonly Vapi.SimulationRunSimulationsItem.Simulation[];
  /** Scripted callers: bodies for `POST /eval`. */
  readonly evals: readonly VapiEval[];
  /** What was changed or left out. Paths start with the scenario's name. */
  readonly losses: readonly Loss[];
}

/**
 * Emits scenarios as Vapi's tests: scripted lines as evals, all others as simulations. Recordings, paths and budgets
 * need `callweave run`, as the losses say.
 *
 * @throws {ScenarioError} `invalid-scenario`.
 * @see https://docs.vapi.ai/observability/evals-quickstart
 */
export function emitVapiTests(sources: readonly ScenarioSource[]): VapiTests {
  const scenarios = toScenarios(sources);
  const losses: Loss[] = [];
  const isScripted = ({ says }: Scenario) => says.length > 0;
  return {
    simulations: scenarios.filter((item) => !isScripted(item)).map((item) => emitSimulation(item, losses)),
    evals: scenarios.filter(isScripted).map((item) => emitEval(item, losses)),
    losses,
  };
}
