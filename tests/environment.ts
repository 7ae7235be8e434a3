import process from "node:process";

/** Sets variables of the environment for as long as the work takes; tests of one file run one after another. */
export async function withEnvironment(
  variables: { readonly [name: string]: string },
  work: () => void | Promise<void>,
): Promise<void> {
  const before = new Map(Object.keys(variables).map((name) => [name, process.env[name]] as const));
  Object.assign(process.env, variables);
  try {
    await work();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
