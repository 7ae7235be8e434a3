import { Names, recordAt, records, shown } from "../../../src/base/values/mod.ts";
import type { AgentGraph, Finding, Transition } from "../../../src/document/graph/mod.ts";
import { unknownShape } from "../../platform.ts";
import {
  AFTER_CALLER,
  ALWAYS,
  ALWAYS_TAKEN,
  all,
  asked,
  compared,
  conditionsOf,
  GraphDraft,
  wordsOf as sentenceOf,
  textOf,
  Variables,
  words,
} from "../shared/mod.ts";
import { Chains, type Goal } from "./chain.ts";
import { type Agent, type Part, readAgent } from "./document.ts";
import { intentVariables, intentWords, variableOf } from "./parameters.ts";
import { type Handler, isStaying, type Place, placesOf, type Route } from "./places.ts";
import { logicOf } from "./references.ts";
import { type Reading, stepsOf } from "./steps.ts";

const TITLE = "Dialogflow CX agent";

/** Reads the files of an exported agent: pages become nodes, and routes transitions. */
export function importAgentFiles(document: unknown, report: (finding: Finding) => void = () => {}): AgentGraph {
  const agent = readAgent(document);
  const hint = 'Export the agent as a JSON package, and pass the folder or the .zip with "agent.json" and "flows"';
  if (!agent) throw unknownShape(TITLE, "it has no flows", ["files"], hint);
  return new AgentReader(agent, report).graph();
}

class AgentReader {
  readonly #agent: Agent;
  readonly #draft: GraphDraft;
  readonly #variables = new Variables();
  readonly #language: string | undefined;
  readonly #places: readonly Place[];
  readonly #reading: Reading;
  readonly #chains: Chains;
  /** Where a place waits for the caller, once something leads there. */
  readonly #waiting = new Map<Place, string>();
  /** First nodes of routes, by where they are and from where they come. */
  readonly #routes = new Map<string, Goal>();
  /** Paths of routes that calls may take. */
  readonly #taken = new Set<string>();
  readonly #forms = new Map<Place, string>();
  readonly #decisions = new Map<Place, string>();
  /** Nodes still to add. They are not added at once, since places lead to each other. */
  readonly #left: (() => void)[] = [];

  constructor(agent: Agent, report: (finding: Finding) => void) {
    this.#agent = agent;
    const language = agent.head.content.defaultLanguageCode;
    this.#language = typeof language === "string" ? language : undefined;
    const ids = idsOf(agent);
    this.#draft = new GraphDraft("dialogflow-cx", ids.values(), report);
    this.#reading = { draft: this.#draft, variables: this.#variables, language: this.#language, unread: new Set() };
    this.#places = agent.flows.flatMap((flow) => placesOf(flow, ids, agent, this.#reading));
    this.#chains = new Chains(agent, this.#reading);
    for (const { name, path } of agent.others)
      this.#draft.note("unread-part", path, `${shown(name)} is not read`, "Look whether the agent needs it");
  }

  graph(): AgentGraph {
    const { content, path } = this.#agent.head;
    for (const place of this.#places) this.#addPlace(place);
    for (let add = this.#left.shift(); add; add = this.#left.shift()) add();
    this.#nameUnused();
    const start =
      this.#places.find(({ isStart, flow }) => isStart && flow.name === content.startFlow) ?? this.#places[0];
    const name = textOf(content.displayName);
    return this.#draft.graph(start?.id, [...path, "startFlow"], {
      ...(name === "" ? {} : { name }),
      ...(this.#language === undefined ? {} : { language: this.#language }),
    });
  }

  /** Required parameters, which a form asks for. */
  #asked = ({ parameters }: Place) => parameters.filter(({ required }) => required === true);

  #isListening = (place: Place) => this.#asked(place).length === 0 && place.conditions.length === 0;

  /** Where a route that leads to a place goes. */
  #goal = (place: Place): Goal => ({ id: place.id, waits: place.entry.length === 0 && this.#isListening(place) });

  #addPlace(place: Place): void {
    const { entry, id } = place;
    const [first] = entry;
    const { path } = place.part;
    if (entry.length === 1 && first?.does === "say" && this.#isListening(place)) {
      const said = { state_prompt: first.text, instruction_type: "static_text" } as const;
      this.#left.push(() => {
        this.#draft.add(id, "conversation", { ...said, transitions: this.#listens(place) }, path);
      });
    } else if (entry.length > 0) {
      const goal = this.#stay(place);
      this.#left.push(() => {
        this.#chains.add(entry, goal, id, id, this.#failure(place));
      });
    } else if (this.#asked(place).length > 0) {
      this.#forms.set(place, id);
      this.#left.push(() => this.#addForm(place, id));
    } else if (place.conditions.length > 0) {
      this.#decisions.set(place, id);
      this.#left.push(() => this.#addDecision(place, id));
    } else {
      this.#waiting.set(place, id);
      this.#left.push(() => this.#addWaiting(place, id));
    }
  }

  /** Where a call is in a place after something was said there. */
  #stay(place: Place): Goal {
    if (this.#asked(place).length > 0)
      return { id: this.#once(this.#forms, place, "form", (id) => this.#addForm(place, id)), waits: false };
    return this.#afterForm(place);
  }

  #afterForm(place: Place): Goal {
    if (place.conditions.length > 0)
      return { id: this.#once(this.#decisions, place, "routes", (id) => this.#addDecision(place, id)), waits: false };
    return this.#wait(place);
  }

  #wait(place: Place): Goal {
    return { id: this.#once(this.#waiting, place, "waits", (id) => this.#addWaiting(place, id)), waits: true };
  }

  #once(known: Map<Place, string>, place: Place, name: string, add: (id: string) => void): string {
    const found = known.get(place);
    if (found !== undefined) return found;
    const id = this.#draft.helper(`${place.id} ${name}`);
    known.set(place, id);
    this.#left.push(() => add(id));
    return id;
  }

  #addWaiting(place: Place, id: string): void {
    const prompt = place.isStart ? "Find out what the caller wants." : `Help the caller with "${place.part.name}".`;
    const parts = { state_prompt: prompt, transitions: this.#listens(place) };
    this.#draft.add(id, "conversation", parts, place.part.path);
  }

  /** Transitions after the caller has spoken. */
  #listens(place: Place): readonly Transition[] {
    const routes = place.intents.flatMap((route) => {
      const goal = this.#route(route, place);
      const intent = words(intentWords(route.intent, this.#agent, this.#language));
      const condition = route.condition === "" ? ALWAYS : logicOf(route.condition, this.#variables);
      const logic = condition === ALWAYS ? intent : words(sentenceOf(all(intent, condition)));
      return conditionsOf(logic).map((each) => this.#draft.step(goal.id, each));
    });
    const silence = place.handlers.find((handler) => /^sys\.no-input/.test(handler.event) && !isStaying(handler));
    const misfit = place.handlers.find((handler) => /^sys\.no-match/.test(handler.event) && !isStaying(handler));
    return [
      ...routes,
      ...(silence ? [this.#draft.step(this.#route(silence, place).id, asked("The caller says nothing"))] : []),
      ...(misfit ? [this.#draft.step(this.#route(misfit, place).id, ALWAYS_TAKEN, AFTER_CALLER)] : []),
    ];
  }

  /** Names the routes and handlers that no call of the graph takes. */
  #nameUnused(): void {
    const named = new Set<string>();
    for (const { handlers, intents } of this.#places)
      for (const route of [...handlers, ...intents]) {
        const key = JSON.stringify(route.path);
        if (this.#taken.has(key) || named.has(key)) continue;
        named.add(key);
        this.#nameRoute(route);
      }
  }

  #nameRoute(route: Route | Handler): void {
    const event = "event" in route ? route.event : undefined;
    const draft = this.#draft;
    if (event === undefined)
      draft.note("unread-branch", route.path, `Calls leave the page before "${route.intent}"`, "Remove the route");
    else if (/^sys\.no-(?:match|input)/.test(event))
      draft.note(
        "unread-branch",
        route.path,
        `What is said at "${event}" is left to the model`,
        "Write it into a prompt",
      );
    else if (/^webhook\.error/.test(event))
      draft.note(
        "unread-branch",
        route.path,
        `No webhook that is read leads to "${event}"`,
        "Nothing, if that is what you want",
      );
    else
      draft.warn("unread-branch", route.path, `Nothing in a call is the event "${event}"`, "Write a transition for it");
  }

  /** The first node of a route: what it does, and then where it leads. */
  #route(route: Route, place: Place): Goal {
    const stays = isStaying(route);
    const key = JSON.stringify([route.path, stays ? place.id : ""]);
    const known = this.#routes.get(key);
    if (known) return known;
    this.#taken.add(JSON.stringify(route.path));
    const goal = stays ? this.#stay(place) : this.#target(route, place);
    const name = `${stays ? place.id : place.flow.name} ${route.intent || "route"}`;
    const failed = route.steps.some(({ does }) => does === "call") ? this.#failure(place) : undefined;
    const acted = this.#chains.add(route.steps, goal, name, undefined, failed);
    const variables = intentVariables(route.intent, this.#agent, this.#variables);
    const id = variables.length === 0 ? acted.id : this.#draft.helper(`${name} reads`);
    if (id !== acted.id)
      this.#draft.add(
        id,
        "extract",
        { variables_to_extract: variables, transitions: [this.#draft.step(acted.id, ALWAYS_TAKEN)] },
        route.path,
      );
    const found = { id, waits: id === goal.id && goal.waits };
    this.#routes.set(key, found);
    return found;
  }

  /** Where a webhook that fails leads, if the place says so. */
  #failure(place: Place): Goal | undefined {
    const handler = place.handlers.find(({ event }) => /^webhook\.error/.test(event));
    if (!handler || handler.steps.some(({ does }) => does === "call")) return undefined;
    return this.#route(handler, place);
  }

  #target({ targetPage, targetFlow, path }: Route, place: Place): Goal {
    if (targetFlow !== "") {
      const start = this.#places.find(({ isStart, flow }) => isStart && flow.name === targetFlow);
      return start ? this.#goal(start) : this.#unknown(targetFlow, [...path, "targetFlow"]);
    }
    const inFlow = this.#places.filter(({ flow }) => flow === place.flow);
    const page = inFlow.find(({ isStart, part }) => !isStart && part.name === targetPage);
    if (page) return this.#goal(page);
    switch (targetPage.toUpperCase().replaceAll(/[ -]/g, "_")) {
      case "END_SESSION":
        return { id: this.#draft.end(), waits: false };
      case "START_PAGE": {
        const start = inFlow.find(({ isStart }) => isStart);
        return start ? this.#goal(start) : this.#stay(place);
      }
      case "CURRENT_PAGE":
        return this.#goal(place);
      case "PREVIOUS_PAGE":
        this.#draft.warn(
          "approximated",
          [...path, "targetPage"],
          `Calls stay in "${place.part.name}"; a graph does not know the page before it`,
          "Name the page",
        );
        return this.#stay(place);
      case "END_FLOW":
      case "END_FLOW_WITH_CANCELLATION":
      case "END_FLOW_WITH_FAILURE":
      case "END_FLOW_WITH_HUMAN_ESCALATION":
        return this.#flowEnd(place, [...path, "targetPage"]);
      default:
        return this.#unknown(targetPage, [...path, "targetPage"]);
    }
  }

  #unknown(target: string, path: Route["path"]): Goal {
    this.#draft.warn(
      "unknown-target",
      path,
      `It leads to ${shown(target)}, which does not exist; the call ends there`,
      "Add the page, or lead to another one",
    );
    return { id: this.#draft.end(), waits: false };
  }

  /** The end of a flow: the page that led into it; for the first flow, the end of the call. */
  #flowEnd({ flow }: Place, path: Route["path"]): Goal {
    if (flow.name === this.#agent.head.content.startFlow) return { id: this.#draft.end(), waits: false };
    // routes of a flow are those of all its pages; calls go back to where they are written
    const leads = (place: Place) => (route: Route) =>
      route.targetFlow === flow.name && route.path[1] === place.part.path[1];
    const callers = this.#places.filter(
      (place) => place.flow !== flow && [...place.intents, ...place.conditions].some(leads(place)),
    );
    const [caller] = callers;
    if (callers.length === 1 && caller) return this.#stay(caller);
    const start = this.#places.find((place) => place.isStart && place.flow.name === this.#agent.head.content.startFlow);
    const back = start ?? caller;
    this.#draft.warn(
      "approximated",
      path,
      callers.length > 1
        ? `The flow is entered from ${callers.length} pages; afterwards calls go on at "${back?.id}"`
        : `Nothing enters the flow; afterwards calls go on at "${back?.id}"`,
      "Lead to the page that you mean",
    );
    return back ? this.#stay(back) : { id: this.#draft.end(), waits: false };
  }

  /** A form asks for each parameter that is still unknown, and reads all of them from each answer. */
  #addForm(place: Place, first: string): void {
    const draft = this.#draft;
    const reads = draft.helper(`${place.id} answers`);
    const required = this.#asked(place);
    const done = this.#afterForm(place);
    const steps = required.map((_, index) =>
      index === 0 ? first : draft.helper(`${place.id} needs ${nameOf(required[index])}`),
    );
    for (const [index, parameter] of required.entries()) {
      const at = place.parameters.indexOf(parameter);
      const path = [...place.part.path, "form", "parameters", at];
      const name = nameOf(parameter);
      const asks = draft.helper(`${place.id} asks ${name}`);
      const next = steps[index + 1] ?? done.id;
      const isKnown = compared(this.#variables.name(name), "exists");
      const ways = [...draftSteps(draft, next, isKnown), draft.step(asks, ALWAYS_TAKEN)];
      draft.add(steps[index] ?? first, "logic", { transitions: ways }, path);
      this.#addQuestion(place, parameter, asks, reads, path);
    }
    const variables = place.parameters.map((each) => variableOf(nameOf(each), each, this.#agent, this.#variables));
    const transitions = [draft.step(first, ALWAYS_TAKEN)];
    draft.add(reads, "extract", { variables_to_extract: variables, transitions }, [...place.part.path, "form"]);
  }

  #addQuestion(place: Place, parameter: Part["content"], id: string, reads: string, path: Route["path"]): void {
    const behavior = recordAt(parameter, "fillBehavior");
    const at = [...path, "fillBehavior", "initialPromptFulfillment"];
    const steps = stepsOf(recordAt(behavior, "initialPromptFulfillment"), at, this.#reading);
    const text = steps
      .map((step) => (step.does === "say" ? step.text : ""))
      .join(" ")
      .trim();
    const others = steps.filter(({ does }) => does !== "say");
    if (others.length > 0)
      this.#draft.warn("unread-part", at, "Only the words of a question are read", "Move the rest to the page's entry");
    for (const [index, handler] of records(behavior.repromptEventHandlers).entries())
      this.#draft.note(
        "unread-branch",
        [...path, "fillBehavior", "repromptEventHandlers", index],
        `What is said at "${textOf(handler.event)}" is left to the model`,
        "Write it into the prompt of the node",
      );
    this.#draft.left(parameter, ["displayName", "required", "entityType", "fillBehavior", "isList"], path);
    const words =
      text === ""
        ? { state_prompt: `Ask for ${nameOf(parameter)}.` }
        : { state_prompt: text, instruction_type: "static_text" as const };
    const listens = this.#listens(place).filter(({ timing }) => timing !== "else");
    const answered = this.#draft.step(reads, ALWAYS_TAKEN, AFTER_CALLER);
    this.#draft.add(id, "conversation", { ...words, transitions: [...listens, answered] }, path);
  }

  /** Routes by conditions, which are decided at once; where none holds, the caller is asked. */
  #addDecision(place: Place, id: string): void {
    const ways = place.conditions.flatMap((route) =>
      this.#chains.decided(logicOf(route.condition, this.#variables), this.#route(route, place).id, [
        ...route.path,
        "condition",
      ]),
    );
    const isComplete = ways.some(({ condition }) => condition.type === "always");
    const others =
      isComplete || place.intents.length === 0 ? [] : [this.#draft.step(this.#wait(place).id, ALWAYS_TAKEN)];
    this.#draft.add(id, "logic", { transitions: [...ways, ...others] }, place.part.path);
  }
}

const nameOf = (parameter: Part["content"] | undefined): string => textOf(parameter?.displayName);

const draftSteps = (
  draft: GraphDraft,
  target: string,
  logic: Parameters<typeof conditionsOf>[0],
): readonly Transition[] => conditionsOf(logic).map((condition) => draft.step(target, condition));

/** Ids of the nodes of flows and pages: their names, with the flow's before it where two pages have one. */
function idsOf({ flows }: Agent): ReadonlyMap<Part, string> {
  const names = new Names();
  const ids = new Map<Part, string>();
  for (const flow of flows) ids.set(flow, names.take(flow.name));
  const taken = new Set(ids.values());
  for (const flow of flows)
    for (const page of flow.pages) {
      const wanted = taken.has(page.name) ? `${flow.name}: ${page.name}` : page.name;
      taken.add(page.name);
      ids.set(page, names.take(wanted));
    }
  return ids;
}
