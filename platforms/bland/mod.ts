export { BLAND, type BlandFacts } from "./facts.ts";
export {
  type BlandAssertion,
  type BlandScenario,
  type BlandScenarios,
  emitBlandScenarios,
  importBlandScenarios,
} from "./scenarios.ts";
