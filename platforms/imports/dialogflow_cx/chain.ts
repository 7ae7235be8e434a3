import type { Path } from "../../../src/base/errors.ts";
import { type JsonObject, Names, recordAt, shown } from "../../../src/base/values/mod.ts";
import type { ToolDefinition, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import {
  ALWAYS_TAKEN,
  AT_ONCE,
  assigned,
  conditionsOf,
  filled,
  isExact,
  type Logic,
  request,
  textOf,
  toolCalled,
} from "../shared/mod.ts";
import type { Agent } from "./document.ts";
import { logicOf } from "./references.ts";
import { type Reading, type Step, wordsOf } from "./steps.ts";

/** A node that something leads to. */
export interface Goal {
  readonly id: string;
  /** Whether it says nothing by itself, so that what was just said is what the caller answers. */
  readonly waits: boolean;
}

/** Makes nodes of the steps of fulfillments. */
export class Chains {
  readonly #agent: Agent;
  readonly #reading: Reading;
  readonly #names = new Names([], { joint: "_", limit: 60 });
  readonly #tools = new Map<string, ToolDefinition>();

  constructor(agent: Agent, reading: Reading) {
    this.#agent = agent;
    this.#reading = reading;
  }

  /**
   * Adds the nodes of steps, and returns the first of them; without steps, where they would lead.
   *
   * @param name Beginning of the names of the nodes.
   * @param first Id of the first node. Default: a free one.
   * @param failed Where a webhook that fails leads. Default: on.
   */
  add(steps: readonly Step[], goal: Goal, name: string, first?: string, failed?: Goal): Goal {
    return steps.reduceRight((next, step, index) => {
      const id = index === 0 && first !== undefined ? first : this.#reading.draft.helper(`${name} ${NAMES[step.does]}`);
      return { id: this.#node(step, id, next, name, failed), waits: false };
    }, goal);
  }

  #node(step: Step, id: string, next: Goal, name: string, failed: Goal | undefined): string {
    const { draft } = this.#reading;
    const on = draft.step(next.id, ALWAYS_TAKEN);
    switch (step.does) {
      case "say":
        return draft.add(
          id,
          "conversation",
          { state_prompt: step.text, instruction_type: "static_text", transitions: [this.after(next)] },
          step.path,
        );
      case "set":
        return draft.add(id, "extract", { variables_to_extract: this.#values(step), transitions: [on] }, step.path);
      case "choose": {
        const ways = step.cases.flatMap((each) => {
          const inside = this.add(each.steps, next, name, undefined, failed);
          return this.decided(logicOf(each.condition, this.#reading.variables), inside.id, each.path);
        });
        const isComplete = ways.some(({ condition }) => condition.type === "always");
        return draft.add(id, "logic", { transitions: isComplete ? ways : [...ways, on] }, step.path);
      }
      case "call": {
        const tool = this.#tool(step.webhook, step.tag, step.path);
        const ways = [
          draft.step(next.id, toolCalled(tool.name, "succeeded")),
          draft.step((failed ?? next).id, toolCalled(tool.name, "failed")),
        ];
        return draft.add(id, "function", { tools: [tool], transitions: ways }, step.path);
      }
      case "transfer":
        return draft.add(id, "transfer", step.to === "" ? {} : { transfer_to: step.to }, step.path);
      default:
        return draft.add(id, "end", {}, step.path);
    }
  }

  /** The transition after something was said. */
  after(goal: Goal, condition: TransitionCondition = ALWAYS_TAKEN): Transition {
    return this.#reading.draft.step(goal.id, condition, goal.waits ? {} : AT_ONCE);
  }

  /** Transitions by a condition, which is named where the model decides it. */
  decided(logic: Logic, target: string, path: Path): readonly Transition[] {
    const { draft } = this.#reading;
    const conditions = conditionsOf(logic);
    if (!isExact(conditions))
      draft.warn(
        "condition-in-words",
        path,
        "The model decides this condition, which has no equation",
        "Write an equation if one will do",
      );
    return conditions.map((condition) => draft.step(target, condition));
  }

  #values(step: Extract<Step, { does: "set" }>) {
    const { draft, variables } = this.#reading;
    return step.values.map(({ parameter, value }, index) => {
      const name = textOf(parameter);
      draft.note(
        "set-variable",
        [...step.path, index],
        `A model gives ${shown(name)} its value`,
        "Set it with a tool if it has to be computed",
      );
      const { choices: _, ...variable } = assigned(
        variables.name(name.replace(/^\$?(?:session|page|flow|intent)\.params\./, "")),
        filled(value, (text) => wordsOf(text, [...step.path, index, "value"], this.#reading)),
      );
      // other steps may give it other values
      return { ...variable, type: "string" };
    });
  }

  #tool(webhook: string, tag: string, path: Path): ToolDefinition {
    const key = JSON.stringify([webhook, tag]);
    const known = this.#tools.get(key);
    if (known) return known;
    const { draft } = this.#reading;
    const found = this.#agent.webhooks.find(({ name }) => name === webhook);
    const service = serviceOf(found?.content ?? {});
    const url = textOf(service.uri);
    const { seconds } = recordAt(found?.content ?? {}, "timeout");
    const tool = request({
      name: this.#names.take((tag || webhook).replaceAll(/\W+/g, "_") || "webhook"),
      description: tag === "" ? `Webhook "${webhook}"` : `Webhook "${webhook}" for "${tag}"`,
      ...(url === "" ? {} : { url }),
      method: textOf(service.httpMethod) || "POST",
      headers: recordAt(service, "requestHeaders"),
      ...(typeof seconds === "number" ? { timeoutMs: seconds * 1000 } : {}),
      sends: tag === "" ? {} : { tag },
    });
    if (url === "")
      draft.warn("tool-without-url", path, `The webhook ${shown(webhook)} has no address`, "Give the tool a URL");
    draft.note(
      "approximated",
      path,
      "The webhook gets the arguments of the tool, not a request of Dialogflow; what it answers sets no parameters",
      "Name the arguments, and the variables that its response fills",
    );
    this.#tools.set(key, tool);
    return tool;
  }
}

const NAMES: { readonly [does in Step["does"]]: string } = {
  say: "says",
  set: "sets",
  choose: "chooses",
  call: "calls",
  transfer: "transfers",
  end: "ends",
};

function serviceOf(webhook: JsonObject): JsonObject {
  const generic = recordAt(webhook, "genericWebService");
  return Object.keys(generic).length > 0
    ? generic
    : recordAt(recordAt(webhook, "serviceDirectory"), "genericWebService");
}
