import type { PageScenario, PageStatus } from "../../page_data.ts";
import { make } from "../common/mod.ts";
import type { ReportSource } from "./data.ts";
import { type Filter, filtered, type ShownScenario } from "./filter.ts";
import { rateBar, sign } from "./pieces.ts";
import { linkTo, type PageRoute } from "./route.ts";
import { counted, countOf, judged, SIGNS, STATUS_WORDS, STATUSES } from "./words.ts";

/** The list of scenarios beside the page. */
export interface Aside {
  readonly element: HTMLElement;
  /** Marks the current page. */
  readonly mark: (route: PageRoute) => void;
  /** The scenarios that match the filter. */
  readonly shown: () => readonly ShownScenario[];
}

/** Creates the list of scenarios, with a filter by status and text. */
export function createAside(source: ReportSource): Aside {
  let filter: Filter = { text: "", statuses: new Set() };
  let current: PageRoute = {};
  let shown: readonly ShownScenario[] = [];
  const list = make("ul", { class: "scenarios" });
  const status = make("p", { class: "quiet", role: "status" });
  const search = make("input", {
    type: "search",
    placeholder: "Filter by words",
    "aria-label": "Filter by words of scenarios and transcripts",
    oninput: () => {
      filter = { ...filter, text: search.value };
      draw();
    },
  });
  const { counts } = source.data.run;
  const buttons = STATUSES.filter((each) => counts[each]).map((each) => statusButton(each));

  function statusButton(each: PageStatus): HTMLElement {
    const button = make(
      "button",
      { type: "button", "aria-pressed": "false", class: `chip ${each}` },
      sign(each),
      countOf(each, counts[each] ?? 0),
    );
    button.addEventListener("click", () => {
      const statuses = new Set(filter.statuses);
      if (!statuses.delete(each)) statuses.add(each);
      button.setAttribute("aria-pressed", String(statuses.has(each)));
      filter = { ...filter, statuses };
      draw();
    });
    return button;
  }

  function draw(): void {
    shown = filtered(source, filter);
    list.replaceChildren(...shown.map(scenarioItem));
    const trials = shown.reduce((sum, each) => sum + each.trials.length, 0);
    status.textContent =
      shown.length === 0 ? "Nothing matches." : `${counted(shown.length, "scenario")}, ${counted(trials, "trial")}`;
    mark(current);
  }

  function mark(route: PageRoute): void {
    current = route;
    for (const link of list.querySelectorAll("a")) {
      const href = link.getAttribute("href");
      const isScenario = route.scenario !== undefined && href === linkTo(route.scenario);
      const isTrial =
        route.scenario !== undefined && route.trial !== undefined && href === linkTo(route.scenario, route.trial);
      if (isScenario || isTrial) link.setAttribute("aria-current", isTrial || !route.trial ? "page" : "true");
      else link.removeAttribute("aria-current");
    }
  }

  list.addEventListener("keydown", (event) => moveFocus(list, event));
  draw();
  const element = make(
    "nav",
    { class: "aside", "aria-label": "Scenarios" },
    make(
      "div",
      { class: "filter" },
      search,
      buttons.length > 1 &&
        make("div", { class: "chips", role: "group", "aria-label": "Filter by status" }, ...buttons),
      status,
    ),
    list,
  );
  return { element, mark, shown: () => shown };
}

function scenarioItem({ scenario, trials }: ShownScenario): HTMLElement {
  const { name, verdict, counts } = scenario;
  return make(
    "li",
    {},
    make(
      "a",
      { class: "scenario-link", href: linkTo(scenario) },
      sign(verdict),
      make("span", { class: "name" }, name, make("span", { class: "unseen" }, `, ${STATUS_WORDS[verdict]}`)),
      make("span", { class: "count" }, judged(counts) === 0 ? "–" : `${counts.pass ?? 0}/${judged(counts)}`),
      rateBar(scenario),
    ),
    scenario.trials.length > 1 &&
      make("div", { class: "dots", role: "group", "aria-label": `Trials of ${name}` }, ...dots(scenario, trials)),
  );
}

function dots(scenario: PageScenario, trials: ShownScenario["trials"]): readonly HTMLElement[] {
  return trials.map((trial) => {
    const words = `trial ${trial.key}: ${STATUS_WORDS[trial.status]}`;
    const attributes = {
      class: `dot ${trial.status}`,
      href: linkTo(scenario, trial),
      tabindex: -1,
      "aria-label": words,
    };
    const [problem] = trial.problems;
    return make(
      "a",
      { ...attributes, title: problem === undefined ? words : `${words}, ${problem}` },
      SIGNS[trial.status],
    );
  });
}

/** Up and down arrows move between scenarios, left and right between trials. */
function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const item = document.activeElement?.closest("li");
  if (step === undefined || !item) return;
  const isVertical = event.key === "ArrowDown" || event.key === "ArrowUp";
  const links = [...(isVertical ? list : item).querySelectorAll<HTMLElement>(isVertical ? "a.scenario-link" : "a")];
  const from = isVertical ? item.querySelector<HTMLElement>("a.scenario-link") : document.activeElement;
  links[from instanceof HTMLElement ? links.indexOf(from) + step : 0]?.focus();
  event.preventDefault();
}
