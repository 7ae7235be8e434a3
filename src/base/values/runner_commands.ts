/** Ends a line for some reader: GitHub's runner, a terminal, or a program that follows Unicode. */
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
/** What a reader skips at the start of a line: blanks, control characters, invisible ones, and escape sequences. */
const HEAD = /^(?:\p{Cc}(?:\[[0-?]*[ -/]*(?:[@-~]|$)|\][^\p{Cc}]*(?:\p{Cc}\\?|$))|[\s\p{Cc}\p{Cf}])*/u;
/** Commands that runners find anywhere in a line, up to the sign that makes them one. */
const INSIDE = /##\w*(?=\[)|(?:section_(?:start|end)|travis_(?:fold|time))(?=:)/g;
/** Whether there may be something to change; most texts have none of it. */
const SUSPECT = /::|##\w*\[|section_(?:start|end):|travis_(?:fold|time):/;

/**
 * Puts a blank into whatever a CI runner would read as a command: `::error::` at the start of a line, blanks and control
 * characters aside (GitHub), `##[add-mask]` (GitHub, Azure), `##vso[…]` (Azure), `##teamcity[…]`, and the sections of
 * GitLab and Travis. What a caller, a model or a tool said must not command a runner that prints it.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * @see https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands
 * @see https://www.jetbrains.com/help/teamcity/service-messages.html
 */
export function withoutCommands(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .split(new RegExp(`(${LINE_BREAK.source})`))
    .map((line) => {
      const [head = ""] = HEAD.exec(line) ?? [];
      const rest = line.slice(head.length);
      return (head + (rest.startsWith("::") ? `: ${rest.slice(1)}` : rest)).replace(INSIDE, "$& ");
    })
    .join("");
}

/** Longest start of a command that is remembered between two writes. */
const LONGEST = 200;

/**
 * Guards an output with {@link withoutCommands}, also where a command comes in several writes. Documents in JSON and XML
 * keep their values: the signs are escaped there.
 */
export function withoutCommandsIn(write: (text: string) => void): (text: string) => void {
  let line = "";
  return (text) => {
    const written = guarded(line, text);
    line = startOf(line, written);
    write(written);
  };
}

/** @param before What the line has so far, as far as it matters. */
function guarded(before: string, text: string): string {
  if (!SUSPECT.test(before + text)) return text;
  if (isJson(text)) return text.replace(/[\u0085\u2028\u2029]/g, inJson).replace(INSIDE, inJson);
  if (text.startsWith("<?xml")) return text.replace(/::/g, ":&#58;").replace(INSIDE, inXml);
  return withoutCommands(before + text).slice(before.length);
}

/** The signs of commands occur only within the strings of a document, so that an escape does not change it. */
function inJson(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}${found.slice(1)}`;
}

function inXml(found: string): string {
  return `&#${found.charCodeAt(0)};${found.slice(1)}`;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  const parses = (part: string) => {
    try {
      JSON.parse(part);
      return true;
    } catch {
      return false;
    }
  };
  return parses(text) || text.trimEnd().split("\n").every(parses);
}

/** The part of a line that the next write may complete to a command. */
function startOf(before: string, written: string): string {
  const last = `${before}${written}`.split(LINE_BREAK).at(-1) ?? "";
  const [head = ""] = HEAD.exec(last) ?? [];
  if (head.length === last.length || last === `${head}:`) return last.slice(-LONGEST);
  return `x${/(?:##?\w*|\w*)$/.exec(last.slice(-LONGEST))?.[0] ?? ""}`;
}
