import type * as v from "valibot";

/** Makes the schema of an object reject lists, which valibot reads as objects. */
export function withoutLists<const Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema["~run"] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema["~run"](dataset, config);
    const failed = schema["~run"]({ value: null }, config);
    const issues = failed.issues?.map((issue) => ({ ...issue, input: dataset.value, received: "Array" }));
    return { ...failed, value: dataset.value, issues } as typeof failed; // map() loses that the list is not empty
  };
  return { ...schema, "~run": run };
}
