import type { Path } from "../../../../src/errors.ts";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { sameJson } from "../../../../src/values/mod.ts";
import { all, any, type Guard, isTerminal, none, type Route } from "../../../lower/mod.ts";
import { type NamePool, nodeOf, slug } from "../common/mod.ts";
import {
  destinationOf,
  type EmitContext,
  markersOf,
  ownTerminals,
  TERMINALS,
  type TerminalKind,
  withDestinations,
  workOf,
} from "../plan/mod.ts";
import { describeRoute, type Exit, exitKey, exitLines, noteLines, openingOf, point, startOf } from "../prompt/mod.ts";
import { emitText, promptText } from "../text/mod.ts";
import {
  codeTool,
  emitDescription,
  emitEndCall,
  emitRejection,
  emitTransfer,
  type Tool,
  type WorkTools,
} from "../tools/mod.ts";

/** An assistant and the nodes that it speaks for: one of a squad's members, or all of them as steps. */
export interface Speaker {
  /** Ids of the nodes, the first one where it starts. */
  readonly ids: readonly string[];
  /** Names of all members, by the ids of their nodes. */
  readonly names: ReadonlyMap<string, string>;
  readonly pool: NamePool;
  readonly work: WorkTools;
}

/** A tool that leads to another node, for all routes that go there in the same way. */
interface Move {
  readonly name: string;
  readonly from: string;
  readonly target: string;
  readonly guard: Guard;
  /** Markers of the target's work, which are reset. */
  readonly undone: readonly string[];
  readonly sets: Route["sets"];
  /** How the target starts when it is entered this way, where that is not how it always starts. */
  readonly start: Partial<ReturnType<typeof startOf>>;
  /** When it is called. */
  readonly when: string;
  readonly path: Path;
}

/** A way to the end of the call. */
interface Ending {
  readonly target: AgentNode;
  readonly guard: Guard;
  readonly when: string;
  readonly path: Path;
  /** Absent: the target is the node itself. */
  readonly hops?: readonly string[];
}

/** The tools that lead away from the nodes of an assistant, and what its prompt says about them. */
export class Exits {
  /** All tools that lead away. */
  readonly tools: readonly Tool[];
  /** The tools of the nodes themselves. One of them that ends the call serves the graph's ends, too: Vapi keeps only one. */
  readonly workTools: readonly Tool[];
  readonly #moves = new Map<string, Move>();
  readonly #endings: Ending[] = [];
  readonly #exits = new Map<string, Exit>();
  /** The variable that holds the step that the call is at, if there are several. */
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
    const own = speaker.work.tools;
    this.workTools = own.map((tool) => ends.find(({ type }) => type === tool.type) ?? tool);
    this.tools = [...moves, ...ends.filter(({ type }) => own.every((tool) => tool.type !== type))];
  }

  /** Instructions for going on from a node. */
  lines(id: string): readonly string[] {
    const { ids, work } = this.#speaker;
    const node = nodeOf(this.#context.graph, id);
    if (!node) return [];
    const notes = id === ids[0] ? noteLines(work, this.#context) : [];
    const end = TERMINALS.find(([type]) => type === node.node_type);
    const last = end ? point("As soon as you have said this, without waiting for an answer", `call ${end[1]}`) : [];
    return [...notes, ...exitLines(node, { work, exits: this.#exits }, this.#context), ...last];
  }

  #add(id: string): void {
    const { graph, plan } = this.#context;
    const node = nodeOf(graph, id);
    if (!node) return;
    const here = this.#at(id);
    for (const route of plan.routes.get(id) ?? []) {
      const { target, path, hops } = route;
      const guard = all([here, route.guard]);
      const end = this.#speaker.names.has(target) ? undefined : nodeOf(graph, target);
      if (end) this.#endings.push({ target: end, guard, when: describeRoute(route, this.#context), path, hops });
      else this.#exits.set(exitKey(hops), this.#move(id, { ...route, guard }));
    }
    if (isTerminal(node))
      this.#endings.push({ target: node, guard: here, when: "You have said your words", path: ["nodes", id] });
  }

  /** The step where the assistant starts is the one that no tool has set. */
  #at(id: string): Guard {
    if (this.#step === undefined) return all([]);
    const here: Guard = { kind: "is", variable: this.#step, value: this.#speaker.names.get(id) ?? id };
    if (id !== this.#speaker.ids[0]) return here;
    return any([here, none([{ kind: "clause", clause: { left: this.#step, operator: "exists" } }])]);
  }

  #move(from: string, route: Route): Exit {
    const { target, path, guard, sets } = route;
    const undone = markersOf(target, this.#context);
    const isSelf = target === from;
    if (isSelf && !this.#step) this.#context.losses.add("self-transition", path, undone.length > 0);
    if (isSelf && undone.length === 0) return {};
    const start = this.#step ? {} : this.#startOf(target, route.waits);
    const words = emitText(describeRoute(route, this.#context), path, this.#context);
    const when = this.#step ? words : emitDescription(words, path, this.#context);
    const key = this.#step ? String(this.#moves.size) : JSON.stringify([target, guard, start, undone, sets]);
    const same = this.#moves.get(key);
    if (same) {
      this.#moves.set(key, { ...same, when: emitDescription(`${same.when}; or: ${when}`, path, this.#context) });
      return { tool: same.name, again: isSelf };
    }
    const [to, origin] = [slug(target), slug(from)];
    const name = this.#speaker.pool.take(this.#step ? `to_${to}_from_${origin}` : `${isSelf ? "restart" : "to"}_${to}`);
    this.#moves.set(key, { name, from, target, guard, undone, sets, start, when, path });
    return { tool: name, again: isSelf };
  }

  #startOf(target: string, waits: boolean): Move["start"] {
    if (waits) return { firstMessageMode: "assistant-waits-for-user" };
    const { graph, plan } = this.#context;
    const node = target === plan.members[0] ? nodeOf(graph, target) : undefined;
    const start = node ? startOf(node, this.#context) : {};
    return node && !sameJson(openingOf(node, this.#context), start) ? start : {};
  }

  #moveTool({ name, from, target, guard, undone, sets, start, when, path }: Move): Tool {
    const { names } = this.#speaker;
    const [source, assistantName] = [names.get(from) ?? from, names.get(target) ?? target];
    const veto = emitRejection(guard, this.#context);
    const resets = undone.map((key) => ({ key, value: "" }));
    if (this.#step) {
      const words = `In the step "${source}". ${when}. Moves on to "${assistantName}".`;
      const description = emitDescription(words, path, this.#context);
      const values = Object.entries(sets).map(([key, value]) => ({ key, value }));
      const aliases = [{ key: this.#step, value: "{{$.step}}" }, ...values, ...resets];
      const code = `return { step: ${JSON.stringify(assistantName)} };`;
      return { ...codeTool({ name, description, code, aliases }), ...veto };
    }
    if (target === from)
      return { ...codeTool({ name, description: when, code: "return {};", aliases: resets }), ...veto };
    const values = { ...Object.fromEntries(undone.map((key) => [key, ""])), ...sets };
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

  /** The one tool of a kind that ends the call, open while any way to such an end is. */
  #endTool(type: AgentNode["node_type"], kind: TerminalKind): Tool | undefined {
    const { ids, work } = this.#speaker;
    const endings = this.#endings.filter(({ target }) => target.node_type === type);
    const own = work.tools.find((tool) => tool.type === kind);
    const texts = new Set(endings.map((ending) => this.#fixedWords(ending)));
    const [words] = texts.size === 1 && !own ? texts : [];
    const made = [...new Set(endings.map(({ target }) => target))].map((target): Tool => {
      const ways = endings.filter((ending) => ending.target === target);
      const when = ways.map((way) => way.when).join("; or: ");
      return kind === "endCall"
        ? emitEndCall(words, ways[0]?.path ?? [], this.#context)
        : emitTransfer(destinationOf(target), when, ["nodes", target.id], this.#context, words);
    });
    const [first, ...others] = made;
    if (!first) return undefined;
    for (const ending of endings) this.#describeEnd(ending, kind, words);
    const places = (own ? made : others).flatMap((tool) =>
      tool.type === "transferCall" ? (tool.destinations ?? []) : [],
    );
    const tool = withDestinations(own ?? first, places);
    if (Reflect.get(tool, "rejectionPlan")) return tool;
    const open = ids.filter((id) => own && ownTerminals(workOf(id, this.#context), kind).length > 0);
    const guards = [...endings.map(({ guard }) => guard), ...open.map((id) => this.#at(id))];
    return { ...tool, ...emitRejection(any(guards), this.#context) };
  }

  /** @param words The words that the tool itself says. */
  #describeEnd(ending: Ending, tool: TerminalKind, words: string | undefined): void {
    const fixed = this.#fixedWords(ending);
    const isLeft = fixed !== undefined && fixed !== words;
    const { target, hops } = ending;
    if (isLeft)
      this.#context.losses.add(
        "fixed-words",
        ["nodes", target.id, "state_prompt"],
        "One tool ends or transfers the call for all steps, whatever is said before",
      );
    const before = isLeft
      ? `say exactly: ${fixed}`
      : fixed === undefined && hops
        ? promptText(target, this.#context)
        : "";
    if (hops) this.#exits.set(exitKey(hops), { tool, before });
  }

  /** The words that an end speaks to the letter; a member speaks its own. */
  #fixedWords({ target, hops }: Ending): string | undefined {
    if (target.instruction_type !== "static_text" || !hops) return undefined;
    return promptText(target, this.#context) || undefined;
  }
}
