import { stripVTControlCharacters } from "node:util";

/** Number of lines that are repeated at the end for each failed stage: logs are often read from their end. */
const EXCERPT_LINES = 60;

/** The runner's output about its failed tests, or its last lines, shortened for the end of a log. */
export function failureExcerpt(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split("\n");
  const summary = lines.findIndex((line) => /failing tests:$|^\s*ERRORS\s*$/.test(line));
  if (summary !== -1) return lines.slice(summary, summary + EXCERPT_LINES).join("\n");
  const named = lines.flatMap((line, at) =>
    /^\(fail\)/.test(line) ? lines.slice(sinceLastTest(lines, at), at + 1) : [],
  );
  return (named.length > 0 ? named : lines.slice(-EXCERPT_LINES)).slice(0, EXCERPT_LINES).join("\n");
}

/** Bun prints the error of a failed test before the line that names it. */
function sinceLastTest(lines: readonly string[], at: number): number {
  const before = lines.slice(0, at).findLastIndex((line) => /^\((?:pass|fail|skip)\)|_test\.ts:$/.test(line));
  return Math.max(before + 1, at - EXCERPT_LINES);
}
