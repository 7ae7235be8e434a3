import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "../surface/cli/_process.ts";

/** Relative links in the package's pages that lead to no file or folder of the package. */
export function brokenLinks(packed: ReadonlySet<string>): readonly string[] {
  const pages = [...packed].filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));
  assert.ok(pages.includes("README.md") && pages.includes("docs/running.md"));
  return pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
      .map((link) => normalize(join(dirname(page), link.replace(/#.*$/, ""))).replaceAll("\\", "/"))
      .filter((target) => !packed.has(target) && ![...packed].some((path) => path.startsWith(`${target}/`)))
      .map((target) => `${page} -> ${target}`);
  });
}
