import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, recordAt, records, shown } from "../../../src/base/values/mod.ts";
import { textOf } from "../shared/mod.ts";
import type { Agent, Flow, Part } from "./document.ts";
import { type Reading, type Step, stepsOf } from "./steps.ts";

/** A route of a page or a flow. */
export interface Route {
  readonly intent: string;
  readonly condition: string;
  readonly targetPage: string;
  readonly targetFlow: string;
  readonly steps: readonly Step[];
  readonly path: Path;
}

/** A handler of an event. */
export interface Handler extends Route {
  readonly event: string;
}

/** A page, or the start of a flow. */
export interface Place {
  /** Id of its node. */
  readonly id: string;
  readonly flow: Flow;
  readonly part: Part;
  readonly isStart: boolean;
  readonly entry: readonly Step[];
  readonly parameters: readonly JsonObject[];
  /** Routes by intent: its own, then those of its flow. */
  readonly intents: readonly Route[];
  /** Routes by a condition alone. */
  readonly conditions: readonly Route[];
  readonly handlers: readonly Handler[];
}

/** The intent that every agent has for the first words of a call. */
const WELCOME = "Default Welcome Intent";

/** Parts of a flow that the parts of its pages are joined with. */
interface Shared {
  readonly flow: Flow;
  readonly intents: readonly Route[];
  readonly handlers: readonly Handler[];
}

/** Reads the start of a flow and its pages. */
export function placesOf(flow: Flow, ids: ReadonlyMap<Part, string>, agent: Agent, reading: Reading): readonly Place[] {
  const own = routesOf(flow, flow, agent, reading);
  const shared = {
    flow,
    intents: own.filter(({ intent }) => intent !== ""),
    handlers: handlersOf(flow, reading),
  };
  const isFirst = textOf(agent.head.content.startFlow) === flow.name;
  const welcome = isFirst ? shared.intents.find(({ intent }) => intent === WELCOME) : undefined;
  const start = placeOf(flow, own, true, shared, ids, reading);
  return [
    { ...start, entry: [...start.entry, ...(welcome && isStaying(welcome) ? welcome.steps : [])] },
    ...flow.pages.map((page) => placeOf(page, routesOf(page, flow, agent, reading), false, shared, ids, reading)),
  ];
}

export const isStaying = ({ targetPage, targetFlow }: Route): boolean => targetPage === "" && targetFlow === "";

const READ = [
  ...["name", "displayName", "description", "form", "entryFulfillment", "transitionRoutes", "eventHandlers"],
  "transitionRouteGroups",
];

function placeOf(
  part: Part,
  own: readonly Route[],
  isStart: boolean,
  { flow, intents, handlers }: Shared,
  ids: ReadonlyMap<Part, string>,
  reading: Reading,
): Place {
  const { content, path } = part;
  reading.draft.left(content, READ, path);
  return {
    ...{ id: ids.get(part) ?? part.name, flow, part, isStart },
    entry: stepsOf(recordAt(content, "entryFulfillment"), [...path, "entryFulfillment"], reading),
    parameters: records(recordAt(content, "form").parameters),
    intents: isStart ? intents : [...own.filter(({ intent }) => intent !== ""), ...intents],
    conditions: own.filter(({ intent }) => intent === ""),
    handlers: isStart ? handlers : [...handlersOf(part, reading), ...handlers],
  };
}

/** The routes of a part, and then those of its groups. */
function routesOf(part: Part, flow: Flow, agent: Agent, reading: Reading): readonly Route[] {
  const groups = Array.isArray(part.content.transitionRouteGroups) ? part.content.transitionRouteGroups : [];
  const joined = groups.flatMap((each, index) => {
    const name = textOf(each).split("/").at(-1) ?? "";
    const group = [...flow.groups, ...agent.groups].find(
      (found) => found.name === textOf(each) || found.name === name || found.content.name === name,
    );
    if (group) return [group];
    const at = [...part.path, "transitionRouteGroups", index];
    reading.draft.warn("unread-part", at, `The group of routes ${shown(textOf(each))} does not exist`, "Remove it");
    return [];
  });
  return [part, ...joined].flatMap(({ content, path }) =>
    records(content.transitionRoutes).map((route, index) =>
      routeOf(route, [...path, "transitionRoutes", index], reading),
    ),
  );
}

function handlersOf({ content, path }: Part, reading: Reading): readonly Handler[] {
  return records(content.eventHandlers).map((handler, index) => ({
    event: textOf(handler.event),
    ...routeOf(handler, [...path, "eventHandlers", index], reading),
  }));
}

function routeOf(route: JsonObject, path: Path, reading: Reading): Route {
  const read = [
    "name",
    "intent",
    "condition",
    "triggerFulfillment",
    "targetPage",
    "targetFlow",
    "event",
    "description",
  ];
  reading.draft.left(route, read, path);
  return {
    intent: textOf(route.intent),
    condition: textOf(route.condition),
    targetPage: textOf(route.targetPage),
    targetFlow: textOf(route.targetFlow),
    steps: stepsOf(recordAt(route, "triggerFulfillment"), [...path, "triggerFulfillment"], reading),
    path,
  };
}
