import type { JsonObject } from "../../src/base/values/mod.ts";

/**
 * Type of the values that a JSON Schema describes, from the keywords `type`, `properties`, `required`, `items`, `enum`
 * and `const`. Schemas without these keywords give `unknown`.
 */
export type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Type }
      ? OfType<Type extends readonly (infer Each)[] ? Each : Type, Schema>
      : Schema extends { readonly properties: infer Properties }
        ? ObjectOf<Properties, RequiredOf<Schema>>
        : unknown;

type OfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? readonly (Schema extends { readonly items: infer Items } ? ValueOf<Items> : unknown)[]
          : Type extends "object"
            ? Schema extends { readonly properties: infer Properties }
              ? ObjectOf<Properties, RequiredOf<Schema>>
              : JsonObject
            : unknown;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & { readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]> };

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;
