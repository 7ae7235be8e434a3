import type { Path } from "../../../../src/base/errors.ts";
import { canonicalJson, type Names, own, sameJson } from "../../../../src/base/values/mod.ts";
import type { AgentNode } from "../../../../src/document/graph/mod.ts";
import { all, any, type Guard, isTerminal, none, type Route, transitionPath } from "../../../lower/mod.ts";
import { destinationsFor } from "../../shared/mod.ts";
import { functionSlug, type VapiTool } from "../common/mod.ts";
import {
  type EmitContext,
  markersOf,
  ownTerminals,
  TERMINALS,
  type TerminalKind,
  withDestinations,
  workOf,
} from "../plan/mod.ts";
import {
  describeRoute,
  type Exit,
  exitKey,
  Guide,
  hopOf,
  memberStart,
  noteLines,
  point,
  startOf,
} from "../prompt/mod.ts";
import { emitText, promptText } from "../text/mod.ts";
import { codeTool, emitDescription, emitRejection, emitTransfer, spoken, type WorkTools } from "../tools/mod.ts";

/** An assistant and the nodes that it speaks for: one node in a squad, else all nodes as steps. */
export interface Speaker {
  /** Ids of the nodes. It starts with the first one. */
  readonly ids: readonly string[];
  readonly pool: Names;
  readonly work: WorkTools;
}

/** A tool that leads to another node, for all routes with the same target, guard and effects. */
interface Move {
  readonly name: string;
  readonly from: string;
  /** The first of these routes, with a guard for its source step. */
  readonly route: Route;
  /** Variables that mark the target's work as done, which the tool resets. */
  readonly undone: readonly string[];
  /** Opening of the target for this tool, if it differs from the target's usual opening. */
  readonly start: Partial<ReturnType<typeof startOf>>;
  readonly when: string;
}

/** A route to an end or transfer. */
interface Ending {
  readonly target: AgentNode;
  readonly guard: Guard;
  readonly when: string;
  readonly path: Path;
  /** Absent if the target is the speaking node itself. */
  readonly hops?: readonly string[];
}

/** The tools that lead away from the nodes of an assistant, and the instructions for them. */
export class Exits {
  /** All tools that lead away. */
  readonly tools: readonly VapiTool[];
  /** The nodes' own tools. Their `endCall` and `transferCall` tools are shared with the graph's ends. */
  readonly workTools: readonly VapiTool[];
  readonly #moves = new Map<string, Move>();
  readonly #endings: Ending[] = [];
  readonly #exits = new Map<string, Exit>();
  /** Variable with the current step, if there are several steps. */
  readonly #step: string | undefined;
  readonly #speaker: Speaker;
  readonly #context: EmitContext;

  constructor(speaker: Speaker, context: EmitContext) {
    this.#speaker = speaker;
    this.#context = context;
    this.#step = speaker.ids.length > 1 ? context.variables.fresh("step") : undefined;
    for (const id of speaker.ids) this.#add(id);
    const moves = [...this.#moves.values()].map((move) => this.#moveTool(move));
    const ends = TERMINALS.flatMap(([type, kind]) => this.#endTool(type, kind) ?? []);
    const held = speaker.work.tools;
    this.workTools = held.map((tool) => ends.find(({ type }) => type === tool.type) ?? tool);
    this.tools = [...moves, ...ends.filter(({ type }) => held.every((tool) => tool.type !== type))];
  }

  /** Returns the instructions for leaving a node. */
  lines(id: string): readonly string[] {
    const { ids, work } = this.#speaker;
    const node = own(this.#context.graph.nodes, id);
    if (!node) return [];
    const notes = id === ids[0] ? noteLines(work, this.#context) : [];
    const end = TERMINALS.find(([type]) => type === node.node_type);
    const last = end ? point("As soon as you have said this, without waiting for an answer", `call ${end[1]}`) : [];
    const ways = isTerminal(node) ? [] : new Guide(work, this.#exits, this.#context).lines(node);
    return [...notes, ...ways, ...last];
  }

  #add(id: string): void {
    const { graph, plan } = this.#context;
    const node = own(graph.nodes, id);
    if (!node) return;
    const here = this.#at(id);
    for (const route of plan.routes.get(id) ?? []) {
      const { target, path, hops } = route;
      const guard = all([here, route.guard]);
      const end = this.#context.plan.names.has(target) ? undefined : own(graph.nodes, target);
      if (end) this.#endings.push({ target: end, guard, when: describeRoute(route, this.#context), path, hops });
      else this.#exits.set(exitKey(hops), this.#move(id, { ...route, guard }));
    }
    if (isTerminal(node))
      this.#endings.push({ target: node, guard: here, when: "You have said your words", path: ["nodes", id] });
  }

  /** Returns the guard that a call is at a step. The call is at the first step until a tool sets another one. */
  #at(id: string): Guard {
    if (this.#step === undefined) return all([]);
    const here: Guard = { kind: "is", variable: this.#step, value: this.#context.plan.names.get(id) ?? id };
    if (id !== this.#speaker.ids[0]) return here;
    return any([here, none([{ kind: "clause", clause: { left: this.#step, operator: "exists" } }])]);
  }

  /** Reports a transition to the node itself; without a tool for it, also those on the way. */
  #loseReturn({ path, through, hops, target, back }: Route, hasWork: boolean): void {
    const { graph, losses } = this.#context;
    // the prompt has the conditions on the way, except for those of a way back
    const more = back ? [target] : [];
    if (!this.#step) losses.add("self-transition", path, hasWork);
    for (const node of hasWork || (this.#step && !back) ? [] : through.flatMap((id) => own(graph.nodes, id) ?? []))
      for (const index of node.transitions.keys())
        if (hops.includes(hopOf(node, index)))
          losses.add("self-transition", transitionPath(node, index), false, ...more);
  }

  #move(from: string, route: Route): Exit {
    const { target, path, guard, sets } = route;
    const undone = markersOf(target, this.#context);
    const again = target === from;
    if (again) this.#loseReturn(route, undone.length > 0);
    if (again && undone.length === 0) return {};
    const start = this.#step ? {} : this.#startOf(target, route.waits);
    const key = this.#step ? String(this.#moves.size) : canonicalJson([target, guard, start, undone, sets]);
    const same = this.#moves.get(key);
    const words = emitText(describeRoute(route, this.#context), path, this.#context);
    const described = this.#step ? words : emitDescription(words, path, this.#context);
    const when = same ? emitDescription(`${same.when}; or: ${described}`, path, this.#context) : described;
    const to = functionSlug(target);
    const wanted = this.#step ? `to_${to}_from_${functionSlug(from)}` : `${again ? "restart" : "to"}_${to}`;
    const name = same?.name ?? this.#speaker.pool.take(wanted);
    this.#moves.set(key, { from, route, undone, start, ...same, name, when });
    return { tool: name, again };
  }

  #startOf(target: string, waits: boolean): Move["start"] {
    if (waits) return { firstMessageMode: "assistant-waits-for-user" };
    const node = own(this.#context.graph.nodes, target);
    const start = node ? startOf(node, this.#context) : {};
    return node && !sameJson(memberStart(node, this.#context), start) ? start : {};
  }

  #moveTool({ name, from, route: { target, guard, sets, path }, undone, start, when }: Move): VapiTool {
    const { names } = this.#context.plan;
    const [source, assistantName] = [names.get(from) ?? from, names.get(target) ?? target];
    const veto = emitRejection(guard, this.#context);
    const resets = Object.fromEntries(undone.map((key) => [key, ""]));
    const values = target === from && !this.#step ? resets : { ...sets, ...resets };
    const aliases = Object.entries(values).map(([key, value]) => ({ key, value }));
    if (this.#step) {
      const words = `In the step "${source}". ${when}. Moves on to "${assistantName}".`;
      const description = emitDescription(words, path, this.#context);
      const code = `return { step: ${JSON.stringify(assistantName)} };`;
      const step = { key: this.#step, value: "{{$.step}}" };
      return { ...codeTool({ name, description, code, aliases: [step, ...aliases] }), ...veto };
    }
    if (target === from) return { ...codeTool({ name, description: when, code: "return {};", aliases }), ...veto };
    const overrides = { ...start, ...(Object.keys(values).length > 0 ? { variableValues: values } : {}) };
    return {
      type: "handoff",
      function: { name, description: when, parameters: { type: "object", properties: {} } },
      destinations: [
        {
          type: "assistant",
          assistantName,
          description: when,
          contextEngineeringPlan: { type: "all" },
          ...(Object.keys(overrides).length > 0 ? { assistantOverrides: overrides } : {}),
        },
      ],
      messages: [],
      ...veto,
    };
  }

  /** Emits the `endCall` or `transferCall` tool of all such ends. It is accepted if any route to them is open. */
  #endTool(type: AgentNode["node_type"], kind: TerminalKind): VapiTool | undefined {
    const { ids, work } = this.#speaker;
    const endings = this.#endings.filter(({ target }) => target.node_type === type);
    const held = work.tools.find((tool) => tool.type === kind);
    const texts = new Set(endings.map((ending) => this.#fixedWords(ending)));
    const [words] = texts.size === 1 && !held ? texts : [];
    const made = [...new Set(endings.map(({ target }) => target))].map((target): VapiTool => {
      const ways = endings.filter((ending) => ending.target === target);
      const when = ways.map((way) => way.when).join("; or: ");
      return kind === "endCall"
        ? { type: kind, messages: spoken(words, ways[0]?.path ?? [], this.#context) }
        : emitTransfer(destinationsFor(target), when, ["nodes", target.id], this.#context, words);
    });
    const [first, ...others] = made;
    if (!first) return undefined;
    for (const ending of endings) this.#describeEnd(ending, kind, words);
    const places = (held ? made : others).flatMap((tool) =>
      tool.type === "transferCall" ? (tool.destinations ?? []) : [],
    );
    const tool = withDestinations(held ?? first, places);
    if (Reflect.get(tool, "rejectionPlan")) return tool;
    const open = ids.filter((id) => held && ownTerminals(workOf(id, this.#context), kind).length > 0);
    const guards = [...endings.map(({ guard }) => guard), ...open.map((id) => this.#at(id))];
    return { ...tool, ...emitRejection(any(guards), this.#context) };
  }

  /** @param words Text that the tool speaks. */
  #describeEnd(ending: Ending, tool: TerminalKind, words: string | undefined): void {
    const { target, hops } = ending;
    if (!hops) return;
    const fixed = this.#fixedWords(ending);
    const isLeft = fixed !== undefined && fixed !== words;
    const message = "One tool ends or transfers the call for all steps, with the same message";
    if (isLeft) this.#context.losses.add("fixed-words", ["nodes", target.id, "state_prompt"], message);
    const prompt = fixed === undefined ? promptText(target, this.#context) : "";
    this.#exits.set(exitKey(hops), { tool, before: isLeft ? `say exactly: ${fixed}` : prompt });
  }

  /** Returns the static text that the tool has to speak. A member speaks its own text. */
  #fixedWords({ target, hops }: Ending): string | undefined {
    if (target.instruction_type !== "static_text" || !hops) return undefined;
    return promptText(target, this.#context) || undefined;
  }
}
