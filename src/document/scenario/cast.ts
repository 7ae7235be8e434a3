import { ScenarioError } from "../../base/errors.ts";
import { didYouMean, isRecord, shown } from "../../base/values/mod.ts";
import { CALLER_SETS, CALLERS, type CallerTraits, hasTraits, personaWithTraits, SAYS } from "./callers/mod.ts";
import { parseScenarios } from "./parse.ts";
import { type CastOf, type Scenario, wordsOnly } from "./scenario.ts";

/**
 * Callers of a run: the name of a set (`everyday`, `difficult`, `vulnerable`, `adversarial`) or of a caller
 * (`hard-of-hearing`), callers of one's own by name, or a list of these.
 */
export type CallerChoice = string | { readonly [name: string]: CallerTraits } | readonly CallerChoice[];

/** A caller of a run. */
export interface NamedCaller {
  readonly name: string;
  readonly traits: CallerTraits;
}

/** Names of all sets and callers. */
export function callerNames(): readonly string[] {
  return [...Object.keys(CALLER_SETS), ...Object.keys(CALLERS)];
}

/**
 * The callers of a choice, each once.
 *
 * @throws {ScenarioError} `invalid-option` for a name that does not exist, and for a choice without callers.
 */
export function chosenCallers(choice: CallerChoice): readonly NamedCaller[] {
  const callers = new Map<string, CallerTraits>();
  const take = (given: unknown): void => {
    if (Array.isArray(given)) given.forEach(take);
    else if (typeof given === "string") for (const name of namesIn(given)) callers.set(name, traitsNamed(name));
    else if (isRecord(given))
      for (const [name, traits] of Object.entries(given)) callers.set(name, ownTraits(name, traits));
    else throw wrongChoice(`the callers are ${shown(given)}`, 'Name a set, such as "difficult", or a caller');
  };
  take(choice);
  if (callers.size === 0) throw wrongChoice("there is no caller", 'Name a set, such as "difficult", or a caller');
  return [...callers].map(([name, traits]) => ({ name, traits }));
}

function namesIn(name: string): readonly string[] {
  const set = Object.entries(CALLER_SETS).find(([key]) => key === name);
  return set ? set[1].callers : [name];
}

function traitsNamed(name: string): CallerTraits {
  const found = Object.entries(CALLERS).find(([key]) => key === name);
  if (found) return found[1];
  const known = callerNames();
  throw wrongChoice(`there is no caller "${name}"`, didYouMean(name, known, `Use one of ${known.join(", ")}`));
}

/** The traits of a caller of one's own, which are checked like those of a scenario. */
function ownTraits(name: string, traits: unknown): CallerTraits {
  const [checked] = parseScenarios([{ name, caller: traits }]);
  return checked?.caller ?? {};
}

function wrongChoice(state: string, hint: string): ScenarioError {
  return new ScenarioError(`Cannot choose callers: ${state}`, { code: "invalid-option", path: ["callers"], hint });
}

/**
 * Scenarios as each of the callers plays them: one for each scenario and caller, named after both. Those that have a caller of a set keep it. The caller's traits go before those of the scenario. Lines to say become a part of the persona, because nobody shows a trait with words
 * that are given.
 *
 * @throws {ScenarioError} `invalid-option` for unknown callers, `invalid-scenario` for a caller who does more than talk.
 */
export function castBy(choice: CallerChoice, scenarios: readonly Scenario[]): readonly Scenario[] {
  const callers = chosenCallers(choice);
  return scenarios.flatMap((scenario) =>
    scenario.cast ? [scenario] : callers.map((caller) => castScenario(scenario, caller)),
  );
}

function castScenario(scenario: Scenario, { name, traits }: NamedCaller): Scenario {
  const played = { ...scenario.caller, ...traits };
  const cast = { scenario: scenario.name, caller: name };
  const named = { ...scenario, name: `${scenario.name} (${name})`, cast };
  if (!hasTraits(played)) return named;
  if (scenario.says.some((line) => typeof line !== "string")) throw doesMore(scenario);
  const { offline_path: _, ...rest } = named;
  return { ...rest, caller: played, says: [], user_prompt: spokenFreely(scenario) };
}

/** A scenario that a run made of another one and a caller of a set. */
export interface PlayedCast extends CastOf {
  /** How its caller talked; `undefined` if the run does not say it. */
  readonly traits: CallerTraits | undefined;
}

/**
 * Scenarios as the calls of a run played them: one that was played by callers of a set is replaced by those that were
 * made of it, unless it was played as it is written, too.
 *
 * @param calls Results of a run, which say by whom they were played. Other calls are ignored.
 */
export function scenariosAsPlayed(scenarios: readonly Scenario[], calls: readonly object[]): readonly Scenario[] {
  const played = new Map<string, PlayedCast>();
  const names = new Set(calls.map((call) => ("scenario" in call ? call.scenario : undefined)));
  for (const call of calls) {
    const { traits, cast } = "caller" in call && isRecord(call.caller) ? call.caller : {};
    const found = readCast(cast, traits);
    if (found) played.set(JSON.stringify([found.scenario, found.caller]), found);
  }
  if (played.size === 0) return scenarios;
  const written = new Set(scenarios.map(({ name }) => name));
  return scenarios.flatMap((scenario) => {
    const casts = [...played.values()].filter((each) => each.scenario === scenario.name);
    const made = casts.flatMap((cast) => castAgain(scenario, cast) ?? []).filter(({ name }) => !written.has(name));
    return casts.length === 0 || names.has(scenario.name) ? [scenario, ...made] : made;
  });
}

/** Reads of which scenario and caller something was made. */
export function readCast(cast: unknown, traits: unknown): PlayedCast | undefined {
  if (!isRecord(cast) || typeof cast.scenario !== "string" || typeof cast.caller !== "string") return undefined;
  const { scenario, caller } = cast;
  return { scenario, caller, traits: traits === undefined ? CALLERS_BY_NAME.get(caller) : ownTraits(caller, traits) };
}

const CALLERS_BY_NAME: ReadonlyMap<string, CallerTraits> = new Map(Object.entries(CALLERS));

/** The scenario that a run made of one and a caller; `undefined` if the caller's traits are not known. */
export function castAgain(scenario: Scenario, { caller, traits }: PlayedCast): Scenario | undefined {
  return traits && castScenario(scenario, { name: caller, traits });
}

/** The persona of a caller who says its lines in its own words. */
function spokenFreely(scenario: Scenario): string {
  const lines = wordsOnly(scenario.says);
  if (lines.length === 0) return scenario.user_prompt;
  const told = lines.map((line) => SAYS + line);
  return [...(scenario.user_prompt.trim() === "" ? [] : [scenario.user_prompt.trim()]), ...told].join("\n");
}

function doesMore({ name }: Scenario): ScenarioError {
  return new ScenarioError(`Cannot play scenario "${name}" with other callers: its caller does more than talk`, {
    code: "invalid-scenario",
    path: ["callers"],
    hint: "Leave it out, such as with --scenario or --tag: silence, keys, hang-ups and interruptions cannot be played by traits",
  });
}

/** A scenario whose persona says how the caller talks, for callers that know no traits. */
export function withToldTraits(scenario: Scenario): Scenario {
  if (!hasTraits(scenario.caller)) return scenario;
  const { caller, ...rest } = scenario;
  return { ...rest, user_prompt: personaWithTraits(scenario.user_prompt, caller) };
}
