import type { PageScenario, PageStatus, PageTrial } from "../page_data.ts";
import type { Source } from "./data.ts";

/** Which trials are shown. */
export interface Filter {
  readonly text: string;
  /** All when empty. */
  readonly statuses: ReadonlySet<PageStatus>;
}

/** A scenario with those of its trials that a filter lets through. */
export interface Shown {
  readonly scenario: PageScenario;
  readonly trials: readonly PageTrial[];
}

/** The scenarios that have a trial of these statuses, in which every word occurs. */
export function filtered({ data, textOf }: Source, { text, statuses }: Filter): readonly Shown[] {
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
