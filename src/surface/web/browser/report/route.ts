import type { PageData, PageScenario, PageTrial } from "../../page_data.ts";

/** The current page: the overview, a scenario, or one of its trials. */
export interface PageRoute {
  readonly scenario?: PageScenario;
  readonly trial?: PageTrial;
}

/** The link to a scenario or a trial: `#scenario`, `#scenario/trial`. */
export function linkTo(scenario: PageScenario, trial?: PageTrial): string {
  const name = encodeURIComponent(wellFormed(scenario.name));
  return trial ? `#${name}/${encodeURIComponent(trial.key)}` : `#${name}`;
}

/** Parses a link. An unknown scenario falls back to the overview, an unknown trial to its scenario. */
export function routeOf(hash: string, { scenarios }: Pick<PageData, "scenarios">): PageRoute {
  const [name = "", key] = hash.replace(/^#/, "").split("/").map(decoded);
  const scenario = scenarios.find((each) => wellFormed(each.name) === name);
  if (!scenario) return {};
  const trial = scenario.trials.find((each) => each.key === key);
  return trial ? { scenario, trial } : { scenario };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An unpaired surrogate cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}
