import { type Scenario, type ScenarioSource, toScenarios } from "../../../src/document/scenario/mod.ts";
import type { Loss } from "../../platform.ts";
import type { SimulationRunSimulationEntry } from "../generated/mod.ts";
import { emitEval, type VapiEval } from "./eval.ts";
import { emitSimulation } from "./simulation.ts";

/** Scenarios as Vapi's tests, and the losses. */
export interface VapiTests {
  /** Simulated callers: complete entries for `POST /eval/simulation/run`; nothing has to be saved first. */
  readonly simulations: readonly SimulationRunSimulationEntry[];
  /** Scripted callers: bodies for `POST /eval`. */
  readonly evals: readonly VapiEval[];
  /** Changed and omitted parts. Paths start with the scenario's name. */
  readonly losses: readonly Loss[];
}

/**
 * Emits scenarios as Vapi's tests: those with scripted lines as evals, all others as simulations. Expected paths, call
 * ends, latency and turn limits are losses: test them with `callweave run`.
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
