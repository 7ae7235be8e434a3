import { relative, resolve } from "node:path";
import { readTextFile } from "../../../base/files/mod.ts";
import type { SourcePlace } from "../../reporters/mod.ts";
import type { Terminal } from "../io/mod.ts";

/**
 * Finds the lines of scenarios in their files, for annotations. Paths are relative to the root of the
 * repository, which GitHub Actions sets, else to the current folder.
 */
export async function findPlaces(
  files: readonly string[],
  { env }: Pick<Terminal, "env">,
): Promise<(scenario: string) => SourcePlace | undefined> {
  const root = env.GITHUB_WORKSPACE || ".";
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readTextFile(file).catch(() => "") })),
  );
  const pathOf = (file: string) => relative(resolve(root), resolve(file)).replaceAll("\\", "/");
  return (scenario) => {
    const spellings = ['"', "'", "`"].map((quote) => `${quote}${scenario}${quote}`);
    for (const { file, text } of texts) {
      const at = [JSON.stringify(scenario), ...spellings]
        .map((each) => text.indexOf(each))
        .filter((index) => index >= 0);
      if (at.length > 0) return { file: pathOf(file), line: text.slice(0, Math.min(...at)).split("\n").length };
    }
    const [only] = files;
    return only === undefined || files.length > 1 ? undefined : { file: pathOf(only) };
  };
}
