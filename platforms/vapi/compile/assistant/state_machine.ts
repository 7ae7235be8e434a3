import type { Vapi } from "@vapi-ai/server-sdk";
import { all, any, type Guard, isTerminal, none, type Route } from "../../../lower/mod.ts";
import { type NamePool, nodeOf, slug } from "../common/mod.ts";
import {
  destinationOf,
  type EmitContext,
  markersOf,
  ownTerminals,
  type TerminalKind,
  withDestinations,
  workOf,
} from "../plan/mod.ts";
import { describeRoute, type Exit, exitKey, exitLines, point } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitDescription, emitEndCall, emitRejection, emitTransfer, noteLines, type WorkTools } from "../tools/mod.ts";

type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** A way to be done with the call, and where in the graph it is open. */
interface Ending {
  readonly route: Route;
  readonly guard: Guard;
}

const exactly = (words: string) => `say exactly: ${words}`;

/** The edges of a graph as tools of one assistant, which keeps the step it is at in a variable of the call. */
export class StateMachine {
  readonly #exits = new Map<string, Exit>();
  /** What a step's part of the prompt says behind the node's own transitions, by the node's id. */
  readonly #more = new Map<string, string[]>();
  readonly #tools: Tool[] = [];
  readonly #endings: Ending[] = [];
  readonly #state: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #pool: NamePool;
  readonly #work: WorkTools;
  readonly #context: EmitContext;

  constructor(names: ReadonlyMap<string, string>, pool: NamePool, work: WorkTools, context: EmitContext) {
    this.#names = names;
    this.#work = work;
    this.#pool = pool;
    this.#context = context;
    this.#state = context.variables.fresh("step");
  }

  /** What each step's part of the prompt says about leaving it, by the node's id. */
  get lines(): ReadonlyMap<string, readonly string[]> {
    const { graph, plan } = this.#context;
    return new Map(
      plan.members.map((id) => {
        const node = nodeOf(graph, id);
        const exits = node ? exitLines(node, { work: this.#work, exits: this.#exits }, this.#context) : [];
        const notes = id === graph.entry_node_id ? noteLines(this.#work, this.#context) : [];
        return [id, [...notes, ...exits, ...(this.#more.get(id) ?? [])]];
      }),
    );
  }

  /** Adds the ways that lead away from a step. */
  add(id: string): void {
    const { graph, plan } = this.#context;
    const node = nodeOf(graph, id);
    if (!node) return;
    const here = this.#at(id);
    for (const route of plan.routes.get(id) ?? []) {
      const guard = all([here, route.guard]);
      if (!this.#names.has(route.target)) this.#endings.push({ route, guard });
      else if (route.target === id && markersOf(id, this.#context).length === 0)
        this.#exits.set(exitKey(route.hops), {});
      else {
        const tool = this.#move(id, route, guard);
        this.#exits.set(exitKey(route.hops), { tool, again: route.target === id });
      }
      if (!this.#names.has(route.target)) this.#exits.set(exitKey(route.hops), this.#exitFor(route));
    }
    if (isTerminal(node)) {
      const target = node.node_type === "transfer" ? "transfer" : "end";
      const own: Route = {
        target: id,
        guard: here,
        texts: [],
        through: [],
        forced: true,
        waits: false,
        path: ["nodes", id],
        hops: [],
        choices: [],
        sets: {},
      };
      this.#endings.push({ route: own, guard: here });
      const tool = target === "end" ? "endCall" : "transferCall";
      this.#say(id, point("As soon as you have said this, without waiting for an answer", `call ${tool}`));
    }
  }

  /**
   * All tools, once every step has been added.
   *
   * @param work The tools that do the work of all steps. One of them that is done with the call is that of the ends, too:
   *   Vapi would keep only one.
   */
  tools(work: readonly Tool[]): readonly Tool[] {
    const { graph } = this.#context;
    const ending = (type: string) =>
      this.#endings.filter(({ route }) => nodeOf(graph, route.target)?.node_type === type);
    const [ends, transfers] = [ending("end"), ending("transfer")];
    const own = (kind: TerminalKind) => work.find(({ type }) => type === kind);
    const made: Tool[] = [];
    const [firstEnd] = ends;
    if (firstEnd) {
      const texts = new Set(ends.map(({ route }) => this.#fixed(route)));
      const [words] = texts.size === 1 && !own("endCall") ? texts : [];
      const end = own("endCall") ?? emitEndCall(words, undefined, firstEnd.route.path, this.#context);
      made.push(this.#guarded(end, "endCall", ends));
      if (words) this.#unsay(words);
      else this.#reportWords(ends);
    }
    const byTarget = new Map(transfers.map(({ route }) => [route.target, route]));
    const emitted = [...byTarget.values()].map((route) => {
      const node = nodeOf(graph, route.target);
      const when = describeRoute(route, this.#context);
      return emitTransfer(node && destinationOf(node), undefined, when, ["nodes", route.target], this.#context);
    });
    const [transfer] = emitted;
    if (transfer) {
      const destinations = emitted.flatMap((each) => each.destinations ?? []);
      const whole = withDestinations(own("transferCall") ?? { ...transfer, destinations: [] }, destinations);
      made.push(
        this.#guarded(destinations.length > 0 ? whole : (own("transferCall") ?? transfer), "transferCall", transfers),
      );
      this.#reportWords(transfers);
    }
    const kinds = made.map(({ type }) => type);
    return [...work.filter(({ type }) => !kinds.includes(type)), ...this.#tools, ...made];
  }

  /** A tool that is open where any way to be done with the call is, and at the steps that have one of their own. */
  #guarded(tool: Tool, kind: TerminalKind, endings: readonly Ending[]): Tool {
    const rejection = Reflect.get(tool, "rejectionPlan");
    if (rejection !== undefined && rejection !== null) return tool;
    const steps = this.#context.plan.members.filter((id) => ownTerminals(workOf(id, this.#context), kind).length > 0);
    const guards = [...endings.map(({ guard }) => guard), ...steps.map((id) => this.#at(id))];
    return { ...tool, ...emitRejection(any(guards), this.#context) };
  }

  /** Words that the tool itself says are not the model's to say. */
  #unsay(words: string): void {
    for (const [key, exit] of this.#exits)
      if (exit.tool === "endCall" && exit.before === exactly(words)) this.#exits.set(key, { tool: "endCall" });
  }

  #reportWords(endings: readonly Ending[]): void {
    for (const { route } of endings) {
      if (!this.#fixed(route)) continue;
      this.#context.losses.emulated(
        "fixed-words",
        ["nodes", route.target, "state_prompt"],
        "One tool ends or transfers the call for all steps, whatever is said before",
        "a step that tells the model to say exactly these words",
        "Emit a squad",
      );
    }
  }

  #fixed(route: Route): string | undefined {
    const node = nodeOf(this.#context.graph, route.target);
    if (node?.instruction_type !== "static_text" || this.#names.has(route.target)) return undefined;
    return emitText(node.state_prompt, ["nodes", node.id, "state_prompt"], this.#context);
  }

  #exitFor(route: Route): Exit {
    const node = nodeOf(this.#context.graph, route.target);
    const text = node ? emitText(node.state_prompt, ["nodes", node.id, "state_prompt"], this.#context) : "";
    const before = text && node?.instruction_type === "static_text" ? exactly(text) : text;
    const tool = node?.node_type === "transfer" ? "transferCall" : "endCall";
    return { tool, before };
  }

  /** The step a call starts with is the one that no tool has set. */
  #at(id: string): Guard {
    const name = this.#names.get(id) ?? id;
    const here: Guard = { kind: "is", variable: this.#state, value: name };
    if (id !== this.#context.graph.entry_node_id) return here;
    return any([here, none([{ kind: "clause", clause: { left: this.#state, operator: "exists" } }])]);
  }

  /** @returns The name of the tool that moves the call on. */
  #move(from: string, route: Route, guard: Guard): string {
    const { target, path, sets } = route;
    const [source, name] = [this.#names.get(from) ?? from, this.#names.get(target) ?? target];
    const tool = this.#pool.take(`to_${slug(target)}_from_${slug(from)}`);
    const values = Object.entries(sets).map(([key, value]) => ({ key, value }));
    const undone = markersOf(target, this.#context).map((key) => ({ key, value: "" }));
    const told = emitText(describeRoute(route, this.#context), path, this.#context);
    this.#tools.push({
      type: "code",
      function: {
        name: tool,
        description: emitDescription(`In the step "${source}". ${told}. Moves on to "${name}".`, path, this.#context),
        parameters: { type: "object", properties: {} },
      },
      code: `return { step: ${JSON.stringify(name)} };`,
      messages: [],
      variableExtractionPlan: { aliases: [{ key: this.#state, value: "{{$.step}}" }, ...values, ...undone] },
      ...emitRejection(guard, this.#context),
    });
    return tool;
  }

  #say(id: string, lines: readonly string[]): void {
    this.#more.set(id, [...(this.#more.get(id) ?? []), ...lines]);
  }
}
