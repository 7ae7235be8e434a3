import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of the documentation. */
interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly title: string;
  /** A summary in one line. */
  readonly line: string;
}

/**
 * The documentation for language models, as described by llmstxt.org: `llms.txt` lists the pages with one line each,
 * `llms-full.txt` contains README.md and the guides.
 *
 * @returns Texts by file name.
 */
export function llmsTexts(root: string): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const readme = read("README.md");
  const { description } = JSON.parse(read("package.json"));
  const listed = linksIn(readme);
  const guides = pagesIn("docs").toSorted((one, other) => orderOf(one.path) - orderOf(other.path));
  const others = listed.filter(({ path }) => /^(?:examples|CONTRIBUTING|CHANGELOG)/.test(path));
  const index = [
    `# ${titleOf(readme)}`,
    `> ${description}`,
    "Callweave is a TypeScript SDK for Node, Bun and Deno. `npx callweave init` writes a project that runs without a key. `callweave` has what flows, scenarios and runs need; the API reference lists the other entry points, such as `callweave/deploy` and `callweave/calls`. All links are files of the package; `llms-full.txt` holds the guides in one file.",
    section("Guides", guides),
    section("API reference", pagesIn("docs/api")),
    section("Optional", others),
  ];
  const full = [readme, ...guides.map(({ path }) => read(path))];
  return new Map([
    ["llms.txt", `${index.join("\n\n")}\n`],
    [
      "llms-full.txt",
      full.map((text, at) => `${at === 0 ? "" : `<!-- ${guides[at - 1]?.path} -->\n\n`}${text.trim()}\n`).join("\n"),
    ],
  ]);

  function pagesIn(folder: string): readonly Page[] {
    const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
    return names.sort().map((name) => {
      const path = `${folder}/${name}`;
      const text = read(path);
      const known = listed.find((page) => page.path === path);
      return { path, title: titleOf(text), line: known?.line ?? firstSentence(text) };
    });
  }

  /** The position in README.md; pages that it does not list come last. */
  function orderOf(path: string): number {
    const at = listed.findIndex((page) => page.path === path);
    return at < 0 ? listed.length : at;
  }
}

/** The links of README.md's last section, with their descriptions. */
function linksIn(readme: string): readonly Page[] {
  const section = readme.slice(readme.indexOf("## Read on"));
  return [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)(?:: (.+))?/g)].map(([, title = "", path = "", line = ""]) => {
    return { path, title, line };
  });
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? "";
}

function firstSentence(text: string): string {
  const paragraph = text.split("\n\n").find((part) => /^[A-Z`]/.test(part)) ?? "";
  return (/^(.*?)\.(?:\s|$)/s.exec(paragraph)?.[1] ?? paragraph)
    .replaceAll("\n", " ")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}

function section(title: string, pages: readonly Page[]): string {
  const lines = pages.map(({ path, title: name, line }) => `- [${name}](${path})${line === "" ? "" : `: ${line}`}`);
  return [`## ${title}`, "", ...lines].join("\n");
}
