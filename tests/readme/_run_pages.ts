/** Runs pages one after another in this process, and writes to a file how each of them ended. */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { inThisProcess, runPage } from "./_run_page.ts";

const [results = "", ...pages] = process.argv.slice(2);
/** The errors of pages; a page that ran to its end has the empty text. */
const ends: { [page: string]: string } = {};
for (const page of pages) {
  ends[page] = await runPage(page, inThisProcess).then(
    () => "",
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  writeFileSync(results, JSON.stringify(ends));
}
