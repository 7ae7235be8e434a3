import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finding } from "../../../../platforms/mod.ts";
import type { Path } from "../../../base/errors.ts";

/** The file that was checked. */
export interface CheckedFile {
  readonly path: string;
  /** Its text, in which findings are located. Absent: they are at the first line. */
  readonly text?: string;
}

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;
const CODES_PAGE = "docs/check.md";

/**
 * Formats findings as a SARIF 2.1.0 log for code scanning. A finding is at the first line that names its
 * node, and has its path in the graph as its logical location.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifLog(findings: readonly Finding[], file: CheckedFile, version: string): string {
  const codes = [...new Set(findings.map(({ code }) => code))];
  const lines = new LineIndex(file.text ?? "");
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Callweave",
            semanticVersion: version,
            rules: codes.map((id) => ({ id, shortDescription: { text: `${id}: see ${CODES_PAGE}` } })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.code,
          ruleIndex: codes.indexOf(finding.code),
          level: LEVELS[finding.severity],
          message: { text: [finding.message, finding.hint].filter(Boolean).join(". ") },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file.path) },
                region: { startLine: lines.of(finding.path) },
              },
              logicalLocations: [{ fullyQualifiedName: finding.path.join(".") || "graph" }],
            },
          ],
          ...(finding.witness ? { properties: { witness: finding.witness } } : {}),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/**
 * The URI of a file as code scanning expects it: relative to its repository, or without one to the working directory.
 * Files elsewhere, which no viewer can show beside the code, have their whole address.
 */
function uriOf(path: string): string {
  const file = resolve(path);
  const inside = relative(repositoryOf(file) ?? resolve(), file);
  if (isAbsolute(inside) || inside.split(/[\\/]/)[0] === "..") return pathToFileURL(file).href;
  return inside.split(/[\\/]/).map(encodeURIComponent).join("/");
}

/** The closest folder above a file with a git repository. */
function repositoryOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return undefined;
}

/** Finds the first line of a text that names something in quotes. */
class LineIndex {
  readonly #lines: readonly string[];
  readonly #known = new Map<string, number>();

  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  /** The line of a path's node or snippet; the first line if there is none. */
  of(path: Path): number {
    const [kind, name] = path;
    if ((kind !== "nodes" && kind !== "snippets") || typeof name !== "string") return 1;
    const line = this.#known.get(name) ?? this.#lines.findIndex((text) => isNamed(text, name)) + 1;
    this.#known.set(name, line);
    return Math.max(1, line);
  }
}

function isNamed(line: string, name: string): boolean {
  return line.includes(JSON.stringify(name)) || line.includes(`'${name}'`);
}
