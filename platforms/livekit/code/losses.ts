import type { Path } from "../../../src/base/errors.ts";
import { isRecord, recordAt } from "../../../src/base/values/mod.ts";
import { snippetUses, unreadParts } from "../../../src/document/expressions/mod.ts";
import type { AgentGraph, AgentNode } from "../../../src/document/graph/mod.ts";
import type { RequestWriter } from "../../facts.ts";
import { foreignSettings, foreignToolSettings } from "../../known/mod.ts";
import type { Loss } from "../../platform.ts";

/** How a function's request is made. */
export const LIVEKIT_REQUEST: RequestWriter = {
  method: (method) => ({ method }),
  headers: (headers) => ({ headers }),
  timeoutMs: (milliseconds) => ({ timeout_seconds: milliseconds / 1_000 }),
};

export const REQUEST_KEYS = ["method", "headers", "timeout_seconds"];
export const MODEL_KEYS = ["llm", "stt", "tts"];

const UNREAD = [
  ...(["begin-message-unread", "snippet-unused", "transition-description", "global-unread"] as const),
  ...(["choices-type", "transition-unread", "variables-unread", "go-back-unread"] as const),
];

/** What the program has no place for, wherever it stands in the graph. */
export function lossesOf(graph: AgentGraph): Loss[] {
  const unread = unreadParts(graph, UNREAD).map((part): Loss => ({ ...part, kind: "dropped" }));
  const inlined = snippetUses(graph).map(({ path, name }): Loss => {
    return {
      code: "snippet-inlined",
      kind: "emulated",
      path,
      message: `The program has no snippet "${name}"`,
      instead: "its text",
    };
  });
  const hint = "Set LiveKit's own settings in the livekit option";
  const foreign = [...foreignSettings(graph, ["livekit"]), ...foreignToolSettings(graph, ["livekit"], LIVEKIT_REQUEST)];
  const others = foreign.map(({ path, names }): Loss => {
    return {
      code: "foreign-settings",
      kind: "dropped",
      path,
      message: `LiveKit Agents has no settings ${names.join(", ")}`,
      hint,
    };
  });
  return [...unread, ...inlined, ...others, ...ownLosses(graph)];
}

/** Settings under `livekit` that are none. */
function ownLosses({ source_metadata: source, nodes }: AgentGraph): readonly Loss[] {
  const check = (path: Path, value: unknown, known: readonly string[]): readonly Loss[] => {
    const names = isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
    const message = `There is no setting ${names.join(", ")}; there are ${known.join(", ")}`;
    return names.length > 0 ? [{ code: "unknown-setting", kind: "dropped", path, message }] : [];
  };
  const flow = recordAt(source, "livekit");
  return [
    ...check(["source_metadata", "livekit"], flow, ["session"]),
    ...check(["source_metadata", "livekit", "session"], flow.session, MODEL_KEYS),
    ...Object.values(nodes).flatMap(({ id, metadata, tools }) => [
      ...check(["nodes", id, "metadata", "livekit"], metadata.livekit, [...MODEL_KEYS, "destination"]),
      ...tools.flatMap(({ metadata: each }, index) =>
        check(["nodes", id, "tools", index, "metadata", "livekit"], each?.livekit, [...REQUEST_KEYS, "destination"]),
      ),
    ]),
  ];
}

/** What no call reads of a node that says nothing. */
export function unreadOfSilent(
  { id, variables_to_extract: variables, global_node_setting: setting }: AgentNode,
  isExtract: boolean,
) {
  const lose = (code: string, key: string, message: string): Loss => ({
    code,
    kind: "dropped",
    path: ["nodes", id, ...key.split(".")],
    message,
  });
  const hasBacks = (setting?.go_back_conditions.length ?? 0) > 0;
  return [
    ...(variables.length > 0 && !isExtract
      ? [lose("variables-unread", "variables_to_extract", `"${id}" extracts no variables`)]
      : []),
    ...(hasBacks
      ? [
          lose(
            "go-back-unread",
            "global_node_setting.go_back_conditions",
            `The caller does not speak at "${id}", so it does not go back`,
          ),
        ]
      : []),
  ];
}
