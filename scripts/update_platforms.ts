/**
 * Generates the tables of what platforms accept, and the types of their documents, from the documents that the platforms publish:
 *
 *     npm run update-platforms -- vapi=vapi.openapi.json retell=retell.schema.json
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { readPublished } from "./platforms/read_published.ts";
import { PLATFORM_TABLES } from "./platforms/tables.ts";

const date = new Date().toISOString().slice(0, 10);
const given = process.argv.slice(2);
for (const argument of given) {
  const [platform = "", file = ""] = argument.split("=", 2);
  const tables = PLATFORM_TABLES.find((each) => each.platform === platform);
  if (!tables || file === "") {
    console.error(
      `Cannot update "${argument}": write ${PLATFORM_TABLES.map((each) => `${each.platform}=FILE`).join(" or ")}`,
    );
    process.exit(2);
  }
  const read = readPublished(file);
  if ("problem" in read) {
    console.error(read.problem);
    process.exit(2);
  }
  for (const [module, make] of Object.entries(tables.modules)) {
    writeFileSync(module, make(read.document, date));
    console.log(`wrote ${module}`);
  }
}
if (given.length === 0) {
  console.error("Cannot update platforms: name the published documents, as vapi=FILE retell=FILE");
  process.exit(2);
}
