import type { Issue } from "../../../base/errors.ts";
import { CHECKS, type Scenario } from "../../../document/scenario/mod.ts";
import type { ResolvedScenario } from "../call/mod.ts";

/**
 * Finds what would make a scenario pass whatever the agent does: no caller, no expectation, or a check without its
 * function.
 *
 * @param options `hasCallers`: the run has a `createCaller`; `judgesPath`: it judges the path of every call.
 */
export function vacuousIn(
  resolved: ResolvedScenario,
  index: number,
  { hasCallers, judgesPath }: { readonly hasCallers: boolean; readonly judgesPath: boolean },
): readonly Issue[] {
  const { scenario } = resolved;
  const issue = (key: string, message: string, hint: string): Issue => ({
    code: "invalid-scenario",
    path: key === "" ? [index] : [index, key],
    message: `scenario "${scenario.name}" ${message}`,
    hint,
  });
  const functions = new Set((scenario[CHECKS] ?? []).map(({ name }) => name));
  const missing = (scenario.checks ?? []).filter((name) => !functions.has(name));
  return [
    ...(hasCallers || hasCaller(scenario) ? [] : [issue("", "has no caller", "Add a persona, or lines to say")]),
    ...(judgesPath || expectsSomething(resolved)
      ? []
      : [issue("", "expects nothing", 'Say what must hold of the call, such as .judge("…") or .ends("agent_ended")')]),
    ...missing.map((name) =>
      issue(
        "checks",
        `has the name of check "${name}" without its function`,
        "Run the scenario from the code that built it",
      ),
    ),
  ];
}

/** Whether a scenario has a persona or lines to say. */
export function hasCaller({ user_prompt: persona, says }: Scenario): boolean {
  return says.length > 0 || persona.trim() !== "";
}

function expectsSomething({ scenario, metrics, patterns }: ResolvedScenario): boolean {
  const { includes, excludes, visits, avoids, ends, extracts, calls, checks, answers_within_ms: limitMs } = scenario;
  const lists = [metrics, patterns, includes, excludes, visits, avoids, calls, checks ?? [], scenario[CHECKS] ?? []];
  return Boolean(ends ?? limitMs) || Object.keys(extracts).length > 0 || lists.some((list) => list.length > 0);
}
