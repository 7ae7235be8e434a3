import type { PageProblem, PageRun, PageScenario, PageStatus, PageVerdict } from "../../page_data.ts";
import { type Child, make } from "../common/mod.ts";
import { counted, dollars, duration, judged, percent, SIGNS, STATUS_WORDS } from "./words.ts";

/** A status or a verdict as a sign with its word. */
export function badge(status: PageStatus | PageVerdict): HTMLElement {
  return make("span", { class: `badge ${status}` }, sign(status), STATUS_WORDS[status]);
}

/** The coloured sign of a status, with its word for screen readers. */
export function sign(status: PageStatus | PageVerdict): HTMLElement {
  return make("span", { class: `sign ${status}`, "aria-hidden": "true" }, SIGNS[status]);
}

export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return make("section", {}, make("h3", {}, title), ...children);
}

/** Pass rate and its interval on a track from 0 to 100 %, with a mark where the gate is. */
export function rateBar({ passRate, interval, needed, counts }: PageScenario): HTMLElement {
  if (passRate === null || !interval)
    return make("span", { class: "rate empty", role: "img", "aria-label": "no trial passed or failed" });
  const at = (share: number) => `${(share * 100).toFixed(2)}%`;
  const band = make("span", { class: "band" });
  band.style.left = at(interval.low);
  band.style.width = at(interval.high - interval.low);
  const point = make("span", { class: "point" });
  point.style.left = at(passRate);
  const gate = make("span", { class: "gate" });
  if (needed !== undefined) gate.style.left = at(needed);
  const label = `${counts.pass ?? 0} of ${judged(counts)} passed, ${intervalWords(interval)}`;
  const parts = [
    `${label}.`,
    "The dot is the pass rate of these trials.",
    "The band is where the pass rate of many trials would be; more trials make it narrower.",
    ...(needed === undefined ? [] : [`The line is what the scenario needs: ${percent(needed)}.`]),
  ];
  return make(
    "span",
    { class: "rate", role: "img", "aria-label": label, title: parts.join(" ") },
    band,
    needed !== undefined && gate,
    point,
  );
}

/** `95 % interval 61 to 92 %`. */
export function intervalWords({ low, high }: { readonly low: number; readonly high: number }): string {
  return `95 % interval ${percent(low).replace(" %", "")} to ${percent(high)}`;
}

/** Terms with their descriptions, in a row. */
export function facts(entries: readonly (readonly [term: string, value: Child])[]): HTMLElement {
  const pairs = entries.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value)));
  return make("dl", { class: "facts" }, ...pairs);
}

/** Problems or warnings with their details. */
export function problemList(problems: readonly PageProblem[], level: "bad" | "warn"): HTMLElement {
  const items = problems.map(({ title, details }) =>
    make(
      "li",
      {},
      make("strong", {}, title),
      ...details.map(({ label, text }) =>
        make("p", {}, make("span", { class: "label" }, label), make("span", {}, text)),
      ),
    ),
  );
  return make("ul", { class: `problems ${level}` }, ...items);
}

/** Model calls, tokens, time and cost, per role. */
export function usageTable({ byRole, ...total }: PageRun["usage"]): HTMLElement {
  const roles = byRole ? (["agent", "caller", "judge"] as const).map((role) => [role, byRole[role]] as const) : [];
  const used = roles.filter(([, usage]) => usage.calls > 0);
  const rows = [...used, ["total", total] as const];
  const cost = rows.some(([, usage]) => usage.costUsd);
  const head = ["", "model calls", "tokens in", "tokens out", "time in models", ...(cost ? ["cost"] : [])];
  return table(
    head,
    rows.map(([role, { calls, inputTokens, outputTokens, modelMs, costUsd, retries = 0 }]) => [
      make("span", {}, role),
      `${calls.toLocaleString("en-US")}${retries > 0 ? ` (${counted(retries, "retry").replace("retrys", "retries")})` : ""}`,
      inputTokens.toLocaleString("en-US"),
      outputTokens.toLocaleString("en-US"),
      duration(modelMs),
      ...(cost ? [costUsd === undefined ? "unknown" : dollars(costUsd)] : []),
    ]),
    "numbers",
  );
}

/** A table with a row of headings; the first cell of a row is its heading. */
export function table(head: readonly Child[], rows: readonly (readonly Child[])[], look: string): HTMLElement {
  const headings = head.map((cell) => (cell === "" ? make("td") : make("th", { scope: "col" }, cell)));
  return make(
    "div",
    { class: "scroll" },
    make(
      "table",
      { class: look },
      make("thead", {}, make("tr", {}, ...headings)),
      make(
        "tbody",
        {},
        ...rows.map(([first, ...cells]) =>
          make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((cell) => make("td", {}, cell))),
        ),
      ),
    ),
  );
}
