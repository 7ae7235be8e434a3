import { isRecord, type JsonObject } from "../../src/base/values/mod.ts";

/**
 * Reduces the JSON Schema of Retell's SDK types to what `platforms/retell/shared/fields.ts` reads: the keys of flows,
 * LLMs, nodes and tools, the fixed conditions of special edges, and the allowed values of a few keys.
 */
export function reduceRetell(document: unknown, date: string): JsonObject {
  const { $comment, definitions } = isRecord(document) ? document : {};
  const schema = new SchemaReader(isRecord(definitions) ? definitions : {});
  const flow = schema.named("ConversationFlowCreateParams");
  const llm = schema.named("LlmCreateParams");
  const agent = schema.named("AgentCreateParams");
  const nodes = schema.alternatives(schema.itemsOf(flow, "nodes"));
  const edges = nodes.flatMap((node) => schema.specialEdges(node));
  const equations = schema.alternatives(schema.itemsOf(nodes[0] ?? {}, "edges")).flatMap((edge) => {
    const conditions = schema.alternatives(schema.property(edge, "transition_condition"));
    return conditions.flatMap((each) => schema.alternatives(schema.itemsOf(each, "equations")));
  });
  const variables = nodes.flatMap((node) => schema.alternatives(schema.itemsOf(node, "variables")));
  const tables = {
    flow: schema.keys(flow),
    llm: schema.keys(llm),
    languages: schema.texts(schema.property(agent, "language")),
    models: {
      model: schema.texts(schema.property(llm, "model")),
      s2s_model: schema.texts(schema.property(llm, "s2s_model")),
      voice_model: schema.texts(schema.property(agent, "voice_model")),
    },
    edge_conditions: Object.fromEntries(edges),
    operators: schema.texts(schema.property(equations[0] ?? {}, "operator")),
    variable_types: variables.flatMap((each) => schema.texts(schema.property(each, "type"))),
    flow_tools: schema.alternatives(schema.itemsOf(flow, "tools")).map((tool) => schema.typeOf(tool)),
    tools: schema.byType(schema.alternatives(schema.itemsOf(llm, "general_tools"))),
    nodes: schema.byType(nodes),
    agent: schema.keys(agent),
    parts: { flow: schema.parts(flow), llm: schema.parts(llm), agent: schema.parts(agent) },
  };
  const version = /retell-sdk (\d[\w.]*)/.exec(String($comment))?.[1];
  return { source: "retell-sdk", version, date, tables };
}

/** A schema with its references resolved. */
class SchemaReader {
  readonly #definitions: JsonObject;

  constructor(definitions: JsonObject) {
    this.#definitions = definitions;
  }

  named(name: string): JsonObject {
    const found = this.#definitions[name];
    if (!isRecord(found)) throw new Error(`Retell's schema has no definition "${name}"`);
    return found;
  }

  property(schema: JsonObject, key: string): JsonObject {
    const { properties } = schema;
    const found = isRecord(properties) ? properties[key] : undefined;
    return isRecord(found) ? found : {};
  }

  /** The alternatives of a union without null; any other schema is its only alternative. */
  alternatives(schema: JsonObject): JsonObject[] {
    if (typeof schema.$ref === "string")
      return this.alternatives(this.named(schema.$ref.replace("#/definitions/", "")));
    const { anyOf } = schema;
    if (Array.isArray(anyOf)) return anyOf.filter(isRecord).flatMap((each) => this.alternatives(each));
    return schema.type === "null" || Object.keys(schema).length === 0 ? [] : [schema];
  }

  itemsOf(schema: JsonObject, key: string): JsonObject {
    const list = this.alternatives(this.property(schema, key)).find(({ items }) => isRecord(items));
    return isRecord(list?.items) ? list.items : {};
  }

  texts(schema: JsonObject): string[] {
    const values = this.alternatives(schema).flatMap((each) => (Array.isArray(each.enum) ? each.enum : [each.const]));
    return values.filter((value) => typeof value === "string");
  }

  typeOf(schema: JsonObject): string {
    return this.texts(this.property(schema, "type"))[0] ?? "";
  }

  keys(schema: JsonObject): JsonObject {
    const { properties, required } = schema;
    const keys = Object.keys(isRecord(properties) ? properties : {});
    return { keys, required: Array.isArray(required) ? required.filter((key) => keys.includes(String(key))) : [] };
  }

  /** Keys of nodes or tools by their type, with the kinds of instruction that they accept. */
  byType(schemas: readonly JsonObject[]): JsonObject {
    const entries = schemas.map((schema) => {
      const instructions = this.alternatives(this.property(schema, "instruction")).map((each) => this.typeOf(each));
      return [
        this.typeOf(schema),
        { ...this.keys(schema), ...(instructions.length > 0 ? { instructions } : {}) },
      ] as const;
    });
    return Object.fromEntries(entries);
  }

  /**
   * The keys of the objects at each key, at any depth: those of all alternatives together. Keys that also hold objects
   * with free keys are left out.
   */
  parts(root: JsonObject): JsonObject {
    const found = new Map<string, Set<string>>();
    const free = new Set<string>();
    const seen = new Set<JsonObject>();
    const waiting = [root];
    for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      for (const [key, value] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
        const alternatives = isRecord(value) ? this.alternatives(value) : [];
        const items = alternatives.flatMap((each) => (isRecord(each.items) ? this.alternatives(each.items) : []));
        for (const part of [...alternatives, ...items]) {
          const { properties, type } = part;
          if (type === "array" || (type !== "object" && !isRecord(properties))) continue;
          waiting.push(part);
          if (!isRecord(properties) || isRecord(part.additionalProperties)) free.add(key);
          else found.set(key, new Set([...(found.get(key) ?? []), ...Object.keys(properties)]));
        }
      }
    }
    const fixed = [...found].filter(([key]) => !free.has(key));
    return Object.fromEntries(fixed.map(([key, keys]) => [key, [...keys].sort()]));
  }

  /** The edges of a node with their own key, and the only prompt that Retell accepts as their condition. */
  specialEdges(node: JsonObject): (readonly [slot: string, prompt: string])[] {
    const slots = Object.keys(isRecord(node.properties) ? node.properties : {}).filter((key) => key.endsWith("edge"));
    return slots.flatMap((slot) => {
      const conditions = this.alternatives(this.property(node, slot)).flatMap((edge) =>
        this.alternatives(this.property(edge, "transition_condition")),
      );
      const [prompt] = conditions.flatMap((each) => this.texts(this.property(each, "prompt")));
      return prompt === undefined ? [] : [[slot, prompt] as const];
    });
  }
}
