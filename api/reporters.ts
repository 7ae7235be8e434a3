/**
 * `callweave/reporters`: a run's report as text for people, JSON or JUnit.
 *
 * @module
 */
export {
  formatJson,
  formatJunit,
  formatReport,
  formatResult,
  formatTranscript,
  type Style,
  styleFor,
} from "../src/reporters/mod.ts";
