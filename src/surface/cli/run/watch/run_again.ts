import { CHECKS, castBy, type Scenario } from "../../../../document/scenario/mod.ts";
import type { RunReport } from "../../../../run/runner/mod.ts";
import { codeVersion, loadPolicies } from "../../../project/mod.ts";
import type { Terminal } from "../../io/mod.ts";
import { executeRun } from "../execute_run.ts";
import { chooseScenarios, loadRun } from "../load_run.ts";
import { toArguments, type WatchAnswer, type WatchRequest } from "./messages.ts";
import { type Again, selectAgain, type WatchedResult } from "./select_again.ts";

/** Flags that select scenarios, applied before the run. */
const SELECTION = ["scenario", "tag", "grep"];

/** Runs the scenarios affected by the changes since the last run; all selected ones if there was none. */
export async function runAgain({ args, watched }: WatchRequest, terminal: Terminal): Promise<WatchAnswer> {
  const given = toArguments(args);
  const { source, scenarios: all } = await loadRun(given, terminal);
  const policies = await loadPolicies(source.exports, given.texts("policies"), terminal);
  const written = chooseScenarios(source.graph, all, given, terminal);
  const callers = given.text("callers")?.split(",");
  // results have the names of the scenarios as callers play them
  const scenarios = callers
    ? castBy(
        callers.map((name) => name.trim()),
        written,
      )
    : written;
  const files = [given.at("SOURCE"), ...["scenarios", "tests", "policies"].flatMap((flag) => given.texts(flag))];
  const input = { graph: source.graph, scenarios, policies, code: (await codeVersion(files)) ?? "" };
  const again = watched && selectAgain(watched, input, watched.results);
  if (again) terminal.err(linesOf(again, scenarios.length));
  const kept = (watched?.results ?? []).filter(
    ({ scenario }) =>
      scenarios.some(({ name }) => name === scenario) && !again?.some((each) => each.scenario === scenario),
  );
  const chosen = again ? scenarios.filter(({ name }) => again.some(({ scenario }) => scenario === name)) : scenarios;
  if (chosen.length === 0) return { code: codeOf(kept), watched: { ...input, results: kept } };
  const values = Object.fromEntries(Object.entries(args.values).filter(([flag]) => !SELECTION.includes(flag)));
  const agent = { ...source, policies, path: given.at("SOURCE"), all };
  let results: readonly WatchedResult[] = [];
  const code = await executeRun(agent, chosen, toArguments({ ...args, values }), terminal, (report) => {
    results = watchedResults(report, chosen);
  });
  const everything = [...kept, ...results];
  const passed = everything.filter(({ status }) => status === "pass").length;
  if (again) terminal.err(`${passed} of ${everything.length} scenarios pass, ${kept.length} of them not run again\n`);
  return { code: code === 0 ? codeOf(kept) : code, watched: { ...input, results: everything } };
}

function codeOf(results: readonly WatchedResult[]) {
  return results.every(({ status }) => status === "pass") ? 0 : 1;
}

function linesOf(again: readonly Again[], all: number): string {
  const head = again.length === 0 ? "the change reaches no scenario" : `the change reaches ${again.length} of ${all}`;
  return [head, ...again.map(({ scenario, reason }) => `  ${scenario}: ${reason}`)].map((line) => `${line}\n`).join("");
}

/** One result per scenario: repeated calls pass if their gate did; their visited nodes are merged. */
function watchedResults({ results, scenarios }: RunReport, chosen: readonly Scenario[]): readonly WatchedResult[] {
  return scenarios.map(({ scenario, verdict, counts }) => {
    const calls = results.filter((result) => result.scenario === scenario);
    const hasChecks = chosen.some((each) => each.name === scenario && (each[CHECKS] ?? []).length > 0);
    return {
      scenario,
      status: verdict === "undecided" ? (counts.cancelled > 0 ? "cancelled" : "error") : verdict,
      nodesVisited: [...new Set(calls.flatMap(({ nodesVisited }) => nodesVisited))],
      usesCode: hasChecks || calls.some(({ toolsCalled }) => toolsCalled.some(({ mocked }) => !mocked)),
    };
  });
}
