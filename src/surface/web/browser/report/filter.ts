import type { PageScenario, PageStatus, PageTrial } from "../../page_data.ts";
import type { ReportSource } from "./data.ts";

/** Which trials are shown. */
export interface Filter {
  readonly text: string;
  /** All when empty. */
  readonly statuses: ReadonlySet<PageStatus>;
}

/** A scenario with its trials that match a filter. */
export interface ShownScenario {
  readonly scenario: PageScenario;
  readonly trials: readonly PageTrial[];
}

/** The scenarios with a trial that has one of the statuses and contains every word. */
export function filtered({ data, textOf }: ReportSource, { text, statuses }: Filter): readonly ShownScenario[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return data.scenarios.flatMap((scenario) => {
    const name = scenario.name.toLowerCase();
    const left = words.filter((word) => !name.includes(word));
    const trials = scenario.trials.filter(
      (trial) =>
        (statuses.size === 0 || statuses.has(trial.status)) &&
        (left.length === 0 || left.every((word) => textOf(trial).includes(word))),
    );
    return trials.length > 0 ? [{ scenario, trials }] : [];
  });
}
