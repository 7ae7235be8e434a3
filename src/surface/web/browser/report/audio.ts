import type { PageHeard, PageHearing } from "../../page_data.ts";
import { section, table } from "./pieces.ts";

/** Words lost between speech and transcription, by scenario. */
export function hearingSection(rows: readonly PageHearing[] | undefined): HTMLElement | null {
  if (!rows || rows.length === 0) return null;
  return section(
    "Heard",
    table(
      ["scenario", "word errors", "lost", "differs from text"],
      rows.map(({ scenario, errors, lost, changes }) => [scenario, errors, lost, changes]),
      "heard",
    ),
  );
}

/** Written and heard words of one call. */
export function heardSection(rows: readonly PageHeard[] | undefined): HTMLElement | null {
  if (!rows || rows.length === 0) return null;
  return section(
    "Heard",
    table(
      ["", "written", "heard", "difference"],
      rows.map(({ who, written, heard, errors }) => [who, written, heard, errors]),
      "heard",
    ),
  );
}
