import { reduceRetell } from "./retell.ts";
import { reduceVapi } from "./vapi.ts";
import { tableModule } from "./write_tables.ts";

/** A generated module with what a platform accepts. */
export interface PlatformTables {
  readonly platform: string;
  /** The usual file name of the published document. */
  readonly published: string;
  /** Path of the module in the repository. */
  readonly module: string;
  /** Generates the module's text from the document that the platform publishes. */
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
