import { reduceRetell } from "./retell.ts";
import { reduceVapi } from "./vapi.ts";
import { tableModule } from "./write_tables.ts";

/** A generated module of what a platform accepts. */
export interface PlatformTables {
  readonly platform: string;
  /** The published document's usual file name. */
  readonly published: string;
  /** Where the module stands in the repository. */
  readonly module: string;
  /** The module's text, made of the document that the platform publishes. */
  readonly make: (document: unknown, date: string) => string;
}

export const PLATFORM_TABLES: readonly PlatformTables[] = [
  {
    platform: "vapi",
    published: "vapi.openapi.json",
    module: "platforms/vapi/generated/mod.ts",
    make: (document, date) => tableModule("VAPI_API", reduceVapi(document, date), "schemas"),
  },
  {
    platform: "retell",
    published: "retell.schema.json",
    module: "platforms/retell/generated/mod.ts",
    make: (document, date) => tableModule("RETELL_API", reduceRetell(document, date), "tables"),
  },
];
