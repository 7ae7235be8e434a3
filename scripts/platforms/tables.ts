import { reduceElevenLabs } from "./elevenlabs.ts";
import { interfacesModule } from "./interfaces.ts";
import { mergeEqual } from "./merge_equal.ts";
import { schemasOf } from "./read_published.ts";
import { reduceRetell } from "./retell.ts";
import { corrected, reduceVapi } from "./vapi.ts";
import { CORRECTIONS } from "./vapi_corrections.ts";
import { tableModule } from "./write_tables.ts";

/** The generated modules of a platform: tables of what it accepts, and the types of what is written and read. */
export interface PlatformTables {
  readonly platform: string;
  /** The usual file name of the published document. */
  readonly published: string;
  /** Paths in the repository, with what makes a module's text from the document that the platform publishes. */
  readonly modules: { readonly [path: string]: (document: unknown, date: string) => string };
}

/** Types of Retell that are written, or that options have; they refer to the others. */
const RETELL_TYPES = ["ConversationFlowCreateParams", "AgentCreateParams"];
/** The same of Vapi. */
const VAPI_TYPES = ["CreateAssistantDTO", "CreateSquadDTO", "CreateEvalDTO", "SimulationRunSimulationEntry"];

export const PLATFORM_TABLES: readonly PlatformTables[] = [
  {
    platform: "elevenlabs",
    published: "elevenlabs.openapi.json",
    modules: {
      "platforms/elevenlabs/generated/mod.ts": (document, date) =>
        tableModule("ELEVENLABS_API", reduceElevenLabs(document, date), "tables"),
    },
  },
  {
    platform: "vapi",
    published: "vapi.openapi.json",
    modules: {
      "platforms/vapi/generated/mod.ts": (document, date) =>
        withTypes(tableModule("VAPI_API", reduceVapi(document, date), "schemas")),
      "platforms/vapi/generated/types.ts": (document) => {
        const typed = CORRECTIONS.filter(({ isForChecks = false }) => !isForChecks);
        return interfacesModule(corrected(schemasOf(document), typed), VAPI_TYPES);
      },
    },
  },
  {
    platform: "retell",
    published: "retell.schema.json",
    modules: {
      "platforms/retell/generated/mod.ts": (document, date) =>
        withTypes(tableModule("RETELL_API", reduceRetell(document, date), "tables")),
      "platforms/retell/generated/types.ts": (document) =>
        interfacesModule(mergeEqual(schemasOf(document), RETELL_TYPES), RETELL_TYPES),
    },
  },
];

function withTypes(tables: string): string {
  return `export type * from "./types.ts";\n\n${tables}`;
}
