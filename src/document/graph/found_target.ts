/** A target's name as answers are compared with it: without surrounding white space, in lower case. */
export function foldedTarget(name: string): string {
  return name.trim().toLowerCase();
}

/** The target that an answer names: an exact match, else one that ignores case and surrounding white space. */
export function foundTarget(targets: readonly string[], name: string): string | undefined {
  const folded = foldedTarget(name);
  return targets.find((target) => target === name) ?? targets.find((target) => foldedTarget(target) === folded);
}
