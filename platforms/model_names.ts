/** Parts of names that do not tell models apart: dates, regions, and releases before the final one. */
const DETAILS = /:[a-z0-9]+$|-\d{4}-\d{2}-\d{2}|-\d{8}|-(?:preview|latest)\b/g;

/**
 * Finds a model in a platform's list, also under another spelling of its name: `claude-4.6-sonnet` is
 * `claude-sonnet-4-6`, and `gemini-3.0-flash` is `gemini-3-flash-preview`.
 *
 * @param known The names that the platform publishes.
 * @returns The platform's name; `undefined` if it does not have the model.
 */
export function knownModel(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return name;
  const wanted = identity(name);
  const same = known.filter((each) => !each.includes(":") && identity(each) === wanted);
  return same.sort((a, b) => a.length - b.length)[0];
}

/** The family and variant of a model in alphabetical order, then its version. */
function identity(name: string): string {
  const parts = name.toLowerCase().replace(DETAILS, "").split("-");
  const version = parts.filter((part) => /^\d+(?:\.\d+)*$/.test(part)).join(".");
  const words = parts.filter((part) => !/^\d+(?:\.\d+)*$/.test(part));
  return `${words.sort().join(" ")} ${version.replace(/(?:\.0)+$/, "")}`;
}
