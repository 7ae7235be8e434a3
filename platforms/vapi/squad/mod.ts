import type { Format } from "../../platform.ts";
import { checkSquad, openSquad, squadLikeness } from "../shared/mod.ts";
import { emitSquadGraph } from "./emit.ts";
import { importSquad } from "./import.ts";

/** Vapi squads: assistants that hand a call over to each other. */
export const vapiSquad: Format<"vapi-squad"> = {
  name: "vapi-squad",
  title: "Vapi squad",
  output: "json",
  shape: { keys: ["id", "name"] },
  detect: (document) => squadLikeness(openSquad(document)?.document ?? {}),
  importDocument: importSquad,
  emitGraph: emitSquadGraph,
  checkGraph: (graph) => checkSquad(openSquad(emitSquadGraph(graph).config)?.document ?? {}, graph),
};
