import type { PageCallerRate, PageChange, PageData, PageMissing, PageRate, PageShare } from "../../page_data.ts";
import { type Child, make } from "../common/mod.ts";
import { hearingSection } from "./audio.ts";
import { latencySection } from "./latency.ts";
import { overlayOf, type Picture } from "./picture.ts";
import { facts, intervalWords, section, table, usageTable } from "./pieces.ts";
import { linkTo } from "./route.ts";
import { reasons } from "./scenario.ts";
import { dateText, dollars, duration, percent } from "./words.ts";

/** Shows the overview: why the run failed, what it covered, and how it differs from a baseline. */
export function overviewPage(data: PageData, picture: Picture): HTMLElement {
  picture.overlay(overlayOf(data.scenarios.flatMap(({ trials }) => trials)));
  picture.mark(undefined);
  picture.onSelect = (node) => picture.mark(node);
  return make(
    "article",
    { class: "overview" },
    make("h2", {}, summaryOf(data)),
    runFacts(data),
    notices(data),
    make(
      "div",
      { class: "beside" },
      make(
        "div",
        {},
        callersSection(data),
        ...reasons(data.scenarios),
        comparison(data),
        coverageSection(data),
        hearingSection(data.heard),
        latencySection(data.latency),
        section("Usage", usageTable(data.run.usage)),
      ),
      picture.element,
    ),
  );
}

/** The verdict in one sentence. */
export function summaryOf({ scenarios }: PageData): string {
  const passed = scenarios.filter(({ verdict }) => verdict === "pass").length;
  if (scenarios.length === 0) return "No scenario was run";
  if (scenarios.every(({ verdict }) => verdict === "imported"))
    return scenarios.length === 1 ? "1 imported call" : `${scenarios.length} imported calls`;
  if (passed === scenarios.length)
    return scenarios.length === 1 ? "The scenario passed" : `All ${passed} scenarios passed`;
  return `${passed} of ${scenarios.length} scenarios passed`;
}

/** Start, duration and models. */
export function runFacts({ run }: PageData): HTMLElement {
  const models = new Set(run.models.map(([, name]) => name));
  const [only] = models;
  return facts([
    ["started", dateText(run.startedAt)],
    ["took", duration(run.ms)],
    ...(models.size === 1 && only !== undefined ? [["models", only] as const] : run.models),
    ...(run.usage.costUsd ? [["cost", dollars(run.usage.costUsd)] as const] : []),
    ["run", run.id],
    ...(run.store === null ? [] : [["stored in", run.store] as const]),
  ]);
}

/** Warnings about the run. */
export function notices({ run }: PageData): HTMLElement | null {
  if (run.notices.length === 0) return null;
  return make(
    "ul",
    { class: "notices", "aria-label": "Notes on this run" },
    ...run.notices.map(({ level, text }) => make("li", { class: level }, text)),
  );
}

/** The results by scenario and caller: each cell leads to the scenario that the caller played. */
function callersSection({ callers: found, scenarios }: PageData): HTMLElement | null {
  if (!found) return null;
  const { sentence, callers, rows, totals } = found;
  return section(
    "Callers",
    make("p", {}, sentence),
    table(
      ["scenario", ...callers],
      [
        ...rows.map(({ scenario, cells }) => [scenario, ...cells.map((cell) => callerCell(cell, scenarios))]),
        ["all scenarios", ...totals.map((total) => callerRate(total))],
      ],
      "callers",
    ),
  );
}

function callerCell(
  cell: NonNullable<PageData["callers"]>["rows"][number]["cells"][number],
  scenarios: PageData["scenarios"],
): HTMLElement | string {
  if (!cell) return "";
  const played = scenarios[cell.played];
  return played ? make("a", { href: linkTo(played) }, callerRate(cell)) : callerRate(cell);
}

function callerRate({ text, passRate, interval }: PageCallerRate): HTMLElement {
  const change = passRate === null ? "none" : passRate === 1 ? "better" : "worse";
  const label = passRate === null ? text : `${text}, ${percent(passRate)}`;
  return make("b", { class: change, title: interval ? `${label}, ${intervalWords(interval)}` : label }, text);
}

/** The coverage of the graph, and uncovered items. */
export function coverageSection({ coverage }: PageData): HTMLElement | null {
  if (!coverage) return null;
  const { totals, missing } = coverage;
  return section(
    "Coverage",
    make("ul", { class: "shares" }, ...totals.map(shareItem)),
    missing.length > 0 &&
      make(
        "details",
        { open: missing.length <= MOST_OPEN },
        make("summary", {}, `Not covered (${missing.length})`),
        make("ul", { class: "missing" }, ...missing.map(missingItem)),
      ),
  );
}

/** Longer lists are collapsed. */
const MOST_OPEN = 12;

function shareItem({ what, covered, total }: PageShare): HTMLElement {
  const share = covered / Math.max(1, total);
  const filled = make("span", { class: "filled" });
  filled.style.width = `${share * 100}%`;
  return make(
    "li",
    {},
    make("span", {}, what),
    make("span", { class: "track", "aria-hidden": "true" }, filled),
    make("span", {}, `${covered} of ${total}`),
    make("span", { class: "quiet" }, percent(share)),
  );
}

function missingItem({ kind, text, way = [], reason }: PageMissing): HTMLElement {
  const title = [make("span", { class: "kind" }, kind), ` ${text}`];
  if (way.length === 0) return make("li", {}, ...title, reason !== undefined && make("p", { class: "quiet" }, reason));
  const steps = way.map((step) => make("li", {}, step));
  return make("li", {}, make("details", {}, make("summary", {}, ...title), make("ol", { class: "quiet" }, ...steps)));
}

/** Differences from the baseline. */
export function comparison({ comparison, scenarios }: PageData): HTMLElement | null {
  if (!comparison) return null;
  const { base, summary, rows } = comparison;
  return section(
    `Compared with ${base}`,
    make("p", {}, summary),
    rows.length > 0 &&
      table(
        ["scenario", "before", "now", "difference"],
        rows.map((row) => changeRow(row, scenarios)),
        "comparison",
      ),
  );
}

const CHANGES = { better: "▲ better", worse: "▼ worse", none: "no more than noise" } as const;

function changeRow(
  { scenario, criterion, base, head, change, reason }: PageChange,
  scenarios: PageData["scenarios"],
): readonly Child[] {
  const known = scenarios.find(({ name }) => name === scenario);
  return [
    make(
      "span",
      {},
      known && !criterion ? make("a", { href: linkTo(known) }, scenario) : !criterion && scenario,
      criterion !== undefined && make("span", { class: "quiet" }, `judged: ${criterion}`),
    ),
    rateText(base),
    rateText(head),
    make("span", {}, make("b", { class: change }, CHANGES[change]), make("span", { class: "quiet said" }, reason)),
  ];
}

function rateText({ passes, trials, interval }: PageRate): HTMLElement {
  if (trials === 0) return make("span", { class: "quiet" }, "no trials");
  return make(
    "span",
    {},
    `${passes}/${trials}`,
    interval && make("span", { class: "quiet said" }, intervalWords(interval).replace("95 % interval ", "")),
  );
}
