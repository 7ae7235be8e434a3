import type { PageScenario, PageTrial } from "../../page_data.ts";
import { type Child, make } from "../common/mod.ts";
import { overlayOf, type Picture } from "./picture.ts";
import { badge, facts, intervalWords, rateBar, section, sign, table } from "./pieces.ts";
import { linkTo } from "./route.ts";
import { counted, dollars, duration, percent, STATUS_WORDS, statusCounts } from "./words.ts";

/** Shows a scenario: its verdict, why trials failed, all trials, and their paths. */
export function scenarioPage(scenario: PageScenario, picture: Picture): HTMLElement {
  picture.overlay(overlayOf(scenario.trials));
  picture.mark(undefined);
  picture.onSelect = (node) => picture.mark(node);
  return make(
    "article",
    { class: "scenario" },
    make("h2", {}, scenario.name, " ", badge(scenario.verdict)),
    scenarioFacts(scenario),
    make(
      "div",
      { class: "beside" },
      make("div", {}, ...reasons([scenario]), section(`Trials (${scenario.trials.length})`, trialTable(scenario))),
      picture.element,
    ),
  );
}

/** Verdict, interval and gate of a scenario. */
export function scenarioFacts(scenario: PageScenario): HTMLElement {
  const { reason, gate, passRate, interval, counts, planned, trials, passHat, variance } = scenario;
  return make(
    "div",
    { class: "verdict" },
    make("p", { class: "reason" }, reason),
    passRate !== null &&
      interval &&
      make(
        "div",
        { class: "wide-rate" },
        rateBar(scenario),
        make(
          "span",
          { class: "scale", "aria-hidden": "true" },
          make("span", {}, "0"),
          make("span", {}, "50"),
          make("span", {}, "100 %"),
        ),
      ),
    facts([
      ["pass rate", passRate === null ? "none" : percent(passRate)],
      ...(interval ? [["95 % interval", intervalWords(interval).replace("95 % interval ", "")] as const] : []),
      ["gate", gate],
      ["trials", `${statusCounts(counts)}${trials.length < planned ? ` of ${planned} planned` : ""}`],
      ...(passHat.length > 1 ? [["pass^k", passHat.map((value) => value.toFixed(2)).join("  ")] as const] : []),
      ...(variance === undefined ? [] : [["variance", variance] as const]),
    ]),
  );
}

/** The failures of each scenario, the most frequent first, with links to the trials. */
export function reasons(scenarios: readonly PageScenario[]): readonly HTMLElement[] {
  const lists = scenarios.flatMap((scenario) => {
    const problems = problemsIn(scenario);
    if (problems.length === 0) return [];
    const items = problems.map(({ title, trials }) =>
      make(
        "li",
        {},
        make("span", {}, title),
        make("p", { class: "links" }, `${counted(trials.length, "trial")}: `, ...trialLinks(scenario, trials)),
      ),
    );
    const heading = scenarios.length > 1 && make("h4", {}, make("a", { href: linkTo(scenario) }, scenario.name));
    return [make("div", { class: "failed" }, heading, make("ul", {}, ...items))];
  });
  return lists.length > 0 ? [section("What went wrong", ...lists)] : [];
}

function problemsIn({ trials }: PageScenario): readonly { readonly title: string; readonly trials: PageTrial[] }[] {
  const found = new Map<string, PageTrial[]>();
  for (const trial of trials) {
    for (const title of new Set(trial.problems)) {
      const same = found.get(title);
      if (same) same.push(trial);
      else found.set(title, [trial]);
    }
  }
  return [...found].map(([title, trials]) => ({ title, trials })).sort((a, b) => b.trials.length - a.trials.length);
}

function trialLinks(scenario: PageScenario, trials: readonly PageTrial[]): readonly Child[] {
  const links = trials
    .slice(0, MOST_LINKS)
    .flatMap((trial) => [make("a", { href: linkTo(scenario, trial) }, `#${trial.key}`), " "]);
  return trials.length > MOST_LINKS ? [...links, "…"] : links;
}

const MOST_LINKS = 12;

function trialTable(scenario: PageScenario): HTMLElement {
  const { trials } = scenario;
  const hasCost = trials.some(({ cost }) => cost !== undefined);
  return table(
    ["trial", "turns", "took", ...(hasCost ? ["cost"] : []), "ended"],
    trials.map((trial) => [
      make(
        "a",
        { href: linkTo(scenario, trial), class: "trial-link" },
        sign(trial.status),
        `${trial.key} ${STATUS_WORDS[trial.status]}`,
      ),
      String(trial.turns),
      duration(trial.ms),
      ...(hasCost ? [trial.cost === undefined ? "" : dollars(trial.cost)] : []),
      trial.end,
    ]),
    "trials-table",
  );
}
