import process from "node:process";
import { SOFTWARE } from "../../scripts/live/installs.ts";

/** The folder of installed software, and the options of tests that need it. */
export function needsSoftware(name: string): { readonly folder: string; readonly options: { skip: string | false } } {
  const software = SOFTWARE.find((each) => each.name === name);
  const folder = process.env[software?.variable ?? ""] ?? "";
  return { folder, options: { skip: folder === "" ? `${name} is not installed: npm run test:live` : false } };
}
