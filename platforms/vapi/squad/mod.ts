import type { Format } from "../../platform.ts";
import { checkSquad, DOCUMENT_SHAPE, openMembers, openSquad, squadLikeness } from "../shared/mod.ts";
import { emitSquadGraph } from "./emit.ts";
import { importSquad, squadRoot } from "./import.ts";

/** Vapi squads: assistants that hand off a call to each other. */
export const vapiSquad: Format<"vapi-squad"> = {
  name: "vapi-squad",
  title: "Vapi squad",
  shape: {
    ...DOCUMENT_SHAPE,
    root: squadRoot,
    references: { assistantName: ["assistantOverrides.name", "assistant.name"] },
  },
  detect: (document) => squadLikeness(openSquad(document)?.document ?? {}),
  importDocument: importSquad,
  emitGraph: emitSquadGraph,
  checkGraph: (graph, config) => {
    const opened = openMembers(config);
    return opened ? checkSquad(opened, graph) : [];
  },
};
