import type { Vapi } from "@vapi-ai/server-sdk";
import type { Path } from "../../../../src/errors.ts";
import type { AgentNode } from "../../../../src/graph/mod.ts";
import { sameJson } from "../../../../src/values/mod.ts";
import { all, any, type Guard, type LoweredNode, type Route } from "../../../lower/mod.ts";
import { type NamePool, nodeOf, slug } from "../common/mod.ts";
import { destinationOf, type EmitContext, markersOf, withDestinations } from "../plan/mod.ts";
import { describeRoute, type Exit, exitKey, exitLines, openingOf, point, startOf } from "../prompt/mod.ts";
import { emitText } from "../text/mod.ts";
import { emitDescription, emitEndCall, emitRejection, emitTransfer, noteLines, type WorkTools } from "../tools/mod.ts";

type Tool = Vapi.AssistantOverridesToolsAppendItem;

/** Gathers the tools that lead away from a member, and what its prompt says about them. */
export class MemberEdges {
  readonly tools: Tool[] = [];
  readonly #handoffs = new Map<string, string>();
  readonly #exits = new Map<string, Exit>();
  /** What the prompt says behind the node's own transitions. */
  readonly #more: string[] = [];
  readonly #node: LoweredNode;
  readonly #names: ReadonlyMap<string, string>;
  readonly #pool: NamePool;
  readonly #context: EmitContext;
  readonly #ends: Route[] = [];

  constructor(node: LoweredNode, names: ReadonlyMap<string, string>, pool: NamePool, context: EmitContext) {
    this.#node = node;
    this.#names = names;
    this.#pool = pool;
    this.#context = context;
  }

  /** What the prompt says about going on, in the order of the node's transitions. */
  lines(work: WorkTools): readonly string[] {
    const exits = exitLines(this.#node, { work, exits: this.#exits }, this.#context);
    return [...noteLines(work, this.#context), ...exits, ...this.#more];
  }

  add(route: Route): void {
    if (!this.#names.has(route.target)) {
      this.#ends.push(route);
      return;
    }
    const isSelf = route.target === this.#node.id;
    const hasWork = markersOf(route.target, this.#context).length > 0;
    if (isSelf) this.#reportSelf(route.path, hasWork);
    if (isSelf && !hasWork) {
      this.#exits.set(exitKey(route.hops), {});
      return;
    }
    const when = describeRoute(route, this.#context);
    const { tool } = this.#handOff(route.target, route.guard, when, route.path, route);
    this.#exits.set(exitKey(route.hops), { tool, again: isSelf });
  }

  #reportSelf(path: Path, hasWork: boolean): void {
    this.#context.losses.emulated(
      "self-transition",
      path,
      "Vapi ignores a handoff from an assistant to itself",
      hasWork
        ? "a code tool that marks the member's tools as not called, so that none of them can be skipped the next time"
        : "no handoff: the member goes on with its own prompt",
      "Say in the prompt when to start over",
    );
  }

  /**
   * One tool for each way to be done with the call, open while any of the routes to it is. One that the member has of
   * its own does that, too: Vapi would keep only one of them.
   *
   * @returns The member's own tools.
   */
  addEnds(own: readonly Tool[]): readonly Tool[] {
    let tools = own;
    for (const type of ["end", "transfer"] as const) {
      const kind = type === "end" ? "endCall" : "transferCall";
      const routes = this.#ends.filter(({ target }) => nodeOf(this.#context.graph, target)?.node_type === type);
      const targets = [...new Set(routes.map(({ target }) => target))].flatMap(
        (id) => nodeOf(this.#context.graph, id) ?? [],
      );
      const guard = any(routes.map((route) => route.guard));
      const made = targets.map((target) => {
        const leading = routes.filter((route) => route.target === target.id);
        const when = leading.map((route) => describeRoute(route, this.#context)).join("; or: ");
        return this.#finish(type, target, guard, when, leading[0]?.path ?? []);
      });
      const [first, ...others] = made;
      if (!first) continue;
      const places = (of: readonly Tool[]) =>
        of.flatMap((tool) => (tool.type === "transferCall" ? (tool.destinations ?? []) : []));
      const isOwn = tools.some((tool) => tool.type === kind);
      if (isOwn) tools = tools.map((tool) => (tool.type === kind ? withDestinations(tool, places(made)) : tool));
      else this.tools.push(withDestinations(first, places(others)));
      for (const route of routes) {
        const end = nodeOf(this.#context.graph, route.target);
        const prompt = end && end.instruction_type !== "static_text" ? this.#text(end) : "";
        this.#exits.set(exitKey(route.hops), { tool: kind, before: prompt });
      }
    }
    return tools;
  }

  /** The tool of an end or transfer that is a member itself. */
  addOwnEnd(): void {
    const type = this.#node.node_type === "transfer" ? "transfer" : "end";
    const spoken = { ...this.#node, instruction_type: "prompt" as const, state_prompt: "" };
    this.tools.push(this.#finish(type, spoken, all([]), "You have said your words", ["nodes", this.#node.id]));
    const tool = type === "end" ? "endCall" : "transferCall";
    this.#more.push(...point("As soon as you have said this, without waiting for an answer", `call ${tool}`));
  }

  #finish(type: "end" | "transfer", target: AgentNode, guard: Guard, when: string, path: Path): Tool {
    const words = target.instruction_type === "static_text" ? this.#text(target) : undefined;
    return type === "end"
      ? emitEndCall(words, guard, path, this.#context)
      : emitTransfer(destinationOf(target), guard, when, ["nodes", target.id], this.#context, words);
  }

  #text(node: AgentNode): string {
    return emitText(node.state_prompt, ["nodes", node.id, "state_prompt"], this.#context);
  }

  #handOff(target: string, guard: Guard, when: string, path: Path, way: Pick<Route, "waits" | "sets">): Handoff {
    const assistantName = this.#names.get(target) ?? target;
    const description = emitDescription(emitText(when, path, this.#context), path, this.#context);
    const overrides = this.#overrides(target, way);
    const key = JSON.stringify([target, guard, overrides]);
    const same = this.#handoffs.get(key);
    if (same) return { tool: this.#alsoFor(same, description, path), when: description };
    const isSelf = target === this.#node.id;
    const name = this.#pool.take(`${isSelf ? "restart" : "to"}_${slug(target)}`);
    this.#handoffs.set(key, name);
    const described = { name, description, parameters: { type: "object", properties: {} } } as const;
    if (isSelf) {
      const aliases = markersOf(target, this.#context).map((marker) => ({ key: marker, value: "" }));
      const plan = { variableExtractionPlan: { aliases }, ...emitRejection(guard, this.#context) };
      this.tools.push({ type: "code", function: described, code: "return {};", messages: [], ...plan });
      return { tool: name, when: description };
    }
    this.tools.push({
      type: "handoff",
      function: described,
      destinations: [
        {
          type: "assistant",
          assistantName,
          description,
          contextEngineeringPlan: { type: "all" },
          ...(Object.keys(overrides).length > 0 ? { assistantOverrides: overrides } : {}),
        },
      ],
      messages: [],
      ...emitRejection(guard, this.#context),
    });
    return { tool: name, when: description };
  }

  /** One handoff for two conditions that lead to the same member in the same way. */
  #alsoFor(name: string, when: string, path: Path): string {
    for (const [index, tool] of this.tools.entries()) {
      if ((tool.type !== "handoff" && tool.type !== "code") || tool.function?.name !== name) continue;
      const told = emitDescription(`${tool.function.description ?? ""}; or: ${when}`, path, this.#context);
      const named = { ...tool.function, description: told };
      const places = tool.type === "handoff" ? (tool.destinations ?? []) : [];
      const destinations = places.map((destination) => ({ ...destination, description: told }));
      this.tools[index] =
        tool.type === "code" ? { ...tool, function: named } : { ...tool, function: named, destinations };
    }
    return name;
  }

  /** How the target starts when it is entered this way, where that is not how it always starts. */
  #overrides(target: string, way: Pick<Route, "waits" | "sets">): Vapi.AssistantOverrides {
    const { graph, plan } = this.#context;
    const node = nodeOf(graph, target);
    const start = way.waits
      ? { firstMessageMode: "assistant-waits-for-user" as const }
      : node && target === plan.members[0] && !sameJson(openingOf(node, this.#context), startOf(node, this.#context))
        ? startOf(node, this.#context)
        : {};
    const values = {
      ...Object.fromEntries(markersOf(target, this.#context).map((marker) => [marker, ""])),
      ...way.sets,
    };
    return { ...start, ...(Object.keys(values).length > 0 ? { variableValues: values } : {}) };
  }
}

/** A handoff's name, and what it says about when it is made. */
interface Handoff {
  readonly tool: string;
  readonly when: string;
}
