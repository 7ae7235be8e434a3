import { type Schema, schemaAt } from "../../../../platforms/vapi/api/mod.ts";
import { fc } from "../../../properties.ts";

/** Maximum depth of generated settings. */
const MAX_DEPTH = 7;

/** Generates values of the wrong type. */
const junk = fc.constantFrom<unknown>(null, "x", "", "en-US", "de-AT", 5, -3, 1e6, true, [], {}, { provider: "azure" });

/** Generates values for a schema. Most are valid; some have a part that Vapi rejects. */
export function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref === "JsonSchema")
    return fc.constantFrom({ type: "string" }, { type: "object", properties: { a: { type: "string", minLength: 2 } } });
  if (schema.$ref !== undefined) return depth > MAX_DEPTH ? junk : valuesOf(schemaAt(schema.$ref), depth + 1);
  return fc.oneof({ weight: 9, arbitrary: rightOnes(schema, depth + 1) }, { weight: 1, arbitrary: junk });
}

function rightOnes(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 5, maxLength = 5, kinds, of = {} } = schema;
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => valuesOf(each, depth)));
  if (kinds !== undefined)
    return fc
      .constantFrom(...Object.entries(of))
      .chain(([kind, $ref]) => valuesOf({ $ref }, depth).map((value) => ({ ...Object(value), [kinds]: kind })));
  if (schema.enum) return fc.constantFrom(...schema.enum, ...schema.enum.map((each) => String(each).toUpperCase()));
  switch (schema.type) {
    case "string":
      return fc.constantFrom("a", "abc", "A_B", "y".repeat(maxLength + 3));
    case "number":
      return fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, depth), { maxLength: 2 });
    case "object":
      return objects(schema, depth);
    default:
      return fc.constantFrom("x", "a-name-of-tomorrow");
  }
}

function objects({ properties, additionalProperties, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
  if (additionalProperties) return fc.dictionary(fc.constantFrom("a", "b"), valuesOf(additionalProperties, depth));
  if (!properties || depth > MAX_DEPTH) return fc.constant({});
  const parts = Object.entries(properties).map(([key, part]) => [key, valuesOf(part, depth)] as const);
  const known = Object.fromEntries(parts);
  return fc.oneof(
    { weight: 9, arbitrary: fc.record(known, { requiredKeys: [...required] }) },
    { weight: 1, arbitrary: fc.record({ ...known, unknown: fc.constant(1) }, { requiredKeys: ["unknown"] }) },
  );
}
