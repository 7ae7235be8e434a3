import type { Scenario } from "../../../document/scenario/mod.ts";
import { usage } from "../arguments/mod.ts";

/** The selection flags; a scenario must match all of them. */
export interface Selection {
  /** Exact names; empty: any. */
  readonly names: readonly string[];
  /** The scenario must have at least one of these tags; empty: any. */
  readonly tags: readonly string[];
  /** A regular expression for the name, case-insensitive. */
  readonly grep?: string;
}

/**
 * Selects scenarios by name, tag and pattern.
 *
 * @throws {UsageError} `usage` for an unknown name, an unreadable pattern, or an empty selection.
 */
export function selectScenarios(scenarios: readonly Scenario[], { names, tags, grep }: Selection): readonly Scenario[] {
  const known = scenarios.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usage(`there is no scenario "${unknown}"`, `Use one of ${quoted(known)}`);
  const pattern = grep === undefined ? undefined : readPattern(grep);
  const selected = scenarios.filter(
    (scenario) =>
      (names.length === 0 || names.includes(scenario.name)) &&
      (tags.length === 0 || tags.some((tag) => scenario.tags?.includes(tag))) &&
      (pattern === undefined || pattern.test(scenario.name)),
  );
  if (selected.length > 0 || scenarios.length === 0) return selected;
  const asked = [
    ...(grep === undefined ? [] : [`--grep ${grep}`]),
    ...tags.map((tag) => `--tag ${tag}`),
    ...names.map((name) => `--scenario "${name}"`),
  ].join(" ");
  const used = [...new Set(scenarios.flatMap((scenario) => scenario.tags ?? []))];
  const hint = `Name one of ${quoted(known)}; ${used.length > 0 ? `the tags are ${quoted(used)}` : "there are no tags"}`;
  throw usage(`no scenario matches ${asked}`, hint);
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, "i");
  } catch (error) {
    const state = error instanceof Error ? error.message : String(error);
    throw usage(
      `--grep is not a regular expression: ${state}`,
      "Write a regular expression, such as --grep 'order|return'",
    );
  }
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, 12).map((text) => `"${text}"`);
  return [...shown, ...(texts.length > shown.length ? [`${texts.length - shown.length} more`] : [])].join(", ");
}
