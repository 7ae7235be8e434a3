import type { JsonObject } from "../../src/values/mod.ts";

/**
 * A TypeScript module whose only constant is JSON, one line for each entry of its last key. Node 20 warns at imports of
 * JSON files, and a text costs nothing until it is parsed.
 */
export function tableModule(constant: string, tables: JsonObject, key: string): string {
  const { [key]: entries, ...head } = tables;
  const lines = Object.entries(entries ?? {}).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const json = `{\n${JSON.stringify(head).slice(1, -1)},\n${JSON.stringify(key)}:{\n${lines.join(",\n")}\n}}`;
  const escaped = json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `/** Made by \`npm run update-platforms\`; corrections are in scripts/platforms. */
export const ${constant}: string = \`${escaped}\`;
`;
}
