import { duration, percent, SIGNS, STATUS_WORDS } from "../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioRunScenario } from "../../../api/mod.ts";
import { RateBar, Sign } from "../parts/mod.ts";
import { linkTo } from "../state/mod.ts";

type Scenario = StudioRunScenario;
type Trial = Scenario["trials"][number];

/** Scenarios with their rates, and each of their calls as a square. */
export function RunGrid({
  run,
  scenarios,
  status,
}: {
  readonly run: StudioAnswer<"run">;
  readonly scenarios: readonly Scenario[];
  readonly status: string;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and is for forms
    <div class="grid" role="group" aria-label="Scenarios and their calls" onKeyDown={moveFocus}>
      {scenarios.map((scenario) => (
        <section key={scenario.scenario} class="grid-row">
          <div class="grid-name">
            <h3>
              <Sign status={scenario.verdict} />
              <span>
                {scenario.scenario}
                <span class="unseen">, {STATUS_WORDS[scenario.verdict]}</span>
              </span>
            </h3>
            <p class="quiet">
              {scenario.reason} <a href={linkTo(["scenarios", scenario.scenario], { agent: run.agent })}>Trend</a>
            </p>
          </div>
          <div class="grid-rate">
            <RateBar
              passes={scenario.passRate.passes}
              judged={scenario.passRate.trials}
              rate={scenario.passRate.rate}
              low={scenario.passRate.low}
              high={scenario.passRate.high}
            />
            <span class="quiet">{rateWords(scenario)}</span>
          </div>
          <div class="dots">
            {scenario.trials.map((trial, index) => (
              <Dot
                key={trial.call}
                trial={trial}
                isFirst={index === 0}
                isFaint={status !== "" && trial.status !== status}
              />
            ))}
            {scenario.more > 0 && (
              <a href={linkTo(["search"], { run: run.id, scenario: scenario.scenario })}>
                and {scenario.more.toLocaleString("en-US")} more
              </a>
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

function rateWords({ passRate, planned, trials, more }: Scenario): string {
  const { rate, passes, trials: judged, low, high } = passRate;
  const open = planned - trials.length - more;
  const waiting = open > 0 ? `, ${open} to come` : "";
  if (rate === null || low === null || high === null) return `not judged${waiting}`;
  return `${passes} of ${judged}, ${percent(low).replace(" %", "")} to ${percent(high)}${waiting}`;
}

function Dot({
  trial: { call, trial, attempt, status, score, durationMs },
  isFirst,
  isFaint,
}: {
  readonly trial: Trial;
  /** Tab reaches the first call of a scenario; the arrow keys reach the others. */
  readonly isFirst: boolean;
  readonly isFaint: boolean;
}) {
  const name = attempt === null || attempt === 1 ? `${trial}` : `${trial}.${attempt}`;
  const words = [
    `trial ${name}: ${STATUS_WORDS[status]}`,
    ...(score === null ? [] : [`score ${score.toFixed(2)}`]),
    duration(durationMs),
  ].join(", ");
  return (
    <a
      class={`dot ${status} ${isFaint ? "faint" : ""}`}
      href={linkTo(["calls", call])}
      tabIndex={isFirst ? 0 : -1}
      aria-label={words}
      title={words}
    >
      {SIGNS[status]}
    </a>
  );
}

/** The arrow keys move between calls: left and right in a scenario, up and down from one to the next. */
function moveFocus(event: KeyboardEvent): void {
  const { activeElement } = document;
  if (
    !(event.currentTarget instanceof HTMLElement) ||
    !(activeElement instanceof HTMLElement && activeElement.matches(".dot"))
  )
    return;
  const rows = [...event.currentTarget.querySelectorAll(".grid-row")].map((row) => [
    ...row.querySelectorAll<HTMLElement>(".dot"),
  ]);
  const row = rows.findIndex((dots) => dots.some((dot) => dot === activeElement));
  const column = rows[row]?.indexOf(activeElement) ?? 0;
  const moves: { readonly [key: string]: readonly [number, number] } = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
  };
  const [toRow, toColumn] = moves[event.key] ?? [];
  if (toRow === undefined || toColumn === undefined) return;
  event.preventDefault();
  const dots = rows[toRow] ?? [];
  dots[Math.min(toColumn, dots.length - 1)]?.focus();
}
